package pipeline

import (
	"encoding/json"
	"fmt"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/result"
	"querent.dev/querent/sdk/wire"
)

// NewReceipt is what there is to know of a run that has its answer, before it is
// sealed. The policy hash is that of its caller.
func (r *Run) NewReceipt(policyHash string) (audit.Receipt, error) {
	rules, err := audit.NewRules(r.Config.Roles, r.Caller)
	if err != nil {
		return audit.Receipt{}, err
	}
	out := audit.Receipt{
		RunID: r.ID, TraceID: r.TraceID, Time: r.Clock.Now.UTC(),
		Question:   audit.Question{Text: r.Question.Text, Language: r.Answer.Language, Format: r.Question.Format, Datasource: string(r.Question.Datasource)},
		Caller:     audit.Caller{Kind: r.Caller.Kind, Name: r.Caller.Name, Roles: orEmpty(r.Caller.Roles), Attributes: r.Caller.Attributes},
		PolicyHash: policyHash, Clock: audit.NewClock(r.Clock), Rules: rules,
		Preview: audit.Preview{Rows: r.Config.Settings.Results.PreviewRows, Chars: r.Config.Settings.Results.ResultCharLimit},
		Queries: r.receiptQueries(), Results: r.receiptResults(), Calls: r.receiptCalls(), Errors: r.receiptErrors(),
		Elapsed: r.Elapsed.Milliseconds(), Timings: []audit.Timing{},
	}
	for _, t := range r.Timings {
		out.Timings = append(out.Timings, audit.Timing{Step: t.Step, MS: t.Elapsed.Milliseconds()})
	}
	if len(r.DAG.Steps) > 0 {
		if out.Steps, err = json.Marshal(r.DAG.Steps); err != nil {
			return audit.Receipt{}, fmt.Errorf("write the steps of a run: %w", err)
		}
	}
	out.Answer, err = r.receiptAnswer()
	return out, err
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// keepsWords reports whether receipts hold words and rows.
func (r *Run) keepsWords() bool { return r.Config.Store.Answers != config.KeepHash }

func (r *Run) receiptQueries() []audit.Query {
	out := []audit.Query{}
	for _, q := range r.SubQueries {
		o := r.Sub[q.ID]
		if o.PlanID == "" {
			continue
		}
		w := audit.Query{
			SubQuery: string(q.ID), Datasource: string(o.Datasource), Planner: o.Planner, Attempts: o.Attempts,
			Plan: o.Plan, PlanID: o.PlanID, SecuredID: o.SecuredID, SQL: o.SQL,
		}
		for _, v := range o.Args {
			w.Args = append(w.Args, audit.Arg{Tagged: wire.Tag(v)})
		}
		if o.Catalog != nil {
			w.Dialect, w.Fingerprint = o.Catalog.Dialect, o.Catalog.Fingerprint()
		}
		if o.Catalog != nil && o.Statement.Valid() {
			w.Basis = audit.NewBasis(o.Catalog, o.Statement)
		}
		if kept := o.Result; kept != nil {
			w.Result = &audit.QueryResult{RowCount: kept.RowCount(), Truncated: kept.Truncated(), RowLimit: kept.RowCap(), Hash: kept.Hash()}
		}
		out = append(out, w)
	}
	return out
}

// receiptResults are the results that the answer shows.
func (r *Run) receiptResults() []audit.Result {
	shown, artifacts := r.Answer.Results, r.Aggregate.ComputedArtifacts
	if f := r.Answer.Failure; f != nil && len(f.Partial) > 0 {
		shown, artifacts = f.Partial, nil
	}
	out := []audit.Result{}
	for i, p := range shown {
		w := audit.Result{
			SubQuery: p.SubQuery, Part: p.Part, Columns: orEmpty(p.Columns), RowCount: p.RowCount,
			Partial: p.Partial, Truncated: p.Truncated, RowCap: p.RowCap,
		}
		if len(artifacts) == len(shown) {
			w.Hash = hashOf(artifacts[i])
		}
		if r.keepsWords() {
			w.Rows = tagged(p.Rows)
		}
		out = append(out, w)
	}
	return out
}

func hashOf(kept *result.Result) string {
	if kept == nil {
		return ""
	}
	return kept.Hash()
}

func tagged(rows [][]wire.Value) [][]wire.Tagged {
	out := make([][]wire.Tagged, len(rows))
	for i, row := range rows {
		out[i] = make([]wire.Tagged, len(row))
		for n, v := range row {
			out[i][n] = wire.Tag(v)
		}
	}
	return out
}

func (r *Run) receiptAnswer() (audit.Answer, error) {
	a := r.Answer
	out := audit.Answer{Outcome: a.Outcome, SynthesizedBy: a.SynthesizedBy, TemplateIDs: a.TemplateIDs, FallbackReason: a.FallbackReason}
	var err error
	if out.Hash, err = audit.AnswerHash(*a); err != nil {
		return out, err
	}
	if out.TextHash, err = audit.TextHash(a.AggregatedResponse); err != nil {
		return out, err
	}
	if out.Given, err = r.receiptGiven(out); err != nil {
		return out, err
	}
	if f := r.failure(); f != nil {
		out.Failure = &audit.Failure{Step: f.Step, Code: f.Err.Code, Reason: f.Err.Reason}
	}
	if !r.keepsWords() {
		return out, nil
	}
	out.Words = &audit.Words{
		AggregatedResponse: a.AggregatedResponse, Truncated: a.Truncated, Notes: orEmpty(a.Notes), Chart: a.Chart, Verified: a.Verified, Unmapped: a.Unmapped,
	}
	if a.Failure != nil {
		f := *a.Failure
		out.Words.Partial, f.Partial = len(f.Partial) > 0, nil
		out.Words.Failure = &f
	}
	return out, nil
}

// receiptGiven is the answer as it leaves, nil if redaction takes nothing out of it.
func (r *Run) receiptGiven(made audit.Answer) (*audit.Given, error) {
	clean := *r.given()
	hash, err := audit.AnswerHash(clean)
	if err != nil || hash == made.Hash {
		return nil, err
	}
	text, err := audit.TextHash(clean.AggregatedResponse)
	return &audit.Given{Hash: hash, TextHash: text}, err
}

func (r *Run) receiptCalls() []audit.Call {
	out := []audit.Call{}
	figure := func(n int64, known bool) *int64 {
		if !known {
			return nil
		}
		return &n
	}
	for _, c := range r.Calls {
		for _, t := range c.Tallies() {
			u := t.Usage
			out = append(out, audit.Call{
				Agent: string(c.Agent), Provider: string(t.Provider), Plugin: string(t.Plugin), Model: t.Model, Calls: t.Calls,
				Input: figure(u.Input.N, u.Input.Known), Output: figure(u.Output.N, u.Output.Known),
				Cached: figure(u.Cached.N, u.Cached.Known), Reasoning: figure(u.Reasoning.N, u.Reasoning.Known),
			})
		}
	}
	return out
}

func (r *Run) receiptErrors() []audit.Error {
	out := []audit.Error{}
	for _, f := range r.Errors {
		out = append(out, audit.Error{Step: f.Step, Code: f.Err.Code, Reason: f.Err.Reason, Provider: f.Err.Evidence[evidenceProvider], Recovered: f.Err.Recovered})
	}
	return out
}

// evidenceProvider is the key under which an error names its provider.
const evidenceProvider = "provider"
