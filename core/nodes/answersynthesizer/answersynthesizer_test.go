package answersynthesizer_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/nodes/answersynthesizer"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// writer words outcomes, and keeps the one it was given.
type writer struct {
	name     string
	template bool
	fails    func(ctx context.Context) error
	outcome  *wire.Outcome
	form     wire.FormatType
	calls    int
}

func (w *writer) Synthesize(ctx context.Context, t provider.SynthesisTask) (provider.SynthesisOutcome, error) {
	w.calls++
	w.outcome, w.form = &t.Request.Outcome, t.Request.Form
	if w.fails != nil {
		if err := w.fails(ctx); err != nil {
			return provider.SynthesisOutcome{}, err
		}
	}
	out := provider.SynthesisOutcome{Response: wire.AggregatedResponse{Summary: "by " + w.name, FormatType: wire.FormatText, Warnings: []string{}}}
	out.Call.Provider = "local"
	if w.template {
		out.TemplateIDs = []string{"pack/a@1"}
	}
	return out, ctx.Err()
}

func node(model, template *writer) *answersynthesizer.Node {
	n := &answersynthesizer.Node{LastWords: time.Minute, Preview: answer.Limits{Rows: 20, Chars: 4000}}
	if model != nil {
		n.Synthesizer = model
	}
	if template != nil {
		n.Template = template
	}
	return n
}

func rows() []wire.Preview {
	return []wire.Preview{{SubQuery: "q1", Columns: []wire.Column{{Name: "n"}}, Rows: [][]wire.Value{{wire.Int(3)}}, RowCount: 1}}
}

func failure(err *reason.Error) answersynthesizer.Failure {
	return answersynthesizer.Failure{Err: err, Step: "q1/ast_planner", PlanID: "p_1", TraceID: "t", Datasource: "shop", Provider: "local",
		Attempted: []string{"asked for a plan"}, Proposals: []string{"this?"}, NotUnderstood: []string{"zorks"}, Choices: []string{"a", "b"}}
}

func TestOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		in   answersynthesizer.Input
		kind wire.OutcomeKind
		code reason.Code
	}{
		"rows":              {answersynthesizer.Input{Results: rows()}, wire.Answered, ""},
		"a part is missing": {answersynthesizer.Input{Results: rows(), Unmapped: []wire.Unmapped{{Part: "x", Reason: reason.ReasonNoDatasource}}}, wire.Partial, ""},
		"nothing at all":    {answersynthesizer.Input{}, wire.Failed, reason.InvalidState},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := node(&writer{name: "model"}, &writer{name: "template", template: true}).Run(t.Context(), c.in)
			if err != nil || out.Answer.Outcome != c.kind {
				t.Errorf("outcome %s, %v", out.Answer.Outcome, err)
			}
			if c.code != "" && out.Answer.Failure.Code != c.code {
				t.Errorf("failure %+v", out.Answer.Failure)
			}
		})
	}
}

// TestEveryErrorHasItsOutcome walks the whole table of reasons.
func TestEveryErrorHasItsOutcome(t *testing.T) {
	want := map[reason.Code]wire.OutcomeKind{
		reason.PolicyDenied: wire.Refused, reason.CallerAuthRequired: wire.Refused, reason.NotUnderstood: wire.CannotAnswer,
		reason.PlanningFailure: wire.CannotAnswer, reason.PlanInvalid: wire.CannotAnswer, reason.UnmappedCode: wire.CannotAnswer,
		reason.Ambiguous: wire.NeedsClarification, reason.CancelledCode: wire.Cancelled,
	}
	for _, row := range reason.Rows() {
		expected, ok := want[row.Code]
		if !ok {
			expected = wire.Failed
		}
		if row.Reason == reason.ReasonRestrictedDatasource {
			expected = wire.Refused
		}
		if got := answersynthesizer.KindOf(reason.New(row.Code, row.Reason, "x")); got != expected {
			t.Errorf("%s (%s) is %s, want %s", row.Code, row.Reason, got, expected)
		}
	}
}

func TestAFailureKeepsAllThatIsKnown(t *testing.T) {
	w := &writer{name: "template", template: true}
	err := reason.New(reason.NotUnderstood, reason.ReasonWordsNotUnderstood, "operator's words").WithSafe("safe words").WithNext("do this")
	in := answersynthesizer.Input{Question: "zorks?", Language: "ko", Failure: failure(err), Results: rows(), Notes: []wire.Note{{Code: reason.JoinFanOut, Message: "counted twice"}}}
	out, _ := node(nil, w).Run(t.Context(), in)
	f := out.Answer.Failure
	want := wire.Failure{
		Requirement: "zorks?", Attempted: []string{"asked for a plan"}, FailedStep: "q1/ast_planner", Stage: reason.StagePlan,
		Code: reason.NotUnderstood, Reason: reason.ReasonWordsNotUnderstood, Message: "safe words", NextAction: "do this",
		NotKnown: []string{"zorks"}, Choices: []string{"a", "b"}, Proposals: []string{"this?"}, Partial: f.Partial,
		PlanID: "p_1", TraceID: "t", Datasource: "shop", Provider: "local",
	}
	if len(f.Partial) != 1 || !sameFailure(*f, want) {
		t.Errorf("failure %+v", f)
	}
	if w.outcome.Language != "ko" || !slices.Equal(w.outcome.DataNotes, []string{"counted twice"}) || !slices.Contains(out.Answer.Warnings, "counted twice") {
		t.Errorf("outcome %+v, warnings %q", w.outcome, out.Answer.Warnings)
	}
}

func sameFailure(a, b wire.Failure) bool {
	lists := slices.Equal(a.Attempted, b.Attempted) && slices.Equal(a.NotKnown, b.NotKnown) && slices.Equal(a.Choices, b.Choices) && slices.Equal(a.Proposals, b.Proposals)
	return lists && a.Requirement == b.Requirement && a.FailedStep == b.FailedStep && a.Stage == b.Stage && a.Code == b.Code && a.Reason == b.Reason &&
		a.Message == b.Message && a.NextAction == b.NextAction && a.PlanID == b.PlanID && a.TraceID == b.TraceID && a.Datasource == b.Datasource && a.Provider == b.Provider
}

func TestWhoWords(t *testing.T) {
	in := answersynthesizer.Input{Results: rows(), Queries: []wire.Query{{SubQuery: "q1"}}}
	for name, c := range map[string]struct {
		format string
		change func(*answersynthesizer.Node)
		want   string
	}{
		"a model":                    {"", nil, "by model"},
		"templates, for strict JSON": {"json", nil, "by template"},
		"templates, in compliance":   {"", func(n *answersynthesizer.Node) { n.Compliance = true }, "by template"},
		"templates, after a failure": {"", func(n *answersynthesizer.Node) {
			n.Synthesizer = &writer{fails: func(context.Context) error { return reason.Provider(reason.Unavailable, "x") }}
		}, "by template"},
	} {
		t.Run(name, func(t *testing.T) {
			n := node(&writer{name: "model"}, &writer{name: "template", template: true})
			if c.change != nil {
				c.change(n)
			}
			in := in
			in.Format = c.format
			out, err := n.Run(t.Context(), in)
			if err != nil || out.Answer.Summary != c.want || len(out.Answer.Queries) != 1 {
				t.Errorf("answer %+v, %v", out.Answer, err)
			}
		})
	}
}

func TestATableIsAskedForWhereOneIsShown(t *testing.T) {
	for format, want := range map[string]wire.FormatType{"": "", "text": "", "table": wire.FormatTable, "csv": wire.FormatTable} {
		w := &writer{name: "model"}
		if _, err := node(w, nil).Run(t.Context(), answersynthesizer.Input{Results: rows(), Format: format}); err != nil || w.form != want {
			t.Errorf("format %q asks for %q, %v", format, w.form, err)
		}
	}
}

func TestLastWords(t *testing.T) {
	ended := func(cause error) context.Context {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		return ctx
	}
	late, stop := context.WithTimeout(t.Context(), time.Nanosecond)
	defer stop()
	<-late.Done()
	for name, c := range map[string]struct {
		ctx  context.Context
		in   answersynthesizer.Input
		want wire.OutcomeKind
	}{
		"a caller who left gets no rows":  {ended(nil), answersynthesizer.Input{Results: rows()}, wire.Cancelled},
		"time out with rows in hand":      {late, answersynthesizer.Input{Results: rows()}, wire.Answered},
		"a failure before stays the same": {ended(nil), answersynthesizer.Input{Failure: failure(reason.New(reason.QueryTimeout, reason.ReasonTimeout, "x"))}, wire.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			template := &writer{name: "template", template: true}
			out, err := node(&writer{name: "model"}, template).Run(c.ctx, c.in)
			if err != nil || out.Answer.Outcome != c.want || out.Answer.Summary != "by template" {
				t.Errorf("answer %+v, %v", out.Answer, err)
			}
		})
	}
}
