package sqlimport

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// seriesInFrom moves generate_series from the select list of a select without
// tables to where it stands for rows.
func seriesInFrom(n *tree.Select) *tree.Select {
	if len(n.From) > 0 {
		return n
	}
	for i, item := range n.Items {
		moved, call := withoutSeries(item.Expr)
		if call == nil {
			continue
		}
		out := *n
		out.Items = append([]tree.Item(nil), n.Items...)
		out.Items[i].Expr = moved
		if item.Alias == "" {
			out.Items[i].Alias = call.Name
		}
		out.From = []tree.From{&tree.Function{Pos: call.Pos, Call: call}}
		return &out
	}
	return n
}

// withoutSeries reads the column of a series where e calls it, bare, in a cast or
// in an operation.
func withoutSeries(e tree.Expr) (tree.Expr, *tree.Call) {
	switch e := e.(type) {
	case *tree.Call:
		if e.Name == "generate_series" {
			return &tree.Name{Pos: e.Pos, Parts: []string{e.Name}}, e
		}
	case *tree.Cast:
		out := *e
		x, call := withoutSeries(e.X)
		out.X = x
		return &out, call
	case *tree.Binary:
		out := *e
		l, call := withoutSeries(e.L)
		if out.L = l; call != nil {
			return &out, call
		}
		r, call := withoutSeries(e.R)
		out.R = r
		return &out, call
	}
	return e, nil
}

// series translates generate_series in from to a block that reads itself.
func (t *translator) series(f *tree.Function, around *scope) (*source, error) {
	if f.Call.Name != "generate_series" || len(f.Call.Args) < 2 || len(f.Call.Args) > 3 {
		return nil, t.unsupported(f, "the function "+f.Call.Name+" in from", "plans read tables, blocks and generate_series with an end")
	}
	r := &series{t: t, f: f}
	if err := r.read(&scope{parent: around.parent}); err != nil {
		return nil, err
	}
	name := "generate_series"
	if f.Alias != "" {
		name = f.Alias
	}
	column := name
	if len(f.Columns) > 0 {
		column = f.Columns[0]
	}
	rel, err := r.blocks(column)
	return &source{relation: rel, name: name}, err
}

// series is generate_series on its way into blocks.
type series struct {
	t           *translator
	f           *tree.Function
	start, stop value
	step        value // a number, or a span
	down        bool
}

func (r *series) read(s *scope) error {
	t, args := r.t, r.f.Call.Args
	list := make([]value, 2)
	for i := range list {
		v, err := t.expr(args[i], s)
		if err != nil {
			return err
		}
		if v.typ.Kind != wire.KindInt {
			if v, err = t.toStamp(v, args[i]); err != nil {
				return err
			}
		}
		list[i] = v
	}
	r.start, r.stop, r.step = list[0], list[1], intValue(1)
	if len(args) == 3 {
		var err error
		step := args[2]
		if l, ok := step.(*tree.Literal); ok && l.Kind == tree.Text {
			step = &tree.Interval{Pos: l.Pos, Text: l.Text}
		}
		if r.step, err = t.expr(step, s); err != nil {
			return err
		}
	}
	count := r.step
	moments := r.start.typ.Kind == wire.KindTimestamp && r.stop.typ.Kind == wire.KindTimestamp
	if moments && r.step.span != nil && r.step.span.unit != "" {
		count = r.step.span.count
	} else if moments || r.start.typ.Kind != wire.KindInt || r.stop.typ.Kind != wire.KindInt || r.step.typ.Kind != wire.KindInt {
		return t.unsupported(r.f, "this generate_series", "plans count whole numbers, and moments by an interval of one unit")
	}
	n, ok := wholeNumber(count)
	if !ok || n == 0 {
		return t.unsupported(r.f, "the step of generate_series", "plans take a constant that is not zero")
	}
	r.down = n < 0
	return nil
}

// blocks makes the block of the first value, and that of all.
func (r *series) blocks(name string) (*relation, error) {
	t := r.t
	label := cleanLabel(name)
	item := func(v value) []string { return []string{v.text + " as " + quoteName(label)} }
	alone := t.add("", wire.Clauses{Select: item(r.start)}, nil)
	start := made(quoteName(alone.block)+"."+quoteName(label), atom, r.start.typ, r.start.nullable)
	first := t.add("", wire.Clauses{From: quoteName(alone.block), Select: item(start), Where: r.within(start).text}, nil)
	own := t.blockName("")
	current := made(quoteName(own)+"."+quoteName(label), atom, r.start.typ, false)
	next := binary(current, "+", r.step, powAdd, tInt)
	if r.step.span != nil {
		var err error
		if next, err = t.shift(current, r.step.span.count, r.step.span.unit, r.f); err != nil {
			return nil, err
		}
	}
	c := wire.Clauses{From: quoteName(own), Select: item(next), Where: r.within(next).text}
	t.blocks = append(t.blocks, wire.Block{Name: own, Op: string(plan.OpUnionAll), Of: []string{first.block}, Recursive: true, Clauses: c})
	current.text = ""
	return &relation{block: own, columns: []column{{name: name, label: label, value: current}}}, nil
}

func (r *series) within(v value) value {
	if r.down {
		return binary(v, ">=", r.stop, powCompare, tBool)
	}
	return binary(v, "<=", r.stop, powCompare, tBool)
}
