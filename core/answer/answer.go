// Package answer turns the outcome of a run into the answer that people read: a
// model words it where the table of reasons allows, templates word the rest, and
// the host words it when both are down. Whoever words it, the notes, the limits
// and the structure are the host's.
//
// It works without the graph: an Outcome and a Synthesizer are all it needs.
package answer

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"querent.dev/querent/core/notes"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/redact"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Host is who synthesized an answer when no provider could.
const Host = "host"

// FormatJSON is the format of strict JSON, which templates alone may word.
const FormatJSON = "json"

// Synthesizer words an outcome. *provider.Agent is one, also a nil one: it fails
// as an unavailable provider does.
type Synthesizer interface {
	Synthesize(ctx context.Context, t provider.SynthesisTask) (provider.SynthesisOutcome, error)
}

var _ Synthesizer = (*provider.Agent)(nil)

// Options say how an outcome is worded.
type Options struct {
	RequestID string
	// Template words what no model may word and what a model failed to word. A
	// nil Template leaves both to the host's own few words.
	Template Synthesizer
	// Format is the form of the whole answer that was asked for; FormatJSON
	// keeps models out.
	Format string
	// Form is the wanted form of the content; "" lets the synthesizer choose.
	Form wire.FormatType
	// Compliance keeps models out: approved wording only.
	Compliance bool
	// Charts adds a suggested chart where the result calls for one.
	Charts bool
	// Preview bounds what a synthesizer sees of each result.
	Preview Limits
	// Rules replace the rules at the head of the prompt for an outcome with
	// results; "" keeps our own. Those for a failure stay.
	Rules string
	// Notes are the run's warnings with their codes. Their messages are added to
	// the answer's warnings.
	Notes []wire.Note
	// Say is what the host says in English, a note or a limit, in another language,
	// or as it is where that language has no words for it. Nil: as it is.
	Say func(language, english string) string
	// Spoken is the language in which templates word an answer in a language, another
	// where they do not have that one. Nil: they have every language.
	Spoken func(language string) string
	// Stream gets a model's words while it writes them; nil for none. Templates
	// word an answer at once: nothing is streamed of theirs.
	Stream *Stream
}

// Synthesis is a worded answer and how it came about.
type Synthesis struct {
	// Answer lacks only Queries, which its reader knows.
	Answer wire.Answer
	Call   provider.Call
	// Recovered are the failures of those who should have worded the answer, in
	// order, each marked as recovered.
	Recovered []*reason.Error
}

// SynthesizeSuccess words an outcome that has results. It always returns an
// answer; when s fails, or what it wrote does not hold, the templates' or the
// host's words stand in, with a SYNTHESIS_FALLBACK note.
func SynthesizeSuccess(ctx context.Context, s Synthesizer, o wire.Outcome, opts Options) Synthesis {
	if o.Kind == "" {
		o.Kind = wire.Answered
	}
	shown := o
	shown.Results = previews(o.Results, Limits{Rows: opts.Preview.Rows})
	shown.ResultLimits = resultLimits(o)
	shown, opts = opts.inWords(shown)
	seen := shown
	seen.Results = previews(shown.Results, opts.Preview)
	return synthesize(ctx, s, job{
		shown: shown, seen: seen, opts: opts,
		modelAllowed: true,
		prompt: func() (provider.Prompt, error) {
			return successPrompt(redact.From(ctx).At(redact.Prompts).Outcome(seen), opts.Rules)
		},
		checking: successCheck(seen, cmp.Or(opts.Rules, successRules)),
	})
}

// SynthesizeFailure words an outcome without an answer. Empty fields of its
// Failure are filled from the table of reasons; an outcome without a Failure is
// worded as INVALID_STATE. A model is asked only where the table allows it.
func SynthesizeFailure(ctx context.Context, s Synthesizer, o wire.Outcome, opts Options) Synthesis {
	failure, row := completeFailure(o)
	failure.Partial = previews(failure.Partial, opts.Preview)
	o.Failure = &failure
	o.Results = previews(o.Results, opts.Preview)
	o.ResultLimits = resultLimits(o)
	o, opts = opts.inWords(o)
	if o.Kind == "" {
		o.Kind = wire.Failed
	}
	return synthesize(ctx, s, job{
		shown: o, seen: o, opts: opts,
		modelAllowed: row.Wording == reason.ModelAllowed,
		prompt:       func() (provider.Prompt, error) { return failurePrompt(redact.From(ctx).At(redact.Prompts).Outcome(o)) },
		checking:     failureCheck(o),
	})
}

// completeFailure fills what the table of reasons knows.
func completeFailure(o wire.Outcome) (wire.Failure, reason.Row) {
	var f wire.Failure
	if o.Failure != nil {
		f = *o.Failure
	}
	row, ok := reason.Lookup(f.Code, f.Reason)
	if !ok {
		row, _ = reason.Lookup(reason.InvalidState, reason.ReasonInvalidState)
		f.Code, f.Reason, f.Stage = row.Code, row.Reason, row.Stage
	}
	if f.Requirement == "" {
		f.Requirement = o.Question
	}
	if f.Stage == "" {
		f.Stage = row.Stage
	}
	if f.Message == "" {
		f.Message = row.SafeMessage
	}
	if f.NextAction == "" {
		f.NextAction = row.NextAction
	}
	return f, row
}

// job is an outcome to word.
type job struct {
	shown        wire.Outcome // what the answer holds
	seen         wire.Outcome // what a synthesizer sees
	opts         Options
	modelAllowed bool
	prompt       func() (provider.Prompt, error)
	checking     checking
}

// synthesize asks s, then the templates, and at last words it itself.
func synthesize(ctx context.Context, s Synthesizer, j job) Synthesis {
	var failed []*reason.Error
	var spent []provider.Attempt // also on words that are not shown
	if s != nil && j.modelAllowed && j.opts.Format != FormatJSON && !j.opts.Compliance {
		out, call, errs := j.ask(ctx, s, j.prompt)
		failed, spent = append(failed, errs...), call.Attempts
		if out != nil {
			return j.finish(*out, failed)
		}
	}
	if j.opts.Template != nil {
		out, call, errs := j.ask(ctx, j.opts.Template, nil)
		failed, spent = append(failed, errs...), append(slices.Clip(spent), call.Attempts...)
		if out != nil {
			out.Call.Attempts = spent
			return j.finish(*out, failed)
		}
	}
	return j.finish(provider.SynthesisOutcome{
		Response: hostWords(j.shown),
		Call:     provider.Call{Provider: Host, Attempts: spent},
	}, failed)
}

// ask returns a text that may be shown, or nil, with what it took and the failures on
// the way.
func (j job) ask(ctx context.Context, s Synthesizer, prompt func() (provider.Prompt, error)) (*provider.SynthesisOutcome, provider.Call, []*reason.Error) {
	var preparing sync.WaitGroup
	defer preparing.Wait()
	check := j.checking.once()
	words := newRelease(j.opts.Stream, check)
	task := provider.SynthesisTask{
		Prompt: j.checking.ahead(prompt, &preparing), HasRows: hasRows(j.seen) || holdValues(j.opts.Notes),
		Stream: words.sink(), Shown: words.binds, Check: check,
	}
	task.Request = provider.SynthesizeRequest{RequestID: j.opts.RequestID, Outcome: j.seen, Form: j.opts.Form, Language: j.seen.Language}
	out, err := s.Synthesize(ctx, task)
	failed := out.Call.Failed
	if err != nil {
		words.drop(synthesisError(err).Reason)
		return nil, out.Call, append(slices.Clip(failed), synthesisError(err))
	}
	// What a template made holds by construction.
	if len(out.TemplateIDs) == 0 {
		if err := check(out.Response); err != nil {
			words.drop(reason.Reason(reason.InvalidOutput))
			return nil, out.Call, append(slices.Clip(failed), ungrounded(out.Call, err))
		}
	}
	words.finish(out.Response)
	return &out, out.Call, failed
}

// finish builds the answer around the words.
func (j job) finish(out provider.SynthesisOutcome, failed []*reason.Error) Synthesis {
	o := j.shown
	spoken := j.opts.spoken(o.Language, out)
	a := wire.Answer{
		Outcome: o.Kind, Question: o.Question, Language: spoken,
		AggregatedResponse: out.Response,
		Truncated:          truncated(o),
		Results:            orEmpty(o.Results), Queries: []wire.Query{},
		Verified: o.Verified, Unmapped: o.Unmapped, Failure: o.Failure,
		SynthesizedBy: string(out.Call.Provider), TemplateIDs: out.TemplateIDs,
	}
	if j.opts.Charts {
		a.Chart = suggestChart(o)
	}
	told := allNotes(o, j.opts.Notes)
	for _, w := range out.Call.Warnings {
		told = append(told, notes.SettingIgnored(o.Language, string(out.Call.Provider), w.Setting))
	}
	if spoken != o.Language && out.Call.Provider != Host {
		told = append(told, notes.NotSpoken(o.Language, spoken))
	}
	if len(failed) > 0 {
		a.FallbackReason = failed[0].Reason
		if failed[0].Code != reason.PolicyDenied {
			told = append(told, replacedNote(o.Language, failed[0]))
		}
	}
	a.Notes = orEmpty(distinctNotes(j.opts.words(o.Language, told)))
	a.Warnings = warnings(out.Response.Warnings, o, a.Notes)
	recovered := make([]*reason.Error, len(failed))
	for i, err := range failed {
		again := *err
		again.Recovered = true
		recovered[i] = &again
	}
	return Synthesis{Answer: a, Call: out.Call, Recovered: recovered}
}

func hasRows(o wire.Outcome) bool {
	filled := func(p wire.Preview) bool { return len(p.Rows) > 0 }
	return slices.ContainsFunc(o.Results, filled) ||
		o.Failure != nil && slices.ContainsFunc(o.Failure.Partial, filled)
}

func truncated(o wire.Outcome) bool {
	return len(o.ResultLimits) > 0 || slices.ContainsFunc(o.Results, func(p wire.Preview) bool { return p.Truncated })
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
