package answer_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/notes"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// writer is a Synthesizer that writes one thing, and remembers the task.
type writer struct {
	summary, content string
	warnings         []string
	template         bool
	err              error
	tasks            []provider.SynthesisTask
}

func (w *writer) Synthesize(_ context.Context, t provider.SynthesisTask) (provider.SynthesisOutcome, error) {
	w.tasks = append(w.tasks, t)
	if w.err != nil {
		return provider.SynthesisOutcome{}, w.err
	}
	out := provider.SynthesisOutcome{
		Response: wire.AggregatedResponse{Summary: w.summary, Content: w.content, FormatType: wire.FormatText, Warnings: w.warnings},
		Call:     provider.Call{Provider: "local", Plugin: "ollama", Model: "m:7b"},
	}
	if w.template {
		out.Call = provider.Call{Provider: "fixed", Plugin: "template"}
		out.TemplateIDs = []string{"builtin.en/answered.table@1"}
	}
	return out, nil
}

func template() *writer { return &writer{summary: "By template.", template: true} }

// countries is an outcome of 24 rows, of which two are shown.
func countries() wire.Outcome {
	return wire.Outcome{
		Kind: wire.Answered, Question: "How many customers, by country?", Language: "en",
		Results: []wire.Preview{{
			SubQuery: "q1",
			Columns:  []wire.Column{{Name: "country", Type: wire.Type{Kind: wire.KindText}}, {Name: "customers", Type: wire.Type{Kind: wire.KindInt}}},
			Rows:     [][]wire.Value{{wire.Text("Brazil"), wire.Int(1313)}, {wire.Text("Korea"), wire.Int(-7)}},
			RowCount: 24, Partial: true,
		}},
	}
}

func TestModelsWordsAreShownWhenTheyHold(t *testing.T) {
	m, fixed := &writer{summary: "Brazil has 1,313 customers; 24 countries in all.", warnings: []string{"mine"}}, template()
	s := answer.SynthesizeSuccess(context.Background(), m, countries(), answer.Options{Template: fixed})
	a := s.Answer
	if a.Summary != m.summary || a.SynthesizedBy != "local" || a.FallbackReason != "" || len(a.Notes) != 0 || len(s.Recovered) != 0 || s.Call.Model != "m:7b" {
		t.Errorf("synthesis %+v", s)
	}
	if !slices.Equal(a.Warnings, []string{"mine"}) || a.Outcome != wire.Answered || len(a.Results) != 1 || a.Queries == nil {
		t.Errorf("answer %+v", a)
	}
	if len(fixed.tasks) != 0 || !m.tasks[0].HasRows || m.tasks[0].Prompt == nil {
		t.Errorf("tasks %+v, templates asked %d times", m.tasks, len(fixed.tasks))
	}
}

func TestInventedNumbersAreNotShown(t *testing.T) {
	for _, lie := range []string{
		"Brazil has 1314 customers.", "In total there are 1320 customers.", "Korea has 7 customers.", "About 1.3 thousand.",
		"Brazil has ۱۳۱۴ customers.", "Brazil has １３１４ customers.", "Brazil leads by 100%.",
		// The rows of the preview are not those of the result.
		"There are 2 countries.", "There are two countries.",
		// Scales and units make another number of one that is there.
		"24 thousand customers.", "24k customers.", "Brazil has 24% of them.", "24 percent.", "24만 명입니다.",
		"Customers in twenty-five countries.", "One thousand three hundred and fourteen customers.", "Hundreds of customers.",
		"고객이 다섯 명입니다.", "고객이 이천 명입니다.", "顧客は五人です。",
	} {
		s := answer.SynthesizeSuccess(context.Background(), &writer{summary: lie}, countries(), answer.Options{Template: template()})
		a := s.Answer
		if a.Summary != "By template." || a.SynthesizedBy != "fixed" || a.FallbackReason != "invalid_output" {
			t.Errorf("%q: answer %+v", lie, a)
		}
		if len(a.Notes) != 1 || a.Notes[0].Code != reason.SynthesisFallback || !slices.Contains(a.Warnings, a.Notes[0].Message) {
			t.Errorf("%q: notes %v, warnings %v", lie, a.Notes, a.Warnings)
		}
		if !strings.Contains(a.Notes[0].Message, "could not be traced to the result") || !strings.Contains(s.Recovered[0].SafeMessage, "could not be traced") {
			t.Errorf("%q: notes %v, recovered %v", lie, a.Notes, s.Recovered)
		}
		if len(s.Recovered) != 1 || !s.Recovered[0].Recovered || s.Recovered[0].Code != "PROVIDER_INVALID_OUTPUT" {
			t.Errorf("%q: recovered %v", lie, s.Recovered)
		}
	}
	for _, truth := range []string{
		"Brazil has 1313.", "Brazil: 1,313.00; Korea: -7.", "2 of 24 rows are shown.", "The first 2 are Brazil and Korea.", "Ｂrazil has １３１３.", "Brazil has ۱۳۱۳ customers.",
		"Customers in twenty-four countries.", "1.313 thousand in Brazil, one of 24 countries.",
		"Brazil has one thousand three hundred and thirteen.",
	} {
		s := answer.SynthesizeSuccess(context.Background(), &writer{summary: truth, content: "1. Brazil\n2. Korea\n3) and more"}, countries(), answer.Options{Template: template()})
		if s.Answer.Summary != truth {
			t.Errorf("%q was replaced: %v", truth, s.Recovered)
		}
	}
}

func TestWhoWordsASuccess(t *testing.T) {
	failing := func() *writer {
		return &writer{err: reason.Provider(reason.Unavailable, "secret detail").WithSafe("Provider down.")}
	}
	denied := func() *writer {
		return &writer{err: reason.New(reason.PolicyDenied, reason.ReasonNotPermitted, "no rows")}
	}
	tests := []struct {
		name     string
		m        *writer
		opts     answer.Options
		by       string
		fallback reason.Reason
		notes    int
	}{
		{"model", &writer{summary: "ok"}, answer.Options{}, "local", "", 0},
		{"strict JSON", &writer{summary: "ok"}, answer.Options{Format: answer.FormatJSON}, "fixed", "", 0},
		{"compliance", &writer{summary: "ok"}, answer.Options{Compliance: true}, "fixed", "", 0},
		{"model down", failing(), answer.Options{}, "fixed", "unavailable", 1},
		{"model may not see rows", denied(), answer.Options{}, "fixed", "not_permitted", 0},
		{"an error of another kind", &writer{err: errors.New("boom")}, answer.Options{}, "fixed", "aggregator_failed", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.opts.Template = template()
			s := answer.SynthesizeSuccess(context.Background(), test.m, countries(), test.opts)
			if a := s.Answer; a.SynthesizedBy != test.by || a.FallbackReason != test.fallback || len(a.Notes) != test.notes {
				t.Errorf("by %s, fallback %q, notes %v", a.SynthesizedBy, a.FallbackReason, a.Notes)
			}
			for _, w := range s.Answer.Warnings {
				if strings.Contains(w, "secret") {
					t.Errorf("warning %q", w)
				}
			}
		})
	}
}

func TestHostWordsWhatNobodyElseCan(t *testing.T) {
	down := &writer{err: reason.Provider(reason.Unavailable, "gone")}
	o := countries()
	o.Results[0].Truncated, o.Results[0].RowCap = true, 24
	s := answer.SynthesizeSuccess(context.Background(), nil, o, answer.Options{Template: down})
	if s.Answer.SynthesizedBy != answer.Host || s.Answer.Summary != "Rows in the result: at least 24." || s.Answer.FallbackReason != "unavailable" {
		t.Errorf("answer %+v", s.Answer)
	}
	f := wire.Outcome{Kind: wire.Failed, Question: "q", Language: "en", Failure: &wire.Failure{Code: reason.QueryTimeout, Reason: "timeout", FailedStep: "q1/executor"}}
	s = answer.SynthesizeFailure(context.Background(), nil, f, answer.Options{})
	row, _ := reason.Lookup(reason.QueryTimeout, "timeout")
	if s.Answer.Summary != row.SafeMessage || s.Answer.SynthesizedBy != answer.Host {
		t.Errorf("answer %+v", s.Answer)
	}
	for _, part := range []string{"Asked: q", "q1/executor", "Stage: execute", "timeout (QUERY_TIMEOUT)", row.NextAction} {
		if !strings.Contains(s.Answer.Content, part) {
			t.Errorf("content %q lacks %q", s.Answer.Content, part)
		}
	}
}

func TestNotesAreAddedWhateverWasWritten(t *testing.T) {
	o := countries()
	o.DataNotes = []string{"There is no Genre with Name 'Polka'."}
	o.Unmapped = []wire.Unmapped{{Part: "the weather", Reason: reason.ReasonNoDatasource}}
	o.Results[0].Truncated, o.Results[0].RowCap = true, 10000
	limit := "The result was cut at 10,000 rows, the row limit, so it is incomplete. Narrow the question"
	notes := []wire.Note{{Code: reason.ValueNotFound, Message: o.DataNotes[0]}}
	for _, written := range [][]string{nil, {"mine", o.DataNotes[0]}} {
		m := &writer{summary: "ok", warnings: written}
		a := answer.SynthesizeSuccess(context.Background(), m, o, answer.Options{Notes: notes}).Answer
		if !a.Truncated || len(a.Notes) != 3 {
			t.Errorf("truncated %t, notes %v", a.Truncated, a.Notes)
		}
		want := 3
		if written != nil {
			want = 4
		}
		if len(a.Warnings) != want || !slices.Contains(a.Warnings, o.DataNotes[0]) ||
			!slices.ContainsFunc(a.Warnings, func(w string) bool { return strings.HasPrefix(w, limit) }) ||
			!slices.Contains(a.Warnings, `Not answered: "the weather" (no_datasource).`) {
			t.Errorf("warnings %q", a.Warnings)
		}
		if seen := m.tasks[0].Request.Outcome; len(seen.ResultLimits) != 1 {
			t.Errorf("the synthesizer saw the limits %q", seen.ResultLimits)
		}
	}
}

// calls is a Synthesizer whose call does not honour a setting.
type calls struct{ *writer }

func (c calls) Synthesize(ctx context.Context, t provider.SynthesisTask) (provider.SynthesisOutcome, error) {
	out, err := c.writer.Synthesize(ctx, t)
	out.Call.Warnings = []sdk.Warning{{Setting: "seed", Message: "the server's own words"}}
	return out, err
}

// What the call that worded the answer did not honour is said as what other calls did
// not, and once.
func TestSettingsThatTheWordingIgnoredAreNoted(t *testing.T) {
	known := []wire.Note{notes.SettingIgnored("en", "local", "seed")}
	for _, before := range [][]wire.Note{nil, known} {
		a := answer.SynthesizeSuccess(context.Background(), calls{&writer{summary: "ok"}}, countries(), answer.Options{Notes: before}).Answer
		if len(a.Notes) != 1 || a.Notes[0].Code != reason.SettingIgnored || !slices.Equal(a.Warnings, []string{known[0].Message}) {
			t.Errorf("notes %+v, warnings %q", a.Notes, a.Warnings)
		}
	}
}

// TestNotesThatNameValuesAreRows holds values in notes to the rule for rows: a model
// that may not see these is not shown those.
func TestNotesThatNameValuesAreRows(t *testing.T) {
	for suggestion, want := range map[string]bool{"": false, "Polo": true} {
		o := countries()
		o.Results[0].Rows, o.Results[0].RowCount = nil, 0
		note := wire.Note{Code: reason.ValueNotFound, Message: "There is no Genre with Name 'Polka'.", Detail: map[string]string{"value": "Polka"}}
		if suggestion != "" {
			note.Message += " Did you mean 'Polo'?"
			note.Detail["suggestion"] = suggestion
		}
		o.DataNotes = []string{note.Message}
		m := &writer{summary: "ok"}
		a := answer.SynthesizeSuccess(context.Background(), m, o, answer.Options{Notes: []wire.Note{note}}).Answer
		if m.tasks[0].HasRows != want || len(a.Notes) != 1 || a.Notes[0].Detail["value"] != "Polka" {
			t.Errorf("suggestion %q: has rows %t, notes %v", suggestion, m.tasks[0].HasRows, a.Notes)
		}
	}
}

func TestNoteNamesTheLimitThatCut(t *testing.T) {
	for rowCap, limit := range map[int64]string{24: "24 rows, the row limit", 0: "24 rows, the byte limit"} {
		o := countries()
		o.Results[0].Truncated, o.Results[0].RowCap = true, rowCap
		a := answer.SynthesizeSuccess(context.Background(), &writer{summary: "ok"}, o, answer.Options{}).Answer
		want := "The result was cut at " + limit + ", so it is incomplete. Narrow the question, for example to a shorter period or to one group, to see all of it."
		if !slices.Equal(a.Warnings, []string{want}) || a.Notes[0].Code != reason.ResultTruncated || !a.Truncated {
			t.Errorf("row limit %d: warnings %q, notes %v", rowCap, a.Warnings, a.Notes)
		}
	}
}

func TestTheHostsNotesSpeakTheLanguageOfTheAnswer(t *testing.T) {
	o := countries()
	o.Language = "ko"
	o.Results[0].Truncated, o.Results[0].RowCap = true, 24
	o.Unmapped = []wire.Unmapped{{Part: "날씨", Reason: reason.ReasonNoDatasource}}
	down := &writer{err: reason.Provider(reason.Unavailable, "inside")}
	a := answer.SynthesizeSuccess(context.Background(), down, o, answer.Options{Template: template()}).Answer
	if len(a.Warnings) != 3 || len(a.Notes) != 3 {
		t.Fatalf("warnings %q, notes %v", a.Warnings, a.Notes)
	}
	for _, text := range a.Warnings {
		if strings.Contains(text, "The ") || strings.Contains(text, "Not ") || !strings.Contains(text, "습니다") && !strings.Contains(text, "부분:") {
			t.Errorf("not Korean: %q", text)
		}
	}
}

func TestOnlyExplicableFailuresReachAModel(t *testing.T) {
	for _, row := range reason.Rows() {
		m := &writer{summary: "At " + string(row.Stage) + ": " + string(row.Reason)}
		o := wire.Outcome{Kind: wire.Failed, Question: "q", Failure: &wire.Failure{Code: row.Code, Reason: row.Reason}}
		a := answer.SynthesizeFailure(context.Background(), m, o, answer.Options{Template: template()}).Answer
		if byModel := a.SynthesizedBy == "local"; byModel != (row.Wording == reason.ModelAllowed) || byModel != (len(m.tasks) == 1) {
			t.Errorf("%s/%s (%s): worded by %s", row.Code, row.Reason, row.Wording, a.SynthesizedBy)
		}
		if f := a.Failure; f.Stage != row.Stage || f.Message != row.SafeMessage || f.NextAction != row.NextAction || f.Requirement != "q" {
			t.Errorf("%s/%s: failure %+v", row.Code, row.Reason, f)
		}
	}
}

func TestExplanationsThatHideOrApologiseAreReplaced(t *testing.T) {
	failure := &wire.Failure{Code: reason.PlanInvalid, Reason: reason.ReasonPlanInvalid, FailedStep: "q1/logical_validator", Message: "column 3 of 12"}
	tests := []struct {
		text string
		ok   bool
	}{
		{"It failed in validate: plan_invalid.", true},
		{"Step q1/logical_validator failed with plan_invalid: column 3 of 12.", true},
		{"It failed in validate.", false},
		{"plan_invalid.", false},
		{"Sorry, plan_invalid in validate.", false},
		{"We apologize: plan_invalid in validate.", false},
		{"죄송합니다. plan_invalid, validate.", false},
		{"plan_invalid in validate, 14 rows are missing.", false},
	}
	for _, test := range tests {
		o := wire.Outcome{Kind: wire.CannotAnswer, Question: "q", Failure: failure}
		a := answer.SynthesizeFailure(context.Background(), &writer{summary: test.text}, o, answer.Options{Template: template()}).Answer
		if (a.Summary == test.text) != test.ok {
			t.Errorf("%q: shown %q", test.text, a.Summary)
		}
	}
}

func TestOutcomeWithoutItsFailureIsInvalidState(t *testing.T) {
	a := answer.SynthesizeFailure(context.Background(), nil, wire.Outcome{Question: "q"}, answer.Options{}).Answer
	if a.Failure.Code != reason.InvalidState || a.Outcome != wire.Failed {
		t.Errorf("answer %+v", a)
	}
}
