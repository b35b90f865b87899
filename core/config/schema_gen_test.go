package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/invopop/jsonschema"

	"querent.dev/querent/sdk/reason"
)

var update = flag.Bool("update", false, "rewrite the published schema")

const (
	schemaID = "https://querent.dev/schemas/config.schema.json"
	// publishedSchema is the copy for people and editors.
	publishedSchema = "../../docs/schemas/config.schema.json"
)

// nodeNames are the nodes of both graphs, which settings.nodes names.
var nodeNames = []any{
	"verified_matcher", "datasource_resolver", "decomposer", "global_planner", "engine_aggregator", "answer_synthesizer",
	"schema_retriever", "ast_planner", "logical_validator", "generator", "physical_validator", "executor", "retry_handler", "refiner",
}

func TestSchemaIsThatOfTheTypes(t *testing.T) {
	want := generate(t)
	for _, file := range []string{"config.schema.json", publishedSchema} {
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not the schema of the types; run go test ./core/config -update", file)
		}
	}
}

// generate makes the schema of Config, with the comments as descriptions.
func generate(t *testing.T) []byte {
	t.Helper()
	r := &jsonschema.Reflector{FieldNameTag: "yaml", ExpandedStruct: true, Anonymous: true, Mapper: special}
	if err := r.AddGoComments("querent.dev/querent/core/config", "."); err != nil {
		t.Fatal(err)
	}
	s := r.Reflect(&Config{})
	s.ID = schemaID
	s.Title = "Configuration of Querent"
	limitKeys(s)
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// limitKeys says which names a map's keys may have.
func limitKeys(s *jsonschema.Schema) {
	name := &jsonschema.Schema{Type: "string", Pattern: `^[A-Za-z][A-Za-z0-9_-]*$`, Title: "a letter, then letters, digits, - and _"}
	for _, key := range []string{"plugins", "providers", "datasources", "roles"} {
		property(s, key).PropertyNames = name
	}
	property(s, "agents").PropertyNames = &jsonschema.Schema{Enum: []any{
		AgentDefault, AgentDatasourceResolver, AgentDecomposer, AgentASTPlanner, AgentRefiner,
		AgentAnswerSynthesizer, AgentIndexingEnrichment, AgentEmbedding,
	}}
	property(s, "prompts").PropertyNames = &jsonschema.Schema{Enum: []any{"datasource_resolver", "decomposer", "ast_planner", "refiner", "answer_synthesizer"}}
	property(s.Definitions["Settings"], "nodes").PropertyNames = &jsonschema.Schema{Enum: nodeNames}
	property(s.Definitions["Agent"], "options").AdditionalProperties = scalar()
}

func kinds() []any {
	var out []any
	for _, k := range reason.Kinds() {
		out = append(out, k)
	}
	return out
}

func property(s *jsonschema.Schema, key string) *jsonschema.Schema {
	p, ok := s.Properties.Get(key)
	if !ok {
		panic("the schema has no property " + key)
	}
	return p
}

// scalar is a text that may be written as a number or a truth value.
func scalar() *jsonschema.Schema {
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}}}
}

// special is the schema of a type that reads its own text.
func special(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[Duration]():
		return &jsonschema.Schema{Type: "string", Pattern: `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`, Title: "a duration such as 500ms, 20s or 720h"}
	case reflect.TypeFor[Bytes]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
			{Type: "integer", Minimum: json.Number("1")},
			{Type: "string", Pattern: `^[0-9]+ ?(kB|KiB|MB|MiB|GB|GiB)?$`, Title: "a size such as 64MiB, 10kB or a number of bytes"},
		}}
	}
	return nil
}

// JSONSchemaExtend adds the bare word deny.
func (Caller) JSONSchemaExtend(s *jsonschema.Schema) {
	property(s, "user").AdditionalProperties = scalar()
	orText(s, &jsonschema.Schema{Type: "string", Enum: []any{deny}})
}

// JSONSchemaExtend adds the bare name.
func (Fallback) JSONSchemaExtend(s *jsonschema.Schema) {
	property(s, "on").Items.Enum = kinds()
	orText(s, &jsonschema.Schema{Type: "string"})
}

// JSONSchemaExtend adds the bare words.
func (PluginFiles) JSONSchemaExtend(s *jsonschema.Schema) {
	orText(s, &jsonschema.Schema{Type: "string", Enum: []any{ReachNone, ReachAny}})
}

func orText(s, text *jsonschema.Schema) {
	form := *s
	form.Description = ""
	*s = jsonschema.Schema{Description: s.Description, OneOf: []*jsonschema.Schema{text, &form}}
}
