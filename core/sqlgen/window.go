package sqlgen

import (
	"strings"

	"querent.dev/querent/core/plan"
)

// window writes a call over the rows around the current one.
func (r *renderer) window(w *plan.Window) {
	if w.Call == nil || r.over != nil {
		r.fail(malformed("a window has no call, or stands inside another"))
		return
	}
	if !r.overPeers(w) {
		r.windowOver(w)
	}
}

// windowOver writes the call of a window and what it is over.
func (r *renderer) windowOver(w *plan.Window) {
	r.over = w
	if w.Call.Func.Kind == plan.WindowFunction {
		r.windowCall(w.Call)
	} else {
		r.call(w.Call)
	}
	if r.over != nil {
		r.fail(malformed("the function %q cannot be called over rows", w.Call.Func.Name))
		r.over = nil
	}
}

// windowNames are the window functions, which have the same name and the same
// meaning in every dialect.
var windowNames = map[string]bool{
	"row_number": true, "rank": true, "dense_rank": true, "percent_rank": true, "cume_dist": true, "ntile": true,
	"lag": true, "lead": true, "first_value": true, "last_value": true, "nth_value": true,
}

// windowCall writes the call of a window function. Its numbers of rows are
// constants.
func (r *renderer) windowCall(c *plan.Call) {
	if !windowNames[c.Func.Name] {
		r.fail(malformed("the window function %q is unknown", c.Func.Name))
		return
	}
	r.put(c.Func.Name, "(")
	r.list(len(c.Args), ", ", func(i int) {
		if _, bounded := c.Func.Constants[i]; !bounded {
			r.put(exact{c.Args[i]})
			return
		}
		l, ok := c.Args[i].(*plan.Literal)
		if !ok {
			r.fail(malformed("argument %d of %s is no constant", i+1, c.Func.Name))
			return
		}
		r.dialect.whole(r, l.Value.Int())
	})
	r.put(")")
	r.overRows(c)
}

// overRows writes OVER behind a call if it is the one of the window at hand.
func (r *renderer) overRows(c *plan.Call) {
	w := r.over
	if w == nil || w.Call != c {
		return
	}
	r.over = nil
	r.put(" OVER (")
	space := ""
	if r.dialect.partition(r, w.Partition) {
		space = " "
	}
	if order := r.windowOrder(w); len(order) > 0 {
		r.put(space, "ORDER BY ")
		r.list(len(order), ", ", func(i int) {
			e := order[i].Expr
			r.term(term{order[i], -1}, nullable(e, r.current), func() { r.dialect.sortKey(r, e) })
		})
		space = " "
	}
	if w.Frame != nil {
		r.put(space)
		r.frame(w.Frame)
	}
	r.put(")")
}

// partitionBy writes what a window is divided by, with a mark of the dialect in
// front, and reports whether there is any.
func (r *renderer) partitionBy(mark string, by []plan.Expr) bool {
	if mark == "" && len(by) == 0 {
		return false
	}
	r.put("PARTITION BY ", mark)
	if mark != "" && len(by) > 0 {
		r.put(", ")
	}
	r.list(len(by), ", ", func(i int) { r.put(exact{by[i]}) })
	return true
}

var frameUnits = map[plan.FrameUnit]string{plan.FrameRows: "ROWS", plan.FrameRange: "RANGE"}

func (r *renderer) frame(f *plan.Frame) {
	unit, ok := frameUnits[f.Unit]
	if !ok {
		r.fail(malformed("the frame counts %q", f.Unit))
		return
	}
	r.put(unit, " BETWEEN ")
	r.bound(f, f.From)
	r.put(" AND ")
	r.bound(f, f.To)
}

func (r *renderer) bound(f *plan.Frame, b plan.Bound) {
	switch b.Kind {
	case plan.UnboundedPreceding, plan.CurrentRow, plan.UnboundedFollowing:
		r.put(strings.ToUpper(string(b.Kind)))
	case plan.Preceding, plan.Following:
		if b.Offset < 0 || f.Unit != plan.FrameRows {
			r.fail(malformed("a frame of %s begins or ends %d rows away", f.Unit, b.Offset))
			return
		}
		r.dialect.whole(r, b.Offset)
		r.put(" ", strings.ToUpper(string(b.Kind)))
	default:
		r.fail(malformed("a frame has the bound %q", b.Kind))
	}
}

// windowOrder is the order of a window. One that tells tied rows apart is made
// total, so that every database tells them apart alike.
func (r *renderer) windowOrder(w *plan.Window) []plan.Order {
	out := append([]plan.Order(nil), w.Order...)
	if !tellsRowsApart(w) {
		return out
	}
	known := append([]plan.Expr(nil), w.Partition...)
	for _, o := range out {
		known = append(known, o.Expr)
	}
	for _, e := range r.rowKeys(w) {
		if !contains(known, e) {
			known = append(known, e)
			out = append(out, plan.Order{Expr: e})
		}
	}
	return out
}

// orderedFunctions are the window functions that tell apart rows which tie in the
// window's order.
var orderedFunctions = map[string]bool{
	"row_number": true, "ntile": true, "lag": true, "lead": true, "first_value": true, "last_value": true, "nth_value": true,
}

func tellsRowsApart(w *plan.Window) bool {
	f := w.Frame
	partial := f != nil && f.Unit == plan.FrameRows && (f.From.Kind != plan.UnboundedPreceding || f.To.Kind != plan.UnboundedFollowing)
	return partial || orderedFunctions[w.Call.Func.Name]
}

// rowKeys tells the rows under a window apart, as tieBreak does those of a block.
// What is selected holds the window itself, perhaps, and cannot stand in it; so
// without keys it is the other items and what the window reads.
func (r *renderer) rowKeys(w *plan.Window) []plan.Expr {
	b := r.current
	if b.Aggregated {
		return b.Group
	}
	if keys, ok := r.primaryKeys(b); ok {
		return keys
	}
	var out []plan.Expr
	for _, item := range b.Select {
		if !hasWindow(item.Expr) {
			out = append(out, item.Expr)
		}
	}
	for i, arg := range w.Call.Args {
		if _, bounded := w.Call.Func.Constants[i]; !bounded {
			out = append(out, arg)
		}
	}
	return out
}

func hasWindow(e plan.Expr) bool {
	found := false
	// The policy has walked the expression: it is of known types.
	_ = plan.Walk(e, func(x plan.Expr) bool {
		_, ok := x.(*plan.Window)
		found = found || ok
		return !found
	})
	return found
}
