package provider

import (
	"strconv"
	"strings"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// mostRefs is far more than a form of an answer has; each is looked at again for every
// other.
const mostRefs = 500

// checkRefs refuses references that the server does not resolve, and recursion that
// an answer can never leave: the model would write until its limit.
func checkRefs(doc any) error {
	targets := map[string]any{}
	if err := collectRefs(doc, doc, targets); err != nil {
		return err
	}
	// A target ends when it can be written with targets that end: found round by
	// round, until a round finds no more.
	ends := map[string]bool{}
	for found := true; found; {
		found = false
		for ref, schema := range targets {
			if !ends[ref] && canEnd(schema, ends) {
				ends[ref], found = true, true
			}
		}
	}
	for ref := range targets {
		if !ends[ref] {
			return sdk.Errorf(reason.InvalidRequest, "what the output schema has at %.60q asks for itself, so that no answer would ever end", ref)
		}
	}
	return nil
}

// collectRefs finds what the references in node point at.
func collectRefs(doc, node any, targets map[string]any) error {
	switch n := node.(type) {
	case []any:
		for _, child := range n {
			if err := collectRefs(doc, child, targets); err != nil {
				return err
			}
		}
	case map[string]any:
		if ref, ok := n["$ref"].(string); ok {
			target, found := resolve(doc, ref)
			if !found {
				return sdk.Errorf(reason.InvalidRequest, "the output schema refers to %.60q, which the server does not find; refer to an entry of $defs", ref)
			}
			if targets[ref] = target; len(targets) > mostRefs {
				return sdk.Errorf(reason.InvalidRequest, "the output schema refers to more than %d of its parts", mostRefs)
			}
		}
		for _, child := range n {
			if err := collectRefs(doc, child, targets); err != nil {
				return err
			}
		}
	}
	return nil
}

// resolve follows a reference within the document. The whole of it, "#", is one that
// the server refuses.
func resolve(doc any, ref string) (any, bool) {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil, false
	}
	for _, step := range strings.Split(path, "/") {
		switch n := doc.(type) {
		case map[string]any:
			if doc, ok = n[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(n) {
				return nil, false
			}
			doc = n[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

// canEnd reports whether a value of the schema can be written, given the references
// of which that is known.
func canEnd(node any, ends map[string]bool) bool {
	schema, ok := node.(map[string]any)
	if !ok {
		return true
	}
	if ref, ok := schema["$ref"].(string); ok && !ends[ref] {
		return false
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if choices, ok := schema[key].([]any); ok && !some(choices, ends) {
			return false
		}
	}
	for _, key := range []string{"allOf", "prefixItems"} {
		if parts, ok := schema[key].([]any); ok && !all(parts, ends) {
			return false
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if key, ok := name.(string); ok && !canEnd(properties[key], ends) {
			return false
		}
	}
	least, _ := schema["minItems"].(float64)
	return least < 1 || canEnd(schema["items"], ends)
}

func some(list []any, ends map[string]bool) bool {
	for _, schema := range list {
		if canEnd(schema, ends) {
			return true
		}
	}
	return len(list) == 0
}

func all(list []any, ends map[string]bool) bool {
	for _, schema := range list {
		if !canEnd(schema, ends) {
			return false
		}
	}
	return true
}
