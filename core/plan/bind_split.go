package plan

import (
	"fmt"
	"slices"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// comparesGroups reports whether an item as it is written calls share, running or
// prior.
func comparesGroups(n node) bool {
	c, ok := n.(*callNode)
	return ok && (c.name == "share" || c.name == "running" || c.name == "prior")
}

// split spells out a block that compares its groups. Its groups become a block of
// their own, without a condition on them, so that a share is one of all groups;
// each distance of prior becomes another, of earlier rows; and the block itself
// joins and filters those.
func (bb *blockBinder) split() error {
	b := bb.block
	if err := bb.room(); err != nil {
		return err
	}
	groups := &Block{Name: bb.freeName("_groups"), Op: OpSelect, Sources: b.Sources, Where: b.Where, Group: b.Group, Aggregated: true}
	bb.blocks = append(bb.blocks, groups)
	outer := &Block{Name: b.Name, Op: OpSelect, Limit: b.Limit, Offset: b.Offset, Distinct: b.Distinct}
	s := &splitter{bb: bb, groups: groups, outer: outer, earlier: map[shift]*earlierGroups{}}
	outer.Sources = []*Source{{Alias: groups.Name, Block: groups}}
	for _, item := range b.Select {
		outer.Select = append(outer.Select, Item{Label: item.Label, Expr: s.above(item.Expr)})
	}
	outer.Where = s.above(b.Having)
	for _, o := range b.Order {
		o.Expr = s.above(o.Expr)
		outer.Order = append(outer.Order, o)
	}
	for _, x := range b.Per {
		outer.Per = append(outer.Per, s.above(x))
	}
	if s.err != nil {
		return s.err
	}
	groups.complete()
	for _, e := range s.earlier {
		e.block.complete()
	}
	bb.block, bb.visible = outer, outer.Sources
	return nil
}

// complete gives the made block its labels and types. What blocks are called is in
// no label, since the id of a plan does not depend on it.
func (b *Block) complete() {
	list := make([]labelled, len(b.Select))
	for i, item := range b.Select {
		list[i] = labelled{expr: item.Expr}
		_ = Walk(item.Expr, func(e Expr) bool { // the binder makes no expression that Walk does not know
			if Reads(e) != nil {
				list[i].label = fmt.Sprintf("value %d", i+1)
			}
			return true
		})
		b.types = append(b.types, item.Expr.Type())
	}
	b.Select, _ = label(list) // without labels of its own there is nothing to refuse
}

// room refuses more blocks than a plan may have, whoever made them.
func (b *binder) room() error {
	if len(b.blocks) < maxBlocks {
		return nil
	}
	return &Error{Message: fmt.Sprintf("with the blocks that share, running and prior need, there are more than %d", maxBlocks)}
}

// freeName is a name that no block of the plan has.
func (b *binder) freeName(name string) string {
	for n := 1; ; n++ {
		free := fmt.Sprintf("%s%d", name, n)
		_, made := b.block(free)
		if !made && !slices.ContainsFunc(b.taken, func(s string) bool { return strings.EqualFold(s, free) }) {
			return free
		}
	}
}

// splitter rewrites the expressions of a block over the blocks that it is split
// into.
type splitter struct {
	bb      *blockBinder
	groups  *Block
	outer   *Block
	earlier map[shift]*earlierGroups
	err     error
}

// earlierGroups are the groups at some distance before. copier makes their
// expressions of those of the groups.
type earlierGroups struct {
	block  *Block
	source *Source
	copier *copier
}

// above is an expression over the groups as one over the columns of their block.
func (s *splitter) above(e Expr) Expr {
	keys := map[string]bool{}
	for _, k := range s.groups.Group {
		keys[key(k)] = true
	}
	c := &copier{swap: func(e Expr) (Expr, bool) {
		if call, ok := e.(*Call); ok && call.Func == &priorFunction {
			return s.priorOf(call), true
		}
		_, window := e.(*Window)
		_, lookup := e.(*Lookup)
		_, exists := e.(*Exists)
		if window || lookup || exists || isAggregate(e) || sourceOf(e) != nil || keys[key(e)] {
			return s.groups.give(s.outer.Sources[0], e), true
		}
		return nil, false
	}}
	out := c.expr(e)
	if c.err != nil && s.err == nil {
		s.err = c.err
	}
	return out
}

// give selects an expression of the block, once, and is its column.
func (b *Block) give(s *Source, e Expr) *Output {
	i := slices.IndexFunc(b.Select, func(item Item) bool { return key(item.Expr) == key(e) })
	if i < 0 {
		i = len(b.Select)
		b.Select = append(b.Select, Item{Expr: e})
	}
	return &Output{Source: s, Item: i, T: e.Type()}
}

// priorOf is the value of an earlier group.
func (s *splitter) priorOf(c *Call) Expr {
	by, _ := readShift(&literalNode{value: c.Args[1].(*Literal).Value})
	e, ok := s.earlier[by]
	if !ok {
		var err error
		if e, err = s.goBack(by); err != nil {
			if s.err == nil {
				s.err = err
			}
			return c
		}
		s.earlier[by] = e
	}
	return e.block.give(e.source, e.copier.expr(c.Args[0]))
}

// goBack makes the block of the groups at a distance before, and joins it.
func (s *splitter) goBack(by shift) (*earlierGroups, error) {
	p, err := s.groups.periodOf()
	if err != nil {
		return nil, err
	}
	if err := p.allows(by); err != nil {
		return nil, err
	}
	if err := s.bb.room(); err != nil {
		return nil, err
	}
	start := p.startOf()
	if !slices.ContainsFunc(s.groups.Group, func(k Expr) bool { return key(k) == key(start) }) {
		s.groups.Group = append(s.groups.Group, start) // which the keys determine
	}
	c := &copier{sources: map[*Source]*Source{}}
	block := &Block{Name: s.bb.freeName("_earlier"), Op: OpSelect, Aggregated: true}
	c.block(&Block{Sources: s.groups.Sources, Where: s.groups.Where, Group: s.groups.Group}, block)
	block.Where = s.shifted(block.Where, c.expr(p.moment), by)
	source := &Source{Index: len(s.outer.Sources), Alias: block.Name, Join: JoinLeft, Block: block}
	now := s.outer.Sources[0]
	source.On = &Binary{Op: OpEq, T: boolType, L: block.give(source, c.expr(start)), R: moved(s.groups.give(now, start), by, -1)}
	for _, k := range p.others {
		here, there := s.groups.give(now, k), block.give(source, c.expr(k))
		source.On = &Binary{Op: OpAnd, T: boolType, L: source.On, R: alikeOrNull(k, here, there)}
	}
	s.outer.Sources = append(s.outer.Sources, source)
	s.bb.blocks = append(s.bb.blocks, block)
	return &earlierGroups{block, source, c}, c.err
}

// alikeOrNull tests that two keys are equal or both null.
func alikeOrNull(k, here, there Expr) Expr {
	equal := &Binary{Op: OpEq, L: here, R: there, T: boolType}
	if c, ok := k.(*Column); ok && !c.Column.Nullable && c.Source.Join == JoinNone {
		return equal
	}
	both := &Binary{Op: OpAnd, L: &IsNull{X: here}, R: &IsNull{X: there}, T: boolType}
	return &Binary{Op: OpOr, L: equal, R: both, T: boolType}
}

// allows checks that the periods at a distance before are periods of the groups.
func (p periodKeys) allows(by shift) error {
	if !p.years {
		return &Error{Field: "group", Message: fmt.Sprintf("each %s of the groups is one of all years, so that none is before", p.unit),
			Suggestion: "group by date_trunc('" + string(p.unit) + "', …), or by the year too"}
	}
	fits := p.unit == unitDay || p.unit == by.unit ||
		p.unit != unitWeek && by.unit != unitWeek && slices.Index(unitOrder, by.unit) < slices.Index(unitOrder, p.unit)
	if fits {
		return nil
	}
	return &Error{Field: "select", Message: fmt.Sprintf("a group of one %s has none that is %s before", p.unit, by.text()),
		Suggestion: "go back by the period of the groups, or group by a shorter one"}
}

// startOf is the first day of the period, as an expression of the moment.
func (p periodKeys) startOf() Expr {
	last := p.keys[len(p.keys)-1]
	c, ok := last.(*Call)
	if !ok || c.Func.Name == "date_trunc" || c.Func.Name == "date" {
		return last
	}
	f, _ := FindFunction("date_trunc")
	return &Call{Func: f, Args: []Expr{literal(wire.Text(string(p.unit))), p.moment}, T: wire.Type{Kind: wire.KindDate}}
}

// moved is a moment some units later, or before with a negative sign.
func moved(x Expr, by shift, sign int64) Expr {
	name, n := "add_days", by.n
	switch by.unit {
	case unitYear:
		name = "add_years"
	case unitQuarter:
		name, n = "add_months", 3*n
	case unitMonth:
		name = "add_months"
	case unitWeek:
		n *= 7
	}
	f, _ := FindFunction(name)
	return &Call{Func: f, Args: []Expr{x, literal(wire.Int(sign * n))}, T: x.Type()}
}

// shifted is a condition on rows for those that are some units before: each mention
// of the moment is moved, but a fixed period moves itself, so that an index serves.
func (s *splitter) shifted(e, moment Expr, by shift) Expr {
	c := &copier{}
	c.swap = func(x Expr) (Expr, bool) {
		if d, ok := x.(*During); ok && key(d.X) == key(moment) {
			return s.shiftedPeriod(d, by)
		}
		if n, ok := x.(*IsNull); ok && key(n.X) == key(moment) {
			return n, true
		}
		if key(x) == key(moment) {
			return moved(x, by, 1), true
		}
		return nil, false
	}
	return c.expr(e)
}

// shiftedPeriod moves a period that does not depend on the day of the question.
func (s *splitter) shiftedPeriod(d *During, by shift) (Expr, bool) {
	clock := s.bb.scope.Clock
	end := func(v wire.Value, days int) (string, bool) {
		if v.IsNull() {
			return "", true
		}
		t, ok := clock.timeOf(v)
		back, _ := moved(&Literal{}, by, -1).(*Call)
		switch n := int(back.Args[1].(*Literal).Value.Int()); back.Func.Name {
		case "add_years":
			t = addMonths(t, 12*n)
		case "add_months":
			t = addMonths(t, n)
		default:
			t = t.AddDate(0, 0, n)
		}
		return t.AddDate(0, 0, days).Format("2006-01-02"), ok
	}
	from, ok := end(d.From, 0)
	to, alsoOK := end(d.To, -1)
	if strings.Contains(d.Text, "(") || !ok || !alsoOK {
		return nil, false
	}
	p, err := parsePeriod(from+".."+to, clock)
	if err != nil {
		return nil, false
	}
	kind := d.X.Type().Kind
	return &During{X: d.X, Text: p.text, From: moment(p.from, kind), To: moment(p.to, kind)}, true
}
