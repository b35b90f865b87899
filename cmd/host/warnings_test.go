package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"strings"
	"testing"

	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// doubt is a run of the host that answers with a warning.
type doubt struct {
	brew    func(t *testing.T, i *installation) errand
	outcome wire.OutcomeKind
	says    string // what the warning says
}

// Every warning is what a run of the program can tell, to people and to programs,
// and none of them ends it.
func TestEveryWarningIsTold(t *testing.T) {
	for _, code := range reason.Warnings() {
		t.Run(string(code), func(t *testing.T) {
			c, ok := doubts[code]
			if !ok {
				t.Fatalf("no run tells %s", code)
			}
			i := install(t, "", "http://127.0.0.1:1")
			e := c.brew(t, i)
			said, exit := i.send(t, e, nil)
			if exit != 0 || !strings.Contains(said.stdout, "Note: ") || !strings.Contains(said.stdout, c.says) {
				t.Errorf("exit %d, %q is not said in\n%s\n%s", exit, c.says, said.stdout, said.stderr)
			}
			said, exit = i.send(t, e, []string{"--output", "json"})
			var envelope struct {
				Answer struct {
					Outcome  wire.OutcomeKind
					Warnings []string
					Notes    []wire.Note
				}
			}
			if err := json.Unmarshal([]byte(said.stdout), &envelope); err != nil || exit != 0 {
				t.Fatalf("exit %d, %v\n%s\n%s", exit, err, said.stdout, said.stderr)
			}
			a := envelope.Answer
			if a.Outcome != c.outcome {
				t.Errorf("outcome %s, want %s", a.Outcome, c.outcome)
			}
			if code == reason.SynthesisFallback {
				return // strict JSON asks no model for words, so none can fail
			}
			if !strings.Contains(strings.Join(a.Warnings, "\n"), c.says) {
				t.Errorf("%q is not among the warnings %q", c.says, a.Warnings)
			}
			for _, n := range a.Notes {
				if n.Code == code && strings.Contains(n.Message, c.says) {
					return
				}
			}
			t.Errorf("there is no note %s among %+v", code, a.Notes)
		})
	}
}

var doubts = map[reason.Warning]doubt{
	reason.ValueNotFound: {plans(`{"from":"customers","where":"country = 'Atlantis'","select":["name"]}`), wire.Answered, "There is no customers with country 'Atlantis'."},
	reason.JoinFanOut: {plans("{\"from\":\"`order` o\",\"joins\":[\"order_lines l\",\"payments p\"],\"select\":[\"sum(p.amount) as paid\",\"count(*) as lines\"]}"),
		wire.Answered, "may count rows more than once"},
	reason.AllNullColumn:     {columnWithoutValues, wire.Answered, "fax"},
	reason.ResultTruncated:   {asks(errand{chat: planFirst(`{"from":"products","select":["name"]}`), more: "settings: {results: {row_limit: 5, preview_rows: 5}}"}), wire.Answered, "cut at 5 rows"},
	reason.PartialResult:     {asks(errand{question: twoQuestions, chat: half}), wire.Partial, `The part "number of products" was not answered`},
	reason.UnmappedPart:      {asks(errand{question: twoQuestions, chat: lacking}), wire.Partial, `"the weather"`},
	reason.SynthesisFallback: {asks(errand{chat: speechless}), wire.Answered, "was not worded by the configured provider"},
	reason.SettingIgnored:    {asks(errand{chat: onlyOwnTemperature, more: "agents: {default: {provider: cloud}, ast_planner: {provider: cloud, temperature: 0}}"}), wire.Answered, "temperature"},
	reason.GroupsLeftOut: {asks(errand{chat: planFirst(`{"from":"employees","group":["job_title"],"select":["job_title","avg(salary) as pay"]}`),
		more: `roles: {analyst: {tables: {allow: ["demo.main.*"]}, columns: {aggregate_only: ["demo.main.employees.salary"], min_group: 5}}}`}), wire.Answered, "Groups of fewer than 5 rows"},
}

// planFirst answers a request for a plan with the plan, and any other with words.
func planFirst(plan string) func(openaitest.Request) openaitest.Reply {
	return func(r openaitest.Request) openaitest.Reply {
		if bytes.Contains(r.Body, []byte(`"query_plan"`)) {
			return openaitest.Text(plan)
		}
		return openaitest.Text(`{"summary":"See the table.","format_type":"text","content":"","warnings":[]}`)
	}
}

func plans(plan string) func(*testing.T, *installation) errand {
	return asks(errand{chat: planFirst(plan)})
}

func columnWithoutValues(t *testing.T, i *installation) errand {
	db, err := sql.Open("sqlite", i.database())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("alter table stores add column fax text"); err != nil {
		t.Fatal(err)
	}
	return errand{chat: planFirst(`{"from":"stores","select":["name","fax"]}`)}
}

// half takes two questions apart, and plans the first alone.
func half(r openaitest.Request) openaitest.Reply {
	if bytes.Contains(r.Body, []byte(`"query_plan"`)) && !bytes.Contains(r.Body, []byte("number of stores")) {
		return openaitest.Text(`{"from":"products","select":["colour"]}`)
	}
	return takesApart("")(r)
}

// lacking takes a question apart of which one part is about nothing here.
func lacking(r openaitest.Request) openaitest.Reply {
	if bytes.Contains(r.Body, []byte(`"decomposition"`)) {
		return openaitest.Text(`{"subqueries":[{"id":"a","intent":"number of stores","datasource":"demo","expected_schema":["n"]}],"combine":[],"post":[],"unmapped":[{"text":"the weather","reason":"no_datasource"}]}`)
	}
	return takesApart("")(r)
}

// speechless plans, and has no words.
func speechless(r openaitest.Request) openaitest.Reply {
	if bytes.Contains(r.Body, []byte(`"query_plan"`)) {
		return openaitest.Text(modelPlan)
	}
	return openaitest.JSONError(503, "The engine is currently overloaded", "server_error", "", "")
}

// onlyOwnTemperature is a model that takes no temperature.
func onlyOwnTemperature(r openaitest.Request) openaitest.Reply {
	if bytes.Contains(r.Body, []byte(`"temperature"`)) {
		return openaitest.JSONError(400, "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.", "invalid_request_error", "temperature", "unsupported_value")
	}
	return planFirst(modelPlan)(r)
}
