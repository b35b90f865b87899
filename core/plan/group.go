package plan

import (
	"slices"
	"strings"

	"querent.dev/querent/core/schema"
)

// grouping decides whether the block aggregates, makes the plain items its keys
// if it names none, and checks that all that is read outside of aggregates is a
// key or determined by the keys; what is determined becomes a key too.
func (bb *blockBinder) grouping() error {
	b := bb.block
	if len(b.Group) == 0 && !slices.ContainsFunc(b.outside(), func(u use) bool { return hasAggregate(u.expr) }) {
		if b.Having != nil {
			return &Error{Field: "having", Message: "\"having\" needs a group or an aggregate", Suggestion: "put the condition into \"where\""}
		}
		return nil
	}
	if len(b.Sources) == 0 {
		return errNoFrom()
	}
	b.Aggregated = true
	if len(b.Group) == 0 {
		if err := b.groupByItems(); err != nil {
			return err
		}
	}
	if err := bb.finishRunning(); err != nil {
		return err
	}
	g := newGrouper(b)
	for _, u := range b.outside() {
		if err := g.check(u.expr); err != nil {
			return in(err, u.field, u.index)
		}
	}
	return nil
}

// use is an expression that is read after grouping, with its place in the plan.
type use struct {
	field string
	index int
	expr  Expr
}

// outside lists what is read after grouping.
func (b *Block) outside() []use {
	var out []use
	for i, item := range b.Select {
		out = append(out, use{"select", i + 1, item.Expr})
	}
	if b.Having != nil {
		out = append(out, use{"having", 0, b.Having})
	}
	for i, o := range b.Order {
		out = append(out, use{"order", i + 1, o.Expr})
	}
	for i, x := range b.Per {
		out = append(out, use{"per", i + 1, x})
	}
	return out
}

// groupByItems makes the items that hold a column and no aggregate the keys.
func (b *Block) groupByItems() error {
	seen := map[string]bool{}
	for i, item := range b.Select {
		if hasAggregate(item.Expr) || hasWindow(item.Expr) || !hasColumn(item.Expr) || seen[key(item.Expr)] {
			continue
		}
		if err := groupable(item.Expr); err != nil {
			return in(err, "select", i+1)
		}
		seen[key(item.Expr)] = true
		b.Group = append(b.Group, item.Expr)
	}
	return nil
}

func hasColumn(e Expr) bool {
	found := false
	// The binder makes no expression that Walk does not know.
	_ = Walk(e, func(x Expr) bool {
		switch x.(type) {
		case *Column, *Output:
			found = true
		}
		return !found
	})
	return found
}

// grouper knows the keys of a block and what they determine.
type grouper struct {
	block *Block
	keys  map[string]bool  // grouped expressions
	known map[string]bool  // columns that have one value in a group
	fixed map[*Source]bool // sources of which a group sees one row
}

func newGrouper(b *Block) *grouper {
	g := &grouper{block: b, keys: map[string]bool{}, known: map[string]bool{}, fixed: map[*Source]bool{}}
	for _, x := range b.Group {
		g.keys[key(x)] = true
		g.known[key(x)] = true
	}
	for g.spread() {
	}
	return g
}

// spread finds more that is determined; false when there is no more.
func (g *grouper) spread() bool {
	more := false
	for _, s := range g.block.Sources {
		for _, pair := range g.equal(s) {
			if k := key(pair[1]); g.knows(pair[0]) && !g.known[k] {
				g.known[k], more = true, true
			}
		}
		if !g.fixed[s] && g.hasKey(s) {
			g.fixed[s], more = true, true
		}
	}
	return more
}

// equal lists the columns that a join makes equal, as pairs of which the first
// determines the second. An inner join does so both ways. A left join does for
// the joined table, if its condition is nothing but equalities with known columns:
// then the group also knows whether there is a row at all.
func (g *grouper) equal(s *Source) [][2]Expr {
	pairs, pure := equalities(s.On)
	var out [][2]Expr
	switch {
	case s.Join == JoinInner:
		for _, p := range pairs {
			out = append(out, p, [2]Expr{p[1], p[0]})
		}
	case s.Join == JoinLeft && pure:
		for _, p := range pairs {
			if sourceOf(p[0]) == s {
				p[0], p[1] = p[1], p[0]
			}
			if !g.knows(p[0]) || sourceOf(p[1]) != s {
				return nil
			}
			out = append(out, p)
		}
	}
	return out
}

// equalities lists the pairs of columns that a condition demands to be equal;
// pure is set when it demands nothing else.
func equalities(cond Expr) (pairs [][2]Expr, pure bool) {
	b, ok := cond.(*Binary)
	switch {
	case !ok:
		return nil, false
	case b.Op == OpAnd:
		left, pureLeft := equalities(b.L)
		right, pureRight := equalities(b.R)
		return append(left, right...), pureLeft && pureRight
	case b.Op == OpEq && sourceOf(b.L) != nil && sourceOf(b.R) != nil:
		return [][2]Expr{{b.L, b.R}}, true
	}
	return nil, false
}

// sourceOf is the source of a plain column, else nil.
func sourceOf(e Expr) *Source {
	switch e := e.(type) {
	case *Column:
		return e.Source
	case *Output:
		return e.Source
	}
	return nil
}

// hasKey reports whether the known columns hold a key of the source.
func (g *grouper) hasKey(s *Source) bool {
	if s.Block != nil {
		return g.hasBlockKey(s)
	}
	whole := func(columns []*schema.Column) bool {
		return len(columns) > 0 && !slices.ContainsFunc(columns, func(c *schema.Column) bool {
			return !g.knows(&Column{Source: s, Column: c})
		})
	}
	unique := func(columns []*schema.Column) bool {
		return whole(columns) && !slices.ContainsFunc(columns, func(c *schema.Column) bool { return c.Nullable })
	}
	return whole(s.Table.PrimaryKey) || slices.ContainsFunc(s.Table.Unique, unique)
}

// hasBlockKey does so for a block: its key is its group, if that is selected. A
// key of nulls alone, or of no columns, does not tell a row of the block from one
// that an outer join has filled with nulls.
func (g *grouper) hasBlockKey(s *Source) bool {
	if s.Block.Op != OpSelect || !s.Block.Aggregated {
		return false
	}
	matched := false
	for _, x := range s.Block.Group {
		i := slices.IndexFunc(s.Block.Select, func(item Item) bool { return key(item.Expr) == key(x) })
		if i < 0 || !g.knows(&Output{Source: s, Item: i}) {
			return false
		}
		matched = matched || g.block.matches(s, i)
	}
	return matched || !g.block.Outer(s)
}

// Outer reports whether a join of the block may fill the source with nulls.
func (b *Block) Outer(s *Source) bool {
	return s.Join == JoinLeft || s.Join == JoinFull || b.joinedLater(s, JoinRight) || b.joinedLater(s, JoinFull)
}

func (b *Block) joinedLater(s *Source, kind JoinKind) bool {
	return slices.ContainsFunc(b.Sources[min(s.Index+1, len(b.Sources)):], func(later *Source) bool { return later.Join == kind })
}

// matches reports whether the rows of a source that a join does not fill with
// nulls are those whose item is equal to something, and so is not null.
func (b *Block) matches(s *Source, item int) bool {
	if s.Join == JoinFull || b.joinedLater(s, JoinFull) {
		return false
	}
	for _, by := range b.Sources[s.Index:] {
		if by == s && s.Join != JoinInner && s.Join != JoinLeft || by != s && by.Join != JoinRight {
			continue
		}
		pairs, _ := equalities(by.On)
		if slices.ContainsFunc(pairs, func(p [2]Expr) bool { return isItem(p[0], s, item) || isItem(p[1], s, item) }) {
			return true
		}
	}
	return false
}

func isItem(e Expr, s *Source, item int) bool {
	o, ok := e.(*Output)
	return ok && o.Source == s && o.Item == item
}

// knows reports whether a column has one value in a group.
func (g *grouper) knows(column Expr) bool {
	return g.known[key(column)] || g.fixed[sourceOf(column)]
}

// check demands that e reads nothing outside of aggregates but keys and what they
// determine, which it makes keys.
func (g *grouper) check(e Expr) error {
	if e == nil || isAggregate(e) || g.keys[key(e)] {
		return nil
	}
	if s := sourceOf(e); s != nil {
		return g.column(e, s)
	}
	for _, x := range rowParts(e) {
		if err := g.check(x); err != nil {
			return err
		}
	}
	return nil
}

// labelled is the aggregated item that has the name of a column for its label.
func (g *grouper) labelled(column Expr) (Expr, bool) {
	name := defaultLabel(column)
	for _, item := range g.block.Select {
		if strings.EqualFold(item.Label, name) && hasAggregate(item.Expr) {
			return item.Expr, true
		}
	}
	return nil, false
}

func (g *grouper) column(e Expr, s *Source) error {
	switch {
	case s.Index < 0: // of the block in exists
		return nil
	case !g.knows(e):
		name := writtenNames.expr(e)
		err := &Error{Message: quote(name) + " is neither in \"group\" nor inside an aggregate"}
		if total, ok := g.labelled(e); ok {
			return err.hint("it is a column and no label here; write %s for the label", clip(writtenNames.expr(total)))
		}
		return err.hint("add it to \"group\", or write max(%s)", clip(name))
	}
	g.keys[key(e)] = true
	g.block.Group = append(g.block.Group, e)
	return nil
}
