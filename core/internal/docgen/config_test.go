package docgen

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
)

//go:embed configuration.md
var configPage string

// node is what the page says of a part of the configuration's JSON Schema.
type node struct {
	Ref         string          `json:"$ref"`
	Type        any             `json:"type"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Enum        []any           `json:"enum"`
	Properties  map[string]node `json:"properties"`
	Additional  json.RawMessage `json:"additionalProperties"`
	Items       *node           `json:"items"`
	Defs        map[string]node `json:"$defs"`
	OneOf       []node          `json:"oneOf"`
}

func TestConfigurationPage(t *testing.T) {
	var schema node
	if err := json.Unmarshal(config.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	full, err := os.ReadFile(filepath.Join(root, "examples/full.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	keys(schema, schema.Defs, "", &lines)
	if len(lines) < 50 {
		t.Fatalf("only %d keys found", len(lines))
	}
	page := fmt.Sprintf("%s\n```yaml\n%s```\n\n## Every key\n\n`<name>` is a name of yours.\n\n| key | value | meaning |\n|---|---|---|\n%s",
		configPage, full, strings.Join(lines, ""))
	check(t, "docs/configuration.md", page)
}

// keys adds a line for every key below n.
func keys(n node, defs map[string]node, path string, lines *[]string) {
	n = resolved(n, defs)
	names := make([]string, 0, len(n.Properties))
	for name := range n.Properties {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		at := strings.TrimPrefix(path+"."+name, ".")
		child := resolved(n.Properties[name], defs)
		if own := n.Properties[name].Description; own != "" {
			child.Description = own
		}
		below := len(*lines)
		keys(child, defs, at, lines)
		if len(*lines) == below {
			*lines = append(*lines, fmt.Sprintf("| `%s` | %s | %s |\n", at, cell(value(child, defs)), cell(child.Description)))
		}
	}
	var additional node
	if json.Unmarshal(n.Additional, &additional) == nil && (additional.Ref != "" || additional.Properties != nil) {
		keys(additional, defs, path+".<name>", lines)
	}
	if n.Items != nil && resolved(*n.Items, defs).Properties != nil {
		keys(*n.Items, defs, path+"[]", lines)
	}
	for _, o := range n.OneOf {
		keys(o, defs, path, lines)
	}
}

func resolved(n node, defs map[string]node) node {
	name, isRef := strings.CutPrefix(n.Ref, "#/$defs/")
	if !isRef {
		return n
	}
	target := defs[name]
	if n.Description != "" {
		target.Description = n.Description
	}
	return target
}

// value says what may stand at a key.
func value(n node, defs map[string]node) string {
	switch {
	case len(n.Enum) > 0:
		words := make([]string, len(n.Enum))
		for i, e := range n.Enum {
			words[i] = fmt.Sprint(e)
		}
		return strings.Join(words, ", ")
	case n.Title != "":
		return n.Title
	case n.Items != nil:
		return "list of " + value(resolved(*n.Items, defs), defs)
	case len(n.OneOf) > 0:
		return "see the example"
	case n.Type == "object":
		return "map"
	case n.Type == nil:
		return "any"
	}
	return fmt.Sprint(n.Type)
}
