package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// limited reports whether the policy has to change the query: whether a table has
// rows, or a column that is read has values, that the caller does not see as they
// are.
func (s *securing) limited() bool {
	return slices.ContainsFunc(s.tables, func(t *schema.Table) bool { return s.view.tables[t].filtered() }) ||
		slices.ContainsFunc(s.reads, func(c *schema.Column) bool { return s.view.limit(c) != nil })
}

// rewrite makes a copy of the checked query with the row filters and masks on every
// occurrence of a table, and with conditions that leave small groups out.
func (s *securing) rewrite() error {
	q, err := s.query.Copy()
	if err != nil {
		return invalid("%s", err)
	}
	s.query = q
	for _, b := range q.Blocks {
		sources, err := occurrences(b)
		if err != nil {
			return invalid("%s", err)
		}
		for _, src := range sources {
			if err := s.occurrence(b, src); err != nil {
				return err
			}
		}
		if err := s.aggregates(b); err != nil {
			return err
		}
	}
	return nil
}

// occurrences lists the sources of tables that a block has, in its joins and in its
// conditions.
func occurrences(b *plan.Block) ([]*plan.Source, error) {
	var out []*plan.Source
	add := func(s *plan.Source) {
		if s != nil && s.Table != nil && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, s := range b.Sources {
		add(s)
	}
	err := b.Walk(func(e plan.Expr) bool {
		switch e := e.(type) {
		case *plan.Exists:
			add(e.Source)
		case *plan.Lookup:
			add(e.Source)
		}
		return true
	})
	return out, err
}

// occurrence puts the filter and the masks of its table on a source.
func (s *securing) occurrence(b *plan.Block, src *plan.Source) error {
	a := s.view.tables[src.Table]
	src.Stored = &plan.Source{Index: max(src.Index, 0), Alias: src.Alias, Table: src.Table}
	bound := map[*role]plan.Expr{}
	if a.filtered() {
		filter, err := s.anyOf(a.grants, src.Stored, bound)
		if err != nil {
			return err
		}
		src.Filter = filter
		s.record("filter", b, src, filter)
	}
	for _, c := range src.Table.Columns {
		l := a.limits[c]
		if l == nil || !s.seenColumns[c] {
			continue
		}
		if l.err != nil {
			return unenforceable(l.err)
		}
		if len(l.views) == 0 {
			continue
		}
		masked, err := s.masked(&plan.Column{Source: src.Stored, Column: c}, l.views, bound)
		if err != nil {
			return err
		}
		if src.Masked == nil {
			src.Masked = map[*schema.Column]plan.Expr{}
		}
		src.Masked[c] = masked
		s.record("mask "+c.Name, b, src, masked)
	}
	if src.Filter == nil && src.Masked == nil {
		src.Stored = nil
	}
	return nil
}

// anyOf is the condition under which one of the grants shows a row.
func (s *securing) anyOf(grants []grant, stored *plan.Source, bound map[*role]plan.Expr) (plan.Expr, error) {
	var out plan.Expr
	for _, g := range grants {
		shows, err := s.shows(g, stored, bound)
		if err != nil {
			return nil, err
		}
		out = either(plan.OpOr, out, shows)
	}
	return out, nil
}

// shows is the condition under which a grant shows a row: all of its filters. It is
// bound once for an occurrence.
func (s *securing) shows(g grant, stored *plan.Source, bound map[*role]plan.Expr) (plan.Expr, error) {
	if e, ok := bound[g.role]; ok {
		return e, nil
	}
	var out plan.Expr
	for _, f := range g.filters {
		e, err := s.bind(f, stored)
		if err != nil {
			return nil, err
		}
		out = either(plan.OpAnd, out, e)
	}
	bound[g.role] = out
	return out, nil
}

func either(op plan.BinaryOp, l, r plan.Expr) plan.Expr {
	if l == nil {
		return r
	}
	return &plan.Binary{Op: op, L: l, R: r, T: wire.Type{Kind: wire.KindBool}}
}

func (s *securing) bind(f filterRule, stored *plan.Source) (plan.Expr, error) {
	e, err := plan.BindCondition(f.text, stored, plan.ConditionScope{
		Catalog: s.view.catalog, Clock: s.query.Clock(), Attribute: s.caller.attribute,
	})
	var missing *plan.MissingAttributeError
	if errors.As(err, &missing) {
		return nil, reason.New(reason.CallerAuthRequired, reason.ReasonAuthContextRequired,
			"caller %q has no attribute %q, which %s needs", s.caller.Name, missing.Name, f.at)
	}
	if err != nil {
		return nil, unenforceable(fmt.Errorf("%s: %w", f.at, err))
	}
	return e, nil
}

// masked is the value of a column as the caller sees it: as the first of the
// grants that show the row shows it.
func (s *securing) masked(x *plan.Column, views []columnView, bound map[*role]plan.Expr) (plan.Expr, error) {
	out := &plan.Case{T: x.Type()}
	for _, v := range views {
		var value plan.Expr = x
		if v.mask != nil {
			value = v.mask.expr(x)
		}
		if len(v.grant.filters) == 0 {
			out.Else = value
			break
		}
		shows, err := s.shows(v.grant, x.Source, bound)
		if err != nil {
			return nil, err
		}
		out.Whens = append(out.Whens, plan.When{Cond: shows, Then: value})
	}
	switch {
	case len(out.Whens) == 0:
		return out.Else, nil
	case len(views) == 1 && views[0].mask != nil:
		// The rows that the one grant does not show are not there.
		return out.Whens[0].Then, nil
	}
	return out, nil
}

// record adds what the policy put on a source to the id of the secured plan, and
// the columns that it reads to those of the query: they are read by the right of
// the host, not of the caller.
func (s *securing) record(what string, b *plan.Block, src *plan.Source, e plan.Expr) {
	fmt.Fprintf(s.hash, "%s\n%d %d\n%s\n", what, b.Index, src.Index, plan.Text(e))
	// The policy makes no expression that Walk does not know.
	_ = plan.Walk(e, func(e plan.Expr) bool {
		if c, ok := e.(*plan.Column); ok && !s.seenColumns[c.Column] && !s.hostColumns[c.Column] {
			s.hostColumns[c.Column] = true
			s.reads = append(s.reads, c.Column)
		}
		return true
	})
}

// attribute finds an attribute that row filters name.
func (c Caller) attribute(name string) (string, bool) {
	value, ok := c.Attributes[name]
	return value, ok
}

// unenforceable is the error of a rule that does not fit the database: what it
// withholds is refused.
func unenforceable(err error) error {
	return reason.New(reason.PolicyDenied, reason.ReasonNotPermitted, "a rule of the policy cannot be applied: %w", err).
		WithSafe("A rule of the access policy does not fit the database, so what it protects cannot be read.").
		WithNext("Ask whoever runs Querent to check the roles in its configuration.")
}

// securedHash begins the id after policy: the plan and the rules that it passed.
func securedHash(planID, policyHash string) hash.Hash {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n", planID, policyHash)
	return h
}

func securedID(h hash.Hash) string { return "s_" + hex.EncodeToString(h.Sum(nil)) }
