package plan_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// constrained is what a model is asked for whose server enforces patterns.
func constrained(tables ...string) plan.SchemaOptions {
	return plan.SchemaOptions{Strict: true, Bounds: true, Tables: tables}
}

// permitted are the plan names of the tables that the caller may read.
func permitted() []string {
	var out []string
	for _, t := range rental().Tables {
		if (public{}).Table(t) {
			out = append(out, rental().PlanName(t))
		}
	}
	return out
}

// renamed calls the blocks of a query as the pattern asks for.
func renamed(q *plan.Query) *plan.Query {
	for i, b := range q.Blocks[:len(q.Blocks)-1] {
		b.Name = fmt.Sprintf("b%d", i+1)
	}
	return q
}

// TestTablePatternTakesEveryPlan validates the golden plans and the counted ones with
// their blocks renamed: those of permitted tables are taken, the others are not.
func TestTablePatternTakesEveryPlan(t *testing.T) {
	s := compile(t, constrained(permitted()...))
	taken, refused := 0, 0
	for _, q := range append(goldenQueries(t), countedQueries(t)...) {
		full := complete(t, renamed(q))
		err := s.Validate(full)
		switch readsHidden(q) {
		case true:
			refused++
			if err == nil {
				t.Errorf("%v\nreads a hidden table and is taken", full)
			}
		default:
			taken++
			if err != nil {
				t.Errorf("%v\n%v", full, err)
			}
		}
	}
	if taken < 150 || refused < 2 {
		t.Errorf("only %d plans are taken and %d refused", taken, refused)
	}
}

func readsHidden(q *plan.Query) bool {
	for _, b := range q.Blocks {
		for _, s := range b.Sources {
			if s.Table != nil && !(public{}).Table(s.Table) {
				return true
			}
		}
	}
	return false
}

// goldenQueries are the plans of the golden files that bind.
func goldenQueries(t *testing.T) []*plan.Query {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var out []*plan.Query
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			p, err := plan.Decode(f.Data)
			if err != nil {
				continue // a wanted section, or a plan that is to fail
			}
			if q, err := plan.Bind(p, scope()); err == nil {
				out = append(out, q)
			}
		}
	}
	return out
}

func countedQueries(t *testing.T) []*plan.Query {
	t.Helper()
	var out []*plan.Query
	for _, c := range tokenQueries(t) {
		q, err := plan.Bind(c.plan, scope())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, q)
	}
	return out
}

// form is a plan with every key, of a source, a join, and a block with its inputs.
func form(t *testing.T, from, join, block, of string) any {
	t.Helper()
	clauses := wire.Clauses{From: from, Joins: []string{join}, Select: []string{"1 as x"}}
	if join == "" {
		clauses.Joins = nil
	}
	text := object(t, clauses, true, member{"with", json.RawMessage("[" +
		object(t, clauses, true, member{"name", block, true}, member{"op", "select", true}, member{"of", []string{of}, true}, member{"recursive", false, false}) +
		"]"), true})
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTablePatternIsExact(t *testing.T) {
	s := compile(t, constrained("trips", "order", "order details", "main.x", "고객 정보", "2024 sales", "it's", "a`b", "left side"))
	for _, c := range []struct {
		from, join, block, of string
		taken                 bool
	}{
		{"trips", "", "b1", "b2", true},
		{"", "", "b1", "b2", true},
		{"trips t", "left main.x y via trip_id", "b9", "b1", true},
		{"b3", "anti b1 c on c.id = b3.id and x in ('고', 1)", "b1", "b2", true},
		{"order details as d", "`order details` `a b`", "b1", "b2", true},
		{"order o", "고객 정보", "b1", "b2", true},
		{"2024 sales s", "`2024 sales`", "b1", "b2", true},
		{"it's i", "`a``b` x", "b1", "b2", true},
		{"`left side`", "left `left side` l on l.a = 1", "b1", "b2", true},
		{"trips", "cross order", "b1", "b2", true},

		{"secrets", "", "b1", "b2", false},
		{"secrets trips", "", "b1", "b2", false},
		{"tripss", "", "b1", "b2", false},
		{"trips, secrets", "", "b1", "b2", false},
		{"trips t secrets", "", "b1", "b2", false},
		{"Trips", "", "b1", "b2", false},
		{"main.trips", "", "b1", "b2", false},
		{"mainxx", "", "b1", "b2", false},
		{"`secrets`", "", "b1", "b2", false},
		{"trips\n", "", "b1", "b2", false},
		{" trips", "", "b1", "b2", false},
		{"trips", "secrets", "b1", "b2", false},
		{"trips", "left secrets s on s.id = 1", "b1", "b2", false},
		{"trips", "left side", "b1", "b2", false},
		{"trips", "inner order", "b1", "b2", false},
		{"trips", "order on", "b1", "b2", true}, // an alias, which the parser refuses
		{"trips", "order using id", "b1", "b2", false},
		{"trips", `order on "id" = 1`, "b1", "b2", false},
		{"trips", `order on id = 'a\b'`, "b1", "b2", false},
		{"trips", "order on id = 1; x", "b1", "b2", false},
		{"trips", "order on id =\n1", "b1", "b2", false},
		{"trips", "order on " + strings.Repeat("x", 301), "b1", "b2", false},
		{"trips " + strings.Repeat("x", 41), "", "b1", "b2", false},
		{"trips", "", "secrets", "b2", false},
		{"trips", "", "b10", "b2", false},
		{"trips", "", "b1", "secrets", false},
		{"b", "", "b1", "b2", false},
	} {
		if err := s.Validate(form(t, c.from, c.join, c.block, c.of)); (err == nil) != c.taken {
			t.Errorf("from %q, joins %q, block %q of %q: taken %t, want %t (%v)", c.from, c.join, c.block, c.of, err == nil, c.taken, err)
		}
	}
}

// TestTablePatternReadsAsItsTable takes every form of odd names that the pattern takes
// for the table that has the name.
func TestTablePatternReadsAsItsTable(t *testing.T) {
	names := []string{"order details", "order", "on", "left", "left side", "full outer", "2024", "2024 sales", "a.b", "a.b c", "it's", "a`b", "고객", "고객 정보", "a-b", "a;b", "a(b", "(a)", "x*+?[]{}^$|", "Ä", "b1x"}
	for _, schemas := range [][]string{{"main"}, {"main", "out side"}} {
		var tables []*schema.Table
		for _, s := range schemas {
			for _, name := range names {
				tb := table(name, 1, col("id", tInt))
				tb.Schema = s
				tables = append(tables, tb)
			}
		}
		catalog := schema.Build("odd", schema.SQLite, tables)
		for _, tb := range tables {
			checkForms(t, catalog, tb)
		}
	}
}

func checkForms(t *testing.T, catalog *schema.Catalog, tb *schema.Table) {
	t.Helper()
	name := catalog.PlanName(tb)
	s := compile(t, constrained(name))
	taken := 0
	for _, text := range []string{name, plan.Name(name)} {
		if s.Validate(form(t, text+" z", "", "b1", "b1")) != nil {
			continue
		}
		taken++
		for _, p := range []wire.Plan{
			{Clauses: wire.Clauses{From: text + " z", Select: []string{"z.id"}}},
			{Clauses: wire.Clauses{From: text + " z", Joins: []string{text + " y on y.id = z.id"}, Select: []string{"y.id"}}},
		} {
			q, err := plan.Bind(p, plan.Scope{Catalog: catalog, Clock: clock()})
			if err != nil {
				t.Errorf("%q for %s: %v", text, tb.ID(), err)
				continue
			}
			for _, source := range q.Result().Sources {
				if source.Table != tb {
					t.Errorf("%q for %s is read as %s", text, tb.ID(), source.Table.ID())
				}
			}
		}
	}
	if taken == 0 {
		t.Errorf("the pattern for %s takes neither %q nor %q", tb.ID(), name, plan.Name(name))
	}
}

// TestTablePatternStaysWithinServers holds the largest pattern to the size that a
// server's grammar bears; what would be larger has no pattern.
func TestTablePatternStaysWithinServers(t *testing.T) {
	tables := func(n, length int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf("t%d_", i)
			out[i] += strings.Repeat("x", length-len(out[i]))
		}
		return out
	}
	bounded := plan.WireSchema(plan.SchemaOptions{Strict: true, Bounds: true})
	for _, c := range []struct {
		name    string
		tables  []string
		pattern bool
	}{
		{"none", nil, false},
		{"one", tables(1, 10), true},
		{"2,000", tables(2000, 29), true},
		{"2,001", tables(2001, 10), false},
		{"long names", tables(2000, 63), false},
		{"long names of few", tables(900, 63), true},
		{"a double quote", []string{"trips", `a"b`}, false},
		{"a backslash", []string{"trips", `a\b`}, false},
		{"a line end", []string{"trips", "a\nb"}, false},
		{"no UTF-8", []string{"trips", "a\xff"}, false},
		{"an empty name", []string{"trips", ""}, false},
		{"a space before it, and a schema", []string{" a.b"}, false},
	} {
		text := plan.WireSchema(constrained(c.tables...))
		if got := bytes.Contains(text, []byte(`"pattern"`)); got != c.pattern || !c.pattern && !bytes.Equal(text, bounded) {
			t.Errorf("%s: pattern %t, want %t; %d bytes", c.name, got, c.pattern, len(text))
		}
		if len(text) > 256<<10 {
			t.Errorf("%s: the schema has %d bytes", c.name, len(text))
		}
	}
	if free := plan.WireSchema(plan.SchemaOptions{Strict: true, Tables: []string{"trips"}}); !bytes.Equal(free, plan.WireSchema(plan.SchemaOptions{Strict: true})) {
		t.Errorf("tables without bounds change the schema: %s", free)
	}
	largest := compile(t, constrained(tables(2000, 29)...))
	if err := largest.Validate(form(t, tables(2000, 29)[1999], "", "b1", "b1")); err != nil {
		t.Error(err)
	}
	if largest.Validate(form(t, "t2000_", "", "b1", "b1")) == nil {
		t.Error("a table that is not there is taken")
	}
}
