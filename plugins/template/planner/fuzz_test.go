package planner_test

import (
	"strings"
	"testing"

	"querent.dev/querent/plugins/template/planner"
)

func FuzzPlan(f *testing.F) {
	for _, seed := range []string{
		"How many customers do we have, by country?", "top 5 products by price", "list the name and price of products with price over 1,000",
		"국가별 고객 수는?", "how many orders in March 2025", "average product price by category in 2025-Q1", `customers with name "a'b"`,
		"how many how many by by and and 'x' of of in in", "list customers' names, countries and 별명 sorted by country descending",
	} {
		f.Add(seed)
	}
	p := planner.New(nil)
	f.Fuzz(func(t *testing.T, question string) {
		res := ask(t, p, question, shop())
		if (res.Plan == nil) == (res.Refusal == nil) {
			t.Fatalf("neither or both: %s", encode(t, res))
		}
		if again := ask(t, p, question, shop()); encode(t, again) != encode(t, res) {
			t.Fatalf("%s, then %s", encode(t, res), encode(t, again))
		}
		if res.Plan == nil {
			for _, proposal := range res.Refusal.Proposals {
				checkProposal(t, p, "shop", question, proposal, shop())
			}
			return
		}
		// Text of the question gets into a plan only as a literal.
		if clause := strings.Join(append(res.Plan.Select, res.Plan.From), " "); strings.Contains(clause, "'") && !strings.Contains(clause, "date_trunc(") {
			t.Errorf("plan %s", encode(t, res.Plan))
		}
		if strings.Count(res.Plan.Where, "'")%2 != 0 {
			t.Errorf("an open literal in %s", encode(t, res.Plan))
		}
	})
}

func FuzzParsePatterns(f *testing.F) {
	f.Add(patterns)
	f.Add("patterns: [{id: a}]")
	f.Add("patterns: [~]")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := planner.ParsePatterns("p.yaml", []byte(text))
		if err != nil {
			return
		}
		ask(t, planner.New(list), "who is Kim", shop())
	})
}
