package promises_test

import (
	"strconv"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/reason"
)

func itoa(n int) string { return strconv.Itoa(n) }

// orders are three orders of 100, 200 and 400, with three, two lines and one.
const orders = `CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(20));
	CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), total INTEGER);
	CREATE TABLE items (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id), qty INTEGER);
	INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cid');
	INSERT INTO orders VALUES (1, 1, 100), (2, 1, 200), (3, 2, 400), (4, NULL, 0);
	INSERT INTO items VALUES (1, 1, 1), (2, 1, 2), (3, 1, 3), (4, 2, 4), (5, 2, 5), (6, 3, 6)`

// The totals of orders are 700 beside their lines, and never 1100: they are put
// right, or told of, or refused.
func TestJoinsDoNotMultiplySums(t *testing.T) {
	onEach(t, orders, nil, func(t *testing.T, d *database) {
		d.gives(t, `{"from": "orders o", "joins": ["items l"], "select": ["sum(o.total) as total", "sum(l.qty) as items"]}`, "700|21")
		d.gives(t, `{"from": "orders o", "joins": ["items l"], "where": "l.qty > 1", "select": ["sum(o.total) as total"]}`, "700")
		d.gives(t, `{"from": "customers c", "joins": ["orders o", "items l"], "group": ["c.id"], "select": ["c.name", "sum(o.total) as total", "sum(l.qty) as items"], "order": ["c.name"]}`,
			"Ann|300|15", "Bob|400|6")
		d.gives(t, `{"from": "orders o", "joins": ["items l"], "select": ["count(*) as n"]}`, "6")
		// What an order counts for a kind of line is not certain.
		c := terms{plan: planOf(t, `{"from": "orders o", "joins": ["items l"], "group": ["l.qty % 2"], "select": ["l.qty % 2 as odd", "sum(o.total) as total"], "order": ["odd"]}`)}
		got := d.on(t, c)
		got.wants(t, "by lines", "0|700", "1|400")
		if !strings.Contains(got.answer, string(reason.JoinFanOut)) {
			t.Errorf("nobody is told that orders count more than once: %s", got.answer)
		}
		c.settings.Validator.FanOut = config.FanOutRefuse
		if got := d.on(t, c); got.err == nil || got.err.Code != reason.PlanInvalid {
			t.Errorf("where it is to be refused, it ends with %v and %q", got.err, got.rows)
		}
	})
}

func TestNullsHideNoRowOfNotIn(t *testing.T) {
	onEach(t, orders, nil, func(t *testing.T, d *database) {
		const block = `"with": [{"name": "buyers", "op": "select", "from": "orders", "select": ["customer_id"]}]`
		for _, plan := range []string{
			`{` + block + `, "from": "customers c", "where": "not in(c.id, buyers)", "select": ["c.name"]}`,
			`{` + block + `, "from": "customers c", "where": "not exists(buyers, customer_id = c.id)", "select": ["c.name"]}`,
			`{"from": "customers c", "joins": ["anti orders o"], "select": ["c.name"]}`,
			`{"from": "customers c", "joins": ["left orders o"], "where": "o.id is null", "select": ["c.name"]}`,
		} {
			d.gives(t, plan, "Cid")
		}
		d.refuses(t, `{"from": "customers", "where": "id not in (1, 2, null)", "select": ["name"]}`, reason.PlanInvalid)
		d.gives(t, `{"from": "orders", "where": "customer_id <> 1", "select": ["id"], "order": ["id"]}`, "3")
		d.gives(t, `{"from": "orders", "where": "customer_id is distinct from 1", "select": ["id"], "order": ["id"]}`, "3", "4")
	})
}

func TestSeparatorsInTextAreText(t *testing.T) {
	texts := []string{"a;1", "a--b", "/* c */", "it''s", `b\`, `\'`, `"d"`, "`e`", "$1", "?", "%s", ":name", "' OR '1'='1", "한;글", "{}", "\n", "NULL"}
	script := "CREATE TABLE notes (id INTEGER PRIMARY KEY, note VARCHAR(40)); INSERT INTO notes VALUES (0, 'other')"
	for i, text := range texts {
		script += ", (" + itoa(i+1) + ", '" + strings.ReplaceAll(strings.ReplaceAll(text, "''", "'"), "'", "''") + "')"
	}
	onEach(t, script, nil, func(t *testing.T, d *database) {
		for i, text := range texts {
			plain := strings.ReplaceAll(text, "''", "'")
			p := planOf(t, `{"from": "notes", "select": ["id", "note"]}`)
			p.Where = "note = '" + strings.ReplaceAll(plain, "'", "''") + "'"
			got := d.on(t, terms{plan: p})
			got.wants(t, p.Where, itoa(i+1)+"|"+plain)
			if strings.Contains(got.sql, plain) && len(plain) > 2 {
				t.Errorf("the text %q stands in the SQL:\n%s", plain, got.sql)
			}
		}
		d.gives(t, `{"from": "notes", "where": "contains(note, ';')", "select": ["id"], "order": ["id"]}`, "1", "14")
	})
}
