package synth

import (
	"strings"

	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
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
	set(pack.Attempted, plain(strings.Join(w.sentences(f.Attempted), "; ")))
	set(pack.FailedStep, plain(f.FailedStep))
	set(pack.Stage, string(row.Stage))
	set(pack.Reason, string(f.Reason))
	set(pack.Code, string(f.Code))
	set(pack.Says, phrase.Says)
	set(pack.Detail, plain(w.detail(f, row)))
	set(pack.Do, phrase.Do)
	if f.NextAction != "" && f.NextAction != row.NextAction {
		set(pack.Do, plain(w.said(f.NextAction)))
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

// detail is what the host says that the phrase and the other fields do not: a
// message often stands in front of the table's own, or lists the words not known.
func (w *wording) detail(f *wire.Failure, row reason.Row) string {
	rest := strings.TrimSuffix(f.Message, row.SafeMessage)
	listed := len(f.NotKnown) > 0
	for _, word := range f.NotKnown {
		listed = listed && strings.Contains(rest, word)
	}
	if listed {
		return ""
	}
	if rest != f.Message {
		rest = strings.TrimRight(rest, ": ")
	}
	return w.said(rest)
}

// said is a sentence of the host in the language, or quoted as it is.
func (w *wording) said(english string) string {
	own := w.lang.Sentence(english)
	if base, _ := w.lang.Tag.Base(); own == english && english != "" && base.String() != "en" {
		return w.lang.Sentence(saidInEnglish + english)
	}
	return own
}

// saidInEnglish begins what a language quotes because it has no words of its own for it.
const saidInEnglish = "The program said in English: "

func (w *wording) sentences(english []string) []string {
	out := make([]string, len(english))
	for i, text := range english {
		out[i] = w.lang.Sentence(text)
	}
	return out
}

// partial are the rows that were found before the failure.
func (w *wording) partial() string {
	var tables []string
	for _, p := range w.outcome.Failure.Partial {
		found := w.result(p)
		found.of = plain(p.Part)
		text := found.values[pack.Body].Text
		if text == "" {
			text = found.values[pack.Cell].Text
		}
		tables = append(tables, found.heading("\n")+text)
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
