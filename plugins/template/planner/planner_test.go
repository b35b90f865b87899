package planner_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/plugins/template/planner"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/wire"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func col(name string, k wire.Kind) wire.ColumnView {
	return wire.ColumnView{Name: name, Type: wire.Type{Kind: k}}
}

func key(column, table string) wire.KeyView {
	return wire.KeyView{Columns: []string{column}, Table: table, RefColumns: []string{"id"}}
}

// shop is a catalog with the pitfalls of real ones: a reserved word, names in
// Korean and with spaces, two ways to a country, two dates, two keys to one table.
func shop() wire.CatalogView {
	id, name := col("id", wire.KindInt), col("name", wire.KindText)
	table := func(name string, columns ...wire.ColumnView) wire.TableView {
		return wire.TableView{Name: name, Columns: append([]wire.ColumnView{id}, columns...), PrimaryKey: []string{"id"}}
	}
	nullable := func(c wire.ColumnView) wire.ColumnView { c.Nullable = true; return c }
	customers := table("customers", col("customer_name", wire.KindText), col("country", wire.KindText), col("별명", wire.KindText), col("joined_on", wire.KindDate))
	customers.Synonyms = []string{"고객", "client"}
	customers.Columns[2].Synonyms = []string{"국가"}
	stores := table("stores", name, col("country", wire.KindText), col("city", wire.KindText))
	employees := table("employees", name, col("store_id", wire.KindInt), nullable(col("manager_id", wire.KindInt)), col("hired_on", wire.KindDate), col("left_on", wire.KindDate))
	employees.ForeignKeys = []wire.KeyView{key("store_id", "stores"), key("manager_id", "employees")}
	products := table("products", name, col("category", wire.KindText), col("price", wire.KindDecimal), col("원산지", wire.KindText))
	order := table("order", col("customer_id", wire.KindInt), nullable(col("store_id", wire.KindInt)), col("status", wire.KindText), col("placed_at", wire.KindTimestamp))
	order.ForeignKeys = []wire.KeyView{key("customer_id", "customers"), key("store_id", "stores")}
	lines := table("order_lines", col("order_id", wire.KindInt), col("product_id", wire.KindInt), col("quantity", wire.KindInt), col("unit price", wire.KindDecimal))
	lines.ForeignKeys = []wire.KeyView{key("order_id", "order"), key("product_id", "products")}
	transfers := table("transfers", col("from_store", wire.KindInt), col("to_store", wire.KindInt))
	transfers.ForeignKeys = []wire.KeyView{key("from_store", "stores"), key("to_store", "stores")}
	return wire.CatalogView{Datasource: "demo", Dialect: "sqlite",
		Tables: []wire.TableView{customers, employees, order, lines, products, stores, transfers}}
}

// hits are the values that a value index would find in the test questions.
var hits = []wire.ValueHit{
	{Word: "South Korea", Table: "customers", Column: "country", Value: "South Korea"},
	{Word: "Brazil", Table: "customers", Column: "country", Value: "Brazil"},
	{Word: "Springfield", Table: "stores", Column: "city", Value: "Springfield"},
	{Word: "o'neil", Table: "employees", Column: "name", Value: "O'Neil"},
}

func ask(t testing.TB, p *planner.Planner, question string, catalog wire.CatalogView) sdk.PlanResponse {
	t.Helper()
	language := "en"
	if strings.ContainsAny(question, "수몇") {
		language = "ko"
	}
	res, err := p.Plan(context.Background(), sdk.PlanRequest{Question: question, Catalog: catalog, ValueHits: hits, Language: language})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func encode(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// describe is a response as it stands in the golden file.
func describe(t testing.TB, res sdk.PlanResponse) string {
	t.Helper()
	var b strings.Builder
	if r := res.Refusal; r != nil {
		fmt.Fprintf(&b, "refused: %s\n", r.Reason)
		for name, list := range map[string][]string{"not understood": r.NotUnderstood} {
			if len(list) > 0 {
				fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(list, ", "))
			}
		}
		for _, text := range r.Readings {
			fmt.Fprintf(&b, "reading: %s\n", text)
		}
		for _, text := range r.Proposals {
			fmt.Fprintf(&b, "proposal: %s\n", text)
		}
		return b.String()
	}
	var words []string
	for _, c := range res.Coverage {
		if c.Used != "" {
			words = append(words, c.Word+"="+c.Used)
		}
	}
	fmt.Fprintf(&b, "plan: %s\nreading: %s\ncoverage: %s\n", encode(t, res.Plan), res.Reading, strings.Join(words, "; "))
	return b.String()
}

// TestQuestions asks the lines of the golden files that begin with "> ".
func TestQuestions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.golden")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for line := range strings.Lines(string(text)) {
			switch {
			case strings.HasPrefix(line, "#"):
				got.WriteString(line)
			case strings.HasPrefix(line, "> "):
				question := strings.TrimSpace(line[2:])
				fmt.Fprintf(&got, "\n> %s\n%s", question, describe(t, ask(t, planner.New(nil), question, shop())))
			}
		}
		if *update {
			if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got.String() != string(text) {
			t.Errorf("%s differs; run with -update and review the change:\n%s", path, got.String())
		}
	}
}

// What a planner proposes, it must answer.
func TestProposalsAreUnderstood(t *testing.T) {
	p := planner.New(nil)
	for _, question := range []string{"what is love", "orders by country", "고객 날씨 수", "how many orders by country", "how many employees in 2025", "how many employees by month", "how many transfers per store"} {
		r := ask(t, p, question, shop()).Refusal
		if r == nil {
			t.Fatalf("%q was answered", question)
		}
		if r.Reason == "words_not_understood" && (len(r.Proposals) < 3 || len(r.Proposals) > 6) {
			t.Errorf("%q: %d proposals", question, len(r.Proposals))
		}
		for _, proposal := range r.Proposals {
			if res := ask(t, p, proposal, shop()); res.Plan == nil {
				t.Errorf("%q proposes %q, which is refused: %+v", question, proposal, res.Refusal)
			}
		}
	}
}

func TestNothingInvisibleIsNamed(t *testing.T) {
	view := shop()
	view.Tables = view.Tables[:1] // customers alone; its keys lead nowhere
	r := ask(t, planner.New(nil), "how many salaries of employees are there", view).Refusal
	if r == nil {
		t.Fatal("answered")
	}
	for _, p := range r.Proposals {
		if !strings.Contains(p, "customers") {
			t.Errorf("proposal %q", p)
		}
	}
}

func TestEveryWordIsAccountedFor(t *testing.T) {
	p := planner.New(nil)
	for _, question := range []string{"How many customers do we have, by country?", "list the names and countries of clients", "customers는 몇 명인가요?"} {
		res := ask(t, p, question, shop())
		if res.Plan == nil {
			t.Fatalf("%q was refused: %+v", question, res.Refusal)
		}
		rest := strings.NewReplacer(",", "", "?", "", " ", "").Replace(question)
		for _, c := range res.Coverage {
			rest = strings.Replace(rest, c.Word, "", 1)
		}
		if rest != "" {
			t.Errorf("%q: %q is not accounted for", question, rest)
		}
	}
}

func TestSameRequestSameBytes(t *testing.T) {
	for range 50 {
		for _, question := range []string{"how many orders by country", "average price of products by category", "what is love"} {
			a, b := ask(t, planner.New(nil), question, shop()), ask(t, planner.New(nil), question, shop())
			if encode(t, a) != encode(t, b) {
				t.Fatalf("%q: %s and %s", question, encode(t, a), encode(t, b))
			}
		}
	}
}

func TestEmptyCatalogsAndQuestions(t *testing.T) {
	p := planner.New(nil)
	odd := wire.CatalogView{Tables: []wire.TableView{{Name: "", Columns: []wire.ColumnView{{Name: "---"}, {}}}, {Name: "a.b.c"}, {Name: "§"}}}
	for _, view := range []wire.CatalogView{{}, odd, shop()} {
		for _, question := range []string{"", "?", "'", "how many", "top 5", strings.Repeat("how many ", 200), "how many \x00 customers", "top 99999999999999999999 products by price"} {
			if res := ask(t, p, question, view); res.Plan != nil {
				t.Errorf("%q was answered: %s", question, encode(t, res.Plan))
			}
		}
	}
}
