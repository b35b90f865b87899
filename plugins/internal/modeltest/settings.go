package modeltest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "rewrite the settings in the documentation")

// property is what the documentation says of a setting.
type property struct {
	Type        string              `json:"type"`
	Enum        []string            `json:"enum"`
	Default     any                 `json:"default"`
	Description string              `json:"description"`
	Properties  map[string]property `json:"properties"`
	Additional  json.RawMessage     `json:"additionalProperties"`
}

// CheckDocumented compares the settings in file, between the marks of section, with
// schema, and writes them there when the flag -update is set.
func CheckDocumented(t *testing.T, file, section string, schema []byte) {
	t.Helper()
	var of property
	if err := json.Unmarshal(schema, &of); err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("| setting | default | |\n|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(of.Properties)) {
		p := of.Properties[name]
		standard := ""
		if p.Default != nil {
			standard = fmt.Sprintf("`%v`", p.Default)
		}
		values := ""
		if len(p.Enum) > 0 {
			values = " One of `" + strings.Join(p.Enum, "`, `") + "`."
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s%s |\n", name, standard, p.Description, values)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), "<!-- settings: "+section+" -->\n")
	_, after, ended := strings.Cut(rest, "<!-- end -->")
	if !found || !ended {
		t.Fatalf("%s has no marks of the settings of %s", file, section)
	}
	want := before + "<!-- settings: " + section + " -->\n" + table.String() + "<!-- end -->" + after
	switch {
	case want == string(text):
	case *update:
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the settings of %s in %s are not those of the schema; run go test -update", section, file)
	}
}

// PropertyOf is the schema of the values of a setting that holds one for each name.
func PropertyOf(t *testing.T, schema []byte, setting string) []byte {
	t.Helper()
	var of property
	if err := json.Unmarshal(schema, &of); err != nil {
		t.Fatal(err)
	}
	return of.Properties[setting].Additional
}

// Compiled is a JSON Schema that can be held against values.
func Compiled(t *testing.T, schema []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("schema.json")
}
