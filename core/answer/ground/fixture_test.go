package ground_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"querent.dev/querent/core/answer/ground"
	"querent.dev/querent/core/demo"
	"querent.dev/querent/sdk/wire"
)

// asked are questions to the demo database with the SQL of their results: groups,
// series, lists, single values and nothing at all, in one table each.
var asked = []struct{ id, question, query string }{
	{"countries", "How many customers do we have, by country?", `SELECT country, count(*) AS customers FROM customers GROUP BY 1 ORDER BY 2 DESC, 1`},
	{"months", "What was the revenue in each month of 2025?", `SELECT date(substr(o.ordered_at,1,7)||'-01') AS month, round(sum(l.quantity*l.unit_price),2) AS revenue FROM "order" o JOIN order_lines l ON l.order_id=o.id WHERE o.ordered_at LIKE '2025%' GROUP BY 1 ORDER BY 1`},
	{"products", "What are our top products by revenue?", `SELECT p.name AS product, round(sum(l.quantity*l.unit_price),2) AS revenue FROM products p JOIN order_lines l ON l.product_id=p.id GROUP BY p.id ORDER BY 2 DESC LIMIT 10`},
	{"stores", "What is the average order value by store?", `SELECT s.name AS store, round(sum(l.quantity*l.unit_price)/count(DISTINCT o.id),2) AS average_order_value FROM stores s JOIN "order" o ON o.store_id=s.id JOIN order_lines l ON l.order_id=o.id GROUP BY s.id ORDER BY 2 DESC LIMIT 12`},
	{"rates", "What is the return rate by category?", `SELECT c.name AS category, round(1.0*count(r.id)/count(*),4) AS return_rate FROM categories c JOIN products p ON p.category_id=c.id JOIN order_lines l ON l.product_id=p.id LEFT JOIN returns r ON r.order_id=l.order_id AND r.line_no=l.line_no GROUP BY c.id ORDER BY 2 DESC`},
	{"never", "Which customers have never ordered?", `SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM "order") ORDER BY 1`},
	{"origins", "원산지별 제품 수", `SELECT "원산지", count(*) AS products FROM products WHERE "원산지" IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1`},
	{"quarters", "What was the revenue in each quarter of 2024?", `SELECT (CAST(substr(ordered_at,6,2) AS INTEGER)+2)/3 AS quarter, round(sum(quantity*unit_price),2) AS revenue FROM "order" JOIN order_lines ON order_id=id WHERE ordered_at LIKE '2024%' GROUP BY 1 ORDER BY 1`},
	{"years", "How many payments were made by card in each year?", `SELECT CAST(strftime('%Y', paid_at/1000,'unixepoch') AS INTEGER) AS year, count(*) AS payments FROM payments WHERE method='card' GROUP BY 1 ORDER BY 1`},
	{"methods", "How much was paid by which method, and what part of the amount is that?", `SELECT method, round(sum(amount),2) AS amount, round(sum(amount)/(SELECT sum(amount) FROM payments),4) AS part FROM payments GROUP BY 1 ORDER BY 2 DESC`},
	{"ranks", "How do the stores rank by their number of orders?", `SELECT rank() OVER (ORDER BY count(*) DESC) AS place, s.name, count(*) AS orders FROM stores s JOIN "order" o ON o.store_id=s.id GROUP BY s.id ORDER BY 1`},
	{"changes", "How did the number of orders change from month to month in 2025?", `SELECT month, orders - lag(orders) OVER (ORDER BY month) AS change FROM (SELECT CAST(substr(ordered_at,6,2) AS INTEGER) AS month, count(*) AS orders FROM "order" WHERE ordered_at LIKE '2025%' GROUP BY 1) ORDER BY 1`},
	{"customers", "How many customers are there?", `SELECT count(*) AS customers FROM customers`},
	{"latest", "When was the latest order of each store in Germany, France and Poland, and of which customer?", `SELECT s.name AS store, max(o.ordered_at) AS ordered_at, c.name AS customer FROM stores s JOIN "order" o ON o.store_id=s.id JOIN customers c ON c.id=o.customer_id WHERE s.country IN ('Germany','France','Poland') GROUP BY s.id ORDER BY 1`},
	{"nobody", "Which customers live in Iceland?", `SELECT name FROM customers WHERE country='Iceland'`},
	{"leader", "Which country has the most customers?", `SELECT country, count(*) AS customers FROM customers GROUP BY 1 ORDER BY 2 DESC LIMIT 1`},
	{"returns", "How many returns are there in each category, also where there are none?", `SELECT c.name AS category, count(r.id) AS returns FROM categories c LEFT JOIN products p ON p.category_id=c.id LEFT JOIN order_lines l ON l.product_id=p.id LEFT JOIN returns r ON r.order_id=l.order_id AND r.line_no=l.line_no WHERE c.id<=12 GROUP BY c.id ORDER BY 2 DESC, 1`},
	{"stock", "Which stores are there, with city, country and the day they opened?", `SELECT name AS store, city, country, date(opened_on) AS opened_on FROM stores ORDER BY opened_on LIMIT 12`},
}

const previewRows = 20

// made are the results of all questions, read once: SQLite is slow under the race
// detector.
var made struct {
	once    sync.Once
	results map[string]ground.Evidence
}

// results are the results of all questions. They must not be changed.
func results(t testing.TB) map[string]ground.Evidence {
	t.Helper()
	made.once.Do(func() { made.results = ask(t) })
	if made.results == nil {
		t.Fatal("the demo database could not be asked")
	}
	return made.results
}

func ask(t testing.TB) map[string]ground.Evidence {
	t.Helper()
	path := filepath.Join(t.TempDir(), "demo.db")
	if err := demo.Write(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	out := map[string]ground.Evidence{}
	for _, a := range asked {
		out[a.id] = ground.Evidence{Question: a.question, Language: languageOf(a.question), Results: []wire.Preview{preview(t, db, a.query)}}
	}
	return out
}

func languageOf(text string) string {
	if strings.ContainsAny(text, "가각간고과국그는다라를별산수은을이제지") {
		return "ko"
	}
	return "en"
}

func preview(t testing.TB, db *sql.DB, query string) wire.Preview {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	p := wire.Preview{SubQuery: "q1"}
	for _, n := range names {
		p.Columns = append(p.Columns, wire.Column{Name: n})
	}
	for rows.Next() {
		raw, into := make([]any, len(names)), make([]any, len(names))
		for i := range raw {
			into[i] = &raw[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		p.RowCount++
		if len(p.Rows) == previewRows {
			p.Partial = true
			continue
		}
		row := make([]wire.Value, len(names))
		for i, v := range raw {
			row[i] = value(v)
		}
		p.Rows = append(p.Rows, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}

// value is a cell as the adapter makes it, by its form.
func value(v any) wire.Value {
	switch v := v.(type) {
	case nil:
		return wire.Null()
	case int64:
		return wire.Int(v)
	case float64:
		return wire.Float(v)
	case time.Time:
		return wire.Date(v)
	case string:
		if day, err := time.Parse(time.DateOnly, v); err == nil {
			return wire.Date(day)
		}
		if at, err := time.Parse(time.DateTime, v); err == nil {
			return wire.Timestamp(at)
		}
		return wire.Text(v)
	}
	panic(fmt.Sprintf("a cell of type %T", v))
}

// text is a text about a result, from a file of them.
type text struct{ id, lang, text string }

// read takes a file of texts: a line each, under the id of their result, with \n for
// a line break.
func read(t testing.TB, name, lang string) []text {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []text
	id := ""
	for line := range strings.SplitSeq(string(content), "\n") {
		switch {
		case line == "", strings.HasPrefix(line, "//"):
		case strings.HasPrefix(line, "= "):
			id = line[2:]
		default:
			out = append(out, text{id, lang, strings.ReplaceAll(line, `\n`, "\n")})
		}
	}
	return out
}

// checkers checks texts in a language against a result.
type checkers struct {
	evidence map[string]ground.Evidence
	made     map[string]*ground.Checker
}

func newCheckers(t testing.TB) *checkers {
	return &checkers{evidence: results(t), made: map[string]*ground.Checker{}}
}

func (c *checkers) check(t testing.TB, x text) []ground.Violation {
	t.Helper()
	e, ok := c.evidence[x.id]
	if !ok {
		t.Fatalf("no result is called %q", x.id)
	}
	key := x.id + " " + x.lang
	if c.made[key] == nil {
		e.Language = x.lang
		c.made[key] = ground.New(e)
	}
	return c.made[key].Check(x.text)
}
