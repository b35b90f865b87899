package planner_test

import (
	"strings"
	"testing"

	"querent.dev/querent/plugins/template/planner"
)

var patterns = strings.ReplaceAll(`patterns:
  - id: revenue
    question: "monthly revenue in {year}"
    slots: {year: {type: int, min: 2000, max: 2100}}
    plan: {from: orders, where: "during(orders.placed_at, '{year}')", select: ["sum(orders.total) as revenue"], limit: 3}
  - id: find
    question: "who is {name}?"
    slots: {name: {type: text}}
    plan: {from: people, where: "people.name = {name}", select: [people.id]}
  - id: alias
    question: "whose alias is {name}?"
    slots: {name: {type: text}}
    plan: {from: people, where: "people.~it's~ = {name}", select: [people.id]}
  - id: since
    question: "orders since {day}, {status} only"
    slots: {day: {type: date}, status: {type: text, enum: [Open, Closed, Closed for good]}}
    plan: {from: orders, where: "orders.day >= {day} and orders.status = '{status}'", select: [orders.id]}
`, "~", "`")

func TestPatterns(t *testing.T) {
	list, err := planner.ParsePatterns("p.yaml", []byte(patterns))
	if err != nil {
		t.Fatal(err)
	}
	p := planner.New(list)
	tests := []struct {
		question string
		where    string // "": refused
	}{
		{"Monthly revenue in 2025", "during(orders.placed_at, '2025')"},
		{"monthly revenue in 1999", ""},
		{"monthly revenue in May", ""},
		{"the monthly revenue in 2025", ""},
		{"who is Kim", "people.name = 'Kim'"},
		{"whose alias is Kim", "people.`it's` = 'Kim'"},
		{`Who is "O'Neil'; x"`, "people.name = 'O''Neil''; x'"},
		{"orders since 2025-02-28, OPEN only", "orders.day >= '2025-02-28' and orders.status = 'Open'"},
		{"orders since 2025-02-28 closed FOR good, only", "orders.day >= '2025-02-28' and orders.status = 'Closed for good'"},
		{"orders since 2025-02-28, 'closed for good' only", "orders.day >= '2025-02-28' and orders.status = 'Closed for good'"},
		{"orders since 2025-02-28, closed for only", ""},
		{"orders since 2025-02-28, open", ""},
		{"orders since 2025-02-28, open only today", ""},
		{"orders since 2025-02-30, open only", ""},
		{"orders since 2025-02-28, lost only", ""},
	}
	for _, test := range tests {
		res := ask(t, p, test.question, shop())
		if test.where == "" {
			if res.Plan != nil {
				t.Errorf("%q was answered: %s", test.question, encode(t, res.Plan))
			}
			continue
		}
		if res.Plan == nil || res.Plan.Where != test.where || res.Reading == "" || len(res.Coverage) == 0 {
			t.Errorf("%q: %s", test.question, encode(t, res))
		}
	}
	if res := ask(t, p, "how many customers are there", shop()); res.Plan == nil {
		t.Error("the grammar is not tried after the patterns")
	}
}

func TestPatternsWithMistakes(t *testing.T) {
	good := `patterns: [{id: a, question: "x {y}", slots: {y: {type: int}}, plan: {from: t, select: ["{y}"]}}]`
	if _, err := planner.ParsePatterns("p.yaml", []byte(good)); err != nil {
		t.Fatal(err)
	}
	for old, changed := range map[string]struct{ text, want string }{
		"id: a":               {"id: ''", "an id is needed"},
		"type: int":           {"type: float", "must be int, text or date"},
		`question: "x {y}"`:   {`question: "x"`, "does not stand in the question"},
		`"x {y}"`:             {`"{y}"`, "a fixed word"},
		`["{y}"]`:             {"[\"`a {y}`\"]", "inside of a name"},
		`select: ["{y}"]`:     {`select: ["{z}"]`, "not declared"},
		"from: t":             {"form: t", "form"},
		"slots: {y: {type: i": {"slots: {}, slot: {y: {type: i", "slot"},
		`"x {y}",`:            {`"x {y} {y}",`, "once"},
	} {
		_, err := planner.ParsePatterns("p.yaml", []byte(strings.Replace(good, old, changed.text, 1)))
		if err == nil || !strings.Contains(err.Error(), changed.want) || !strings.Contains(err.Error(), "p.yaml") {
			t.Errorf("%s: error %v", changed.text, err)
		}
	}
}
