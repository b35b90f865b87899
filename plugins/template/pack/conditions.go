package pack

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// conditions are those of a template. An empty list holds always.
type conditions struct {
	Outcome    []wire.OutcomeKind `yaml:"outcome"`
	Shape      []Shape            `yaml:"shape"`
	Code       []reason.Code      `yaml:"code"`
	Reason     []reason.Reason    `yaml:"reason"`
	Datasource []string           `yaml:"datasource"`
	Verified   []string           `yaml:"verified"`
}

// match reports whether all conditions hold, and how many there are: the more
// there are, the more a template was made for the case.
func (c conditions) match(f Facts) (specific int, ok bool) {
	ok = true
	count := func(given, holds bool) {
		if given {
			specific++
			ok = ok && holds
		}
	}
	count(len(c.Outcome) > 0, slices.Contains(c.Outcome, f.Outcome))
	count(len(c.Shape) > 0, slices.Contains(c.Shape, f.Shape))
	count(len(c.Code) > 0, slices.Contains(c.Code, f.Code))
	count(len(c.Reason) > 0, slices.Contains(c.Reason, f.Reason))
	count(len(c.Datasource) > 0, slices.Contains(c.Datasource, f.Datasource))
	count(len(c.Verified) > 0, slices.Contains(c.Verified, f.Verified))
	return specific, ok
}

// Named are the datasources and the verified queries that the template's conditions
// name. Whether they are there, the configuration knows.
func (t *Template) Named() (datasources, verified []string) {
	return t.when.Datasource, t.when.Verified
}

// Problem is what is wrong with the template, in its place in the file.
func (t *Template) Problem(format string, args ...any) Problem {
	return Problem{t.file, t.line, fmt.Sprintf("template %q", t.name), fmt.Sprintf(format, args...)}
}

// problems names the conditions that can never hold.
func (c conditions) problems() []string {
	var codes []reason.Code
	var reasons []reason.Reason
	for _, row := range reason.Rows() {
		codes, reasons = append(codes, row.Code), append(reasons, row.Reason)
	}
	var out []string
	out = append(out, unknown("outcome", c.Outcome, wire.OutcomeKinds())...)
	out = append(out, unknown("shape", c.Shape, Shapes())...)
	out = append(out, unknown("code", c.Code, codes)...)
	return append(out, unknown("reason", c.Reason, reasons)...)
}

func unknown[T ~string](what string, given, known []T) []string {
	var out []string
	for _, v := range given {
		if !slices.Contains(known, v) {
			out = append(out, fmt.Sprintf("when.%s: there is no %s %q", what, what, v))
		}
	}
	return out
}

func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
