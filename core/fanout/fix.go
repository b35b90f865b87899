package fanout

import (
	"fmt"
	"slices"
	"strings"

	"querent.dev/querent/core/plan"
)

// Fixed is a rewriting of one finding.
type Fixed struct {
	Finding
	// Parts names the blocks that put the rows of joined sources together before
	// they are joined. It is empty where sources that repeat rows now only choose them.
	Parts []string
}

// Fix rewrites the blocks in which it is certain what was meant. Where all that is
// read of the sources which repeat rows is whether they have a row that fits, and
// measures of the others are aggregated, each row is counted once if there is such
// a row. Where what repeats rows is aggregated, too, and joined by equalities, it is
// aggregated for itself first: each aggregate then counts its own rows once. Fix
// returns q itself when nothing was rewritten, else a copy, with what was
// rewritten. A count that may repeat is never touched: count(x) may have been meant
// to count the pairs.
func Fix(q *plan.Query) (*plan.Query, []Fixed, error) {
	out := q
	var done []Fixed
	for i := 0; i < len(out.Blocks); i++ {
		if len(rewritable(out.Blocks[i])) == 0 {
			continue
		}
		next, err := out.Copy()
		if err != nil {
			return nil, nil, fmt.Errorf("rewriting a fan-out: %w", err)
		}
		if fixed := fixBlock(next, next.Blocks[i]); len(fixed) > 0 {
			i += len(next.Blocks) - len(out.Blocks)
			out, done = next, append(done, fixed...)
		}
	}
	return out, done, nil
}

// fixBlock rewrites a block of q, which is to be thrown away if it gives nothing.
func fixBlock(q *plan.Query, b *plan.Block) []Fixed {
	findings := rewritable(b)
	var parts []string
	if s, ok := newSplit(b, findings); ok {
		s.apply(q)
	} else if c, ok := newCollapse(b, findings); ok {
		if parts, ok = fixParts(q, c.apply(q)); !ok || len(findIn(b)) > 0 {
			return nil
		}
	} else {
		return nil
	}
	done := make([]Fixed, len(findings))
	for i, f := range findings {
		done[i] = Fixed{f, parts}
	}
	return done
}

// fixParts rewrites the blocks that branches became, where these repeat rows among
// themselves, and names all that were made.
func fixParts(q *plan.Query, made []*plan.Block) ([]string, bool) {
	var names []string
	for _, m := range made {
		names = append(names, m.Name)
		if len(rewritable(m)) == 0 {
			continue
		}
		inside := fixBlock(q, m)
		if len(inside) == 0 {
			return nil, false
		}
		names = append(names, inside[0].Parts...)
	}
	return names, true
}

func rewritable(b *plan.Block) []Finding {
	if b.Op != plan.OpSelect || b.Recursive || len(joined(b)) < 2 {
		return nil
	}
	return findIn(b)
}

// split takes a block apart into the sources whose rows count and those which
// repeat them.
type split struct {
	block   *plan.Block
	by      map[*plan.Source]bool
	inside  []plan.Expr // conditions on the sources that repeat alone
	outside []plan.Expr // conditions on the others alone
	links   []*plan.Binary
}

// measures are the aggregates of which nobody means that the rows of a join weigh.
var measures = []string{"sum", "avg", "stddev", "variance", "median", "percentile"}

// newSplit reports false where it is not certain what was meant.
func newSplit(b *plan.Block, findings []Finding) (*split, bool) {
	s := &split{block: b, by: map[*plan.Source]bool{}}
	for _, src := range findings[0].By {
		s.by[src] = true
	}
	found := map[*plan.Call]bool{}
	for _, f := range findings {
		if !slices.Equal(f.By, findings[0].By) || !slices.Contains(measures, f.Call.Func.Name) {
			return nil, false
		}
		found[f.Call] = true
	}
	ok := b.Aggregated && s.oneMeasured(findings[0].Of) && s.onlyInner() && s.onlyMeasures(found) && s.unread() && s.sort()
	return s, ok
}

// oneMeasured demands that a row of one of the measured sources determines all
// that does not repeat: then the rewritten block has one row for each of its rows.
func (s *split) oneMeasured(of []*plan.Source) bool {
	return slices.ContainsFunc(of, func(src *plan.Source) bool {
		c := newClosure(s.block)
		c.rules = slices.DeleteFunc(c.rules, func(r rule) bool { return s.by[r.from.source] || s.by[r.to.source] })
		c.start([]*plan.Source{src}, s.block.Group)
		return !slices.ContainsFunc(c.open(), func(open *plan.Source) bool { return !s.by[open] })
	})
}

// onlyInner demands that no join of the block keeps rows that match nothing.
func (s *split) onlyInner() bool {
	return !slices.ContainsFunc(s.block.Sources, func(src *plan.Source) bool {
		return src.Join != plan.JoinNone && src.Join != plan.JoinInner && src.Join != plan.JoinCross
	})
}

// onlyMeasures demands that every other aggregate of the block gives the same
// whether rows repeat or not.
func (s *split) onlyMeasures(found map[*plan.Call]bool) bool {
	windows := false
	_ = s.block.Walk(func(e plan.Expr) bool {
		_, isWindow := e.(*plan.Window)
		windows = windows || isWindow
		return true
	})
	return !windows && !slices.ContainsFunc(aggregates(s.block), func(a aggregate) bool {
		counts := len(a.call.Args) == 0 || sensitive(a.call)
		return counts && !found[a.call]
	})
}

// unread demands that nothing but the conditions on rows reads the sources that
// repeat.
func (s *split) unread() bool {
	b := s.block
	list := slices.Concat(b.Group, b.Per, []plan.Expr{b.Having})
	for _, item := range b.Select {
		list = append(list, item.Expr)
	}
	for _, o := range b.Order {
		list = append(list, o.Expr)
	}
	return !slices.ContainsFunc(list, func(e plan.Expr) bool { repeated, _ := s.sides(e); return repeated })
}

// sides tells whether e reads a source that repeats, and whether it reads another.
func (s *split) sides(e plan.Expr) (repeated, other bool) {
	_ = plan.Walk(e, func(x plan.Expr) bool {
		if r, ok := refOf(x); ok && r.source.Index >= 0 {
			repeated, other = repeated || s.by[r.source], other || !s.by[r.source]
		}
		return true
	})
	return repeated, other
}

// sort deals the conditions out. One that reads both sides must compare a column
// with a column, and there must be one.
func (s *split) sort() bool {
	var all []plan.Expr
	for _, src := range s.block.Sources {
		all = append(all, conjuncts(src.On)...)
	}
	for _, e := range append(all, conjuncts(s.block.Where)...) {
		repeated, other := s.sides(e)
		switch {
		case repeated && other:
			link, ok := asLink(e)
			if !ok {
				return false
			}
			s.links = append(s.links, link)
		case repeated:
			s.inside = append(s.inside, e)
		default:
			s.outside = append(s.outside, e)
		}
	}
	return len(s.links) > 0
}

func asLink(e plan.Expr) (*plan.Binary, bool) {
	b, ok := e.(*plan.Binary)
	if !ok {
		return nil, false
	}
	_, left := refOf(b.L)
	_, right := refOf(b.R)
	return b, left && right
}

// apply moves the sources that repeat into a block of their own, before the block
// that was taken apart, and tests there whether a row fits.
func (s *split) apply(q *plan.Query) {
	b := s.block
	fits := &plan.Block{Name: freeName(q, "fitting"), Op: plan.OpSelect}
	test := &plan.Source{Index: -1, Alias: fits.Name, Block: fits}
	var kept []*plan.Source
	for _, src := range b.Sources {
		if s.by[src] {
			fits.Sources = append(fits.Sources, src)
			continue
		}
		kept = append(kept, src)
	}
	var cond plan.Expr
	for _, link := range s.links {
		cond = and(cond, &plan.Binary{Op: link.Op, T: link.T, L: s.output(fits, test, link.L), R: s.output(fits, test, link.R)})
	}
	fits.Where = arrange(fits.Sources, s.inside)
	b.Sources = kept
	b.Where = and(arrange(kept, s.outside), &plan.Exists{Source: test, Cond: cond})
	q.Blocks = slices.Insert(q.Blocks, b.Index, fits)
	for i := range q.Blocks {
		q.Blocks[i].Index = i
	}
}

// output is a side of a link as the test sees it: a column of a source that moved
// is an output of the block to which it moved.
func (s *split) output(fits *plan.Block, test *plan.Source, e plan.Expr) plan.Expr {
	r, _ := refOf(e)
	if !s.by[r.source] {
		return e
	}
	item := slices.IndexFunc(fits.Select, func(i plan.Item) bool { return plan.Same(i.Expr, e) })
	if item < 0 {
		item = len(fits.Select)
		fits.Select = append(fits.Select, plan.Item{Label: fmt.Sprintf("key_%d", item+1), Expr: e})
	}
	return &plan.Output{Source: test, Item: item, T: e.Type()}
}

// arrange numbers the sources anew and gives each join the conditions that it can
// have; what is left is a condition on the rows.
func arrange(sources []*plan.Source, conditions []plan.Expr) plan.Expr {
	place := map[*plan.Source]int{}
	for i, src := range sources {
		place[src] = i
		src.Index, src.On, src.Join = i, nil, plan.JoinCross
	}
	sources[0].Join = plan.JoinNone
	var rest plan.Expr
	for _, e := range conditions {
		at, read := 0, 0
		_ = plan.Walk(e, func(x plan.Expr) bool {
			if r, ok := refOf(x); ok && r.source.Index >= 0 {
				at = max(at, place[r.source])
				read++
			}
			return true
		})
		if _, link := asLink(e); !link || at == 0 || read < 2 {
			rest = and(rest, e)
			continue
		}
		sources[at].Join = plan.JoinInner
		sources[at].On = and(sources[at].On, e)
	}
	return rest
}

func and(a, b plan.Expr) plan.Expr {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &plan.Binary{Op: plan.OpAnd, L: a, R: b, T: b.Type()}
}

// freeName is a name, with a number, that no block, table alias or other source of the query has.
func freeName(q *plan.Query, prefix string) string {
	taken := map[string]bool{}
	for _, b := range q.Blocks {
		taken[strings.ToLower(b.Name)] = true
		for _, s := range b.Sources {
			taken[strings.ToLower(s.Alias)] = true
			if s.Table != nil {
				taken[strings.ToLower(s.Table.Name)] = true
			}
		}
	}
	for i := 1; ; i++ {
		if name := fmt.Sprintf("%s_%d", prefix, i); !taken[name] {
			return name
		}
	}
}
