package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func synthesizerChecks() []check {
	on := func(name, promise string, run func(context.Context, *session) error) check {
		return check{name: "synthesizer/" + name, promise: promise, service: sdk.ServiceSynthesizer, run: run}
	}
	return []check{
		on("every_outcome", "every outcome gets a summary, in a form of the protocol", everyOutcome),
		on("unknown_language", "a language that the plugin does not know is no error", unknownLanguage),
		on("no_invented_number", "no number is said that the outcome does not hold", noInventedNumber),
		on("deterministic", "the same request gives the same bytes, also in another process", synthesizerDeterministic),
		on("at_once", "requests at once give what they give one by one", synthesizerAtOnce),
	}
}

// outcomes are an outcome of every kind, with figures that come up by no accident.
func outcomes() []wire.Outcome {
	column := func(name string, k wire.Kind) wire.Column {
		return wire.Column{Name: name, Type: wire.Type{Kind: k}}
	}
	count := wire.Preview{Columns: []wire.Column{column("riders", wire.KindInt)}, Rows: [][]wire.Value{{wire.Int(4711)}}, RowCount: 1}
	table := wire.Preview{
		Columns: []wire.Column{column("name", wire.KindText), column("km", wire.KindFloat), column("since", wire.KindDate)},
		Rows: [][]wire.Value{
			{wire.Text("Ada"), wire.Float(1234567.5), wire.Date(time.Date(2019, 3, 17, 0, 0, 0, 0, time.UTC))},
			{wire.Text("Bo"), wire.Float(88.25), wire.Null()},
		},
		RowCount: 961, Partial: true,
	}
	cut := table
	cut.Truncated, cut.RowCap, cut.RowCount = true, 873, 873
	outcome := func(kind wire.OutcomeKind, results []wire.Preview, failure *wire.Failure) wire.Outcome {
		return wire.Outcome{Kind: kind, Question: "How many riders?", Results: results, Failure: failure}
	}
	failed := func(code reason.Code, why reason.Reason) *wire.Failure {
		e := reason.New(code, why, "the kit's own failure")
		return &wire.Failure{Requirement: "How many riders?", FailedStep: "q1/executor", Stage: e.Stage, Code: e.Code, Reason: e.Reason, Message: e.SafeMessage, NextAction: e.NextAction}
	}
	partial := outcome(wire.Partial, []wire.Preview{cut}, nil)
	partial.ResultLimits = []string{"The result was cut at 873 rows, the row limit, so it is incomplete."}
	partial.Unmapped = []wire.Unmapped{{Part: "the weather", Reason: reason.ReasonNoDatasource}}
	return []wire.Outcome{
		outcome(wire.Answered, []wire.Preview{count}, nil), outcome(wire.Answered, []wire.Preview{table}, nil), partial,
		outcome(wire.NeedsClarification, nil, failed(reason.Ambiguous, reason.ReasonNeedsClarification)),
		outcome(wire.CannotAnswer, nil, failed(reason.NotUnderstood, reason.ReasonWordsNotUnderstood)),
		outcome(wire.Refused, nil, failed(reason.PolicyDenied, reason.ReasonNotPermitted)),
		outcome(wire.Failed, nil, failed(reason.ExecutionFailed, reason.ReasonExecutionFailed)),
		outcome(wire.Cancelled, nil, failed(reason.CancelledCode, reason.ReasonCancelled)),
	}
}

// worded is the outcomes in words, in each language.
func worded(ctx context.Context, p *plugin, check func(wire.Outcome, sdk.SynthesizeResponse) error, languages ...string) error {
	for _, o := range outcomes() {
		for _, language := range languages {
			o.Language = language
			r, err := p.Synthesizer().Synthesize(ctx, sdk.SynthesizeRequest{RequestID: "conformance", Outcome: o, Language: language})
			if err == nil {
				err = check(o, r)
			}
			if err != nil {
				return fmt.Errorf("%s in %q: %w", o.Kind, language, err)
			}
		}
	}
	return nil
}

func hasWords(_ wire.Outcome, r sdk.SynthesizeResponse) error {
	forms := []wire.FormatType{wire.FormatTable, wire.FormatList, wire.FormatText}
	switch {
	case strings.TrimSpace(r.Response.Summary) == "":
		return fmt.Errorf("the summary is empty")
	case !slices.Contains(forms, r.Response.FormatType):
		return fmt.Errorf("the form is %q", r.Response.FormatType)
	}
	return nil
}

func everyOutcome(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	return worded(ctx, p, hasWords, "en")
}

func unknownLanguage(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	return worded(ctx, p, hasWords, "tlh", "")
}

// figure is a number as it stands in a text.
var figure = regexp.MustCompile(`\d+(?:[.,:\-/]\d+)*`)

// digits are the parts of a figure.
var digits = regexp.MustCompile(`\d+`)

// plainFigure is a figure without grouping, and without zeros that say nothing.
func plainFigure(text string) string {
	text = strings.TrimLeft(strings.ReplaceAll(text, ",", ""), "0")
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// figuresOf are the numbers that may be said of an outcome.
func figuresOf(o wire.Outcome) (map[string]bool, error) {
	b, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{"": true} // zero
	add := func(text string) {
		known[plainFigure(text)] = true
		for _, part := range digits.FindAllString(text, -1) {
			known[plainFigure(part)] = true
		}
	}
	for _, text := range figure.FindAllString(string(b), -1) {
		add(text)
	}
	for _, r := range o.Results {
		for _, row := range r.Rows {
			for _, v := range row {
				for _, text := range append(figure.FindAllString(v.String(), -1), figure.FindAllString(v.Rounded(), -1)...) {
					add(text)
				}
			}
		}
		for n := range max(len(r.Rows), len(r.Columns)) { // how many are shown, and their numbers in a list
			add(strconv.Itoa(n + 1))
		}
		add(strconv.FormatInt(r.RowCount-int64(len(r.Rows)), 10)) // how many are not shown
	}
	add(strconv.Itoa(len(o.Results)))
	return known, nil
}

func noInventedNumber(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	return worded(ctx, p, func(o wire.Outcome, r sdk.SynthesizeResponse) error {
		known, err := figuresOf(o)
		if err != nil {
			return err
		}
		for _, said := range figure.FindAllString(r.Response.Summary+"\n"+r.Response.Content, -1) {
			if !known[plainFigure(said)] {
				return fmt.Errorf("it says %s, which the outcome does not hold: %s", said, r.Response.Summary)
			}
		}
		return nil
	}, "en", "ko")
}

// allWords is every outcome in words, as bytes.
func allWords(ctx context.Context, p *plugin) (string, error) {
	var all strings.Builder
	err := worded(ctx, p, func(_ wire.Outcome, r sdk.SynthesizeResponse) error {
		b, err := json.Marshal(r)
		all.Write(b)
		return err
	}, "en", "ko")
	return all.String(), err
}

func synthesizerDeterministic(ctx context.Context, s *session) error {
	return sameBytes(ctx, s, func(p *plugin) (string, error) { return allWords(ctx, p) })
}

func synthesizerAtOnce(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	return sameAtOnce(func() (string, error) { return allWords(ctx, p) })
}
