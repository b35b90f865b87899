package policy

import (
	"cmp"
	"slices"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
)

// access is what the roles of a caller may do with a table.
type access struct {
	columns []bool // permitted ones, by position; nil: the table is not permitted
	// grants are those of the roles that allow the table. A row is there for the
	// caller if any of them shows it.
	grants []grant
	// limits are the columns that are masked or for aggregates only.
	limits map[*schema.Column]*limit
}

// grant is a role's right to a table.
type grant struct {
	role    *role
	filters []filterRule // all of them hold of the rows that the role shows; none: every row
}

// limit is what all grants together make of a column.
type limit struct {
	// minGroup is above 0 for a column that is for aggregates only: the rows with a
	// value that a group must have to be shown.
	minGroup int
	// views say how the grants show the column, the least hiding first, each for the
	// rows of its grant; nil: as it is stored.
	views []columnView
	err   error // why it cannot be enforced
}

type columnView struct {
	grant grant
	mask  *mask // nil: as it is stored
}

// access finds what the roles permit of t. Names match in any letter case, but
// where two tables differ by case alone, an allow rule must spell the table as the
// database does.
func (p *Policy) access(ds schema.DatasourceID, t *schema.Table, names []config.RoleName, exact bool) *access {
	id := []string{string(ds), t.Schema, t.Name}
	a := &access{limits: map[*schema.Column]*limit{}}
	for _, name := range names {
		r := p.roles[name]
		if r.deny.match(id, false) {
			return &access{}
		}
		if r.allow.match(id, exact) {
			a.grants = append(a.grants, grant{r, slices.Concat(r.filters.find(id)...)})
		}
	}
	if len(a.grants) == 0 {
		return &access{}
	}
	columns := make([]bool, len(t.Columns))
	for i, c := range t.Columns {
		column := append(id[:tableSegments:tableSegments], c.Name)
		if columns[i] = !p.denied(column, names); !columns[i] {
			continue
		}
		if l := a.limit(c, column); l != nil {
			a.limits[c] = l
		}
	}
	if !slices.Contains(columns, true) {
		return &access{}
	}
	a.columns = columns
	return a
}

func (p *Policy) denied(column []string, names []config.RoleName) bool {
	for _, name := range names {
		if p.roles[name].denyColumns.match(column, false) {
			return true
		}
	}
	return false
}

// filtered reports whether there are rows that no grant shows.
func (a *access) filtered() bool {
	return !slices.ContainsFunc(a.grants, func(g grant) bool { return len(g.filters) == 0 })
}

// limit is what the grants together make of a column; nil if it is there as it is
// stored. Rights add up row by row: a role that shows a column as it is does so on
// the rows that it shows itself. A column is for aggregates only if it is so under
// every grant; beside others, a grant of aggregates shows nothing of it.
func (a *access) limit(c *schema.Column, column []string) *limit {
	l := &limit{}
	for _, g := range a.grants {
		if g.role.aggregateOnly.match(column, false) && (l.minGroup == 0 || g.role.minGroup < l.minGroup) {
			l.minGroup = g.role.minGroup
		}
	}
	if slices.ContainsFunc(a.grants, func(g grant) bool { return !g.role.aggregateOnly.match(column, false) }) {
		l.minGroup = 0
	}
	for _, g := range a.grants {
		v := columnView{grant: g}
		if m, ok := g.role.maskOf(column); ok {
			v.mask = &m
			l.err = cmp.Or(l.err, m.check(c))
		}
		if l.minGroup == 0 && g.role.aggregateOnly.match(column, false) {
			v.mask = &hideAll
		}
		l.views = append(l.views, v)
	}
	slices.SortStableFunc(l.views, func(a, b columnView) int { return cmp.Compare(a.hides(), b.hides()) })
	// What stands behind a view of all rows is never reached.
	if i := slices.IndexFunc(l.views, func(v columnView) bool { return len(v.grant.filters) == 0 }); i >= 0 {
		l.views = l.views[:i+1]
	}
	if !slices.ContainsFunc(l.views, func(v columnView) bool { return v.mask != nil }) {
		l.views = nil
	}
	if l.minGroup == 0 && l.views == nil {
		return nil
	}
	return l
}

func (v columnView) hides() int {
	if v.mask == nil {
		return 0
	}
	return strictness[v.mask.Kind]
}
