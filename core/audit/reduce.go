package audit

import (
	"encoding/json"
	"fmt"
	"slices"

	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
)

// allowAll are rules that stand in for those of the policy, over a structure that
// holds nothing but what the caller may see.
var allowAll = json.RawMessage(`{"Tables":{"Allow":["*.*.*"]}}`)

// reduce replaces the rules and the structure by what the asker may see of them, for
// each query of which the same SQL comes out: none of its tables is then under a
// filter or a mask. Of other queries the structure is left out.
func (r *Receipt) reduce(whole *Receipt) {
	if whole.Rules == nil {
		return
	}
	r.withhold("rules")
	r.Rules = nil
	rules, err := whole.Rules.policy()
	if err != nil {
		r.withoutBasis()
		return
	}
	reduced := &Rules{Roles: map[string]json.RawMessage{}, Reduced: true}
	for _, role := range whole.Caller.Roles {
		reduced.Roles[role] = allowAll
	}
	r.Rules = reduced
	kept := false
	for i := range r.Queries {
		if r.Queries[i].Basis == nil {
			continue
		}
		if r.Queries[i].Basis = whole.visible(i, rules); r.writesAgain(i) {
			kept = true
			continue
		}
		r.Queries[i].Basis = nil
		r.withhold(fmt.Sprintf("queries[%d].basis", i))
	}
	if !kept {
		r.Rules = nil
	}
}

// writesAgain reports whether the i-th query comes out of its plan as it was sent.
func (r *Receipt) writesAgain(i int) bool {
	q := r.Queries[i]
	if q.Basis == nil || q.Plan == nil {
		return false
	}
	w, err := r.render(i, *q.Plan)
	return err == nil && w.sql == q.SQL && w.planID == q.PlanID && w.sent == q.Basis.SentHash && sameArgs(q.Args, w.args)
}

// visible is the basis of the i-th query as far as its caller may see it, nil for
// none.
func (r *Receipt) visible(i int, rules *policy.Policy) *Basis {
	q := r.Queries[i]
	catalog, err := q.Basis.catalog(q.Datasource, q.Dialect)
	if err != nil {
		return nil
	}
	view, err := rules.View(catalog, r.Caller.Policy())
	if err != nil {
		return nil
	}
	out := *q.Basis
	out.Tables = nil
	for _, t := range q.Basis.Tables {
		if of, ok := catalog.Table(t.Schema + "." + t.Name); ok && of.Name == t.Name && view.Table(of) {
			out.Tables = append(out.Tables, t.only(of, view))
		}
	}
	shown := func(k ForeignKey) bool {
		return slices.ContainsFunc(out.Tables, func(t Table) bool { return t.Schema+"."+t.Name == k.Table && t.has(k.RefColumns) })
	}
	for n := range out.Tables {
		out.Tables[n].Keys = slices.DeleteFunc(slices.Clone(out.Tables[n].Keys), func(k ForeignKey) bool { return !shown(k) })
	}
	return &out
}

// only is t with the columns that the view shows, and the keys over them.
func (t Table) only(of *schema.Table, view *policy.View) Table {
	out := t
	out.Columns = nil
	for i, c := range t.Columns {
		if view.Column(of.Columns[i]) {
			out.Columns = append(out.Columns, c)
		}
	}
	if !out.has(t.PrimaryKey) {
		out.PrimaryKey = nil
	}
	out.Unique = slices.DeleteFunc(slices.Clone(t.Unique), func(key []string) bool { return !out.has(key) })
	out.Keys = slices.DeleteFunc(slices.Clone(t.Keys), func(k ForeignKey) bool { return !out.has(k.Columns) })
	return out
}

// has reports whether t has all of the columns.
func (t Table) has(columns []string) bool {
	for _, name := range columns {
		if !slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Name == name }) {
			return false
		}
	}
	return true
}
