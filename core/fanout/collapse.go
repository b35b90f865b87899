package fanout

import (
	"slices"

	"querent.dev/querent/core/plan"
)

// collapse takes a block apart into a core and branches. A row of the core has at
// most one of each of its sources; a branch may have several rows for it, which
// repeat the core and each other's. Put together before it is joined, each branch
// has one row for a row of the core, and every aggregate counts its rows once.
type collapse struct {
	block    *plan.Block
	core     map[*plan.Source]bool
	branches []*branch
	of       map[*plan.Source]*branch
	outside  []plan.Expr // conditions on rows of the core
	left     bool        // some join keeps rows that match nothing
	deep     bool        // a branch may repeat rows within itself
}

// branch is what is joined to the core by equalities.
type branch struct {
	sources []*plan.Source
	left    bool           // the core's rows stay without one of it
	inside  []plan.Expr    // conditions on it alone
	links   []*plan.Binary // equalities with the core
	beside  []plan.Expr    // conditions on the core in its left join
	calls   []*plan.Call   // aggregates of its values
}

// decomposable are the aggregates that can be made of those of the parts.
var decomposable = []string{"sum", "avg", "count", "min", "max", "bool_and", "bool_or"}

// newCollapse reports false where it is not certain what was meant: where rows are
// counted, where a branch is read outside of aggregates, and where no core is such
// that each row that is measured belongs to one of its rows.
func newCollapse(b *plan.Block, findings []Finding) (*collapse, bool) {
	if !b.Aggregated || !everyFound(findings, measures) || !onlyKinds(b, plan.JoinInner, plan.JoinCross, plan.JoinLeft) {
		return nil, false
	}
	calls, ok := reachable(b)
	if !ok {
		return nil, false
	}
	for _, deep := range []bool{false, true} {
		for _, root := range b.Sources {
			c := newCore(b, root)
			c.deep = deep
			if c.deal() && c.onlyAggregated() && c.assign(calls) {
				return c, true
			}
		}
	}
	return nil, false
}

// newCore begins with the sources of which a row of the root has one row.
func newCore(b *plan.Block, root *plan.Source) *collapse {
	c := &collapse{block: b, core: map[*plan.Source]bool{}, of: map[*plan.Source]*branch{}}
	rows := newClosure(b)
	rows.start([]*plan.Source{root}, nil)
	for _, s := range b.Sources {
		c.core[s] = rows.fixed[s]
		c.left = c.left || s.Join == plan.JoinLeft
	}
	return c
}

func everyFound(findings []Finding, names []string) bool {
	return !slices.ContainsFunc(findings, func(f Finding) bool { return !slices.Contains(names, f.Call.Func.Name) })
}

func onlyKinds(b *plan.Block, kinds ...plan.JoinKind) bool {
	return !slices.ContainsFunc(b.Sources, func(s *plan.Source) bool {
		return s.Join != plan.JoinNone && !slices.Contains(kinds, s.Join)
	})
}

// deal makes the branches and deals the conditions out.
func (c *collapse) deal() bool {
	c.connect()
	if len(c.branches) == 0 || c.left && !c.core[c.block.Sources[0]] {
		return false
	}
	for _, s := range c.block.Sources {
		br := c.of[s]
		switch {
		case br != nil && s.Join == plan.JoinLeft:
			br.left = true
			if len(br.sources) > 1 || !c.place(s.On, br) {
				return false
			}
		case br == nil && c.left:
			if own, _ := c.reads(s.On); len(own) > 0 {
				return false
			}
		default:
			if !c.place(s.On, nil) {
				return false
			}
		}
	}
	if !c.place(c.block.Where, nil) {
		return false
	}
	return !slices.ContainsFunc(c.branches, func(br *branch) bool { return len(br.links) == 0 })
}

// connect makes a branch of all sources outside the core that conditions compare
// with each other.
func (c *collapse) connect() {
	for _, s := range c.block.Sources {
		if !c.core[s] {
			br := &branch{sources: []*plan.Source{s}}
			c.of[s], c.branches = br, append(c.branches, br)
		}
	}
	for _, e := range c.conditions() {
		own, _ := c.reads(e)
		for _, br := range own[min(1, len(own)):] {
			c.merge(own[0], br)
		}
	}
	for _, br := range c.branches {
		slices.SortFunc(br.sources, func(a, b *plan.Source) int { return a.Index - b.Index })
	}
}

func (c *collapse) conditions() []plan.Expr {
	all := conjuncts(c.block.Where)
	for _, s := range c.block.Sources {
		all = append(all, conjuncts(s.On)...)
	}
	return all
}

func (c *collapse) merge(into, from *branch) {
	into.sources = append(into.sources, from.sources...)
	for _, s := range from.sources {
		c.of[s] = into
	}
	c.branches = slices.DeleteFunc(c.branches, func(br *branch) bool { return br == from })
}

// reads lists the branches that an expression reads, and tells whether it reads
// the core.
func (c *collapse) reads(e plan.Expr) (own []*branch, core bool) {
	_ = plan.Walk(e, func(x plan.Expr) bool {
		r, ok := refOf(x)
		if !ok || r.source.Index < 0 {
			return true
		}
		if br := c.of[r.source]; br == nil {
			core = true
		} else if !slices.Contains(own, br) {
			own = append(own, br)
		}
		return true
	})
	return own, core
}

// place deals a condition out: that of the left join of a branch, or one on all
// rows if left is nil. One on a branch and the core must be an equality of columns.
func (c *collapse) place(cond plan.Expr, left *branch) bool {
	for _, e := range conjuncts(cond) {
		own, core := c.reads(e)
		if len(own) == 0 {
			if left != nil {
				left.beside = append(left.beside, e)
			} else {
				c.outside = append(c.outside, e)
			}
			continue
		}
		br := own[0]
		if br.left && left != br || left != nil && left != br {
			return false
		}
		if !core {
			br.inside = append(br.inside, e)
			continue
		}
		link, ok := asLink(e)
		if !ok || link.Op != plan.OpEq {
			return false
		}
		br.links = append(br.links, link)
	}
	return true
}

// onlyAggregated demands that nothing reads a branch but conditions on rows and
// aggregates.
func (c *collapse) onlyAggregated() bool {
	apart := true
	for _, e := range clauses(c.block) {
		_ = plan.Walk(*e, func(x plan.Expr) bool {
			if call, ok := x.(*plan.Call); ok && call.Func.Kind == plan.AggregateFunction {
				return false
			}
			if r, ok := refOf(x); ok && c.of[r.source] != nil {
				apart = false
			}
			return apart
		})
	}
	return apart
}

// assign finds where the aggregates belong, and whether each can be had there.
func (c *collapse) assign(calls []*plan.Call) bool {
	for _, call := range calls {
		own, core := c.reads(call)
		switch {
		case len(own) > 1 || len(own) == 1 && core || len(call.Args) == 0:
			return false
		case sensitive(call) && !c.belongs(call, own):
			return false
		case len(own) == 0:
			continue
		case call.Distinct || !slices.Contains(decomposable, call.Func.Name) || own[0].left && !nullOfNull(call.Args[0]):
			return false
		}
		own[0].calls = append(own[0].calls, call)
	}
	return true
}

// belongs reports whether a row that is measured belongs to one row of the core,
// without what other branches say. That its own branch repeats it is allowed to a
// deep one, and then the matter of the block which the branch becomes.
func (c *collapse) belongs(call *plan.Call, own []*branch) bool {
	of := valueSources(c.block, call)
	if len(of) == 0 {
		return false
	}
	apart := func(s *plan.Source) bool {
		br := c.of[s]
		return br != nil && !slices.Contains(own, br)
	}
	rows := newClosure(c.block)
	rows.rules = slices.DeleteFunc(rows.rules, func(r rule) bool { return apart(r.from.source) || apart(r.to.source) })
	rows.start(of, c.block.Group)
	return !slices.ContainsFunc(rows.open(), func(s *plan.Source) bool { return c.core[s] || !c.deep && !apart(s) })
}

// nullOfNull reports whether e is null where the columns that it reads are, as
// they are in a row that a left join has filled with nulls.
func nullOfNull(e plan.Expr) bool {
	switch e := e.(type) {
	case *plan.Column, *plan.Output:
		return true
	case *plan.Neg:
		return nullOfNull(e.X)
	case *plan.Cast:
		return nullOfNull(e.X)
	case *plan.Binary:
		arithmetic := []plan.BinaryOp{plan.OpAdd, plan.OpSub, plan.OpMul, plan.OpDiv}
		return slices.Contains(arithmetic, e.Op) && (nullOfNull(e.L) || nullOfNull(e.R))
	}
	return false
}
