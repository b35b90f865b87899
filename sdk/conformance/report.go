package conformance

import (
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/conformance/fakeserver"
)

// Status is how a check came out.
type Status string

// The statuses.
const (
	Passed       Status = "passed"
	Failed       Status = "failed"
	DoesNotApply Status = "does not apply"
)

// Result is a check with how it came out.
type Result struct {
	Check   string `json:"check"`   // group/name
	Promise string `json:"promise"` // what a plugin must do, or what a server sends
	Status  Status `json:"result"`
	// Detail is why a check failed or does not apply.
	Detail string `json:"detail,omitempty"`
}

// Report is what came out of all checks.
type Report struct {
	Plugin   string            `json:"plugin"`
	Version  string            `json:"version"`
	Services []sdk.ServiceName `json:"services"`
	Shape    fakeserver.Shape  `json:"quirks,omitempty"`
	Results  []Result          `json:"results"`
}

// Count is the number of results with a status.
func (r Report) Count(s Status) int {
	n := 0
	for _, result := range r.Results {
		if result.Status == s {
			n++
		}
	}
	return n
}

// OK reports whether the plugin conforms: something was checked, and of that
// everything passed. What does not apply counts as neither.
func (r Report) OK() bool { return r.Count(Failed) == 0 && r.Count(Passed) > 0 }

// Rule is a check as the documentation lists it.
type Rule struct {
	Name    string
	Promise string
}

// Rules lists the checks of the protocol's contracts, in the order in which they
// run. The quirks are fakeserver.Quirks.
func Rules() []Rule {
	var out []Rule
	for _, c := range contracts() {
		out = append(out, Rule{c.name, c.promise})
	}
	return out
}
