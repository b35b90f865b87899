package synth

import (
	"strings"

	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// failure words an outcome without an answer. The reason comes in the pack's
// words, and what the host says beyond the table of reasons behind it.
func (w *wording) failure() (sdk.SynthesizeResponse, error) {
	f := w.outcome.Failure
	row, ok := reason.Lookup(f.Code, f.Reason)
	phrase, worded := w.lang.Phrase(pack.Key{Code: f.Code, Reason: f.Reason})
	if !ok || !worded {
		return sdk.SynthesizeResponse{}, sdk.Errorf(reason.InvalidRequest, "there is no code %q with the reason %q", f.Code, f.Reason)
	}
	v := w.common()
	set := func(name pack.Field, text string) { v[name] = pack.Value{Text: text} }
	set(pack.Requirement, plain(firstOf(f.Requirement, w.outcome.Question)))
	set(pack.Attempted, plain(strings.Join(f.Attempted, "; ")))
	set(pack.FailedStep, plain(f.FailedStep))
	set(pack.Stage, string(row.Stage))
	set(pack.Reason, string(f.Reason))
	set(pack.Code, string(f.Code))
	set(pack.Says, phrase.Says)
	if f.Message != row.SafeMessage {
		set(pack.Detail, plain(f.Message))
	}
	set(pack.Do, phrase.Do)
	if f.NextAction != "" && f.NextAction != row.NextAction {
		set(pack.Do, plain(f.NextAction))
	}
	set(pack.NotKnown, plain(strings.Join(f.NotKnown, ", ")))
	set(pack.Choices, bullets(f.Choices))
	set(pack.Proposals, bullets(f.Proposals))
	set(pack.PlanID, plain(f.PlanID))
	set(pack.Datasource, plain(f.Datasource))
	set(pack.Provider, plain(f.Provider))
	set(pack.Partial, w.partial())
	w.use(phrase.ID)
	return w.respond([]part{{shape: pack.ShapeNone, values: v, code: f.Code, reason: f.Reason}})
}

// partial are the rows that were found before the failure.
func (w *wording) partial() string {
	var tables []string
	for _, p := range w.outcome.Failure.Partial {
		tables = append(tables, w.result(p).values[pack.Body].Text)
	}
	return strings.Join(tables, "\n\n")
}

func bullets(list []string) string {
	lines := make([]string, len(list))
	for i, text := range list {
		lines[i] = "- " + plain(text)
	}
	return strings.Join(lines, "\n")
}
