package provider

import (
	"context"
	"strings"
	"unicode"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// bindFirst gives the agent the template provider's planner to ask before its
// chain, where the strategy says so. A chain that begins with a planner needs none.
func (r *Registry) bindFirst(a *Agent, template *endpoint) {
	if a.settings.Strategy != config.StrategyDeterministicFirst || template == nil || template.Planner == nil || a.chain[0].Planner != nil {
		return
	}
	a.first = &Agent{
		name: a.name, logger: a.logger, settings: config.Agent{Timeout: templateTimeout},
		chain: []link{{endpoint: template, data: template.data}},
	}
}

// planFirst asks the deterministic planner, whose plan counts only when it is
// sure: when it used every word of the question. What it refuses, and what a later
// attempt asks, is for the chain. A failure is handed back beside.
func (a *Agent) planFirst(ctx context.Context, t PlanTask) (PlanOutcome, bool, []*reason.Error) {
	if a == nil || a.first == nil || len(t.Request.Feedback) > 0 {
		return PlanOutcome{}, false, nil
	}
	out, call, err := ask(ctx, a.first, func(ctx context.Context, l link, _ *Call) (PlanOutcome, error) {
		return planTyped(ctx, l, t)
	})
	if err != nil {
		return PlanOutcome{}, false, append(call.Failed, reason.From(err))
	}
	out.Call = call
	asked := firstOf(t.Request.Intent, t.Request.Question)
	return out, out.Response.Plan != nil && covered(asked, out.Response.Coverage), nil
}

// covered reports whether every word of the question was used, or is known to
// have no weight.
func covered(question string, used []sdk.Coverage) bool {
	known := map[string]bool{}
	for _, c := range used {
		for _, word := range splitWords(c.Word) {
			known[word] = true
		}
	}
	for _, word := range splitWords(question) {
		if !known[word] {
			return false
		}
	}
	return len(known) > 0
}

func splitWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
