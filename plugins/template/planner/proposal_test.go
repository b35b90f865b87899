package planner_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/plugins/template/planner"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/wire"
)

// oddNames are names that databases allow and that are hard to say.
var oddNames = []string{
	"it's", "tab😀", "tab", "😀", "👨‍👩‍👧", `say "x"`, "a  b", " a b", "select", "of", "count", "how many", "the", "number of tabs", "100%", "7", "2025", "2025-03",
	"---", "§", "", "two\nlines", "right\u202eleft", "`tick`", `'"“”«»`, "l'été", "cafe\u0301", "고객 명단", "수", "별", "a.b", "sales.orders", "archive.orders",
	"orders", "Orders By", "customer", "customers", "name", "unit_price", "x'; drop table y; --", "last.", "?", "\x00", "s", "'s",
}

// oddCatalogs are catalogs of tables and columns with odd names.
func oddCatalogs() map[string]wire.CatalogView {
	all := wire.CatalogView{Datasource: "odd"}
	out := map[string]wire.CatalogView{"all": {}, "shop": shop()}
	for i, name := range oddNames {
		other := oddNames[(i+1)%len(oddNames)]
		t := tableOf(name, []string{"id"}, number("id"), text(name), text(other), number("n"), col("day", wire.KindDate), number("first key"), number("other key"))
		t.ForeignKeys = slices.Concat(keyTo("first key", other, "id"), keyTo("other key", other, "id"))
		all.Tables = append(all.Tables, t)
		partner := tableOf(other, []string{"id"}, number("id"), text("title"), text(name))
		out[fmt.Sprintf("%q", name)] = wire.CatalogView{Datasource: "odd", Tables: []wire.TableView{t, partner}}
	}
	out["all"] = all
	return out
}

// oddQuestions name the table in every way that comes to mind.
func oddQuestions(name string) []string {
	out := []string{"what is love", "사랑이 뭐야", "orders in march 2025", "list all of it"}
	for _, said := range []string{name, `"` + name + `"`, name + "s"} {
		out = append(out, said, "how many "+said, "list all "+said, "List "+said+" by title", "how many "+said+" per "+name, said+" in 2025",
			"how many "+said+" by title", "the average n of "+said, "how many "+said+" with title 'x.'", "top 3 "+said+" by n", said+" 수는?", said+"별 "+said+" 수", "list the title and n of "+said)
	}
	return out
}

// What a planner proposes, and each of the choices that it offers, is a question
// that it answers as it stands.
func TestProposalsAreAnswered(t *testing.T) {
	p := planner.New(nil)
	refusals, proposals := 0, 0
	for catalog, view := range oddCatalogs() {
		asked := map[string]bool{}
		for _, table := range view.Tables[:min(len(view.Tables), 3)] {
			for _, question := range oddQuestions(table.Name) {
				r := ask(t, p, question, view).Refusal
				if r == nil {
					continue
				}
				refusals++
				proposals += len(r.Proposals)
				for _, proposal := range r.Proposals {
					if asked[proposal] {
						continue
					}
					asked[proposal] = true
					checkProposal(t, p, catalog, question, proposal, view)
				}
			}
		}
	}
	if refusals < 1000 || proposals < 1000 {
		t.Errorf("%d refusals with %d proposals say little", refusals, proposals)
	}
}

func checkProposal(t *testing.T, p *planner.Planner, catalog, question, proposal string, view wire.CatalogView) {
	t.Helper()
	if res := ask(t, p, proposal, view); res.Plan == nil {
		t.Errorf("%s: %q proposes %q, which is refused: %+v", catalog, question, proposal, res.Refusal)
	}
	// What is shown to people has lost these.
	if strings.ContainsAny(proposal, "\n\x00\u202e") {
		t.Errorf("%s: %q proposes %q", catalog, question, proposal)
	}
}

func TestOddNamesAreAskedInQuotes(t *testing.T) {
	view := oddCatalogs()["all"]
	for question, table := range map[string]string{
		`how many "it's" are there`: "it's t1", `how many "tab😀" are there`: "tab😀 t1", `how many "tab" are there`: "tab", `how many "😀"`: "😀 t1",
		`list all 'say "x"'`: `say "x" t1`, `how many "sales.orders" are there`: "sales.orders t1", `how many "select"`: "select t1",
		`"고객 명단" 수는?`: "고객 명단 t1",
	} {
		res := ask(t, planner.New(nil), question, view)
		if res.Plan == nil || res.Plan.From != table {
			t.Errorf("%q: plan %s, refusal %+v", question, encode(t, res.Plan), res.Refusal)
		}
	}
	if r := ask(t, planner.New(nil), "list all it's", view).Refusal; r == nil || r.Proposals[0] != `How many "it's" are there?` {
		t.Errorf("refusal %+v", r)
	}
	if res := ask(t, planner.New(nil), `How many "customers" are there?`, shop()); res.Plan == nil || res.Plan.From != "customers" {
		t.Errorf("refused: %+v", res.Refusal)
	}
}

func TestChoicesAreQuestions(t *testing.T) {
	for question, want := range map[string][]string{
		"How many orders by country?":    {"How many orders by customers country", "How many orders by stores country"},
		"how many transfers per store":   {"How many transfers are there by from store stores?", "How many transfers are there by to store stores?"},
		"how many employees in 2025":     {"how many employees with hired on in 2025", "how many employees with left on in 2025"},
		"how many employees by city":     {"how many employees by stores city"},
		"how many orders in 2024, 2025":  nil, // no question says either year
		"how many products named 'Acme.": nil,
	} {
		r := ask(t, planner.New(nil), question, shop()).Refusal
		if r == nil || r.Reason == "needs_clarification" && !slices.Equal(r.Proposals, want) {
			t.Errorf("%q: %+v", question, r)
		}
	}
}

func TestOnlyUnknownWordsAreNotUnderstood(t *testing.T) {
	for question, want := range map[string][]string{
		"orders in march 2025":                       nil,
		"total price of employees":                   nil,
		"how many customers do not have orders":      {"not"},
		"how many customers in Atlantis":             {"Atlantis"},
		`how many "clients" in Brazil and elsewhere`: {"elsewhere"},
		"how many products with price '1,5'":         {"1,5"},
		"how many orders in 2025-13":                 {"2025-13"},
		"고객만 몇 명인가요?":                                {"고객만"},
	} {
		r := ask(t, planner.New(nil), question, shop()).Refusal
		if r == nil || r.Reason != "words_not_understood" || !slices.Equal(r.NotUnderstood, want) {
			t.Errorf("%q: %+v", question, r)
		}
	}
}

func TestTableTooWideToListIsNotCut(t *testing.T) {
	wide := tableOf("wide", []string{"c1"})
	for i := range 120 {
		wide.Columns = append(wide.Columns, number(fmt.Sprintf("c%d", i+1)))
	}
	view := wire.CatalogView{Tables: []wire.TableView{wide}}
	r := ask(t, planner.New(nil), "List all wide", view).Refusal
	want := &sdk.Refusal{
		Reason:    "needs_clarification",
		Readings:  []string{"All rows of wide, whose 120 columns are too many for one list (at most 100)."},
		Proposals: []string{"List the c1 of wides", "List the c1 and c2 of wides", "List the c1 and c2 and c3 of wides"},
	}
	if r == nil || encode(t, r) != encode(t, want) {
		t.Errorf("refusal %+v", r)
	}
	for _, proposal := range append(r.Proposals, ask(t, planner.New(nil), "what is love", view).Refusal.Proposals...) {
		checkProposal(t, planner.New(nil), "wide", "List all wide", proposal, view)
	}
	view.Tables[0].Columns = wide.Columns[:100]
	if res := ask(t, planner.New(nil), "List all wide", view); res.Plan == nil || len(res.Plan.Select) != 100 {
		t.Errorf("100 columns are refused: %+v", res.Refusal)
	}
}
