package fanout_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/fanout"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

func column(name string, kind wire.Kind) *schema.Column {
	return &schema.Column{Name: name, Native: string(kind), Type: wire.Type{Kind: kind}, Nullable: name != "id"}
}

// newTable makes a table of whole numbers, named columns of text apart. Its first
// keys columns are the primary key.
func newTable(name string, keys int, columns ...string) *schema.Table {
	t := &schema.Table{Schema: "main", Name: name, Kind: schema.KindTable, RowEstimate: -1}
	for _, c := range columns {
		kind := wire.KindInt
		if text, ok := strings.CutPrefix(c, "$"); ok {
			c, kind = text, wire.KindText
		}
		t.Columns = append(t.Columns, column(c, kind))
	}
	t.PrimaryKey = t.Columns[:keys]
	return t
}

func refer(t *schema.Table, at int, to *schema.Table) {
	t.ForeignKeys = append(t.ForeignKeys, schema.ForeignKey{Columns: t.Columns[at : at+1], RefTable: to, RefColumns: to.PrimaryKey})
}

// sales is customers with orders, orders with lines and payments, lines with
// products, and a passport that is unique to a customer.
func sales() *schema.Catalog {
	customers := newTable("customers", 1, "id", "$name", "age", "invited_by")
	orders := newTable("orders", 1, "id", "customer_id", "total")
	products := newTable("products", 1, "id", "$name", "price")
	lines := newTable("lines", 2, "order_id", "line", "product_id", "qty")
	payments := newTable("payments", 1, "id", "order_id", "amount")
	passports := newTable("passports", 1, "id", "customer_id", "pages")
	passports.Unique = [][]*schema.Column{{passports.Columns[1]}}
	refer(customers, 3, customers)
	refer(orders, 1, customers)
	refer(lines, 0, orders)
	refer(lines, 2, products)
	refer(payments, 1, orders)
	refer(passports, 1, customers)
	return schema.Build("sales", schema.SQLite, []*schema.Table{customers, orders, products, lines, payments, passports})
}

func bind(t testing.TB, cat *schema.Catalog, text string) *plan.Query {
	t.Helper()
	var w wire.Plan
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	q, err := plan.Bind(w, plan.Scope{Catalog: cat, Clock: plan.Clock{Now: time.Date(2024, 3, 2, 0, 0, 0, 0, time.UTC)}})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return q
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, plan, found string }{
		{"sum over the many side's join", `{"from":"orders o","joins":["lines l"],"select":["sum(o.total) as t"]}`, "sum(o.total) by lines"},
		{"average and count too", `{"from":"orders o","joins":["lines l"],"select":["avg(o.total) as a","count(o.total) as c"]}`, "avg(o.total) by lines, count(o.total) by lines"},
		{"the many side itself", `{"from":"orders o","joins":["lines l"],"select":["sum(l.qty) as q","count(*) as n"]}`, ""},
		{"rows are counted", `{"from":"orders o","joins":["lines l"],"select":["count(*) as n"]}`, ""},
		{"min, max and distinct", `{"from":"orders o","joins":["lines l"],"select":["min(o.total) as a","max(o.total) as b","count(distinct o.id) as n"]}`, ""},
		{"grouped by the many side's key", `{"from":"orders o","joins":["lines l"],"group":["l.order_id","l.line"],"select":["sum(o.total) as t"]}`, ""},
		{"grouped by a product", `{"from":"orders o","joins":["lines l","products p"],"group":["p.id"],"select":["sum(o.total) as t"]}`, "sum(o.total) by lines"},
		{"a product of both is of the line", `{"from":"lines l","joins":["products p"],"select":["sum(l.qty * p.price) as t"]}`, ""},
		{"a price alone repeats", `{"from":"lines l","joins":["products p"],"select":["avg(p.price) as t"]}`, "avg(p.price) by lines"},
		{"two many sides repeat each other", `{"from":"orders o","joins":["lines l","payments p on p.order_id = o.id"],"select":["sum(p.amount) as a","sum(l.qty) as q"]}`, "sum(p.amount) by lines, sum(l.qty) by payments"},
		{"a unique key has one row", `{"from":"customers c","joins":["left passports p"],"select":["sum(c.age) as a"]}`, ""},
		{"a left join repeats as well", `{"from":"orders o","joins":["left lines l"],"select":["sum(o.total) as t"]}`, "sum(o.total) by lines"},
		{"a semi join does not", `{"from":"orders o","joins":["semi lines l"],"select":["sum(o.total) as t"]}`, ""},
		{"half of a composite key", `{"from":"orders o","joins":["lines l on l.order_id = o.id and l.line = 1"],"select":["sum(o.total) as t"]}`, ""},
		{"a cross join", `{"from":"orders o","joins":["cross products p"],"select":["sum(o.total) as t"]}`, "sum(o.total) by products"},
		{"no key in the condition", `{"from":"orders o","joins":["products p on p.price > o.total"],"select":["sum(o.total) as t"]}`, "sum(o.total) by products"},
		{"a block grouped by the key", `{"with":[{"name":"n","op":"select","from":"lines l","group":["l.order_id"],"select":["l.order_id","sum(l.qty) as q"]}],"from":"orders o","joins":["n on n.order_id = o.id"],"select":["sum(o.total) as t","sum(n.q) as q"]}`, ""},
		{"a block that is not", `{"with":[{"name":"n","op":"select","from":"lines l","select":["l.order_id","l.qty"]}],"from":"orders o","joins":["n on n.order_id = o.id"],"select":["sum(o.total) as t"]}`, "sum(o.total) by n"},
		{"a block of distinct rows", `{"with":[{"name":"n","op":"select","from":"lines l","distinct":true,"select":["l.order_id"]}],"from":"orders o","joins":["n on n.order_id = o.id"],"select":["sum(o.total) as t"]}`, ""},
		{"a block of one row", `{"with":[{"name":"n","op":"select","from":"lines l","select":["count(*) as c"]}],"from":"orders o","joins":["cross n"],"select":["sum(o.total) as t","max(n.c) as c"]}`, ""},
		{"a chain", `{"from":"customers c","joins":["orders o","lines l"],"select":["sum(c.age) as a"]}`, "sum(c.age) by orders, lines"},
		{"a self join up", `{"from":"customers c","joins":["left customers i on i.id = c.invited_by"],"select":["sum(c.age) as a"]}`, ""},
		{"a self join down", `{"from":"customers c","joins":["left customers i on i.invited_by = c.id"],"select":["sum(c.age) as a"]}`, "sum(c.age) by customers"},
		{"a condition on the optional side", `{"from":"customers c","joins":["left passports p on p.customer_id = c.id","left orders o on o.id = 5 and o.customer_id = c.id"],"select":["sum(c.age) as a"]}`, ""},
		{"only what decides is of the many side", `{"from":"orders o","joins":["lines l"],"select":["sum(case when l.qty > 1 then o.total else 0 end) as t"]}`, "sum(case when l.qty > 1 then o.total else 0 end) by lines"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var found []string
			for _, f := range fanout.Find(bind(t, sales(), c.plan)) {
				by := make([]string, len(f.By))
				for i, s := range f.By {
					by[i] = s.Alias
					if s.Table != nil {
						by[i] = s.Table.Name
					}
				}
				found = append(found, f.Call.Func.Name+"("+plan.Written(f.Call.Args[0])+") by "+strings.Join(by, ", "))
			}
			if got := strings.Join(found, ", "); got != c.found {
				t.Errorf("found %q, want %q", got, c.found)
			}
		})
	}
}
