package plan_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tiktoken-go/tokenizer"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// The most tokens that plans may have, of those of the same queries in SQL.
const (
	looseLimit  = 1.2
	strictLimit = 1.5
)

const tokenTable = "testdata/tokens/table.md" // which docs/plan-language.md shows

// TestTokens counts the tokens of forty queries as SQL and as plans: in the form
// that the loose schema asks for, where empty keys beyond the required ones are
// left out, and in the strict one, where every key stands.
func TestTokens(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	count := func(text string) int {
		n, err := codec.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	var counts [3][]int
	for _, q := range tokenQueries(t) {
		for i, text := range []string{q.sql, keyed(t, q.plan, false), keyed(t, q.plan, true)} {
			counts[i] = append(counts[i], count(text))
		}
	}
	if len(counts[0]) != 40 {
		t.Fatalf("%d queries", len(counts[0]))
	}
	checkTokens(t, counts)
}

func checkTokens(t *testing.T, counts [3][]int) {
	t.Helper()
	total := func(list []int) int {
		sum := 0
		for _, n := range list {
			sum += n
		}
		return sum
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| form | total | median | largest | of SQL |\n|---|---|---|---|---|\n")
	sql := float64(total(counts[0]))
	for i, form := range []struct {
		name  string
		limit float64
	}{{"SQL", 1}, {"plan", looseLimit}, {"plan, every key (strict mode)", strictLimit}} {
		slices.Sort(counts[i])
		ratio := float64(total(counts[i])) / sql
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %.2f |\n", form.name, total(counts[i]), counts[i][len(counts[i])/2], slices.Max(counts[i]), ratio)
		if ratio > form.limit {
			t.Errorf("%s: %.2f times the tokens of SQL, at most %.1f", form.name, ratio, form.limit)
		}
	}
	if *update {
		if err := os.WriteFile(tokenTable, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if have, err := os.ReadFile(tokenTable); err != nil || string(have) != b.String() {
		t.Errorf("%s is out of date (%v):\n%s", tokenTable, err, b.String())
	}
}

type tokenQuery struct {
	sql  string
	plan wire.Plan
}

// tokenQueries reads the queries; each plan binds.
func tokenQueries(t *testing.T) []tokenQuery {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/tokens/queries.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var out []tokenQuery
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, " sql") {
			out = append(out, tokenQuery{sql: strings.TrimSpace(string(f.Data))})
			continue
		}
		p, err := plan.Decode(f.Data)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if _, err := plan.Bind(p, scope()); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		out[len(out)-1].plan = p
	}
	return out
}

// keyed writes a plan as a model under the schema writes it: with the required
// keys, in strict mode with all.
func keyed(t *testing.T, p wire.Plan, strict bool) string {
	t.Helper()
	var schema struct {
		Properties map[string]json.RawMessage
		Required   []string
	}
	if err := json.Unmarshal(plan.WireSchema(plan.SchemaOptions{Strict: strict}), &schema); err != nil {
		t.Fatal(err)
	}
	blocks := make([]string, len(p.With))
	for i, b := range p.With {
		blocks[i] = object(t, b.Clauses, strict, member{"name", b.Name, true}, member{"op", b.Op, true}, member{"of", nonNil(b.Of), true},
			member{"recursive", b.Recursive, false})
	}
	with := json.RawMessage("[" + strings.Join(blocks, ",") + "]")
	text := object(t, p.Clauses, strict, member{"with", with, true})
	var keys map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &keys); err != nil {
		t.Fatal(err)
	}
	for _, key := range schema.Required {
		if _, ok := keys[key]; !ok {
			t.Errorf("the required key %s is left out", key)
		}
	}
	if strict && len(keys) != len(schema.Properties) {
		t.Errorf("%d keys for %d properties", len(keys), len(schema.Properties))
	}
	return text
}

type member struct {
	key      string
	value    any
	required bool
}

func nonNil(list []string) []string { return append([]string{}, list...) }

// object writes the members and the clauses as compact JSON, in their order.
func object(t *testing.T, c wire.Clauses, strict bool, first ...member) string {
	t.Helper()
	var late []member
	if n := len(first) - 1; first[n].key == "recursive" {
		first, late = first[:n], first[n:]
	}
	all := append(first,
		member{"from", c.From, true}, member{"joins", nonNil(c.Joins), true}, member{"where", c.Where, true}, member{"group", nonNil(c.Group), true},
		member{"select", nonNil(c.Select), true}, member{"having", c.Having, false}, member{"order", nonNil(c.Order), false},
		member{"limit", c.Limit, false}, member{"offset", c.Offset, false}, member{"per", nonNil(c.Per), false}, member{"distinct", c.Distinct, false})
	var out []string
	for _, m := range append(all, late...) {
		text := strings.Builder{}
		e := json.NewEncoder(&text)
		e.SetEscapeHTML(false)
		if err := e.Encode(m.value); err != nil {
			t.Fatal(err)
		}
		value := strings.TrimSpace(text.String())
		empty := value == `""` || value == "[]" || value == "0" || value == "false"
		if m.required || strict || !empty {
			out = append(out, `"`+m.key+`":`+value)
		}
	}
	return "{" + strings.Join(out, ",") + "}"
}
