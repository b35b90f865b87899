package sqlite

import (
	"context"
	"slices"
	"testing"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
)

// explained is a database of 200 customers with 10 orders each.
const explained = `
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), total INTEGER);
CREATE TABLE notes (body TEXT);
CREATE INDEX orders_customer ON orders(customer_id);
CREATE VIEW big AS SELECT customer_id, total FROM orders WHERE total > 5;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 200) INSERT INTO customers SELECT i, 'c' || i FROM n;
INSERT INTO orders(customer_id, total) SELECT c.id, k.id FROM customers c, (SELECT id FROM customers LIMIT 10) k;
`

func TestExplain(t *testing.T) {
	analyzed := openFile(t, Options{Path: makeFile(t, explained+"ANALYZE;")})
	plain := openFile(t, Options{Path: makeFile(t, explained)})
	for _, c := range []struct {
		name, plan string
		rows       int64 // after ANALYZE
		cross      int
		scans      []string
	}{
		{"a scan", `{"from":"customers","select":["name"]}`, 200, 0, []string{"main.customers"}},
		{"a key", `{"from":"customers","where":"id = 7","select":["name"]}`, 1, 0, nil},
		{"a join by a key", `{"from":"orders o","joins":["customers c"],"select":["c.name","sum(o.total) as total"],"group":["c.id"]}`, 2000, 0, nil},
		{"a cross join", `{"from":"orders o","joins":["cross customers c"],"select":["count(*) as n"]}`, 400000, 1, []string{"main.customers", "main.orders"}},
		{"a cross join with a total", `{"with":[{"name":"a","op":"select","from":"orders","select":["sum(total) as total"]}],"from":"customers c","joins":["cross a"],"select":["c.name","a.total"]}`, 2000, 0, []string{"main.customers", "main.orders"}},
		{"a union", `{"with":[{"name":"a","op":"select","from":"customers","select":["id"]},{"name":"b","op":"select","from":"orders","select":["id"]},{"name":"u","op":"union_all","of":["a","b"]}],"from":"u","select":["count(*) as n"]}`, 2000, 0, []string{"main.customers", "main.orders"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, d := range []*database{analyzed, plain} {
				s, err := rendered(t, d, c.plan)
				if err != nil {
					t.Fatal(err)
				}
				got, err := d.Explain(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				want := c.rows
				if d == plain {
					want = -1
				}
				if got.Rows != want || got.CrossProducts != c.cross || c.scans != nil && !slices.Equal(got.Scans, c.scans) {
					t.Errorf("estimate %+v, want %d rows\n%s", got, want, s.SQL())
				}
			}
		})
	}
}

func TestExplainKeepsToTheStatementsGrants(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, explained)})
	s, err := rendered(t, d, `{"from":"customers","select":["name"]}`)
	if err != nil {
		t.Fatal(err)
	}
	q := queryOf(s)
	q.sql, q.columns, q.reads = "EXPLAIN QUERY PLAN "+q.sql, explainColumns, nil
	_, _, err = ask(t, d, q, datasource.Limits{})
	wantCode(t, err, reason.PolicyDenied)
	fill(t, d.options.Path, "ALTER TABLE customers RENAME TO clients")
	_, err = openFile(t, Options{Path: d.options.Path}).Explain(t.Context(), s)
	wantCode(t, err, reason.SchemaChanged)
	_, err = d.Explain(t.Context(), sqlgen.Statement{})
	wantCode(t, err, reason.InvalidState)
	late, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = d.Explain(late, s)
	wantCode(t, err, reason.CancelledCode)
	if _, err := rendered(t, d, `{"from":"clients","select":["name"]}`); err != nil {
		t.Errorf("a connection was kept: %v", err)
	}
}
