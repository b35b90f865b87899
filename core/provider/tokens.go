package provider

import (
	"unicode/utf8"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// The estimate of tokens, on the side of too many.
const (
	// bytesPerToken is that of English and of JSON; names and figures take more.
	bytesPerToken = 3
	// perMessage is what chat formats add.
	perMessage = 4
	// usualOutput is expected of a call without max_output_tokens: plans and answers
	// have a few hundred.
	usualOutput = 1024
)

// tokens are those of a call.
type tokens struct {
	input, cached, output int64 // cached are of the input
	estimated             bool
}

func (t tokens) none() bool { return t.input == 0 && t.output == 0 }

// cost is what the tokens cost by the prices, which are for a million.
func (t tokens) cost(p *config.Prices) Spent {
	out := Spent{Tokens: t.input + t.output, Estimated: t.estimated}
	if p == nil {
		return out
	}
	cached := p.Input
	if p.Cached != nil {
		cached = *p.Cached
	}
	const million = 1e6
	out.Cost = (float64(t.input-t.cached)*p.Input + float64(t.cached)*cached + float64(t.output)*p.Output) / million
	return out
}

// expected is what a request will take, as far as can be told before.
func expected(r sdk.GenerateRequest) tokens {
	t := tokens{input: promptTokens(r), output: r.MaxOutputTokens, estimated: true}
	if t.output == 0 {
		t.output = usualOutput
	}
	return t
}

// promptTokens is about how many tokens a request has.
func promptTokens(r sdk.GenerateRequest) int64 {
	n := textTokens(string(r.Schema))
	for _, m := range r.Messages {
		n += textTokens(m.Content) + perMessage
	}
	return n
}

// textTokens is about how many tokens a text has: characters of other scripts are
// mostly one each.
func textTokens(text string) int64 {
	ascii, others := 0, 0
	for _, r := range text {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			others++
		}
	}
	return int64((ascii+bytesPerToken-1)/bytesPerToken + others)
}

// unread are the failures of requests that no model has read.
var unread = map[reason.Reason]bool{
	reason.Reason(reason.AuthFailed): true, reason.Reason(reason.PermissionDenied): true, reason.Reason(reason.ModelNotFound): true,
	reason.Reason(reason.Misconfigured): true, reason.Reason(reason.InvalidRequest): true, reason.Reason(reason.RateLimited): true,
	reason.Reason(reason.QuotaExhausted): true, reason.Reason(reason.Overloaded): true, reason.Reason(reason.Unavailable): true,
	reason.Reason(reason.ContextOverflow): true,
}

// used is what a call took: what the provider says, and the expected where it does
// not say. A request that no model read took nothing; one whose answer is missing
// took its input at the least.
func (t tokens) used(u sdk.Usage, err *reason.Error) tokens {
	if t.none() || err != nil && unread[err.Reason] && !u.Input.Known && !u.Output.Known {
		return tokens{}
	}
	out := tokens{input: t.input, output: t.output}
	if err != nil && err.Reason != reason.Reason(reason.OutputTruncated) {
		out.output = 0
	}
	out.estimated = !u.Input.Known || !u.Output.Known
	if u.Input.Known {
		out.input = u.Input.N
	}
	if u.Output.Known {
		out.output = u.Output.N
	}
	if u.Cached.Known {
		out.cached = min(u.Cached.N, out.input)
	}
	return out
}
