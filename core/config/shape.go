package config

//go:generate go test -run TestSchemaIsThatOfTheTypes -update .

import (
	"bytes"
	_ "embed" // for the schema
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

//go:embed config.schema.json
var schemaText []byte

// Schema is the JSON Schema of a configuration, as it is published.
func Schema() []byte { return bytes.Clone(schemaText) }

// schemaURL names the schema inside the compiler. It is absolute, since a relative
// one would be looked for in the working directory, which need not exist.
const schemaURL = "querent:///config.schema.json"

// shape is the compiled schema with its text, which holds the names and the
// descriptions that messages need.
type shape struct {
	compiled *jsonschema.Schema
	tree     any
}

var loadShape = sync.OnceValue(func() *shape {
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		panic("config: the embedded schema is no JSON: " + err.Error())
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaURL, tree); err != nil {
		panic("config: the embedded schema: " + err.Error())
	}
	compiled, err := c.Compile(schemaURL)
	if err != nil {
		panic("config: the embedded schema does not compile: " + err.Error())
	}
	return &shape{compiled, tree}
})

// checkShape says everything in src that does not fit the schema: unknown keys,
// wrong types, values that are not allowed.
func checkShape(src *source) Problems {
	s := loadShape()
	problems := s.checkNames(src)
	err := s.compiled.Validate(src.values)
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		return append(problems, s.explain(src, invalid)...)
	}
	return problems
}

// namedSections are the sections whose keys are names, with the rule for them in
// the schema.
var namedSections = []struct {
	at   path
	rule string
}{
	{path{"plugins"}, "/properties/plugins"},
	{path{"providers"}, "/properties/providers"},
	{path{"agents"}, "/properties/agents"},
	{path{"datasources"}, "/properties/datasources"},
	{path{"roles"}, "/properties/roles"},
	{path{"prompts"}, "/properties/prompts"},
	{path{"settings", "nodes"}, "/$defs/Settings/properties/nodes"},
}

// checkNames checks names by hand: the validator's own errors on them do not say
// reliably where they stand.
func (s *shape) checkNames(src *source) Problems {
	var out Problems
	for _, section := range namedSections {
		keys, _ := src.value(section.at).(map[string]any)
		rule := s.node("#" + section.rule + "/propertyNames")
		allowed, _ := rule["enum"].([]any)
		pattern, _ := rule["pattern"].(string)
		for _, key := range sortedKeys(keys) {
			at := src.at(section.at.with(key))
			switch {
			case len(allowed) > 0 && !slices.Contains(texts(allowed), key):
				out = append(out, Problem{at, fmt.Sprintf("unknown name %q%s", key, didYouMean(key, texts(allowed)))})
			case pattern != "" && !regexp.MustCompile(pattern).MatchString(key):
				out = append(out, Problem{at, fmt.Sprintf("%q is no name: expected %v", key, rule["title"])})
			}
		}
	}
	return out
}

func (s *shape) explain(src *source, e *jsonschema.ValidationError) Problems {
	at := path(e.InstanceLocation)
	node := s.node(e.SchemaURL)
	here := func(p path, format string, args ...any) Problem {
		return Problem{src.at(p), fmt.Sprintf(format, args...)}
	}
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		var out Problems
		for _, key := range k.Properties {
			out = append(out, here(at.with(key), "unknown key %q%s", key, didYouMean(key, names(node["properties"]))))
		}
		return out
	case *kind.PropertyNames:
		return nil // checkNames says it
	case *kind.Required:
		return Problems{here(at, "missing: %s", strings.Join(k.Missing, ", "))}
	case *kind.Type:
		want := wanted(k.Want)
		if title, ok := node["title"].(string); ok && len(at) > 0 {
			want = title
		}
		return Problems{here(at, "expected %s, got %s", want, gotType(src, at, k.Want))}
	case *kind.Enum:
		return Problems{here(at, "%s is not allowed: expected %s%s", got(src, at), oneOf(texts(k.Want)), suggestOnly(fmt.Sprint(k.Got), texts(k.Want)))}
	case *kind.Pattern:
		return Problems{here(at, "%s is not allowed: expected %v", got(src, at), node["title"])}
	case *kind.OneOf, *kind.AnyOf:
		return s.nearestBranch(src, e)
	}
	if len(e.Causes) == 0 {
		return Problems{here(at, "%s is not allowed: %s", got(src, at), plainKind(e.ErrorKind))}
	}
	var out Problems
	for _, cause := range e.Causes {
		out = append(out, s.explain(src, cause)...)
	}
	return out
}

// nearestBranch explains a value that may have several forms by the form that it
// was meant to have: the one whose type it has.
func (s *shape) nearestBranch(src *source, e *jsonschema.ValidationError) Problems {
	var wrongType []string
	for _, branch := range e.Causes {
		leaf := branch
		for len(leaf.Causes) == 1 && len(leaf.Causes[0].InstanceLocation) == len(e.InstanceLocation) {
			leaf = leaf.Causes[0]
		}
		if t, ok := leaf.ErrorKind.(*kind.Type); ok && len(leaf.InstanceLocation) == len(e.InstanceLocation) {
			wrongType = append(wrongType, t.Want...)
			continue
		}
		return s.explain(src, branch)
	}
	at := path(e.InstanceLocation)
	return Problems{{src.at(at), fmt.Sprintf("expected %s, got %s", wanted(wrongType), gotType(src, at, wrongType))}}
}

// node is the part of the schema that url points at.
func (s *shape) node(url string) map[string]any {
	_, pointer, _ := strings.Cut(url, "#")
	var at path
	for step := range strings.SplitSeq(strings.Trim(pointer, "/"), "/") {
		if step != "" {
			at = at.with(strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
		}
	}
	m, _ := valueAt(s.tree, at).(map[string]any)
	return m
}

func names(v any) []string {
	m, _ := v.(map[string]any)
	return sortedKeys(m)
}

func texts(list []any) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = fmt.Sprint(v)
	}
	return out
}

func oneOf(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

func suggestOnly(wrong string, known []string) string {
	if len(known) < 2 {
		return ""
	}
	if near := nearest(wrong, known); near != "" {
		return ` (did you mean "` + near + `"?)`
	}
	return ""
}

var typeWords = map[string]string{
	"object": "keys with values", "array": "a list", "string": "text", "integer": "a whole number",
	"number": "a number", "boolean": "true or false", "null": "nothing",
}

func wanted(types []string) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = typeWords[t]
	}
	return oneOf(words)
}

// gotType describes the value at p, which has none of the wanted types. Text in
// place of a section is not repeated: a key may have been pasted there.
func gotType(src *source, p path, want []string) string {
	if _, isText := src.value(p).(string); isText && slices.Contains(want, "object") {
		return "text"
	}
	return got(src, p)
}

// got describes the value at p. A secret may stand where it does not belong, so
// long text is not repeated.
func got(src *source, p path) string {
	const longest = 40
	switch v := src.value(p).(type) {
	case map[string]any:
		return typeWords["object"]
	case []any:
		return typeWords["array"]
	case nil:
		return typeWords["null"]
	case string:
		if len(v) > longest || secretKey(p) {
			return "text"
		}
		return fmt.Sprintf("%q", v)
	default:
		return fmt.Sprint(v)
	}
}

func plainKind(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Minimum:
		return "the smallest is " + k.Want.RatString()
	case *kind.Maximum:
		return "the largest is " + k.Want.RatString()
	case *kind.MinLength, *kind.MinItems:
		return "it is empty"
	}
	return strings.Join(k.KeywordPath(), " ")
}
