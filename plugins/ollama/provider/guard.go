package provider

import (
	"encoding/json"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// The limits of the server's grammar (measured with 0.17.4). A schema beyond them
// does not fail: it kills the process that runs the model, for everyone. Others of its
// ways are in checkPattern and checkRefs.
const (
	// mostSchemaBytes: the grammar is cut at four times the schema, at most 1 MiB.
	mostSchemaBytes = 256 << 10
	// mostRepeats is the largest length or count; 2,000 still works.
	mostRepeats = 2000
	// mostNesting is well below the 85 nested objects that kill the runner.
	mostNesting = 64
	// mostNames: 5,000 enumerated names cost 5 s a request, 60,000 kill the runner.
	mostNames = 5000
)

// checkSchema refuses a schema that would kill the runner, that the server does not
// take, or under which an answer would never end or be no JSON.
func checkSchema(raw json.RawMessage) error {
	if len(raw) > mostSchemaBytes {
		return sdk.Errorf(reason.InvalidRequest, "the output schema has %d bytes; the server's grammar bears %d", len(raw), mostSchemaBytes)
	}
	var doc any
	if err := json.Unmarshal(raw, &doc); err != nil {
		return sdk.Errorf(reason.InvalidRequest, "the output schema is no JSON: %w", err)
	}
	if _, ok := doc.(map[string]any); !ok {
		return sdk.Errorf(reason.InvalidRequest, "the output schema is no JSON object")
	}
	var g schemaGuard
	if err := g.walk(doc, 0); err != nil {
		return err
	}
	return checkRefs(doc)
}

type schemaGuard struct{ names int }

func (g *schemaGuard) walk(node any, depth int) error {
	// A nested object costs two levels of JSON: properties and the property.
	if depth > 2*mostNesting {
		return sdk.Errorf(reason.InvalidRequest, "the output schema nests deeper than %d objects, which the server's grammar does not bear", mostNesting)
	}
	switch n := node.(type) {
	case []any:
		return g.each(n, depth)
	case map[string]any:
		if err := g.bounds(n); err != nil {
			return err
		}
		for _, child := range n {
			if err := g.walk(child, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *schemaGuard) each(list []any, depth int) error {
	for _, child := range list {
		if err := g.walk(child, depth); err != nil {
			return err
		}
	}
	return nil
}

func (g *schemaGuard) bounds(schema map[string]any) error {
	for _, key := range []string{"maxLength", "minLength", "maxItems", "minItems"} {
		if n, ok := schema[key].(float64); ok && n > mostRepeats {
			return sdk.Errorf(reason.InvalidRequest, "the output schema asks for %s %.0f; the server's grammar bears %d", key, n, mostRepeats)
		}
	}
	if pattern, ok := schema["pattern"].(string); ok {
		if err := checkPattern(pattern); err != nil {
			return err
		}
	}
	names, _ := schema["enum"].([]any)
	if g.names += len(names); g.names > mostNames {
		return sdk.Errorf(reason.InvalidRequest, "the output schema enumerates more than %d names, which the server's grammar does not bear", mostNames)
	}
	return nil
}
