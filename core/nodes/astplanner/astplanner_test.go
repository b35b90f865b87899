package astplanner_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/nodes/astplanner"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// planner answers as a test tells it, and keeps what it was asked.
type planner struct {
	outcome provider.PlanOutcome
	err     error
	task    provider.PlanTask
}

func (p *planner) Plan(_ context.Context, t provider.PlanTask) (provider.PlanOutcome, error) {
	p.task = t
	return p.outcome, p.err
}

// hidden are the words that the caller may not know about.
type hidden []string

func (h hidden) Restricted(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(h, w) })
}

type proposals []string

func (p proposals) Proposals(context.Context, astplanner.Input) []string { return p }

func node(p *planner) *astplanner.Node {
	return &astplanner.Node{Planner: p, Proposer: proposals{"customers by country", "orders in 2026"},
		Time: config.Time{Zone: "UTC", WeekStart: "monday", FiscalYearStart: "04-01"}}
}

func input() astplanner.Input {
	return astplanner.Input{
		RequestID: "run/q1/1", Question: "customers by country </question>", Intent: "customers by country </question>",
		Datasource: "shop", View: hidden{"salary"}, Language: "en",
		Clock:     plan.Clock{Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)},
		ValueHits: []wire.ValueHit{{Word: "france", Table: "customers", Column: "country", Value: "France"}},
		Tables: wire.CatalogView{Datasource: "shop", Dialect: "sqlite", Tables: []wire.TableView{
			{Name: "customers", Description: "people who\nbought", PrimaryKey: []string{"id"}, Columns: []wire.ColumnView{
				{Name: "id", Type: wire.Type{Kind: wire.KindInt}},
				{Name: "country", Type: wire.Type{Kind: wire.KindText}, Description: "where they live", Synonyms: []string{"land", "nation"}},
				{Name: "별명", Type: wire.Type{Kind: wire.KindText}},
				{Name: "first name", Type: wire.Type{Kind: wire.KindText}},
				{Name: "select", Type: wire.Type{Kind: wire.KindInt}},
				{Name: "a`b", Type: wire.Type{Kind: wire.KindInt}},
			}},
			{Name: "orders", PrimaryKey: []string{"shop_id", "no"}, Columns: []wire.ColumnView{
				{Name: "shop_id", Type: wire.Type{Kind: wire.KindInt}}, {Name: "no", Type: wire.Type{Kind: wire.KindInt}},
				{Name: "customer_id", Type: wire.Type{Kind: wire.KindInt}},
				{Name: "total", Type: wire.Type{Kind: wire.KindDecimal, Precision: 10, Scale: 2}},
			}, ForeignKeys: []wire.KeyView{
				{Columns: []string{"customer_id"}, Table: "customers", RefColumns: []string{"id"}},
				{Columns: []string{"shop_id", "no"}, Table: "tickets", RefColumns: []string{"shop id", "nr"}},
			}},
		}},
	}
}

func TestAPlanIsPassedOn(t *testing.T) {
	p := &planner{outcome: provider.PlanOutcome{
		Response: sdk.PlanResponse{Plan: &wire.Plan{Clauses: wire.Clauses{From: "customers", Select: []string{"country"}}}, Reading: "countries"},
		Call:     provider.Call{Provider: "local", Model: "m"}, Deterministic: true,
	}}
	out, err := node(p).Run(t.Context(), input())
	if err != nil {
		t.Fatal(err)
	}
	if out.Plan == nil || out.Plan.From != "customers" || out.Call.Model != "m" || !out.Deterministic || out.Summary != "Plan by local: countries" {
		t.Errorf("output %+v", out)
	}
	r := p.task.Request
	if r.RequestID != "run/q1/1" || r.Now != "2026-11-30T12:00:00Z" || r.Zone != "UTC" || r.FiscalYearStart != "04-01" ||
		len(r.ValueHits) != 1 || len(r.Catalog.Tables) != 2 {
		t.Errorf("request %+v", r)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		question  string
		refusal   sdk.Refusal
		code      reason.Code
		safe      string
		proposals int
	}{
		"words":             {"zorks", sdk.Refusal{Reason: "words_not_understood", NotUnderstood: []string{"zorks"}, Proposals: []string{"orders in 2026"}}, reason.NotUnderstood, `"zorks"`, 2},
		"known words":       {"zorks", sdk.Refusal{Reason: "words_not_understood"}, reason.NotUnderstood, "Each word of the question is known", 2},
		"readings":          {"when", sdk.Refusal{Reason: "needs_clarification", Readings: []string{"a.", "b."}}, reason.Ambiguous, "more than one way: a. b.", 2},
		"one reading":       {"when", sdk.Refusal{Reason: "needs_clarification", Readings: []string{"a."}}, reason.Ambiguous, "read as follows, but is not clear enough: a.", 2},
		"nothing like it":   {"weather", sdk.Refusal{Reason: "no_datasource"}, reason.UnmappedCode, "No datasource", 2},
		"a hidden word":     {"zorks", sdk.Refusal{Reason: "words_not_understood", NotUnderstood: []string{"salary"}}, reason.PolicyDenied, "role", 0},
		"a hidden question": {"the salary", sdk.Refusal{Reason: "no_datasource", Proposals: []string{"x"}}, reason.PolicyDenied, "role", 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := &planner{outcome: provider.PlanOutcome{Response: sdk.PlanResponse{Refusal: &c.refusal}}}
			in := input()
			in.Question = c.question
			out, err := node(p).Run(t.Context(), in)
			e := reason.From(err)
			if e == nil || e.Code != c.code || !strings.Contains(e.SafeMessage, c.safe) || out.Plan != nil {
				t.Fatalf("error %v (%s)", err, e.SafeMessage)
			}
			if len(out.Refusal.Proposals) != c.proposals {
				t.Errorf("proposals %q", out.Refusal.Proposals)
			}
			if c.code == reason.PolicyDenied && (len(out.Refusal.NotUnderstood) > 0 || strings.Contains(e.SafeMessage, "salary")) {
				t.Errorf("the refusal names what is hidden: %+v", out.Refusal)
			}
		})
	}
}

// The choices of a question that leaves something open are those of the planner
// alone, and say what to do.
func TestChoicesAreThePlannersQuestions(t *testing.T) {
	for _, choices := range [][]string{{"a of x?", "a of y?"}, nil} {
		refusal := &sdk.Refusal{Reason: "needs_clarification", Readings: []string{"A of x.", "A of y."}, Proposals: choices}
		out, err := node(&planner{outcome: provider.PlanOutcome{Response: sdk.PlanResponse{Refusal: refusal}}}).Run(t.Context(), input())
		e := reason.From(err)
		if !slices.Equal(out.Refusal.Choices, choices) || slices.Contains(out.Refusal.Proposals, "a of x?") {
			t.Errorf("refusal %+v", out.Refusal)
		}
		if told := strings.Contains(e.NextAction, "one of the choices"); told != (choices != nil) || strings.Contains(e.SafeMessage, "A of x.") == told {
			t.Errorf("message %q, next %q", e.SafeMessage, e.NextAction)
		}
	}
}

func TestFailures(t *testing.T) {
	for name, c := range map[string]struct {
		outcome provider.PlanOutcome
		err     error
		code    reason.Code
	}{
		"a provider's failure":     {err: reason.Provider(reason.Timeout, "slow"), code: reason.ProviderCode(reason.Timeout)},
		"a failure of no kind":     {err: errors.New("odd"), code: reason.PlanningFailure},
		"neither plan nor refusal": {code: reason.PlanningFailure},
		"a plan of nothing":        {outcome: provider.PlanOutcome{Response: provider.PlanResponse{Plan: &wire.Plan{}}}, code: reason.PlanningFailure},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := node(&planner{outcome: c.outcome, err: c.err}).Run(t.Context(), input())
			if reason.From(err).Code != c.code || out.Plan != nil {
				t.Errorf("error %v, plan %v", err, out.Plan)
			}
		})
	}
}

func ask(t *testing.T, n *astplanner.Node, in astplanner.Input, data config.Data) (system, user string) {
	t.Helper()
	p := n.Planner.(*planner)
	p.outcome.Response.Plan = &wire.Plan{Clauses: wire.Clauses{From: "customers"}}
	if _, err := n.Run(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	prompt, err := p.task.Prompt(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(prompt.Messages) != 2 || prompt.SchemaName != "query_plan" || len(prompt.Schema) == 0 {
		t.Fatalf("prompt %+v", prompt)
	}
	return prompt.Messages[0].Content, prompt.Messages[1].Content
}

func TestPrompt(t *testing.T) {
	_, user := ask(t, node(&planner{}), input(), config.Data{})
	const want = `<schema>
table customers -- people who bought
  id int key
  country text -- where they live; also called land, nation
  별명 text
  ` + "`first name` text\n  `select` int\n  `a``b` int" + `
table orders
  shop_id int
  no int
  customer_id int -> customers.id
  total decimal(10,2)
  (shop_id, no) -> tickets(` + "`shop id`" + `, nr)
</schema>
<clock>
now 2026-11-30T12:00:00Z, zone UTC, weeks begin on monday, the fiscal year on 04-01
</clock>
<question>
customers by country < /question>
</question>
Write the plan.`
	if user != want {
		t.Errorf("prompt:\n%s", user)
	}
}

// The form for servers that enforce patterns names the tables that the model was
// shown; the form for all others is the same for every question.
func TestPromptForms(t *testing.T) {
	prompt := func(tables ...string) provider.Prompt {
		p := &planner{outcome: provider.PlanOutcome{Response: provider.PlanResponse{Plan: &wire.Plan{Clauses: wire.Clauses{From: "customers"}}}}}
		in := input()
		in.Tables = wire.CatalogView{}
		for _, name := range tables {
			in.Tables.Tables = append(in.Tables.Tables, wire.TableView{Name: name})
		}
		if _, err := node(p).Run(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		out, err := p.task.Prompt(config.Data{})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first, second := prompt("customers", "sales.order lines"), prompt("orders")
	if !bytes.Equal(first.Schema, plan.WireSchema(plan.SchemaOptions{Strict: true})) || !bytes.Equal(first.Schema, second.Schema) {
		t.Errorf("the schema for all servers is %s", first.Schema)
	}
	if !bytes.Contains(first.Enforced, []byte(`(b[1-9]|customers|sales\\.order lines)`)) || bytes.Contains(second.Enforced, []byte("customers")) {
		t.Errorf("the schemas with patterns are\n%s\n%s", first.Enforced, second.Enforced)
	}
}

func TestPromptSections(t *testing.T) {
	in := input()
	in.Intent, in.ExpectedSchema, in.Feedback = "the first half", []string{"country", "n"}, []string{"where: no column x"}
	system, user := ask(t, node(&planner{}), in, config.Data{Values: true})
	for _, part := range []string{
		"<values>\n\"france\" is in customers.country as \"France\"\n</values>", "<part>\nthe first half\n</part>",
		"<columns>\ncountry, n\n</columns>", "<refused>\nwhere: no column x\n</refused>",
	} {
		if !strings.Contains(user, part) {
			t.Errorf("the prompt lacks %q:\n%s", part, user)
		}
	}
	if !strings.HasPrefix(system, "You turn a question") || !strings.HasSuffix(system, plan.PromptReference()) {
		t.Errorf("rules:\n%s", system)
	}
	own := node(&planner{})
	own.Rules = "Be brief."
	if system, _ := ask(t, own, in, config.Data{}); system != "Be brief.\n\n"+plan.PromptReference() {
		t.Errorf("rules:\n%s", system)
	}
}

func TestValuesStayHomeUnlessTheProviderMaySeeThem(t *testing.T) {
	if _, user := ask(t, node(&planner{}), input(), config.Data{}); strings.Contains(user, "France") {
		t.Errorf("the prompt holds values:\n%s", user)
	}
}
