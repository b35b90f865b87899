package verifiedmatcher

import (
	"strings"
	"testing"
	"time"

	"querent.dev/querent/sdk/wire"
)

func TestFillClause(t *testing.T) {
	values := map[string]wire.Value{
		"n": wire.Int(-7), "s": wire.Text("O'Brien"), "d": wire.Date(time.Date(2024, 1, 5, 0, 0, 0, 0, time.UTC)),
		"evil": wire.Text("x' or 1 = 1 or 'a' = '"),
	}
	for clause, want := range map[string]string{
		"a = {n}":                  "a = -7",
		"a = {s}":                  "a = 'O''Brien'",
		"name like '%{s}%'":        "name like '%O''Brien%'",
		"a >= {d} and b < '{d}'":   "a >= '2024-01-05' and b < '2024-01-05'",
		"during(x, '{n}')":         "during(x, '-7')",
		"a = {evil}":               "a = 'x'' or 1 = 1 or ''a'' = '''",
		"a = '{evil}'":             "a = 'x'' or 1 = 1 or ''a'' = '''",
		"a = 'it''s {s}' or b={n}": "a = 'it''s O''Brien' or b=-7",
		"`a b` = {n}":              "`a b` = -7",
		"{not a slot} {":           "{not a slot} {",
		"":                         "",
	} {
		got, err := fillClause(clause, values)
		if err != nil || got != want {
			t.Errorf("fill(%q) = %q, %v, want %q", clause, got, err, want)
		}
	}
}

func TestFillRefuses(t *testing.T) {
	for clause, want := range map[string]string{
		"a = {x}":        "{x}, which is no parameter; the parameters are n",
		"`col_{n}` = 1":  "stands in a name",
		"a = col_{n}":    "touches a word",
		"a = {n}{n}":     "touches a word",
		"a = {n}5":       "touches a word",
		"a = 'b'{n}":     "touches a word",
		"a = `b`{n}`c`":  "touches a word",
		"a = 'it''s'{n}": "touches a word",
	} {
		_, err := fillClause(clause, map[string]wire.Value{"n": wire.Int(1)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("fill(%q) gave %v, want %q", clause, err, want)
		}
	}
}

func TestRewriteReachesEveryString(t *testing.T) {
	all := wire.Clauses{
		From: "x", Joins: []string{"x"}, Where: "x", Group: []string{"x"}, Select: []string{"x", "x"},
		Having: "x", Order: []string{"x"}, Per: []string{"x"}, Limit: 5,
	}
	in := wire.Plan{Clauses: all, With: []wire.Block{{Name: "x", Op: "select", Of: []string{"x"}, Clauses: all}}}
	seen := 0
	out, err := rewrite(in, func(string) (string, error) { seen++; return "y", nil })
	if err != nil || seen != 18 {
		t.Errorf("%d strings, %v", seen, err)
	}
	if out.With[0].Name != "x" || out.With[0].Joins[0] != "y" || out.Limit != 5 {
		t.Errorf("plan %+v", out)
	}
	if in.Joins[0] != "x" || in.With[0].Where != "x" {
		t.Error("the plan that was given has changed")
	}
}

// FuzzFill checks that no text value can leave its literal: with the literals
// taken out, the clause is what it was.
func FuzzFill(f *testing.F) {
	for _, seed := range []string{"", "'", "''", "a' or 'b", "{s}", "`", "\\'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		for _, clause := range []string{"a = {s} and b = 1", "a = '{s}' and b = 1", "a like '%{s}%' and b = 1"} {
			got, err := fillClause(clause, map[string]wire.Value{"s": wire.Text(value)})
			if err != nil {
				t.Fatal(err)
			}
			if openQuote(got) != 0 || !strings.HasSuffix(outside(got), " and b = 1") {
				t.Errorf("%q with %q gives %q", clause, value, got)
			}
		}
	})
}

// outside is the clause without its literals.
func outside(s string) string {
	var out strings.Builder
	for i, part := range strings.Split(s, "'") {
		if i%2 == 0 {
			out.WriteString(part)
		}
	}
	return out.String()
}
