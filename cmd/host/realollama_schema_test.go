//go:build ollama

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/plugins/ollama/provider"
	"querent.dev/querent/plugins/ollama/realollama"
	"querent.dev/querent/plugins/ollama/tinymodel"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/wire"
)

// A model that says anything at all names permitted tables only, however many there
// are: the plugin announces that the server enforces patterns, the schema passes its
// guard and the server's grammar, and every answer satisfies it.
func TestRealModelNamesPermittedTablesOnly(t *testing.T) {
	server := realollama.Start(t, realollama.Options{})
	server.Create(t, "tiny", tinymodel.Random(7))
	p := &provider.Provider{}
	settings := fmt.Sprintf(`{"url":%q,"num_ctx":32768,"num_predict":24000}`, server.URL)
	if err := p.Configure(t.Context(), sdk.Configuration{Settings: json.RawMessage(settings)}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Stop(context.Background()) })
	info, err := p.ModelInfo(t.Context(), "tiny")
	if err != nil || info.Details[sdk.DetailEnforcesPatterns] != "true" {
		t.Fatalf("the model's details are %v (%v)", info.Details, err)
	}
	for _, tc := range []struct{ tables, answers int }{{3, 4}, {500, 3}, {2000, 1}} {
		t.Run(fmt.Sprintf("%d tables", tc.tables), func(t *testing.T) {
			tables := []string{"order details", "고객 정보", "main.it's"}
			for i := len(tables); i < tc.tables; i++ {
				tables = append(tables, fmt.Sprintf("t%04d_of_a_longer_name", i))
			}
			form := plan.WireSchema(plan.SchemaOptions{Strict: true, Bounds: true, Tables: tables})
			sources := 0
			for seed := range int64(tc.answers) {
				sources += sourcesOf(t, p, form, seed)
			}
			if sources == 0 {
				t.Error("the model named no table, which shows nothing")
			}
		})
	}
}

// sourcesOf asks for a plan, checks that it satisfies its form, and counts the tables
// and blocks that it names.
func sourcesOf(t *testing.T, p *provider.Provider, form json.RawMessage, seed int64) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	got, err := p.Generate(ctx, sdk.GenerateRequest{
		RequestID: "r1", Model: "tiny", OutputMode: sdk.OutputSchema, SchemaName: "query_plan", Schema: form, Seed: &seed,
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "Write the plan."}},
	})
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(got.Text))
	if err == nil {
		err = compiledSchema(t, form).Validate(value)
	}
	if err != nil || got.Finish != sdk.FinishStop {
		t.Fatalf("seed %d: %v (%s)\n%s", seed, err, got.Finish, got.Text)
	}
	var said wire.Plan
	if err := json.Unmarshal([]byte(got.Text), &said); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range append([]wire.Clauses{said.Clauses}, clausesOf(said.With)...) {
		n += len(c.Joins)
		if c.From != "" {
			n++
		}
	}
	return n
}

func clausesOf(blocks []wire.Block) []wire.Clauses {
	var out []wire.Clauses
	for _, b := range blocks {
		out = append(out, b.Clauses)
	}
	return out
}

func compiledSchema(t *testing.T, text json.RawMessage) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("schema.json")
}
