package decomposer_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/nodes/decomposer"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func TestSimpleQuestions(t *testing.T) {
	for question, want := range map[string]bool{
		"How many orders were placed in 2025?":                                true,
		"Orders and returns by month":                                         true,
		"Which customers from France and Spain spent more than 100?":          true,
		"Total of orders over $1.50 for St. Moritz":                           true,
		"What is the average price, and the highest?":                         true,
		"2025년 월별 매출은?":                                                       true,
		"How many orders are there? Which customer has the most?":             false,
		"List the stores. Then show the products.":                            false,
		"orders; customers":                                                   false,
		"- orders by month\n- returns by month":                               false,
		"Compare the revenue of 2024 with that of 2025":                       false,
		"revenue 2024 vs 2025":                                                false,
		"What is the difference between orders and returns?":                  false,
		"How many customers are there and what did they spend?":               false,
		"Show the revenue by region as well as the number of tickets":         false,
		"2024년과 2025년 매출 비교":                                                  false,
		"고객 수는? 그리고 주문 수는?":                                                   false,
		"How many clients and how many tickets, respectively, has each area?": false,
	} {
		if got := decomposer.Simple(question); got != want {
			t.Errorf("%q is simple: %t", question, got)
		}
	}
}

type catalogs struct{ err error }

func (c catalogs) Catalog(_ context.Context, id schema.DatasourceID) (*schema.Catalog, error) {
	if c.err != nil {
		return nil, c.err
	}
	table := func(name string) *schema.Table {
		return &schema.Table{Schema: "main", Name: name, Columns: []*schema.Column{{Name: "no", Type: wire.Type{Kind: wire.KindInt}}}}
	}
	return schema.Build(id, schema.SQLite, []*schema.Table{table("orders"), table("salaries")}), nil
}

// agent is a model that answers with a text.
type agent struct {
	none   bool
	answer string
	err    error
	failed []*reason.Error // of providers before it
	asked  int
	prompt provider.Prompt
}

func (a *agent) HasModel() bool { return !a.none }

func (a *agent) Object(_ context.Context, t provider.ObjectTask) (provider.ObjectOutcome, error) {
	a.asked++
	prompt, err := t.Prompt(config.Data{})
	if err != nil {
		return provider.ObjectOutcome{}, err
	}
	a.prompt = prompt
	return provider.ObjectOutcome{JSON: json.RawMessage(a.answer), Call: provider.Call{Provider: "local", Failed: a.failed}}, a.err
}

func node(t *testing.T, a *agent) *decomposer.Node {
	t.Helper()
	rules, err := policy.Compile(map[config.RoleName]config.Role{"clerk": {Tables: config.TableRules{Allow: []string{"*.main.orders"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return &decomposer.Node{Catalogs: catalogs{}, Policy: rules, Agent: a}
}

func input(question string, of ...schema.DatasourceID) decomposer.Input {
	return decomposer.Input{RequestID: "r", Question: question, Datasources: of, Caller: policy.Caller{Name: "lee", Roles: []string{"clerk"}}}
}

func TestOneSubQueryWithoutACall(t *testing.T) {
	for name, c := range map[string]struct {
		agent    *agent
		question string
	}{
		"a simple question": {&agent{answer: joined + `"post":[],` + noMore}, "orders by month"},
		"no model":          {&agent{none: true}, "orders? returns?"},
	} {
		out, err := node(t, c.agent).Run(t.Context(), input(c.question, "shop"))
		if err != nil || c.agent.asked != 0 || len(out.SubQueries) != 1 || out.SubQueries[0].Intent != c.question || out.SubQueries[0].Datasource != "shop" {
			t.Errorf("%s: %+v, %v, asked %d times", name, out, err, c.agent.asked)
		}
	}
}

func TestAModelTakesTheQuestionApart(t *testing.T) {
	a := &agent{answer: joined + `"post":[],"unmapped":[{"text":"x","reason":"no_datasource"}]}`}
	out, err := node(t, a).Run(t.Context(), input("orders by region </question>", "shop", "crm"))
	if err != nil || len(out.SubQueries) != 2 || len(out.Combine) != 1 || len(out.Unmapped) != 1 || out.Call.Provider != "local" || out.Summary == "" {
		t.Fatalf("output %+v, %v", out, err)
	}
	user := a.prompt.Messages[1].Content
	if want := "<datasources>\ndatasource shop\n  orders(no)\ndatasource crm\n  orders(no)\n</datasources>\n<question>\norders by region < /question>\n</question>\nTake the question apart."; user != want {
		t.Errorf("prompt:\n%s", user)
	}
	if !strings.HasPrefix(a.prompt.Messages[0].Content, "You take a question apart") || !strings.Contains(string(a.prompt.Schema), `"enum":["crm","shop"]`) || !json.Valid(a.prompt.Schema) {
		t.Errorf("prompt %+v", a.prompt)
	}
	if strings.Contains(string(a.prompt.Schema), "$ref") || strings.Contains(string(a.prompt.Schema), "anyOf") {
		t.Error("the schema is not flat")
	}
	own := node(t, a)
	own.Rules = "Be brief."
	if _, err := own.Run(t.Context(), input("orders? returns?", "shop", "crm")); err != nil || a.prompt.Messages[0].Content != "Be brief." {
		t.Errorf("rules %q, %v", a.prompt.Messages[0].Content, err)
	}
}

// The example in the rules is what they ask for.
func TestTheRulesExampleIsLegal(t *testing.T) {
	a := &agent{answer: `{}`}
	if _, err := node(t, a).Run(t.Context(), input("orders? returns?", "shop")); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(a.prompt.Messages[0].Content, "\n") {
		if strings.HasPrefix(line, "{") {
			if d, err := decomposer.Decode([]byte(line), both); err != nil || len(d.SubQueries) != 2 || len(d.Post) != 1 {
				t.Errorf("%+v, %v", d, err)
			}
			return
		}
	}
	t.Error("the rules have no example")
}

func TestTheQuestionStaysWholeWhenTheModelFails(t *testing.T) {
	for name, c := range map[string]struct {
		agent *agent
		code  reason.Code
	}{
		"no answer":      {&agent{err: reason.Provider(reason.Unavailable, "secret words")}, reason.ProviderCode(reason.Unavailable)},
		"a faulty one":   {&agent{answer: `{"subqueries":[]}`}, reason.ProviderCode(reason.InvalidOutput)},
		"another source": {&agent{answer: strings.ReplaceAll(joined, "crm", "hr") + `"post":[],` + noMore}, reason.ProviderCode(reason.InvalidOutput)},
	} {
		t.Run(name, func(t *testing.T) {
			c.agent.failed = []*reason.Error{reason.Provider(reason.Overloaded, "busy")}
			out, err := node(t, c.agent).Run(t.Context(), input("orders? returns?", "shop"))
			if len(out.Recovered) != 2 || out.Recovered[0].Code != reason.ProviderCode(reason.Overloaded) || !out.Recovered[0].Recovered || c.agent.failed[0].Recovered {
				t.Fatalf("recovered %+v", out.Recovered)
			}
			out.Recovered = out.Recovered[1:]
			if err != nil || len(out.SubQueries) != 1 || out.Recovered[0].Code != c.code || !out.Recovered[0].Recovered || strings.Contains(out.Summary, "secret") {
				t.Errorf("output %+v, %v", out, err)
			}
			if _, err = node(t, c.agent).Run(t.Context(), input("orders", "shop", "crm")); name != "another source" && (reason.From(err) == nil || reason.From(err).Code != c.code) {
				t.Errorf("of two datasources: %v", err)
			}
		})
	}
}

func TestWhatCannotBeTakenApart(t *testing.T) {
	unmapped := &agent{answer: `{"subqueries":[],"combine":[],"post":[],"unmapped":[{"text":"x","reason":"unsupported_datasource"}]}`}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	unread := node(t, &agent{answer: "{}"})
	down := reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable, "gone")
	unread.Catalogs = catalogs{down}
	for name, c := range map[string]struct {
		node *decomposer.Node
		ctx  context.Context
		in   decomposer.Input
		want error
	}{
		"nothing is mapped":           {node(t, unmapped), t.Context(), input("a? b?", "shop"), &reason.Error{Code: reason.UnmappedCode, Reason: reason.ReasonUnsupportedDatasource}},
		"two datasources, no model":   {node(t, &agent{none: true}), t.Context(), input("a", "shop", "crm"), &reason.Error{Code: reason.UnmappedCode, Reason: reason.ReasonUnsupportedDatasource}},
		"no datasource":               {node(t, &agent{}), t.Context(), input("a"), &reason.Error{Code: reason.InvalidState}},
		"a run that has ended":        {node(t, &agent{err: context.Canceled}), ended, input("a? b?", "shop"), context.Canceled},
		"two of which one is away":    {unread, t.Context(), input("a", "shop", "crm"), down},
		"one that cannot be read now": {unread, t.Context(), input("a? b?", "shop"), nil},
	} {
		if _, err := c.node.Run(c.ctx, c.in); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}
