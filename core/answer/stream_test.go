package answer_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// speaker is a model that writes a few characters at a time.
type speaker struct {
	writer
	length int
	fails  *reason.Error // after all was written
}

func (s *speaker) Synthesize(ctx context.Context, t provider.SynthesisTask) (provider.SynthesisOutcome, error) {
	for _, field := range []provider.Piece{{Field: provider.FieldSummary, Text: s.summary}, {Field: provider.FieldContent, Text: s.content}} {
		for runes := []rune(field.Text); len(runes) > 0; {
			n := min(s.length, len(runes))
			t.Stream(provider.Piece{Provider: "local", Field: field.Field, Text: string(runes[:n])})
			runes = runes[n:]
		}
	}
	if s.fails != nil {
		t.Stream(provider.Piece{Provider: "local", Failed: s.fails})
		return provider.SynthesisOutcome{}, s.fails
	}
	return s.writer.Synthesize(ctx, t)
}

// heard is what a client of a stream got.
type heard struct {
	deltas          []string
	fields          map[string]string
	replaced        []reason.Reason
	everySaid       string // what was ever shown
	answer          wire.Answer
	notes, recovery int
}

func hear(grounded bool, s answer.Synthesizer, o wire.Outcome) *heard {
	h := &heard{fields: map[string]string{}}
	out := &answer.Stream{
		Grounded: grounded,
		Delta: func(field, text string) {
			h.deltas = append(h.deltas, text)
			h.fields[field] += text
			h.everySaid += text
		},
		Replaced: func(from config.ProviderName, why reason.Reason) {
			if from != "local" {
				why = "nobody was replaced"
			}
			h.replaced = append(h.replaced, why)
			h.fields = map[string]string{}
		},
	}
	done := answer.SynthesizeSuccess(context.Background(), s, o, answer.Options{Template: template(), Stream: out})
	h.answer, h.notes, h.recovery = done.Answer, len(done.Answer.Notes), len(done.Recovered)
	return h
}

const (
	honest  = "Brazil has 1,313 customers. Korea has -7! In all there are 24 countries. That is all."
	details = "1. Brazil: 1313\n2. Korea: -7\n"
)

func TestAStreamIsTheAnswer(t *testing.T) {
	for _, grounded := range []bool{true, false} {
		for _, length := range []int{1, 3, 17, 1000} {
			m := &speaker{writer: writer{summary: honest, content: details}, length: length}
			h := hear(grounded, m, countries())
			if h.fields[provider.FieldSummary] != h.answer.Summary || h.fields[provider.FieldContent] != h.answer.Content || h.answer.Summary != honest || len(h.replaced) > 0 {
				t.Errorf("grounded %t in %d: passed on %q, replaced %v, answer %+v", grounded, length, h.fields, h.replaced, h.answer)
			}
			unstreamed := answer.SynthesizeSuccess(context.Background(), &m.writer, countries(), answer.Options{Template: template()}).Answer
			if unstreamed.Summary != h.answer.Summary || unstreamed.Content != h.answer.Content || unstreamed.SynthesizedBy != h.answer.SynthesizedBy || h.notes != len(unstreamed.Notes) {
				t.Errorf("the streamed answer differs: %+v, %+v", h.answer, unstreamed)
			}
			if length < 20 && len(h.deltas) < 4 {
				t.Errorf("grounded %t in %d: only %d deltas", grounded, length, len(h.deltas))
			}
		}
	}
}

// Sentence by sentence: what agrees is shown at once, what does not never is.
func TestAGroundedStreamShowsNoInventedNumber(t *testing.T) {
	m := &speaker{writer: writer{summary: "Brazil has 1,313 customers. Korea has 1,400 customers. The end. "}, length: 2}
	h := hear(true, m, countries())
	if h.everySaid != "Brazil has 1,313 customers." {
		t.Errorf("shown: %q", h.everySaid)
	}
	if !slices.Equal(h.replaced, []reason.Reason{reason.Reason(reason.InvalidOutput)}) || h.answer.SynthesizedBy != "fixed" {
		t.Errorf("replaced %v, worded by %s", h.replaced, h.answer.SynthesizedBy)
	}
	if h = hear(false, m, countries()); h.everySaid != m.summary || len(h.replaced) != 1 {
		t.Errorf("raw: shown %q, replaced %v", h.everySaid, h.replaced)
	}
}

// A number that a later sentence puts right waits for it.
func TestASentenceThatNeedsTheNextWaitsForIt(t *testing.T) {
	o := countries()
	o.Results[0].Truncated, o.Results[0].RowCap = true, 24
	text := "The result has 24 countries. It was cut there. Brazil has 1,313."
	h := hear(true, &speaker{writer: writer{summary: text}, length: 1}, o)
	if len(h.replaced) > 0 || h.fields[provider.FieldSummary] != text || strings.HasSuffix(h.deltas[0], "countries.") {
		t.Errorf("deltas %q, replaced %v", h.deltas, h.replaced)
	}
}

func TestAStreamThatFailsIsReplaced(t *testing.T) {
	gone := reason.Provider(reason.Incomplete, "it broke off")
	h := hear(false, &speaker{writer: writer{summary: honest}, length: 5, fails: gone}, countries())
	if !slices.Equal(h.replaced, []reason.Reason{"incomplete"}) || h.answer.SynthesizedBy != "fixed" || h.recovery != 1 {
		t.Errorf("replaced %v, answer %+v", h.replaced, h.answer)
	}
	// Nothing was shown, so nothing is taken back.
	h = hear(true, &speaker{length: 5, fails: gone}, countries())
	if len(h.replaced) != 0 || len(h.deltas) != 0 {
		t.Errorf("replaced %v, deltas %v", h.replaced, h.deltas)
	}
}

// Templates and the host word an answer at once: their words are no deltas.
func TestOnlyModelsAreStreamed(t *testing.T) {
	for name, s := range map[string]answer.Synthesizer{
		"templates": template(), "a model that fails": &writer{err: errors.New("no")}, "a model that does not stream": &writer{summary: "Brazil has 1,313 customers."},
	} {
		if h := hear(true, s, countries()); len(h.deltas) != 0 || len(h.replaced) != 0 {
			t.Errorf("%s: deltas %q, replaced %v", name, h.deltas, h.replaced)
		}
	}
}
