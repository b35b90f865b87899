package demo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/core/demo"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// settings are what the demo's configuration says of its datasource and role.
const settings = `
version: 1
datasources:
  demo:
    adapter: sqlite
    path: demo.db
    columns:
      main.customers.email: {tags: [personal]}
      main.customers.phone: {tags: [personal]}
      main.payments.paid_at: {storage: epoch_ms}
roles:
  analyst:
    tables: {allow: ["demo.main.*"]}
    columns: {deny: ["demo.main.employees.salary", "demo.main.customers.email", "demo.main.customers.phone"]}
callers:
  cli: {role: analyst}
`

func loadConfig(t *testing.T) *config.Config {
	t.Helper()
	queries, err := os.ReadFile("files/verified.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := config.Parse("files/demo.yaml", []byte(settings+string(queries)))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// bench is the demo as the engine sees it.
type bench struct {
	config  *config.Config
	source  datasource.Datasource
	catalog *schema.Catalog
	policy  *policy.Policy
	path    string
}

var analyst = policy.Caller{Name: "cli", Roles: []string{"analyst"}}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{config: loadConfig(t), path: shared}
	var err error
	b.source, err = sqlite.Open(sqlite.Options{ID: "demo", Path: b.path, Columns: b.config.Datasources["demo"].Columns})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.source.Close() })
	if b.catalog, err = b.source.Introspect(context.Background()); err != nil {
		t.Fatal(err)
	}
	if b.policy, err = policy.Compile(b.config.Roles); err != nil {
		t.Fatal(err)
	}
	return b
}

// run takes a plan the whole way to its rows.
func (b *bench) run(p wire.Plan) ([][]wire.Value, []wire.Column, error) {
	ctx := context.Background()
	view, err := b.policy.View(b.catalog, analyst)
	if err != nil {
		return nil, nil, err
	}
	clock := plan.Clock{Now: time.Date(2026, 10, 31, 12, 0, 0, 0, time.UTC), WeekStart: time.Monday}
	q, err := plan.Bind(p, plan.Scope{Catalog: b.catalog, Visible: view, Clock: clock})
	if err != nil {
		return nil, nil, err
	}
	secured, err := b.policy.Secure(b.catalog, q, analyst)
	if err != nil {
		return nil, nil, err
	}
	statement, err := sqlgen.Render(secured, schema.SQLite, sqlgen.Options{})
	if err != nil {
		return nil, nil, err
	}
	rows, err := b.source.Query(ctx, statement, datasource.Limits{Timeout: time.Minute})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", statement.SQL(), err)
	}
	defer rows.Close()
	var out [][]wire.Value
	for rows.Next() {
		out = append(out, append([]wire.Value(nil), rows.Row()...))
	}
	return out, statement.Columns(), rows.Err()
}

func (b *bench) plan(t *testing.T, v config.Verified) wire.Plan {
	t.Helper()
	text, err := os.ReadFile(b.config.Plan(v))
	if err != nil {
		t.Fatal(err)
	}
	var p wire.Plan
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(text), "{year}", "2025")), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// byHand is the same in SQL as a person would write it, for 2025.
var byHand = map[string]string{
	"revenue_by_month": `SELECT substr(ordered_at, 1, 7), round(sum(quantity * unit_price), 2) FROM "order" o JOIN order_lines l ON l.order_id = o.id
		WHERE ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01' AND status <> 'cancelled' GROUP BY 1 ORDER BY 1`,
	"top_products": `SELECT p.name, sum(quantity), round(sum(quantity * unit_price), 2) r FROM order_lines l JOIN products p ON p.id = product_id
		WHERE order_id NOT IN (SELECT id FROM "order" WHERE status = 'cancelled') GROUP BY p.id ORDER BY r DESC LIMIT 10`,
	"orders_by_country":    `SELECT country, count(*) n FROM customers c JOIN "order" o ON customer_id = c.id GROUP BY 1 ORDER BY n DESC, 1`,
	"customers_by_country": `SELECT country, count(*) n FROM customers GROUP BY 1 ORDER BY n DESC, 1`,
	"order_value_by_store": `SELECT s.name, count(DISTINCT o.id), round(sum(quantity * unit_price) / count(DISTINCT o.id), 2) v FROM stores s
		JOIN "order" o ON store_id = s.id JOIN order_lines l ON l.order_id = o.id WHERE status <> 'cancelled' GROUP BY s.id ORDER BY v DESC`,
	"customers_without_orders": `SELECT name, country, replace(joined_at, ' ', 'T') FROM customers
		WHERE id NOT IN (SELECT customer_id FROM "order") ORDER BY joined_at`,
	"return_rate_by_category": `SELECT c.name, count(*), (SELECT count(*) FROM returns r JOIN order_lines x ON x.order_id = r.order_id AND x.line_no = r.line_no
			JOIN products q ON q.id = x.product_id WHERE q.category_id = c.id) AS back,
		round((SELECT count(*) FROM returns r JOIN order_lines x ON x.order_id = r.order_id AND x.line_no = r.line_no
			JOIN products q ON q.id = x.product_id WHERE q.category_id = c.id) * 100.0 / count(*), 1) v
		FROM order_lines l JOIN products p ON p.id = l.product_id JOIN categories c ON c.id = p.category_id GROUP BY c.id ORDER BY v DESC`,
	"employees_by_store": `SELECT s.name, count(*) n FROM employees e JOIN stores s ON s.id = store_id WHERE left_on IS NULL GROUP BY s.id ORDER BY n DESC`,
	"payments_by_method": `SELECT method, count(*), round(sum(amount), 2) a FROM payments
		WHERE date(paid_at / 1000, 'unixepoch') BETWEEN '2025-01-01' AND '2025-12-31' GROUP BY 1 ORDER BY a DESC`,
	"products_by_origin": `SELECT "원산지", count(*) n FROM products GROUP BY 1 ORDER BY n DESC`,
}

func TestVerifiedQueriesGiveWhatSQLByHandGives(t *testing.T) {
	b := newBench(t)
	db := open(t, b.path)
	if len(b.config.Verified) != len(byHand) {
		t.Errorf("%d verified queries, %d by hand", len(b.config.Verified), len(byHand))
	}
	for _, v := range b.config.Verified {
		t.Run(v.ID, func(t *testing.T) {
			got, columns, err := b.run(b.plan(t, v))
			if err != nil {
				t.Fatal(err)
			}
			rows, err := db.Query(byHand[v.ID])
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			want := map[string]int{}
			count := 0
			for rows.Next() {
				cells, dest := make([]any, len(columns)), make([]any, len(columns))
				for i := range cells {
					dest[i] = &cells[i]
				}
				if err := rows.Scan(dest...); err != nil {
					t.Fatal(err)
				}
				want[line(cells)]++
				count++
			}
			if err := rows.Err(); err != nil {
				t.Fatal(err)
			}
			if len(got) != count || count == 0 {
				t.Errorf("%d rows, want %d", len(got), count)
			}
			for _, row := range got {
				cells := make([]any, len(row))
				for i, v := range row {
					cells[i] = v
				}
				if want[line(cells)]--; want[line(cells)] < 0 {
					t.Errorf("the row %q is not among those by hand", line(cells))
				}
			}
		})
	}
}

// line is a row as text in which equal numbers are written alike.
func line(cells []any) string {
	var parts []string
	for _, c := range cells {
		s := fmt.Sprint(c)
		if c == nil {
			s = ""
		}
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			s = strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "|")
}

func TestAnOrderIsAsThePlanSays(t *testing.T) {
	b := newBench(t)
	for _, v := range b.config.Verified {
		p := b.plan(t, v)
		rows, columns, err := b.run(p)
		if err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		label, direction, _ := strings.Cut(p.Order[0], " ")
		at := -1
		for i, c := range columns {
			if c.Name == label || c.Name == label[strings.IndexByte(label, '.')+1:] {
				at = i
			}
		}
		if at < 0 {
			t.Fatalf("%s: there is no column %q", v.ID, label)
		}
		for i := 1; i < len(rows); i++ {
			x, y := rows[i-1][at], rows[i][at]
			sorted := x.String() <= y.String()
			if y.Kind().Numeric() {
				sorted = x.Float() <= y.Float()
			}
			if direction == "desc" {
				sorted = x.Float() >= y.Float()
			}
			if !sorted {
				t.Errorf("%s: %s comes before %s", v.ID, x, y)
			}
		}
	}
}

func TestMoneyIsExact(t *testing.T) {
	b := newBench(t)
	p := wire.Plan{Clauses: wire.Clauses{From: "order_lines l", Select: []string{"sum(l.quantity * l.unit_price) as revenue"}}}
	rows, columns, err := b.run(p)
	if err != nil {
		t.Fatal(err)
	}
	// In cents, which SQLite adds as integers.
	cents := number(t, open(t, b.path), `SELECT sum(quantity * CAST(round(unit_price * 100) AS INTEGER)) FROM order_lines`)
	want := fmt.Sprintf("%d.%02d", cents/100, cents%100)
	if v := rows[0][0]; v.Kind() != wire.KindDecimal || v.String() != want || columns[0].Type.Kind != wire.KindDecimal {
		t.Errorf("%s %s, want decimal %s", v.Kind(), v, want)
	}
}

func TestTheRoleMayNotReadSalariesAndPhones(t *testing.T) {
	b := newBench(t)
	for _, c := range []wire.Clauses{
		{From: "employees e", Select: []string{"avg(e.salary)"}},
		{From: "employees e", Select: []string{"e.name"}, Order: []string{"e.salary"}},
		{From: "customers c", Select: []string{"c.phone"}},
		{From: "customers c", Select: []string{"count(*)"}, Where: "c.email is null"},
	} {
		_, _, err := b.run(wire.Plan{Clauses: c})
		if e := reason.From(err); err == nil || e.Code != reason.PolicyDenied {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func TestEveryQuestionOfTheDemoIsVerified(t *testing.T) {
	c := loadConfig(t)
	var templates []*regexp.Regexp
	for _, v := range c.Verified {
		for _, q := range v.Questions {
			pattern := strings.ReplaceAll(regexp.QuoteMeta(q), `\{year\}`, `20\d\d`)
			templates = append(templates, regexp.MustCompile(`^`+pattern+`$`))
		}
	}
	for _, q := range demo.Questions() {
		found := false
		for _, t := range templates {
			found = found || t.MatchString(q)
		}
		if !found {
			t.Errorf("no verified query answers %q", q)
		}
	}
	if plans, err := filepath.Glob("files/verified/*.json"); err != nil || len(plans) != len(c.Verified) {
		t.Errorf("%d plans for %d verified queries (%v)", len(plans), len(c.Verified), err)
	}
}
