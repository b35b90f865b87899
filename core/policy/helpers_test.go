package policy_test

import (
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// table makes a table whose first column is its integer key and whose others
// are texts.
func table(schemaName, name string, columns ...string) *schema.Table {
	t := &schema.Table{Schema: schemaName, Name: name, Kind: schema.KindTable, RowEstimate: -1}
	for i, c := range columns {
		kind := wire.KindText
		if i == 0 {
			kind = wire.KindInt
		}
		t.Columns = append(t.Columns, &schema.Column{Name: c, Type: wire.Type{Kind: kind}})
	}
	if len(columns) > 0 {
		t.PrimaryKey = t.Columns[:1]
	}
	return t
}

// company is a catalog of one schema with a foreign key from pay to people.
func company() *schema.Catalog {
	people := table("main", "people", "id", "name", "email")
	pay := table("main", "pay", "id", "person_id", "salary")
	pay.ForeignKeys = []schema.ForeignKey{{Columns: pay.Columns[1:2], RefTable: people, RefColumns: people.Columns[:1]}}
	return schema.Build("hr", schema.SQLite, []*schema.Table{people, pay, table("main", "order_lines", "id", "note")})
}

func compile(t *testing.T, roles map[config.RoleName]config.Role) *policy.Policy {
	t.Helper()
	p, err := policy.Compile(roles)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func role(allow []string, deny []string, denyColumns ...string) config.Role {
	return config.Role{Tables: config.TableRules{Allow: allow, Deny: deny}, Columns: config.ColumnRules{Deny: denyColumns}}
}

func caller(roles ...string) policy.Caller { return policy.Caller{Name: "kim", Roles: roles} }

// column finds schema.table.column.
func column(t *testing.T, cat *schema.Catalog, tableName, name string) *schema.Column {
	t.Helper()
	tab, ok := cat.Table(tableName)
	if !ok {
		t.Fatalf("no table %s", tableName)
	}
	c, ok := tab.Column(name)
	if !ok {
		t.Fatalf("no column %s", name)
	}
	return c
}

// selecting makes a query over one table that selects the columns.
func selecting(t *testing.T, cat *schema.Catalog, tableName string, columns ...string) (*plan.Query, *plan.Source) {
	t.Helper()
	tab, ok := cat.Table(tableName)
	if !ok {
		t.Fatalf("no table %s", tableName)
	}
	src := &plan.Source{Table: tab, Alias: "a"}
	b := &plan.Block{Op: plan.OpSelect, Sources: []*plan.Source{src}}
	for _, name := range columns {
		b.Select = append(b.Select, plan.Item{Label: name, Expr: &plan.Column{Source: src, Column: column(t, cat, tableName, name)}})
	}
	return &plan.Query{Blocks: []*plan.Block{b}}, src
}
