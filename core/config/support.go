package config

import (
	"fmt"
	"strings"

	"querent.dev/querent/sdk/reason"
)

// unsupported is a setting of the format that this version does not act on.
type unsupported struct {
	at string // dotted path, * for any key
	// value is the value that is not acted on; nil means any.
	value any
	// refuse is set where ignoring the setting could show a caller more than its
	// writer meant, or take away a protection: such a configuration does not load.
	refuse bool
	why    string
}

// notYet is the one list of such settings. A setting leaves it when it acts.
var notYet = []unsupported{
	{at: "server.oidc", refuse: true, why: "callers have API keys alone; leave the setting out and set api_keys"},

	{at: "datasources.*.semantics", why: "semantics files are not read"},
	{at: "datasources.*.columns.*.collation", why: "text compares by code point"},
	{at: "agents.indexing_enrichment", why: "the agent is not there"},
	{at: "agents.embedding", why: "the agent is not there"},
}

// checkSupport sorts what src holds of that list into problems and warnings.
func checkSupport(src *source) (Problems, []Warning) {
	var problems Problems
	var warnings []Warning
	for _, u := range notYet {
		for _, at := range find(src.values, nil, strings.Split(u.at, ".")) {
			value := src.value(at)
			if empty(value) || u.value != nil && u.value != value {
				continue
			}
			message := fmt.Sprintf("is not supported by this version: %s", u.why)
			if u.refuse {
				problems = append(problems, Problem{src.at(at), message})
				continue
			}
			warnings = append(warnings, Warning{reason.SettingIgnored, src.at(at), message})
		}
	}
	return problems, warnings
}

// empty reports whether v is a section without content.
func empty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// find lists the paths in tree that match pattern and are there.
func find(tree any, at, pattern path) []path {
	if len(pattern) == 0 {
		return []path{at}
	}
	m, ok := tree.(map[string]any)
	if !ok {
		return nil
	}
	var out []path
	for _, key := range sortedKeys(m) {
		if pattern[0] == key || pattern[0] == "*" {
			out = append(out, find(m[key], at.with(key), pattern[1:])...)
		}
	}
	return out
}
