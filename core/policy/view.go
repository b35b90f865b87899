package policy

import (
	"fmt"
	"strings"
	"sync"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// View is the part of a catalog that a caller may read. It is immutable and
// safe for concurrent use.
type View struct {
	catalog *schema.Catalog
	hash    string
	tables  map[*schema.Table]*access // every table of the catalog
	some    bool                      // whether any table is permitted

	wire       func() wire.CatalogView
	restricted func() map[string]bool
}

var _ plan.Visibility = (*View)(nil)

// View gives what the caller may read of the catalog. With several roles a
// caller may read what any of them allows and none of them denies. The error is
// CALLER_AUTH_REQUIRED for an unknown caller, and UNMAPPED
// (restricted_datasource) when no table is permitted.
func (p *Policy) View(cat *schema.Catalog, caller Caller) (*View, error) {
	names, err := p.rolesOf(caller)
	if err != nil {
		return nil, err
	}
	v := p.view(cat, names)
	if !v.some {
		return nil, reason.New(reason.UnmappedCode, reason.ReasonRestrictedDatasource,
			"caller %q with roles %v may read no table of datasource %s", caller.Name, names, cat.Datasource)
	}
	return v, nil
}

func (p *Policy) view(cat *schema.Catalog, names []config.RoleName) *View {
	k := key(cat.Datasource, names)
	p.mu.Lock()
	defer p.mu.Unlock()
	if v := p.views[k]; v != nil && v.catalog == cat {
		return v
	}
	v := p.newView(cat, names)
	p.views[k] = v
	return v
}

func (p *Policy) newView(cat *schema.Catalog, names []config.RoleName) *View {
	v := &View{catalog: cat, hash: p.hash(names), tables: map[*schema.Table]*access{}}
	twins := map[string]int{}
	for _, t := range cat.Tables {
		twins[strings.ToLower(t.ID())]++
	}
	for _, t := range cat.Tables {
		exact := twins[strings.ToLower(t.ID())] > 1
		v.tables[t] = p.access(cat.Datasource, t, names, exact)
		v.some = v.some || v.Table(t)
	}
	v.wire = sync.OnceValue(v.makeWire)
	v.restricted = sync.OnceValue(v.makeRestricted)
	return v
}

// Table reports whether the caller may read the table. A table of another
// snapshot of the catalog is not permitted.
func (v *View) Table(t *schema.Table) bool {
	a := v.tables[t]
	return a != nil && a.columns != nil
}

// Column reports whether the caller may read the column.
func (v *View) Column(c *schema.Column) bool {
	a := v.tables[c.Table]
	return a != nil && c.Position < len(a.columns) && a.columns[c.Position] && c.Table.Columns[c.Position] == c
}

// limit is what is withheld of a permitted column; nil for nothing.
func (v *View) limit(c *schema.Column) *limit {
	if a := v.tables[c.Table]; a != nil {
		return a.limits[c]
	}
	return nil
}

// Stored reports whether the caller may see the values of the column as they are
// stored, in every row. Samples and indexes of values, and what else bypasses a
// plan, may show those of no other column.
func (v *View) Stored(c *schema.Column) bool {
	return v.Column(c) && v.limit(c) == nil && !v.tables[c.Table].filtered()
}

// Wire is the view in the form that crosses to providers and users. It is shared
// and must not be changed.
func (v *View) Wire() wire.CatalogView { return v.wire() }

func (v *View) makeWire() wire.CatalogView {
	out := wire.CatalogView{
		Datasource: string(v.catalog.Datasource), Dialect: string(v.catalog.Dialect), Description: v.catalog.Description,
	}
	for _, t := range v.catalog.Tables {
		if v.Table(t) {
			out.Tables = append(out.Tables, v.tableView(t))
		}
	}
	return out
}

func (v *View) tableView(t *schema.Table) wire.TableView {
	out := wire.TableView{Name: v.catalog.PlanName(t), Description: t.Description, Synonyms: t.Synonyms}
	for _, c := range t.Columns {
		if v.Column(c) {
			out.Columns = append(out.Columns, v.columnView(c))
		}
	}
	if v.all(t.PrimaryKey) {
		out.PrimaryKey = columnNames(t.PrimaryKey)
	}
	for _, k := range t.ForeignKeys {
		if v.all(k.Columns) && v.all(k.RefColumns) && v.Table(k.RefTable) {
			out.ForeignKeys = append(out.ForeignKeys, wire.KeyView{
				Columns: columnNames(k.Columns), Table: v.catalog.PlanName(k.RefTable), RefColumns: columnNames(k.RefColumns),
			})
		}
	}
	return out
}

// columnView says of a limited column what a plan can do with it.
func (v *View) columnView(c *schema.Column) wire.ColumnView {
	out := wire.ColumnView{
		Name: c.Name, Type: c.Type, Nullable: c.Nullable, Description: c.Description, Synonyms: c.Synonyms, Tags: c.Tags,
	}
	l := v.limit(c)
	if l == nil {
		return out
	}
	var notes []string
	if c.Description != "" {
		notes = append(notes, c.Description)
	}
	if len(l.views) > 0 {
		notes, out.Nullable = append(notes, "(masked)"), true
	}
	if l.minGroup > 0 {
		notes = append(notes, fmt.Sprintf("(only inside count, sum, avg, stddev, variance; groups of at least %d)", l.minGroup))
	}
	out.Description = strings.Join(notes, " ")
	return out
}

// all reports whether every column is permitted: a key is shown whole or not.
func (v *View) all(columns []*schema.Column) bool {
	for _, c := range columns {
		if !v.Column(c) {
			return false
		}
	}
	return true
}

func columnNames(columns []*schema.Column) []string {
	var out []string
	for _, c := range columns {
		out = append(out, c.Name)
	}
	return out
}
