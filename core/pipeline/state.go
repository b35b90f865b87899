package pipeline

import (
	"errors"
	"time"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/nodes/astplanner"
	"querent.dev/querent/core/nodes/decomposer"
	"querent.dev/querent/core/nodes/engineaggregator"
	"querent.dev/querent/core/nodes/verifiedmatcher"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/redact"
	"querent.dev/querent/core/result"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Question is what is asked, by whom and how the answer is wanted.
type Question struct {
	Text   string
	Caller policy.Caller
	// Language is that of the answer, a BCP 47 tag. "" takes the configured one,
	// or that of the question.
	Language string
	// Format is the form of the whole answer: text, json, table or csv; "" is any.
	// json keeps models from wording it.
	Format string
	// Datasource is the one to ask; "" takes the only one there is.
	Datasource schema.DatasourceID
	// Stream asks for the answer's words as answer.delta events while a model
	// writes them, as settings.answer.stream allows.
	Stream bool
}

// SubQueryID names a part of a question. Ids are stable: the same question is
// taken apart in the same way.
type SubQueryID string

// SubQuery is a part of a question that one datasource answers.
type SubQuery struct {
	ID             SubQueryID
	Intent         string // in plain words
	ExpectedSchema []string
	Needs          []string // of these, what later steps cannot do without
	Datasource     schema.DatasourceID
}

// DAG is the order of what is done: the sub-queries, of which those of a layer need
// only layers before, and the steps on their results.
type DAG struct {
	Layers [][]SubQueryID
	// Steps put the results of the sub-queries together, each behind what it needs.
	Steps []engineaggregator.Step
	// Terminal are the sub-queries and steps whose results answer, in order.
	Terminal []string
}

// Run is the state of a run, and at its end all that is known of it. Nodes of
// the control graph get it by value and replace, never change, what its maps,
// slices and pointers hold.
type Run struct {
	ID       string
	TraceID  string
	Question Question
	Caller   policy.Caller
	Config   *config.Config // the snapshot that the run began with
	Clock    plan.Clock     // stands still during the run
	Language string         // of the answer, BCP 47
	PlanOnly bool           // stop before anything is executed
	// Redaction are the placeholders of what leaves the run without its secrets and
	// personal data. The run itself holds the whole.
	Redaction *redact.Run
	Verified  *verifiedmatcher.Match
	// Datasources are those that the question is about, Decomposition what it was
	// taken apart into; SubQueries and DAG are planned from it.
	Datasources   []schema.DatasourceID
	Decomposition decomposer.Decomposition
	SubQueries    []SubQuery
	Unmapped      []wire.Unmapped
	Refusal       *astplanner.Refusal // what a planner that refused left to the asker
	DAG           DAG
	Sub           map[SubQueryID]SubOutput
	Without       []SubQueryID // that failed, and that the answer does without
	Aggregate     Aggregate
	Warnings      []wire.Note
	Errors        []Failure
	Reasoning     []Reasoning
	Calls         []AgentCall
	// Answer is set at the end of every run but a planned one that went well.
	Answer *wire.Answer
	// Timings are the steps in the order in which they ended, by the engine's
	// clock; Elapsed is that of the whole run. Both are set at the end.
	Timings []Timing
	Elapsed time.Duration
	// Receipt is the run's, nil where none is made; Recorded is set when it was kept
	// before the answer was given.
	Receipt  *audit.Receipt
	Recorded bool
	cleaned  cleaned
}

// SubOutput is what became of a sub-query, as far as it came.
type SubOutput struct {
	Intent         string
	ExpectedSchema []string
	Datasource     schema.DatasourceID
	RelevantTables wire.CatalogView
	Plan           *wire.Plan // normal form
	PlanID         string
	SecuredID      string
	Planner        string // the provider that proposed the plan, or "verified"
	SQL            string
	Args           []wire.Value
	Catalog        *schema.Catalog  // that the plan was bound to
	Statement      sqlgen.Statement // that SQL and Args show
	Result         *result.Result   // closed by Run.Close
	RowCount       int64
	TotalKnown     bool
	Truncated      bool
	RowCap         int64
	Attempts       int // plans that were asked for
}

// Aggregate is what the sub-queries gave together.
type Aggregate struct {
	TerminalResults []wire.Preview // the first rows of each result that answers
	// ComputedArtifacts are the whole results behind TerminalResults, in the same
	// order.
	ComputedArtifacts []*result.Result
}

// Failure is an error with the step in which it arose.
type Failure struct {
	Step string // <subquery>/<node>, or the node alone
	Err  *reason.Error
}

// Reasoning is a step's summary of what it did.
type Reasoning struct {
	Step    string
	Summary string
}

// AgentCall is a call of an agent that was answered: by whom, at what cost.
type AgentCall struct {
	Agent config.AgentName
	provider.Call
}

// Timing is how long a step took.
type Timing struct {
	Step    string
	Elapsed time.Duration
}

// SubRun is the state of a sub-query in the SQL agent graph, under the rules of
// Run.
type SubRun struct {
	Run      Run // as it was when the sub-query began
	SubQuery SubQuery
	Catalog  *schema.Catalog // one snapshot for the whole sub-query
	View     *policy.View    // the caller's part of it
	Proposed *wire.Plan      // as the provider wrote it; not trusted
	Refusal  *astplanner.Refusal
	Feedback []string // why earlier plans were refused
	Secured  policy.Secured
	// Statement is the SQL; its zero value means that there is none yet.
	Statement sqlgen.Statement
	// Attempt is where the sub-query stands in its attempts.
	Attempt   Attempt
	Output    SubOutput
	Warnings  []wire.Note
	Errors    []Failure
	Reasoning []Reasoning
	Calls     []AgentCall
}

// Err is the failure that ended the run, nil when it answered. It is a
// *reason.Error; reason.ExitCode gives its exit code.
func (r *Run) Err() error {
	if f := r.failure(); f != nil {
		return f.Err
	}
	return nil
}

// failure is the last failure that nothing replaced and that the answer does not
// do without.
func (r *Run) failure() *Failure {
	for i := len(r.Errors) - 1; i >= 0; i-- {
		if !r.Errors[i].Err.Recovered && !r.does(r.Errors[i]) {
			return &r.Errors[i]
		}
	}
	return nil
}

// Queries is what ran, or would run, for each sub-query, in their order.
func (r *Run) Queries() []wire.Query {
	var out []wire.Query
	for _, q := range r.SubQueries {
		o := r.Sub[q.ID]
		if o.PlanID == "" {
			continue
		}
		w := wire.Query{
			SubQuery: string(q.ID), Datasource: string(o.Datasource), PlanID: o.PlanID, SecuredID: o.SecuredID,
			Plan: o.Plan, SQL: o.SQL, Planner: o.Planner,
		}
		for _, v := range o.Args {
			w.Args = append(w.Args, wire.Tag(v))
		}
		out = append(out, w)
	}
	return out
}

// Close frees the run's results. Their readers must not be used any more.
func (r *Run) Close() error {
	var errs []error
	for _, q := range r.SubQueries {
		if kept := r.Sub[q.ID].Result; kept != nil {
			errs = append(errs, kept.Close())
		}
	}
	// A result may be closed twice: some are those of sub-queries.
	for _, kept := range r.Aggregate.ComputedArtifacts {
		errs = append(errs, kept.Close())
	}
	return errors.Join(errs...)
}

// stepOf names the step of an error: a branch's error carries its sub-query.
func stepOf(err *reason.Error) string { return graph.StepID(err.Evidence[evidenceSubQuery], err.Node) }

// evidenceSubQuery is the key under which an error names its sub-query.
const evidenceSubQuery = "sub_query"
