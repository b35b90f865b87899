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
	out, call, err := ask(ctx, a.first, &exchange{}, func(ctx context.Context, turn *turn) (PlanOutcome, error) {
		return planTyped(ctx, turn, t)
	})
	if err != nil {
		return PlanOutcome{}, false, append(call.Failed, reason.From(err))
	}
	out.Call, out.Others = call, true
	asked := firstOf(t.Request.Intent, t.Request.Question)
	return out, out.Response.Plan != nil && covered(asked, out.Response.Coverage), nil
}

// covered reports whether all of the question was used, or is known to have no
// weight. Planners cut words into parts where the language glues them together.
func covered(question string, used []sdk.Coverage) bool {
	rest := letters(question)
	for _, c := range used {
		rest = strings.Replace(rest, letters(c.Word), "", 1)
	}
	return rest == "" && len(used) > 0
}

// letters is a text without what stands between its words.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, strings.ToLower(text))
}
