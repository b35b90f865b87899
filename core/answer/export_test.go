package answer

import "querent.dev/querent/sdk/wire"

// CheckSuccess is the check of a model's words, for its benchmark.
var CheckSuccess = func(o wire.Outcome, r wire.AggregatedResponse) error { return successCheck(o, successRules).check(r) }

// Steered is what is wrong with a text that an order in the data may have brought about.
func Steered(o wire.Outcome, text string) []error {
	var out []error
	for _, v := range newSteering(successRules, o.Results, o.Question).check(text) {
		out = append(out, v)
	}
	return out
}
