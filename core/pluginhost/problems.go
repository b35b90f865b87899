package pluginhost

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// maxProblems bounds how many problems of settings are told at once.
const maxProblems = 5

// problems are the causes of a failed validation, each with its place. They name
// what is expected and never what is there.
func problems(e *jsonschema.ValidationError) []string {
	var out []string
	for _, leaf := range leaves(e) {
		problem := "config" + dotted(leaf.InstanceLocation) + " " + expectation(leaf.ErrorKind)
		if !slices.Contains(out, problem) {
			out = append(out, problem)
		}
	}
	slices.Sort(out)
	if len(out) > maxProblems {
		out = append(out[:maxProblems], fmt.Sprintf("and %d more", len(out)-maxProblems))
	}
	return out
}

func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var out []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		out = append(out, leaves(cause)...)
	}
	return out
}

func dotted(location []string) string {
	if len(location) == 0 {
		return ""
	}
	return "." + strings.Join(location, ".")
}

func expectation(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return fmt.Sprintf("is %s, expected %s", k.Got, strings.Join(k.Want, " or "))
	case *kind.Required:
		return "lacks " + strings.Join(k.Missing, ", ")
	case *kind.AdditionalProperties:
		return "holds the unknown setting " + strings.Join(k.Properties, ", ")
	case *kind.Enum:
		return "must be one of " + list(k.Want)
	case *kind.Const:
		return fmt.Sprintf("must be %v", k.Want)
	case *kind.Pattern:
		return "must match the pattern " + k.Want
	case *kind.Format:
		return "must have the form of a " + k.Want
	case *kind.MinLength:
		return fmt.Sprintf("must have at least %d characters", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %d characters", k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %d entries", k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %d entries", k.Want)
	case *kind.Minimum:
		return "must be at least " + number(k.Want)
	case *kind.ExclusiveMinimum:
		return "must be more than " + number(k.Want)
	case *kind.Maximum:
		return "must be at most " + number(k.Want)
	case *kind.ExclusiveMaximum:
		return "must be less than " + number(k.Want)
	}
	return "does not satisfy " + strings.Join(k.KeywordPath(), "/") + " of the plugin's schema"
}

func list(values []any) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = fmt.Sprint(v)
	}
	return strings.Join(out, ", ")
}

func number(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	f, _ := r.Float64()
	return fmt.Sprint(f)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
