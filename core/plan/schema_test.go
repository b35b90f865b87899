package plan_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"querent.dev/querent/core/plan"
)

func compile(t *testing.T, o plan.SchemaOptions) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(plan.WireSchema(o)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("plan.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("plan.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestWireSchemaTakesNormalForms validates the normal form of every golden plan,
// with every key present, as a model under the schema returns it.
func TestWireSchemaTakesNormalForms(t *testing.T) {
	strict, loose := compile(t, plan.SchemaOptions{Strict: true, Bounds: true}), compile(t, plan.SchemaOptions{})
	n := 0
	for _, name := range []string{"select", "expr", "blocks", "windows", "recursive", "compare"} {
		archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			p, err := plan.Decode(f.Data)
			if err != nil {
				continue
			}
			q, err := plan.Bind(p, scope())
			if err != nil {
				continue
			}
			n++
			full := complete(t, q)
			if err := strict.Validate(full); err != nil {
				t.Errorf("%s, strict: %v", f.Name, err)
			}
			if err := loose.Validate(full); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d plans were validated", n)
	}
}

// complete is a plan in normal form with every key of the schema.
func complete(t *testing.T, q *plan.Query) map[string]any {
	t.Helper()
	text, err := json.Marshal(q.Wire())
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	top := v.(map[string]any)
	delete(top, "version") // stored plans carry it, models do not write it
	fill(top, "with")
	for _, b := range top["with"].([]any) {
		fill(b.(map[string]any), "of")
		if _, ok := b.(map[string]any)["recursive"]; !ok {
			b.(map[string]any)["recursive"] = false
		}
	}
	return top
}

func fill(o map[string]any, lists ...string) {
	empty := map[string]any{"where": "", "having": "", "from": "", "limit": json.Number("0"), "offset": json.Number("0"), "distinct": false}
	for _, key := range append(lists, "joins", "group", "select", "order", "per") {
		empty[key] = []any{}
	}
	for key, value := range empty {
		if _, ok := o[key]; !ok {
			o[key] = value
		}
	}
}

func TestWireSchemaRefuses(t *testing.T) {
	s := compile(t, plan.SchemaOptions{Bounds: true})
	base := `{"with":[],"from":"riders","joins":[],"where":"","group":[],"select":["id"]`
	long := strings.Repeat("x", 1001)
	for _, text := range []string{
		`{}`, base + `,"sql":"select 1"}`, base + `,"limit":-1}`, base + `,"order":"name"}`,
		strings.Replace(base, `"where":""`, `"where":"`+long+`"`, 1) + "}",
		strings.Replace(base, `"with":[]`, `"with":[{"name":"b","op":"delete","of":[],"from":"x","joins":[],"where":"","group":[],"select":[]}]`, 1) + "}",
	} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if s.Validate(v) == nil {
			t.Errorf("the schema takes %.80s", text)
		}
	}
}

// TestWireSchemaSuitsModelServers holds the schema to what the servers are known
// to take: no references and unions, required keys in the order of writing.
func TestWireSchemaSuitsModelServers(t *testing.T) {
	order := []string{"with", "from", "joins", "where", "group", "select", "having", "order", "limit", "offset", "per", "distinct"}
	for _, o := range []plan.SchemaOptions{{}, {Strict: true}, {Bounds: true}, {Reasoning: true}, {Strict: true, Bounds: true, Reasoning: true}, constrained("trips", "order details")} {
		text := plan.WireSchema(o)
		for _, word := range []string{"$ref", "$defs", "anyOf", "oneOf", "allOf", "null"} {
			if bytes.Contains(text, []byte(word)) {
				t.Errorf("%+v: the schema holds %s", o, word)
			}
		}
		if len(text) > 4096 {
			t.Errorf("%+v: the schema has %d bytes", o, len(text))
		}
		keys, required := objectKeys(t, text)
		want := order
		if o.Reasoning {
			want = append([]string{"reasoning"}, order...)
		}
		if !slices.Equal(keys, want) {
			t.Errorf("%+v: the keys are %v", o, keys)
		}
		if !slices.Equal(required, keys[:len(required)]) || o.Strict && len(required) != len(keys) {
			t.Errorf("%+v: required are %v", o, required)
		}
	}
}

// objectKeys lists the properties of a schema in the order of its text, and those
// that are required.
func objectKeys(t *testing.T, text json.RawMessage) (keys, required []string) {
	t.Helper()
	var s struct {
		Properties json.RawMessage
		Required   []string
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(s.Properties))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key.(string))
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			t.Fatal(err)
		}
	}
	return keys, s.Required
}
