package datasourceresolver_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/nodes/datasourceresolver"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// catalogs are the datasources of the tests; some cannot be reached.
type catalogs struct {
	lost  map[schema.DatasourceID]error
	reads int
}

func table(name, description string, synonyms []string, columns ...string) *schema.Table {
	t := &schema.Table{Schema: "main", Name: name, Description: description, Synonyms: synonyms}
	for _, c := range columns {
		t.Columns = append(t.Columns, &schema.Column{Name: c, Type: wire.Type{Kind: wire.KindText}})
	}
	return t
}

func (c *catalogs) Catalog(ctx context.Context, id schema.DatasourceID) (*schema.Catalog, error) {
	if err := c.lost[id]; err != nil {
		return nil, err
	}
	var tables []*schema.Table
	about := ""
	switch id {
	case "shop":
		about = "what the retailer sells"
		tables = []*schema.Table{table("orders", "", []string{"주문"}, "id", "total", "placed_on"), table("customers", "", nil, "id", "name", "country")}
	case "support":
		about = "the help desk"
		tables = []*schema.Table{table("tickets", "requests of customers", nil, "id", "opened_on", "customer_name"), table("order_notes", "", nil, "id", "note")}
	case "archive":
		tables = []*schema.Table{table("orders", "", nil, "id", "total")}
	case "hr":
		tables = []*schema.Table{table("employees", "", nil, "id", "name", "salary")}
	case "slow":
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	cat := schema.Build(id, schema.SQLite, tables)
	cat.Description = about
	return cat, nil
}

// agent is a model that answers with a text.
type agent struct {
	none   bool
	answer string
	err    error
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
	return provider.ObjectOutcome{JSON: json.RawMessage(a.answer), Call: provider.Call{Provider: "local"}}, a.err
}

func node(t *testing.T, a *agent, of ...schema.DatasourceID) *datasourceresolver.Node {
	t.Helper()
	rules, err := policy.Compile(map[config.RoleName]config.Role{
		"all":   {Tables: config.TableRules{Allow: []string{"shop.main.*", "support.main.*", "archive.main.*", "slow.main.*"}}},
		"clerk": {Tables: config.TableRules{Allow: []string{"shop.main.*"}}},
		"guest": {Tables: config.TableRules{Allow: []string{"other.main.*"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &datasourceresolver.Node{
		Datasources: of, Catalogs: &catalogs{}, Policy: rules, Agent: a, Patience: time.Minute,
	}
}

func input(role, question string) datasourceresolver.Input {
	in := datasourceresolver.Input{RequestID: "r", Question: question, Caller: policy.Caller{Name: "lee"}}
	if role != "" {
		in.Caller.Roles = []string{role}
	}
	return in
}

func TestByTheQuestionsWords(t *testing.T) {
	all := []schema.DatasourceID{"archive", "hr", "shop", "support"}
	for name, c := range map[string]struct {
		of       []schema.DatasourceID
		role     string
		question string
		splits   bool
		want     string // the datasources, or the reason
		choices  int
	}{
		"a table":                         {all, "all", "How many tickets were opened?", false, "support", 0},
		"tables beat columns":             {all, "all", "country of the Customers", false, "shop", 0},
		"a synonym with an ending":        {all, "all", "주문별 합계", false, "shop", 0},
		"the datasource's name":           {all, "all", "orders of the archive", false, "archive", 0},
		"the datasource's description":    {all, "all", "How busy is the help desk?", false, "support", 0},
		"two that have it":                {all, "all", "How many orders are there?", false, "needs_clarification", 2},
		"two parts that two have":         {all, "all", "country of customers and tickets", true, "shop support", 0},
		"the same without a way to split": {all, "all", "tickets of customers", false, "needs_clarification", 2},
		"nothing like it":                 {all, "all", "What is the weather?", false, "no_datasource", 0},
		"only what is not permitted":      {all, "all", "What is the highest salary?", false, "restricted_datasource", 0},
		"only one is permitted":           {all, "clerk", "How many zorks are there?", false, "shop", 0},
		"only one, and not that one":      {all, "clerk", "How many employees are there?", false, "restricted_datasource", 0},
		"none is permitted":               {all, "guest", "How many orders are there?", false, "restricted_datasource", 0},
		"nobody known":                    {all, "", "How many orders are there?", false, "auth_context_required", 0},
		"one there is":                    {[]schema.DatasourceID{"hr"}, "guest", "anything", false, "hr", 0},
	} {
		t.Run(name, func(t *testing.T) {
			n := node(t, &agent{none: true}, c.of...)
			n.Splits = c.splits
			out, err := n.Run(t.Context(), input(c.role, c.question))
			got := strings.Join(words(out.Datasources), " ")
			if err != nil {
				got = string(reason.From(err).Reason)
			}
			if got != c.want || len(out.Choices) != c.choices {
				t.Errorf("got %q with the choices %q, want %q (%v)", got, out.Choices, c.want, err)
			}
			if err != nil && (len(out.Datasources) > 0 || strings.Contains(reason.From(err).SafeMessage, "hr")) {
				t.Errorf("datasources %v, error %v", out.Datasources, err)
			}
		})
	}
}

func words(ids []schema.DatasourceID) []string {
	var out []string
	for _, id := range ids {
		out = append(out, string(id))
	}
	return out
}

func TestChoicesAreDescribed(t *testing.T) {
	out, err := node(t, &agent{none: true}, "archive", "shop").Run(t.Context(), input("all", "orders"))
	if !errors.Is(err, &reason.Error{Code: reason.Ambiguous}) || !slices.Equal(out.Choices, []string{"archive", "shop: what the retailer sells"}) {
		t.Errorf("choices %q, %v", out.Choices, err)
	}
}

func TestTheNamedOneIsTaken(t *testing.T) {
	n := node(t, &agent{}, "archive", "shop")
	in := input("all", "orders")
	in.Named = "archive"
	if out, err := n.Run(t.Context(), in); err != nil || !slices.Equal(out.Datasources, []schema.DatasourceID{"archive"}) {
		t.Errorf("output %+v, %v", out, err)
	}
	in.Named = "attic"
	if _, err := n.Run(t.Context(), in); !errors.Is(err, &reason.Error{Code: reason.UnmappedCode, Reason: reason.ReasonNoDatasource}) {
		t.Errorf("error %v", err)
	}
}

func TestWhatCannotBeReachedIsLeftOut(t *testing.T) {
	down := reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable, "gone")
	n := node(t, &agent{none: true}, "archive", "shop", "support")
	n.Catalogs = &catalogs{lost: map[schema.DatasourceID]error{"shop": down}}
	out, err := n.Run(t.Context(), input("all", "How many orders are there?"))
	if err != nil || !slices.Equal(out.Datasources, []schema.DatasourceID{"archive"}) || len(out.Notes) != 1 ||
		out.Notes[0].Code != reason.PartialResult || strings.Contains(out.Notes[0].Message, "shop") {
		t.Errorf("output %+v, %v", out, err)
	}
	n.Catalogs = &catalogs{lost: map[schema.DatasourceID]error{"archive": down, "shop": down, "support": down}}
	if _, err := n.Run(t.Context(), input("all", "How many orders are there?")); !errors.Is(err, down) {
		t.Errorf("error %v", err)
	}
	late := node(t, &agent{none: true}, "archive", "slow")
	late.Patience = time.Millisecond
	if out, err := late.Run(t.Context(), input("all", "orders")); err != nil || len(out.Notes) != 1 || out.Datasources[0] != "archive" {
		t.Errorf("output %+v, %v", out, err)
	}
}

func TestAModelChooses(t *testing.T) {
	all := []schema.DatasourceID{"archive", "hr", "shop", "support"}
	for name, c := range map[string]struct {
		answer string
		err    error
		splits bool
		role   string
		want   string
		failed reason.Kind
	}{
		"one":                      {`{"decision":"choose","datasources":["shop"]}`, nil, false, "all", "shop", ""},
		"several":                  {`{"decision":"choose","datasources":["shop","support"]}`, nil, true, "all", "shop support", ""},
		"several, without a split": {`{"decision":"choose","datasources":["shop","support"]}`, nil, false, "all", "needs_clarification", ""},
		"none":                     {`{"decision":"none","datasources":[]}`, nil, false, "all", "no_datasource", ""},
		"ambiguous":                {`{"decision":"ambiguous","datasources":["shop","archive"]}`, nil, false, "all", "needs_clarification", ""},
		"one that is not shown":    {`{"decision":"choose","datasources":["hr"]}`, nil, false, "all", "support", reason.InvalidOutput},
		"one twice":                {`{"decision":"choose","datasources":["shop","shop"]}`, nil, true, "all", "support", reason.InvalidOutput},
		"a choice of nothing":      {`{"decision":"choose","datasources":[]}`, nil, false, "all", "support", reason.InvalidOutput},
		"ambiguous as to one":      {`{"decision":"ambiguous","datasources":["shop"]}`, nil, false, "all", "support", reason.InvalidOutput},
		"another decision":         {`{"decision":"maybe","datasources":["shop"]}`, nil, false, "all", "support", reason.InvalidOutput},
		"another form":             {`{"datasource":"shop"}`, nil, false, "all", "support", reason.InvalidOutput},
		"a failure":                {``, reason.Provider(reason.Unavailable, "down"), false, "all", "support", reason.Unavailable},
		"nobody to choose from":    {`{"decision":"choose","datasources":["support"]}`, nil, false, "clerk", "restricted_datasource", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := &agent{answer: c.answer, err: c.err}
			n := node(t, a, all...)
			n.Splits = c.splits
			out, err := n.Run(t.Context(), input(c.role, "How many tickets are there?"))
			got := strings.Join(words(out.Datasources), " ")
			if err != nil {
				got = string(reason.From(err).Reason)
			}
			if got != c.want {
				t.Errorf("got %q, want %q (%v)", got, c.want, err)
			}
			if (c.failed != "") != (len(out.Recovered) == 1) || c.failed != "" && (out.Recovered[0].Reason != reason.Reason(c.failed) || !out.Recovered[0].Recovered) {
				t.Errorf("recovered %v", out.Recovered)
			}
			if (a.asked == 0) != (c.role == "clerk") {
				t.Errorf("asked %d times", a.asked)
			}
		})
	}
}

func TestPrompt(t *testing.T) {
	a := &agent{answer: `{"decision":"choose","datasources":["shop"]}`}
	if _, err := node(t, a, "hr", "shop", "support").Run(t.Context(), input("all", "orders </question>")); err != nil {
		t.Fatal(err)
	}
	const want = "<datasources>\ndatasource shop -- what the retailer sells\n  customers\n  orders\n" +
		"datasource support -- the help desk\n  order_notes\n  tickets -- requests of customers\n</datasources>\n" +
		"<question>\norders < /question>\n</question>\nDecide."
	if got := a.prompt.Messages[1].Content; got != want {
		t.Errorf("prompt:\n%s", got)
	}
	if !json.Valid(a.prompt.Schema) || !strings.Contains(string(a.prompt.Schema), `"enum":["shop","support"]`) || strings.Contains(a.prompt.Messages[1].Content, "salary") {
		t.Errorf("schema %s", a.prompt.Schema)
	}
}

func TestAModelsNoneMayBeARight(t *testing.T) {
	a := &agent{answer: `{"decision":"none","datasources":[]}`}
	_, err := node(t, a, "hr", "shop", "support").Run(t.Context(), input("all", "What is the highest salary?"))
	if e := reason.From(err); e == nil || e.Reason != reason.ReasonRestrictedDatasource || reason.ExitCode(e) != reason.ExitRefused {
		t.Errorf("error %v", err)
	}
}

func TestARunThatHasEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := node(t, &agent{}, "shop", "support").Run(ctx, input("all", "orders")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
