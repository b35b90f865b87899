package config_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"querent.dev/querent/core/config"
)

const examples = "../../examples"

func TestExamplesLoadWithoutWarningsAndFitTheSchema(t *testing.T) {
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(config.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("config.json", tree); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(examples, "*.yaml"))
	if err != nil || len(files) < 4 {
		t.Fatalf("examples %v, %v", files, err)
	}
	for _, file := range files {
		if _, warnings, err := config.Load(file); err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v %v", file, warnings, err)
		}
		var v any
		if err := yaml.Unmarshal(read(t, file), &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// The three examples show that one line switches the provider.
func TestExamplesDifferInOneLine(t *testing.T) {
	base := strings.Split(string(read(t, filepath.Join(examples, "template.yaml"))), "\n")
	for name, provider := range map[string]string{"ollama.yaml": "local", "openai.yaml": "cloud"} {
		other := strings.Split(string(read(t, filepath.Join(examples, name))), "\n")
		if len(other) != len(base) {
			t.Errorf("%s has %d lines, template.yaml %d", name, len(other), len(base))
			continue
		}
		var differ []string
		for i := range base {
			if base[i] != other[i] {
				differ = append(differ, strings.TrimSpace(other[i]))
			}
		}
		if len(differ) != 1 || differ[0] != "provider: "+provider {
			t.Errorf("%s differs in %q", name, differ)
		}
		c, _, err := config.Load(filepath.Join(examples, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Agent(config.AgentDefault).Provider; string(got) != provider {
			t.Errorf("%s binds agents.default to %s", name, got)
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
