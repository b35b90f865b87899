package provider

import (
	"slices"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// Purpose says what a call of a provider was for.
type Purpose string

// The purposes.
const (
	PurposeAsk    Purpose = "ask"    // the request as it is
	PurposeRetry  Purpose = "retry"  // again, after a failure that may pass
	PurposeForm   Purpose = "form"   // again, with output asked for in a way that the model takes
	PurposeLonger Purpose = "longer" // again, with more room for the output
	PurposeRepair Purpose = "repair" // with what was wrong with the output before
)

// Attempt is one call of a provider: what it was for, how it ended, what it took.
// It holds no text of the provider.
type Attempt struct {
	Provider config.ProviderName
	Plugin   config.PluginName
	Model    string // as served, else as asked; "" for a provider without a model
	Purpose  Purpose
	Mode     sdk.OutputMode // how the output was asked for; "" for a provider without a model
	Code     reason.Code    // "" when the provider answered
	Reason   reason.Reason
	Usage    sdk.Usage // as the provider counted
	Spent    Spent
	// Waited is the time before the call for the provider to recover, Queued that for
	// one of its max_parallel places, and Took the call's own. They stay out of JSON:
	// they differ from run to run.
	Waited, Queued, Took time.Duration `json:"-"`
}

// Call says who answered and at what cost.
type Call struct {
	Provider config.ProviderName
	Plugin   config.PluginName
	Model    string // as served; "" for a provider without a model
	// Usage is the sum over the provider's calls that were answered; a figure is
	// unknown when one of them did not tell it.
	Usage    sdk.Usage
	Warnings []sdk.Warning // one for each setting
	// Failed are the errors of providers that were tried before, in order.
	Failed []*reason.Error
	// Retried are the errors of earlier calls of the same provider.
	Retried []*reason.Error
	// Attempts are all calls, those of providers that failed among them.
	Attempts []Attempt
}

// Tally is what one provider took for a request.
type Tally struct {
	Provider config.ProviderName
	Plugin   config.PluginName
	Model    string // as served; "" for a provider without a model
	Calls    int    // that reached the provider, those that failed among them
	Usage    sdk.Usage
	Spent    Spent
}

// Tallies are what each provider took that was asked, in the order of asking. An
// answer that nobody was called for has one of its maker.
func (c Call) Tallies() []Tally {
	if len(c.Attempts) == 0 {
		return []Tally{{Provider: c.Provider, Plugin: c.Plugin, Model: c.Model, Usage: c.Usage}}
	}
	var out []Tally
	for _, a := range c.Attempts {
		i := slices.IndexFunc(out, func(t Tally) bool { return t.Provider == a.Provider })
		if i < 0 {
			i = len(out)
			out = append(out, Tally{Provider: a.Provider, Plugin: a.Plugin})
		}
		t := &out[i]
		t.Model, t.Usage, t.Spent = a.Model, sum(t.Usage, a), t.Spent.plus(a.Spent)
		t.Calls++
	}
	return out
}

// EvidenceCalls is the key under which an error says how often its provider was
// asked.
const EvidenceCalls = "calls"

// Settled reports whether err is a failure of a provider against which its agent
// has done what repeating does: another attempt at once would end the same.
func Settled(err *reason.Error) bool {
	_, counted := err.Evidence[EvidenceCalls]
	kind := reason.Kind(err.Reason)
	return counted && err.Code == reason.ProviderCode(kind) && (slices.Contains(repeated, kind) || kind == reason.OutputTruncated)
}

// times are those of a call.
type times struct{ waited, queued, took time.Duration }

// record notes a call that was made.
func (t *turn) record(o order, res sdk.GenerateResponse, err *reason.Error, spent Spent, took times) {
	a := Attempt{
		Provider: t.name, Plugin: t.Plugin, Model: firstOf(res.ModelServed, t.modelAsked()), Purpose: o.purpose, Mode: o.mode,
		Waited: took.waited, Queued: took.queued, Took: took.took, Usage: res.Usage, Spent: spent,
	}
	if err != nil {
		a.Code, a.Reason = err.Code, err.Reason
	}
	t.attempts = append(t.attempts, a)
	t.model = res.ModelServed
	for _, w := range res.Warnings {
		t.warn(w)
	}
}

// warn notes a setting that was not honoured, once.
func (t *turn) warn(w sdk.Warning) {
	same := func(known sdk.Warning) bool { return known.Setting == w.Setting }
	if !slices.ContainsFunc(t.warnings, same) {
		t.warnings = append(t.warnings, w)
	}
}

// sum adds what an attempt used. An attempt that cost nothing does not count.
func sum(u sdk.Usage, a Attempt) sdk.Usage {
	if a.Spent.Tokens == 0 && a.Usage == (sdk.Usage{}) {
		return u
	}
	if u == (sdk.Usage{}) {
		return a.Usage
	}
	return sdk.Usage{
		Input: plus(u.Input, a.Usage.Input), Output: plus(u.Output, a.Usage.Output),
		Cached: plus(u.Cached, a.Usage.Cached), Reasoning: plus(u.Reasoning, a.Usage.Reasoning),
	}
}

func plus(a, b sdk.Count) sdk.Count {
	if !a.Known || !b.Known {
		return sdk.Count{}
	}
	return sdk.Known(a.N + b.N)
}
