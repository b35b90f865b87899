package schema_test

import (
	"testing"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

func table(schemaName, name string, columns ...string) *schema.Table {
	t := &schema.Table{Schema: schemaName, Name: name, Kind: schema.KindTable}
	for _, c := range columns {
		t.Columns = append(t.Columns, &schema.Column{Name: c, Type: wire.Type{Kind: wire.KindInt}})
	}
	return t
}

func TestNamesIgnoreCaseUnlessItTellsThemApart(t *testing.T) {
	c := schema.Build("d", schema.SQLite, []*schema.Table{table("main", "Orders", "ID", "id", "Total")})
	orders, ok := c.Table("orders")
	if !ok || orders.Name != "Orders" {
		t.Fatal("orders is not found")
	}
	if col, ok := orders.Column("TOTAL"); !ok || col.Name != "Total" {
		t.Error("TOTAL is not found")
	}
	if _, ok := orders.Column("Id"); ok {
		t.Error("Id stands for two columns and was found")
	}
	if col, ok := orders.Column("id"); !ok || col.Name != "id" {
		t.Error("the exact id is not found")
	}
}

func TestANameOfTwoSchemasNeedsItsSchema(t *testing.T) {
	c := schema.Build("d", schema.Postgres, []*schema.Table{table("pub", "pay"), table("hr", "pay"), table("hr", "staff")})
	if _, ok := c.Table("pay"); ok {
		t.Error("pay stands for two tables and was found")
	}
	if got, ok := c.Table("HR.Pay"); !ok || got.Schema != "hr" {
		t.Error("hr.pay is not found")
	}
	if got, ok := c.Table("staff"); !ok || c.PlanName(got) != "hr.staff" {
		t.Error("staff is not found under its bare name, or is not named with its schema")
	}
}

// Two constraints over the same columns would make a join along the key ambiguous.
func TestAKeyDeclaredTwiceIsThereOnce(t *testing.T) {
	a, b := table("main", "a", "x", "y"), table("main", "b", "z")
	to := func(column int) schema.ForeignKey {
		return schema.ForeignKey{Columns: b.Columns, RefTable: a, RefColumns: a.Columns[column : column+1]}
	}
	b.ForeignKeys = []schema.ForeignKey{to(0), to(1), to(0)}
	schema.Build("d", schema.Postgres, []*schema.Table{a, b})
	if len(b.ForeignKeys) != 2 || b.ForeignKeys[0].RefColumns[0].Name != "x" || b.ForeignKeys[1].RefColumns[0].Name != "y" {
		t.Errorf("the keys are %v", b.ForeignKeys)
	}
}

func TestFingerprintFollowsTheStructure(t *testing.T) {
	build := func(change func(*schema.Table)) string {
		a, b := table("main", "a", "x", "y"), table("main", "b", "z")
		b.ForeignKeys = []schema.ForeignKey{{Columns: b.Columns, RefTable: a, RefColumns: a.Columns[:1]}}
		change(b)
		return schema.Build("d", schema.SQLite, []*schema.Table{b, a}).Fingerprint()
	}
	same := build(func(*schema.Table) {})
	if same != build(func(*schema.Table) {}) {
		t.Error("the same structure has two fingerprints")
	}
	changes := map[string]func(*schema.Table){
		"name":     func(b *schema.Table) { b.Name = "c" },
		"type":     func(b *schema.Table) { b.Columns[0].Type.Kind = wire.KindText },
		"null":     func(b *schema.Table) { b.Columns[0].Nullable = true },
		"storage":  func(b *schema.Table) { b.Columns[0].Storage = schema.StorageISO },
		"key":      func(b *schema.Table) { b.ForeignKeys = nil },
		"primary":  func(b *schema.Table) { b.PrimaryKey = b.Columns },
		"unique":   func(b *schema.Table) { b.Unique = [][]*schema.Column{b.Columns} },
		"a column": func(b *schema.Table) { b.Columns = append(b.Columns, &schema.Column{Name: "n"}) },
	}
	for what, change := range changes {
		if build(change) == same {
			t.Errorf("a change of %s keeps the fingerprint", what)
		}
	}
}
