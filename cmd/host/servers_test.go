//go:build databases

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/schema"
)

const shop = `CREATE TABLE customers (id int PRIMARY KEY, name varchar(40), country varchar(40));
	INSERT INTO customers VALUES (1, 'Ana', 'Peru'), (2, 'Bo', 'Peru'), (3, '한', 'Korea'), (4, NULL, 'Chile');
	CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customers (id), placed_on date, total decimal(10,2));
	INSERT INTO orders VALUES (1, 1, '2025-03-01', 10.50), (2, 1, '2025-12-31', 5), (3, 3, '2026-01-01', 7)`

// A question is answered from each server: by a verified query, by the template
// planner without a configuration, and not at all when the server is gone.
func TestServersAreAsked(t *testing.T) {
	for _, dialect := range []schema.Dialect{schema.Postgres, schema.MySQL} {
		t.Run(string(dialect), func(t *testing.T) {
			db := dbtest.Start(t, dialect).Database(t, shop)
			i := install(t, "", "")
			t.Setenv("SHOP_DSN", db.Reader(t))
			config := i.configureServer(t, dialect)
			got := i.ask(t, config, "What did each customer spend in 2025?")
			if want := [][]any{{"Ana", "15.50"}}; got.exit != 0 || !reflect.DeepEqual(got.rows, want) {
				t.Errorf("exit %d, rows %v, want %v\n%s", got.exit, got.rows, want, got.stderr)
			}
			out, err := exec.Command(filepath.Join(i.dir, "querent"), "ask", "--db", db.DSN, "--format", "csv", "How many customers are there by country?").CombinedOutput()
			if text := string(out); err != nil || !strings.Contains(text, "Peru,2") || !strings.Contains(text, "Korea,1") {
				t.Errorf("--db: %v\n%s", err, out)
			}
			db.Server.Stop()
			got = i.ask(t, config, "What did each customer spend in 2025?")
			if said := got.stderr + string(got.raw); got.exit != 6 || !strings.Contains(said, "unavailable") || strings.Contains(said, dbtest.ReaderPassword) {
				t.Errorf("without the server: exit %d\n%s", got.exit, said)
			}
		})
	}
}

func (i *installation) configureServer(t *testing.T, adapter schema.Dialect) string {
	t.Helper()
	path := filepath.Join(i.dir, "server.yaml")
	for name, text := range map[string]string{
		path: fmt.Sprintf(`version: 1
agents: {default: {provider: template}}
datasources: {shop: {adapter: %s, dsn: "${env:SHOP_DSN}"}}
roles: {analyst: {tables: {allow: ["shop.*.*"]}}}
callers: {cli: {role: analyst}}
verified:
  - {id: spent, datasource: shop, questions: ["What did each customer spend in {year}?"], plan: spent.json, params: {year: {type: int, min: 2000, max: 2100}}}
`, adapter),
		filepath.Join(i.dir, "spent.json"): `{"from": "orders o", "joins": ["customers c"], "select": ["c.name", "sum(o.total) as spent"], "where": "year(o.placed_on) = {year}", "order": ["c.name"]}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}
