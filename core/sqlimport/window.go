package sqlimport

import (
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

// windowed translates a call over (…).
func (t *translator) windowed(n *tree.Call, s *scope) (value, error) {
	over, err := t.window(n, n.Over, s, 0)
	if err != nil {
		return value{}, err
	}
	if planAggregates[n.Name] != "" || aggregateNames[n.Name] {
		plain := *n
		plain.Over = nil
		v, err := t.aggregateCall(&plain, s)
		if err != nil {
			return v, err
		}
		if n.Distinct {
			return v, t.unsupported(n, "distinct over a window", "plans count distinct values in groups only")
		}
		if v.constant {
			return v, nil
		}
		clause, err := t.over(over, s, true)
		v.text += " over (" + clause + ")"
		if n.Name == "total" {
			v = fn("coalesce", v, intValue(0)).typed(tFloat)
		}
		return v, err
	}
	return t.windowFunction(n, over, s)
}

// window is a window with what it takes over from the one that it names.
func (t *translator) window(at positioned, w *tree.Window, s *scope, depth int) (*tree.Window, error) {
	if w.Base == "" {
		return w, nil
	}
	var base *tree.Window
	for sc := s; sc != nil && base == nil; sc = sc.parent {
		base = sc.windows[strings.ToLower(w.Base)]
	}
	if base == nil || depth > 10 {
		return nil, t.fault(UnknownName, at, "the window "+w.Base, "there is no such window")
	}
	base, err := t.window(at, base, s, depth+1)
	if err != nil {
		return nil, err
	}
	out := *base
	out.Base = ""
	if len(w.Order) > 0 {
		out.Order = w.Order
	}
	if w.Frame != nil {
		out.Frame = w.Frame
	}
	return &out, nil
}

// over writes what stands in over (…).
func (t *translator) over(w *tree.Window, s *scope, framed bool) (string, error) {
	var parts []string
	var keys []string
	for _, e := range w.Partition {
		v, err := t.expr(e, s)
		if err != nil {
			return "", err
		}
		if !v.constant && !v.isNull() {
			keys = append(keys, t.sorted(v).text)
		}
	}
	if len(keys) > 0 {
		parts = append(parts, "partition by "+strings.Join(keys, ", "))
	}
	order, err := t.terms(w.Order, s)
	if err != nil {
		return "", err
	}
	if len(order) > 0 {
		parts = append(parts, "order by "+strings.Join(order, ", "))
	}
	if framed && w.Frame != nil && len(order) > 0 {
		frame, err := t.frame(w, s)
		if err != nil {
			return "", err
		}
		parts = append(parts, frame)
	}
	return strings.Join(parts, " "), nil
}

func (t *translator) frame(w *tree.Window, s *scope) (string, error) {
	f := w.Frame
	if f.Unit == "groups" || f.Exclude {
		return "", t.unsupported(w, "this frame", "plans count rows, or a range from or to the current row")
	}
	var bounds []string
	for _, b := range []tree.Bound{f.From, f.To} {
		text := b.Kind
		if b.Offset != nil {
			v, err := t.expr(b.Offset, s)
			if err != nil {
				return "", err
			}
			if _, ok := wholeNumber(v); !ok || f.Unit == "range" {
				return "", t.unsupported(w, "this frame", "plans count a constant number of rows")
			}
			text = v.text + " " + text
		}
		bounds = append(bounds, text)
	}
	return f.Unit + " between " + bounds[0] + " and " + bounds[1], nil
}

// planWindows are the window functions of plans, with how many arguments they have
// and whether a frame means something to them.
var planWindows = map[string]struct {
	args   int
	framed bool
}{
	"row_number": {0, false}, "rank": {0, false}, "dense_rank": {0, false}, "percent_rank": {0, false}, "cume_dist": {0, false},
	"ntile": {1, false}, "lag": {3, false}, "lead": {3, false}, "first_value": {1, true}, "last_value": {1, true}, "nth_value": {2, true},
}

func (t *translator) windowFunction(n *tree.Call, w *tree.Window, s *scope) (value, error) {
	rule, ok := planWindows[n.Name]
	if !ok || len(n.Args) > rule.args {
		return value{}, t.unsupported(n, "the window function "+n.Name, "plans have no such function")
	}
	if len(w.Order) == 0 && (n.Name == "rank" || n.Name == "dense_rank") {
		return intValue(1), nil
	}
	var args []value
	for _, e := range n.Args {
		v, err := t.expr(e, s)
		if err != nil {
			return v, err
		}
		args = append(args, v)
	}
	clause, err := t.over(w, s, rule.framed)
	if err != nil {
		return value{}, err
	}
	var instead *value
	if len(args) == 3 {
		instead = &args[2]
		args = args[:2]
	}
	out := fn(n.Name, args...)
	if len(args) > 0 && n.Name != "ntile" {
		out.typ, out.nullable, out.scale = args[0].typ, true, args[0].scale
		out.collation, out.affinity = args[0].collation, false
	}
	out.text += " over (" + clause + ")"
	if instead == nil || instead.isNull() {
		return out, nil
	}
	return t.withDefault(n, w, s, out, *instead, args)
}

// withDefault gives lag and lead the value that they have where there is no such
// row. A row that is there may hold a null.
func (t *translator) withDefault(n *tree.Call, w *tree.Window, s *scope, out, instead value, args []value) (value, error) {
	steps := int64(1)
	if len(args) > 1 {
		steps, _ = wholeNumber(args[1])
	}
	turned := *w
	clause, err := t.over(w, s, false)
	if err != nil {
		return out, err
	}
	place := made("row_number() over ("+clause+")", atom, tInt, false)
	if n.Name == "lead" {
		turned.Order = nil
		all, err := t.over(&turned, s, false)
		if err != nil {
			return out, err
		}
		count := made("count(*) over ("+all+")", atom, tInt, false)
		place = binary(binary(count, "-", place, powAdd, tInt), "+", intValue(1), powAdd, tInt)
	}
	if !args[0].nullable {
		list, typ, err := t.unified([]value{out, instead}, n)
		if err != nil {
			return out, err
		}
		got := fn("coalesce", list...).typed(typ)
		got.nullable = instead.nullable
		return got, nil
	}
	missing := binary(place, "<=", intValue(steps), powCompare, tBool)
	list, typ, err := t.unified([]value{instead, out}, n)
	if err != nil {
		return out, err
	}
	return choice(typ, &list[1], missing, list[0]), nil
}
