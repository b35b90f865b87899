package answer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// rows reads from memory, then fails with err, if there is one.
type rows struct {
	list   [][]wire.Value
	at     int
	err    error
	closed bool
}

func (r *rows) Next() bool        { r.at++; return r.at <= len(r.list) }
func (r *rows) Row() []wire.Value { return r.list[r.at-1] }
func (r *rows) Err() error        { return r.err }
func (r *rows) Close() error      { r.closed = true; return nil }

func decimal(t *testing.T, digits string) wire.Value {
	t.Helper()
	v, err := wire.Decimal(digits)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// answers are an answer of every kind.
func answers(t *testing.T) map[string]wire.Answer {
	t.Helper()
	ctx := context.Background()
	out := map[string]wire.Answer{}
	out["plain"] = answer.SynthesizeSuccess(ctx, &writer{summary: "<b> & 한국"}, countries(), answer.Options{}).Answer
	f := full()
	f.Results[0].Rows = append(f.Results[0].Rows, []wire.Value{decimal(t, "0.10"), wire.Int(9007199254740993)})
	a := answer.SynthesizeSuccess(ctx, &writer{summary: "wrong 99"}, f, answer.Options{Template: template()}).Answer
	a.Queries = append(a.Queries, wire.Query{SubQuery: "q1", Datasource: "demo", PlanID: "p_1", SecuredID: "s_1", SQL: "SELECT ?", Planner: "local",
		Args: []wire.Tagged{wire.Tag(wire.Array([]wire.Value{wire.Int(1)}))},
		Plan: &wire.Plan{Version: 1, With: []wire.Block{{Name: "p", Op: "select", Clauses: wire.Clauses{From: "t"}}}, Clauses: wire.Clauses{From: "p", Limit: 3}}})
	out["full"] = a
	for _, row := range reason.Rows() {
		o := wire.Outcome{Kind: wire.Failed, Question: "q", Language: "en", Failure: &wire.Failure{Code: row.Code, Reason: row.Reason,
			NotKnown: []string{"x"}, Choices: []string{"y"}, Proposals: []string{"z"}, Partial: countries().Results}}
		out[string(row.Code)+"/"+string(row.Reason)] = answer.SynthesizeFailure(ctx, nil, o, answer.Options{}).Answer
	}
	for _, kind := range wire.OutcomeKinds() {
		o := countries()
		o.Kind = kind
		out[string(kind)] = answer.SynthesizeSuccess(ctx, nil, o, answer.Options{}).Answer
	}
	return out
}

func compile(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("answer.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("answer.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestJSONIsTheAnswerAndFitsItsSchema(t *testing.T) {
	schema := compile(t)
	for name, a := range answers(t) {
		var got bytes.Buffer
		if err := answer.WriteJSON(&got, a, nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(a); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("%s:\n got %s\nwant %s", name, &got, &want)
		}
		instance, err := jsonschema.UnmarshalJSON(&got)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := schema.Validate(instance); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaIsStrict(t *testing.T) {
	var text bytes.Buffer
	if err := answer.WriteJSON(&text, answers(t)["full"], nil); err != nil {
		t.Fatal(err)
	}
	schema := compile(t)
	for old, changed := range map[string]string{
		`"outcome":"answered"`: `"outcome":"maybe"`, `"truncated":true`: `"truncated":"yes"`, `"question"`: `"asked"`,
		`"code":"RESULT_TRUNCATED"`: `"code":"CUT"`, `"row_count":24`: `"row_count":"24"`, `"kind":"text"`: `"kind":"string"`,
	} {
		if !strings.Contains(text.String(), old) {
			t.Fatalf("%s is not in %s", old, &text)
		}
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(text.String(), old, changed, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(instance) == nil {
			t.Errorf("the schema lets %s pass", changed)
		}
	}
}

func TestPublishedSchemaIsTheSame(t *testing.T) {
	published, err := os.ReadFile("../../docs/schemas/answer.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(published, answer.Schema()) {
		t.Error("docs/schemas/answer.schema.json is not core/answer/answer.schema.json; copy it")
	}
}

func TestWholeRowsAreStreamed(t *testing.T) {
	a := answers(t)["plain"]
	r := &rows{}
	for i := range 1000 {
		r.list = append(r.list, []wire.Value{wire.Text("x"), wire.Int(int64(i))})
	}
	var text bytes.Buffer
	err := answer.WriteJSON(&text, a, func(int) (answer.RowReader, error) { return r, nil })
	if err != nil || !r.closed {
		t.Fatalf("error %v, closed %t", err, r.closed)
	}
	var got struct {
		Results []struct {
			Rows     [][]any `json:"rows"`
			RowCount int64   `json:"row_count"`
			Partial  bool    `json:"partial"`
		} `json:"results"`
		SynthesizedBy string `json:"synthesized_by"`
	}
	if err := json.Unmarshal(text.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if res := got.Results[0]; len(res.Rows) != 1000 || res.RowCount != 1000 || res.Partial || got.SynthesizedBy != "local" {
		t.Errorf("%d rows, row count %d, partial %t", len(res.Rows), res.RowCount, res.Partial)
	}
	if instance, err := jsonschema.UnmarshalJSON(&text); err != nil || compile(t).Validate(instance) != nil {
		t.Errorf("the streamed answer does not fit the schema: %v", err)
	}
}

func TestReaderThatFailsIsReported(t *testing.T) {
	broken := errors.New("disk gone")
	r := &rows{list: [][]wire.Value{{wire.Int(1)}}, err: broken}
	err := answer.WriteJSON(&bytes.Buffer{}, answers(t)["plain"], func(int) (answer.RowReader, error) { return r, nil })
	if !errors.Is(err, broken) || !r.closed {
		t.Errorf("error %v, closed %t", err, r.closed)
	}
	err = answer.WriteJSON(&bytes.Buffer{}, answers(t)["plain"], func(int) (answer.RowReader, error) { return nil, broken })
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
