// Package synth words outcomes with template packs. It has no clock, no
// randomness and no locale of the machine: the same request gives the same bytes.
package synth

import (
	"context"
	"slices"
	"strings"

	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Synthesizer words outcomes with one set of packs.
type Synthesizer struct{ set *pack.Set }

var _ sdk.Synthesizer = (*Synthesizer)(nil)

// New is a Synthesizer that speaks the languages of set.
func New(set *pack.Set) *Synthesizer { return &Synthesizer{set} }

// Synthesize implements sdk.Synthesizer. An outcome of no known kind, and a
// failure that is not in the table of reasons, are invalid requests.
func (s *Synthesizer) Synthesize(_ context.Context, r sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
	o := r.Outcome
	if !slices.Contains(wire.OutcomeKinds(), o.Kind) {
		return sdk.SynthesizeResponse{}, sdk.Errorf(reason.InvalidRequest, "there is no outcome %q", o.Kind)
	}
	w := &wording{lang: s.set.Language(firstOf(r.Language, o.Language)), outcome: o, form: r.Form}
	if o.Failure != nil {
		return w.failure()
	}
	return w.success()
}

// wording is one answer in the making.
type wording struct {
	lang    *pack.Language
	outcome wire.Outcome
	form    wire.FormatType
	ids     []string
}

// success words every result by its own shape, one after the other.
func (w *wording) success() (sdk.SynthesizeResponse, error) {
	results := w.outcome.Results
	if len(results) == 0 {
		return w.respond([]part{{shape: pack.ShapeNone, values: w.common()}})
	}
	parts := make([]part, len(results))
	for i, p := range results {
		parts[i] = w.result(p)
		parts[i].of = plain(p.Part)
		if i > 0 {
			// What concerns the whole answer is said once.
			delete(parts[i].values, pack.Unmapped)
			delete(parts[i].values, pack.DataNotes)
		}
	}
	return w.respond(parts)
}

// part is what one template words.
type part struct {
	of     string // the part of the question, "" for the whole of it
	shape  pack.Shape
	form   wire.FormatType
	values pack.Values
	code   reason.Code
	reason reason.Reason
}

func (w *wording) respond(parts []part) (sdk.SynthesizeResponse, error) {
	var summaries, contents []string
	format := wire.FormatText
	for _, p := range parts {
		t := w.lang.Find(w.facts(p))
		if t == nil {
			return sdk.SynthesizeResponse{}, sdk.Errorf(reason.InternalProvider, "no template for outcome %s, shape %s", w.outcome.Kind, p.shape)
		}
		w.use(t.ID)
		summaries = append(summaries, p.heading(" ")+t.Summary.Render(p.values, w.lang.Tag))
		if text := strings.Trim(t.Content.Render(p.values, w.lang.Tag), "\n"); text != "" {
			contents = append(contents, p.heading("\n")+text)
		}
		if format = t.Format; p.form != "" && t.Format != wire.FormatText {
			format = p.form
		}
	}
	return sdk.SynthesizeResponse{
		Response: wire.AggregatedResponse{
			Summary: strings.Join(summaries, " "), FormatType: format, Content: strings.Join(contents, "\n\n"),
			Warnings: append(slices.Concat([]string{}, w.outcome.DataNotes), w.outcome.ResultLimits...),
		},
		TemplateIDs: w.ids,
	}, nil
}

// heading tells which part of the question follows, where there are several.
func (p part) heading(behind string) string {
	if p.of == "" {
		return ""
	}
	return p.of + ":" + behind
}

func (w *wording) facts(p part) pack.Facts {
	f := pack.Facts{Outcome: w.outcome.Kind, Shape: p.shape, Code: p.code, Reason: p.reason, Datasource: w.outcome.Datasource}
	if w.outcome.Failure != nil {
		f.Datasource = w.outcome.Failure.Datasource
	}
	if w.outcome.Verified != nil {
		f.Verified = w.outcome.Verified.ID
	}
	return f
}

// use notes a template's id at its first use.
func (w *wording) use(id string) {
	if !slices.Contains(w.ids, id) {
		w.ids = append(w.ids, id)
	}
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
