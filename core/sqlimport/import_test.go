package sqlimport_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlimport"
	"querent.dev/querent/sdk/wire"
)

func shop() *schema.Catalog {
	column := func(name string, k wire.Kind, nullable bool) *schema.Column {
		return &schema.Column{Name: name, Type: wire.Type{Kind: k}, Nullable: nullable, Native: "INTEGER"}
	}
	customers := &schema.Table{Schema: "main", Name: "customers", RowEstimate: -1, Columns: []*schema.Column{
		column("id", wire.KindInt, false), column("name", wire.KindText, false), column("city", wire.KindText, true), column("born", wire.KindDate, true)}}
	customers.PrimaryKey = customers.Columns[:1]
	orders := &schema.Table{Schema: "main", Name: "orders", RowEstimate: -1, Columns: []*schema.Column{
		column("id", wire.KindInt, false), column("customer_id", wire.KindInt, true), column("total", wire.KindFloat, true), column("secret", wire.KindText, true)}}
	orders.PrimaryKey = orders.Columns[:1]
	return schema.Build("shop", schema.SQLite, []*schema.Table{customers, orders})
}

func importing(flavour schema.Dialect, sql string) (*sqlimport.Imported, error) {
	return sqlimport.Import(sql, sqlimport.Options{Flavour: flavour, Catalog: shop(), Clock: plan.Clock{Now: time.Date(2024, 8, 1, 0, 0, 0, 0, time.UTC)}})
}

// What cannot be carried over is an error that names the construct, its place and
// why.
func TestErrorsNameWhatCannotBeCarriedOver(t *testing.T) {
	for _, c := range []struct {
		flavour schema.Dialect
		sql     string
		kind    sqlimport.Kind
		want    string
	}{
		{schema.SQLite, "SELECT city, name FROM customers GROUP BY city", sqlimport.NotPortable, "line 1, column 14: the column name: it is neither grouped"},
		{schema.SQLite, "SELECT DISTINCT city FROM customers ORDER BY born", sqlimport.NotPortable, "distinct with this order"},
		{schema.SQLite, "SELECT nme\nFROM customers", sqlimport.UnknownName, "line 1, column 8: the column nme"},
		{schema.SQLite, "SELECT 1\nFROM clients", sqlimport.UnknownName, "line 2, column 6: the table clients"},
		{schema.SQLite, "SELECT id FROM customers JOIN orders ON customers.id = customer_id", sqlimport.UnknownName, "ambiguous"},
		{schema.SQLite, "SELECT randomblob(3)", sqlimport.NotSupported, "line 1, column 8: the function randomblob"},
		{schema.SQLite, "SELECT name FROM customers WHERE name REGEXP 'a+'", sqlimport.NotSupported, "regexp"},
		{schema.SQLite, "SELECT id & 1 FROM orders", sqlimport.NotSupported, "the operator &"},
		{schema.SQLite, "SELECT x'00'", sqlimport.NotSupported, "the constant"},
		{schema.SQLite, "SELECT id FROM orders WHERE id = ?", sqlimport.NotSupported, "a parameter"},
		{schema.SQLite, "SELECT id FROM orders LIMIT (SELECT 2)", sqlimport.NotSupported, "this limit"},
		{schema.SQLite, "SELECT sum(total) OVER (ORDER BY id GROUPS 1 PRECEDING) FROM orders", sqlimport.NotSupported, "this frame"},
		{schema.SQLite, "SELECT total || 'x' FROM orders", sqlimport.NotPortable, "a number with a fraction as text"},
		{schema.SQLite, "SELECT (SELECT o.total FROM orders o WHERE o.id > c.id ORDER BY o.total LIMIT 1) FROM customers c", sqlimport.NotSupported, "equalities of its own columns"},
		{schema.SQLite, "SELEC 1", sqlimport.Syntax, "line 1, column 1"},
		{schema.SQLite, "DELETE FROM orders", sqlimport.Syntax, "no select"},
		{schema.SQLite, "SELECT 1; SELECT 2", sqlimport.Syntax, "2 statements"},
		{schema.SQLite, "", sqlimport.Syntax, "no SQL"},
		{schema.SQLite, "SELECT '" + strings.Repeat("x", sqlimport.MaxBytes) + "'", sqlimport.Syntax, "too long"},
		{schema.SQLite, strings.Repeat("(", 300), sqlimport.Syntax, "nest more than 200 deep"},
		{schema.Postgres, "SELECT id FROM orders FOR UPDATE", sqlimport.Syntax, "locking"},
		{schema.Postgres, "SELECT city, rank() OVER (ORDER BY count(*)) FROM customers GROUP BY ROLLUP (city)", sqlimport.NotSupported, "a window beside grouping sets"},
		{schema.Postgres, "SELECT grouping(city) FROM customers", sqlimport.NotSupported, "no grouping sets"},
		{schema.Postgres, "SELECT count(*) FROM customers GROUP BY CUBE (city, born, name, id, city, born)", sqlimport.Syntax, "grouping sets"},
		{schema.Postgres, "SELECT * FROM customers c, generate_series(1, c.id)", sqlimport.UnknownName, "the column c.id"},
		{schema.Postgres, "SELECT * FROM generate_series(1, 3, 0)", sqlimport.NotSupported, "the step of generate_series"},
		{schema.Postgres, "SELECT * FROM unnest(ARRAY[1])", sqlimport.NotSupported, "the function unnest in from"},
		{schema.Postgres, "SELECT x.n FROM customers c, LATERAL (SELECT o.id AS n FROM orders o WHERE o.customer_id = c.id OFFSET 1) x", sqlimport.NotSupported, "lateral"},
		{schema.Postgres, "SELECT x.n FROM customers c FULL JOIN LATERAL (SELECT o.id AS n FROM orders o WHERE o.customer_id = c.id) x ON true", sqlimport.NotSupported, "inner, cross or left join"},
		{schema.Postgres, "SELECT ARRAY[1, 2]", sqlimport.NotSupported, "an array"},
		{schema.Postgres, "SELECT id FROM orders WHER id = 1", sqlimport.Syntax, "line 1"},
		{schema.MySQL, "SELECT @x := 1", sqlimport.NotSupported, "a variable"},
		{schema.MySQL, "SELECT name FROM customers WHERE", sqlimport.Syntax, "line 1"},
		{"oracle", "SELECT 1 FROM dual", sqlimport.NotSupported, "expected sqlite, postgres or mysql"},
	} {
		_, err := importing(c.flavour, c.sql)
		var e *sqlimport.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %.80s: got %v", c.flavour, c.sql, err)
			continue
		}
		if e.Kind != c.kind || !strings.Contains(e.Error(), c.want) {
			t.Errorf("%s: %.80s: got %s %q, want %s %q", c.flavour, c.sql, e.Kind, e, c.kind, c.want)
		}
	}
}

type noSecret struct{}

func (noSecret) Table(*schema.Table) bool     { return true }
func (noSecret) Column(c *schema.Column) bool { return c.Name != "secret" }

// A star stands for what the author may see; what is named is bound, so that the
// policy refuses it.
func TestStarLeavesOutWhatIsNotVisible(t *testing.T) {
	got, err := sqlimport.Import("SELECT * FROM orders", sqlimport.Options{Flavour: schema.SQLite, Catalog: shop(), Visible: noSecret{}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Plan.Select) != 3 || strings.Contains(strings.Join(got.Plan.Select, " "), "secret") {
		t.Errorf("selected %v", got.Plan.Select)
	}
}

// FuzzImport demands that no text makes the importer panic, and that what it gives
// binds to the same plan again.
func FuzzImport(f *testing.F) {
	for _, sql := range []string{
		"SELECT name, (SELECT max(total) FROM orders o WHERE o.customer_id = c.id) FROM customers c WHERE city NOT IN (SELECT city FROM customers)",
		"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT x FROM n",
		"SELECT city, count(*) FILTER (WHERE id > 1) FROM customers GROUP BY 1 HAVING count(*) > 1 ORDER BY 2 DESC LIMIT 3 OFFSET 1",
		"SELECT rank() OVER (PARTITION BY city ORDER BY born DESC) FROM customers UNION ALL SELECT `id` FROM orders",
		"SELECT DISTINCT ON (city) city, born + INTERVAL '1 month' FROM customers ORDER BY city, born",
		"SELECT coalesce(city, 'all'), grouping(city), count(*) FROM customers GROUP BY ROLLUP (city, born) ORDER BY grouping(city), 2",
		"SELECT c.name, x.* FROM customers c LEFT JOIN LATERAL (SELECT id, total FROM orders o WHERE o.customer_id = c.id ORDER BY total LIMIT 2) x ON true",
		"SELECT d, n FROM generate_series(date '2024-01-01', date '2024-02-01', '1 day') d, generate_series(1, 3) n EXCEPT ALL SELECT born, id FROM customers",
		"SELECT DATE_FORMAT(born, '%Y-%m'), IF(id > 2, 'a', 'b') FROM customers c LEFT JOIN (orders o JOIN orders p USING (id)) ON o.id = c.id",
	} {
		for i := range 3 {
			f.Add(i, sql)
		}
	}
	flavours := []schema.Dialect{schema.SQLite, schema.Postgres, schema.MySQL}
	cat := shop()
	f.Fuzz(func(t *testing.T, flavour int, sql string) {
		clock := plan.Clock{Now: time.Date(2024, 8, 1, 0, 0, 0, 0, time.UTC)}
		got, err := sqlimport.Import(sql, sqlimport.Options{Flavour: flavours[uint(flavour)%3], Catalog: cat, Clock: clock})
		if err != nil {
			return
		}
		again, err := plan.Bind(got.Plan, plan.Scope{Catalog: cat, Clock: clock})
		if err != nil || again.ID() != got.Query.ID() {
			t.Errorf("the plan of %q does not bind to itself: %v", sql, err)
		}
	})
}
