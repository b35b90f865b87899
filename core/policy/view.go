package policy

import (
	"slices"
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
	// tables has every table of the catalog, with its permitted columns by their
	// position; nil for a table that is not permitted.
	tables map[*schema.Table][]bool
	some   bool // whether any table is permitted

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
	v := &View{catalog: cat, hash: p.hash(names), tables: map[*schema.Table][]bool{}}
	twins := map[string]int{}
	for _, t := range cat.Tables {
		twins[strings.ToLower(t.ID())]++
	}
	for _, t := range cat.Tables {
		exact := twins[strings.ToLower(t.ID())] > 1
		v.tables[t] = p.permitted(cat.Datasource, t, names, exact)
		v.some = v.some || v.Table(t)
	}
	v.wire = sync.OnceValue(v.makeWire)
	v.restricted = sync.OnceValue(v.makeRestricted)
	return v
}

// permitted says which columns of t the roles permit; nil means none, and then
// the table is not permitted either. Names match in any letter case, but where
// two tables differ by case alone, an allow rule must spell the table as the
// database does.
func (p *Policy) permitted(ds schema.DatasourceID, t *schema.Table, names []config.RoleName, exact bool) []bool {
	id := []string{string(ds), t.Schema, t.Name}
	allowed := false
	for _, name := range names {
		r := p.roles[name]
		if r.deny.match(id, false) {
			return nil
		}
		allowed = allowed || r.allow.match(id, exact)
	}
	if !allowed {
		return nil
	}
	columns := make([]bool, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = !p.denied(append(id[:tableSegments:tableSegments], c.Name), names)
	}
	if !slices.Contains(columns, true) {
		return nil
	}
	return columns
}

func (p *Policy) denied(column []string, names []config.RoleName) bool {
	for _, name := range names {
		if p.roles[name].denyColumns.match(column, false) {
			return true
		}
	}
	return false
}

// Table reports whether the caller may read the table. A table of another
// snapshot of the catalog is not permitted.
func (v *View) Table(t *schema.Table) bool {
	return v.tables[t] != nil
}

// Column reports whether the caller may read the column.
func (v *View) Column(c *schema.Column) bool {
	columns := v.tables[c.Table]
	return c.Position < len(columns) && columns[c.Position] && c.Table.Columns[c.Position] == c
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
			out.Columns = append(out.Columns, wire.ColumnView{
				Name: c.Name, Type: c.Type, Nullable: c.Nullable, Description: c.Description, Synonyms: c.Synonyms, Tags: c.Tags,
			})
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
