package sqlgen

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// The window functions that take a value from a place in the frame. A frame of a
// range, which is the frame where none is written, begins and ends with all the
// peers of a row: those that tie with it. Which of the peers comes last is the
// database's to choose, so the host tells them apart by the keys; but then a row has
// no peers left. Hence these functions are written over whole partitions: of the
// peers alone where the frame begins or ends with them.

// wholePartition is the frame of all rows of a partition.
var wholePartition = &plan.Frame{
	Unit: plan.FrameRows, From: plan.Bound{Kind: plan.UnboundedPreceding}, To: plan.Bound{Kind: plan.UnboundedFollowing},
}

// overPeers writes w if its function takes a value from a place in a frame that
// begins or ends with peers, and reports whether it did.
func (r *renderer) overPeers(w *plan.Window) bool {
	from, to := plan.UnboundedPreceding, plan.CurrentRow
	if w.Frame != nil {
		if w.Frame.Unit != plan.FrameRange {
			return false
		}
		from, to = w.Frame.From.Kind, w.Frame.To.Kind
	}
	begins, ends := from == plan.CurrentRow, to == plan.CurrentRow
	switch name := w.Call.Func.Name; {
	case name == "first_value" && begins, name == "last_value" && ends, name == "nth_value" && begins && ends:
		r.windowOver(peersOf(w))
	case name == "nth_value" && ends:
		r.nthValue(w)
	case name == "nth_value" && begins:
		r.fail(invalid("nth_value cannot look at a range that begins at the current row. Leave the range out, or count rows."))
	default:
		return false
	}
	return true
}

// peersOf is w over the peers of a row alone.
func peersOf(w *plan.Window) *plan.Window {
	out := &plan.Window{Call: w.Call, Partition: append([]plan.Expr(nil), w.Partition...), Frame: wholePartition}
	for _, o := range w.Order {
		if !contains(out.Partition, o.Expr) {
			out.Partition = append(out.Partition, o.Expr)
		}
	}
	return out
}

// nthValue writes nth_value from the start of the partition to the last peer: the
// row has that place in the partition, and counts where so many rows are in the frame.
func (r *renderer) nthValue(w *plan.Window) {
	if len(w.Call.Args) != 2 {
		r.fail(malformed("nth_value has %d arguments", len(w.Call.Args)))
		return
	}
	count, ok := plan.FindFunction("count")
	if !ok {
		r.fail(malformed("there is no function count"))
		return
	}
	whole := *w
	whole.Frame = wholePartition
	reached := &plan.Window{Call: &plan.Call{Func: count, T: wire.Type{Kind: wire.KindInt}}, Partition: w.Partition, Order: w.Order}
	r.put("CASE WHEN ", reached, " >= ", w.Call.Args[1], " THEN ")
	r.windowOver(&whole)
	r.put(" END")
}
