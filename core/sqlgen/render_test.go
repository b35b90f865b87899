package sqlgen_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"querent.dev/querent/core/internal/drill"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func TestOnlySecuredPlansAreRendered(t *testing.T) {
	s, err := sqlgen.Render(policy.Secured{}, schema.SQLite, sqlgen.Options{})
	if !errors.Is(err, &reason.Error{Code: reason.InvalidState}) || s.Valid() {
		t.Errorf("the zero Secured gives %v, valid: %v", err, s.Valid())
	}
}

func TestUnsupportedDialects(t *testing.T) {
	cat := shop()
	q, err := bind(cat, `{"from": "customers", "select": ["id"]}`)
	if err != nil {
		t.Fatal(err)
	}
	secured, err := open(t).Secure(cat, q, reader)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []schema.Dialect{"", "oracle"} {
		_, err := sqlgen.Render(secured, d, sqlgen.Options{})
		if !errors.Is(err, &reason.Error{Code: reason.UnmappedCode, Reason: reason.ReasonUnsupportedDatasource}) {
			t.Errorf("%q gives %v", d, err)
		}
	}
}

func TestTheSamePlanGivesTheSameText(t *testing.T) {
	cat, p := shop(), open(t)
	text := `{"with": [{"name": "a", "op": "select", "from": "orders", "select": ["customer_id"]}], "from": "customers", "where": "in(id, a)", "select": ["name"], "limit": 3}`
	first, err := render(p, cat, text)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if again, err := render(p, shop(), text); err != nil || again.SQL() != first.SQL() {
			t.Fatalf("%v\n%s\nand\n%s", err, first.SQL(), again.SQL())
		}
	}
}

// TestTieBreakReadsOnlyWhatIsPermitted denies the key that makes a limit total:
// the renderer must not read it by itself.
func TestTieBreakReadsOnlyWhatIsPermitted(t *testing.T) {
	cat := shop()
	text := `{"from": "orders", "select": ["total"], "order": ["total"], "limit": 3}`
	free, err := render(open(t), cat, text)
	if err != nil {
		t.Fatal(err)
	}
	denied, err := render(open(t, "*.*.orders.id"), cat, text)
	if err != nil {
		t.Fatal(err)
	}
	reads := func(s sqlgen.Statement) (ids []string) {
		for _, c := range s.Reads() {
			ids = append(ids, c.Name)
		}
		return ids
	}
	if got := strings.Join(reads(free), " "); got != "total id" {
		t.Errorf("with the right to the key, %q are read", got)
	}
	if got := strings.Join(reads(denied), " "); got != "total" || strings.Contains(denied.SQL(), `"id"`) {
		t.Errorf("without the right to the key, %q are read:\n%s", got, denied.SQL())
	}
}

func TestALongPlanIsRefused(t *testing.T) {
	cat := shop()
	nested := "name"
	for range 12 {
		nested = "text(number(" + nested + "), 2)"
	}
	_, err := render(open(t), cat, fmt.Sprintf(`{"from": "customers", "select": ["%s as x"]}`, nested))
	if !errors.Is(err, &reason.Error{Code: reason.PlanInvalid}) || !strings.Contains(reason.From(err).SafeMessage, "too long") {
		t.Errorf("a plan whose text doubles at every level gives %v", err)
	}
}

func TestTextThatDatabasesCannotHoldIsRefused(t *testing.T) {
	cat := shop()
	for _, text := range []string{"a\x00b", "\xff"} {
		q, err := bind(cat, `{"from": "customers", "where": "name = 'x'", "select": ["id"]}`)
		if err != nil {
			t.Fatal(err)
		}
		q.Result().Where.(*plan.Binary).R = &plan.Literal{Value: wire.Text(text), T: wire.Type{Kind: wire.KindText}}
		secured, err := open(t).Secure(cat, q, reader)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sqlgen.Render(secured, schema.SQLite, sqlgen.Options{}); !errors.Is(err, &reason.Error{Code: reason.PlanInvalid}) {
			t.Errorf("%q gives %v", text, err)
		}
	}
}

// TestExploits runs two known attacks on systems with typed plans: text of the
// model as a column's alias, and as a function's name.
func TestExploits(t *testing.T) {
	cat, p := shop(), open(t)
	const label = "x FROM secrets --"
	s, err := render(p, cat, "{\"from\": \"customers\", \"select\": [\"name as `"+label+"`\"]}")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(s.SQL(), "secrets") || s.Columns()[0].Name != label {
		t.Errorf("the label is in the text, or is not the header:\n%s", s.SQL())
	}

	const function = "(SELECT password FROM secrets LIMIT 1) || upper"
	if _, err := render(p, cat, `{"from": "customers", "select": ["`+function+`(name) as x"]}`); err == nil {
		t.Error("a plan with a query as a function was rendered")
	}
	// Even a plan that was made without the binder is refused.
	q, err := bind(cat, `{"from": "customers", "select": ["upper(name) as x"]}`)
	if err != nil {
		t.Fatal(err)
	}
	call := q.Result().Select[0].Expr.(*plan.Call)
	forged := *call.Func
	forged.Name = function
	call.Func = &forged
	secured, err := p.Secure(cat, q, reader)
	if err != nil {
		return
	}
	if s, err := sqlgen.Render(secured, schema.SQLite, sqlgen.Options{}); err == nil {
		t.Errorf("a forged function was rendered:\n%s", s.SQL())
	}
}

// hostileNames are names that databases allow and that a renderer gets wrong.
var hostileNames = [][3]string{
	{"t1", "c1", "b1"}, {`a"b`, "x'; DROP TABLE y; --", "select"}, {"가격", "ORDER", "a.b"},
	{"group by 1 --", "?", "`"}, {"rowid", "n", "\x00"}, {"/*", "*/", "\\"}, {"main", "\xff", " "},
}

// FuzzRender renders random plans over catalogs with hostile names. What it
// covers inside SQLite varies from run to run, so that minimizing an input does
// not end by itself: run it with -fuzzminimizetime 5x.
func FuzzRender(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, names := range hostileNames {
		f.Add(randomChoices(random), names[0], names[1], names[2])
	}
	p := open(f)
	f.Fuzz(func(t *testing.T, choices []byte, a, b, c string) {
		if len(choices) > 400 || len(a)+len(b)+len(c) > 300 {
			t.Skip("too large to be of use")
		}
		checkRandomPlan(t, p, choices, []string{a, b, c, `"`, "t1", "c1"})
	})
}

// TestRandomPlans is FuzzRender without the search for new paths, so that it
// sees many plans in little time.
func TestRandomPlans(t *testing.T) {
	random, p := rand.New(rand.NewPCG(3, 4)), open(t)
	rendered := 0
	plans := drill.Size(400, 100_000)
	for i := range plans {
		names := hostileNames[i%len(hostileNames)]
		if checkRandomPlan(t, p, randomChoices(random), []string{names[0], names[1], names[2], `"`, "t1", "c1"}) {
			rendered++
		}
		if t.Failed() {
			t.Fatalf("plan %d", i)
		}
	}
	if rendered < plans/4 {
		t.Errorf("only %d of %d plans were rendered", rendered, plans)
	}
}

func randomChoices(random *rand.Rand) []byte {
	choices := make([]byte, 20+random.IntN(200))
	for i := range choices {
		choices[i] = byte(random.Uint32())
	}
	return choices
}

// checkRandomPlan makes a plan of the choices and demands of its statement what
// is always true, and that SQLite takes and runs it. It reports whether there
// was a statement: some plans may be refused.
func checkRandomPlan(t *testing.T, p *policy.Policy, choices []byte, names []string) bool {
	t.Helper()
	const secret = "constant text of a plan"
	g := &generator{choices: choices, names: names, text: secret + names[0]}
	g.cat = g.catalog()
	secured, err := p.Secure(g.cat, g.query(), reader)
	if err != nil {
		t.Fatalf("securing: %v", err)
	}
	s, err := sqlgen.Render(secured, schema.SQLite, sqlgen.Options{})
	if err != nil {
		if !errors.Is(err, &reason.Error{Code: reason.PlanInvalid}) && plainNames(names) {
			t.Fatal(err)
		}
		return false
	}
	if strings.Contains(s.SQL(), secret) || strings.Contains(s.SQL(), "3133") {
		t.Errorf("a constant is in the text:\n%s", s.SQL())
	}
	assertSafe(t, s, secured)
	if plainNames(names) {
		assertRuns(t, g.cat, s)
	}
	return true
}

// plainNames reports whether every name is one that a database can have.
func plainNames(names []string) bool {
	for _, n := range names {
		if strings.Contains(n, "\x00") || !utf8.ValidString(n) {
			return false
		}
	}
	return true
}

// assertRuns runs a statement on empty tables of the catalog.
func assertRuns(t *testing.T, cat *schema.Catalog, s sqlgen.Statement) {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	quote := func(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
	for _, tab := range cat.Tables {
		var columns []string
		for _, c := range tab.Columns {
			columns = append(columns, quote(c.Name)+" TEXT")
		}
		if _, err := db.Exec("CREATE TABLE " + quote(tab.Name) + " (" + strings.Join(columns, ", ") + ")"); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	rows, err := db.QueryContext(ctx, s.SQL(), driverArgs(s)...)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.SQL())
	}
	defer rows.Close()
	for rows.Next() {
		continue
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%v\n%s", err, s.SQL())
	}
}
