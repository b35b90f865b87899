package plan_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// FuzzDecode feeds bytes. What decodes must decode again from its own JSON to
// the same.
func FuzzDecode(f *testing.F) {
	for _, data := range goldenPlans(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := plan.Decode(data)
		if err != nil {
			checkRefusal(t, err)
			return
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > plan.MaxPlanBytes {
			return // white space and escapes may make the text longer than it was
		}
		again, err := plan.Decode(text)
		if err != nil {
			t.Fatalf("%s does not decode again: %v", text, err)
		}
		second, err := json.Marshal(again)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != string(second) {
			t.Fatalf("decoded %s, then %s", text, second)
		}
	})
}

// FuzzBind puts text into every clause of a plan with two blocks. A plan that
// binds must bind again from its normal form to the same id, and no message
// names what the caller may not see unless the plan does.
func FuzzBind(f *testing.F) {
	f.Add("trips t", "riders r", "t.km > 5", "r.plan", "r.plan", "count(*) as n", "count(*) > 1", "n desc", "r.plan", "n")
	f.Add("`order details`", "anti refunds", "in(order_id, b) and exists(b, b.n = line)", "", "b", "`금액` as `a``b`", "", "1", "", "id as n")
	f.Add("riders", "left riders i via riders.invited_by", "during(riders.joined, last_month()) or riders.born <= '2024-01-31'", "", "b",
		"case riders.plan when 'a' then 1 else scalar(b) end as x", "", "x desc nulls first", "", "count(*) as n")
	f.Add("secrets", "vault", "password = 'x'", "phone", "x", "*", "", "phone", "phone", "phone")
	f.Add("trips t", "riders r", "scalar(b, max(b.n), b.n < t.id) is distinct from 5", "", "", "sum(t.km) filter (where t.paid) over (partition by r.plan order by t.id desc nulls first rows between 2 preceding and unbounded following) as x",
		"", "rank() over (order by t.km)", "lag(t.km, 2) over (order by t.id)", "string_agg(distinct name, '; ' order by name desc) as n")
	f.Add("trips t", "riders r", "during(t.started_at, '2024')", "", "", "100 * prior(sum(t.fee), '1 year') + running(count(*)) - share(count(*)) as x", "count(*) > 1", "x", "x", "median(id) as n")
	f.Fuzz(func(t *testing.T, from, join, where, group, inner, item, having, order, per, innerItem string) {
		p := wire.Plan{
			With: []wire.Block{{Name: "b", Op: "select", Clauses: wire.Clauses{From: "riders", Where: inner, Select: []string{innerItem}, Limit: 1}}},
			Clauses: wire.Clauses{From: from, Joins: []string{join}, Where: where, Group: []string{group}, Select: []string{item, "1 as one"},
				Having: having, Order: []string{order}},
		}
		if strings.Contains(join, "b") {
			p.With = append(p.With, wire.Block{Name: "loop", Op: "union", Of: []string{"b"}, Recursive: true,
				Clauses: wire.Clauses{From: "loop", Joins: []string{join}, Where: where, Select: []string{innerItem}}})
		}
		if per != "" {
			p.Per, p.Limit = []string{per}, 3
		}
		q, err := plan.Bind(p, scope())
		if err != nil {
			checkRefusal(t, err)
			checkSilence(t, err, p)
			return
		}
		checkStable(t, "fuzz", q)
	})
}

func checkRefusal(t *testing.T, err error) {
	t.Helper()
	var e *reason.Error
	if !errors.As(err, &e) {
		t.Fatalf("no reason.Error: %v", err)
	}
	if e.Code == reason.Internal {
		t.Fatalf("a plan caused %v", err)
	}
	if strings.ContainsAny(e.SafeMessage, "\n\x00") {
		t.Fatalf("the message is not one line: %q", e.SafeMessage)
	}
}

func checkSilence(t *testing.T, err error, p wire.Plan) {
	t.Helper()
	text, jsonErr := json.Marshal(p)
	if jsonErr != nil {
		t.Fatal(jsonErr)
	}
	said := strings.ToLower(reason.From(err).SafeMessage)
	for _, hidden := range []string{"secrets", "vault", "phone", "password"} {
		if strings.Contains(said, hidden) && !strings.Contains(strings.ToLower(string(text)), hidden) {
			t.Fatalf("the message tells of %s: %s", hidden, said)
		}
	}
}

// goldenPlans are the plans of testdata.
func goldenPlans(f *testing.F) [][]byte {
	f.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	var out [][]byte
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, section := range archive.Files {
			if !strings.HasSuffix(section.Name, " want") {
				out = append(out, section.Data)
			}
		}
	}
	return out
}
