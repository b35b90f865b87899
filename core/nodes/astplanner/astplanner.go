// Package astplanner is the node that asks for a plan: it says what is wanted and
// what there is, and its agent's provider, a model or a deterministic planner,
// proposes a plan in wire form or refuses. The proposal is not trusted; the
// logical validator comes next.
package astplanner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Input is what the node reads of the sub-query.
type Input struct {
	RequestID      string
	Question       string // as asked
	Intent         string // the part of it that this sub-query answers
	ExpectedSchema []string
	Datasource     schema.DatasourceID
	Tables         wire.CatalogView
	View           Restrictions
	ValueHits      []wire.ValueHit
	Caller         policy.Caller
	Clock          plan.Clock
	Language       string
	Feedback       []string // why earlier plans were refused
	// Fingerprint is that of the structure, PolicyHash that of the caller's rights;
	// without them no plan is kept.
	Fingerprint string
	PolicyHash  string
}

// Output is what the node gives to the sub-query. Of a refusal, Refusal is set
// beside the error.
type Output struct {
	Plan          *wire.Plan // nil on every error
	Reading       string     // the plan in plain words, "" when the provider said none
	Call          provider.Call
	Deterministic bool   // a planner without a model answered
	Final         bool   // another attempt would give the same
	Planner       string // the provider that proposed the plan
	Cached        bool   // the plan answered before, and nobody was asked
	// Key is under what to keep the plan when it has answered; "" for never, as for
	// one that holds a moment of today.
	Key     string
	Refusal *Refusal
	Summary string
}

// Refusal is what the asker can do about a question that was not planned.
type Refusal struct {
	NotUnderstood []string
	Choices       []string // questions, each of which has one of the readings
	Proposals     []string
}

// Restrictions tells whether words name something that the caller may not see.
type Restrictions interface {
	Restricted(words []string) bool
}

// Planner proposes plans. Its errors are *reason.Error.
type Planner interface {
	Plan(ctx context.Context, t provider.PlanTask) (provider.PlanOutcome, error)
}

// Proposer knows questions that the caller may ask of the datasource instead.
type Proposer interface {
	Proposals(ctx context.Context, in Input) []string
}

// Node is the node. It is safe for concurrent use.
type Node struct {
	Planner  Planner
	Proposer Proposer
	Time     config.Time
	// Rules replace our rules at the head of a model's prompt; "" keeps them. The
	// reference of the plan language follows either.
	Rules string
	// Cache gives and takes plans that answered; nil asks each time.
	Cache *Cache
	// Identity tells providers and their settings apart: plans of one are not those
	// of another. With "" no plan is kept.
	Identity string
}

// Run asks for a plan, unless one that answered the same before is kept; after a
// failed attempt, with feedback, it always asks. A provider's failure is the error as it is; an answer
// without a plan or a refusal is PLANNING_FAILURE. A refusal becomes
// NOT_UNDERSTOOD, AMBIGUOUS or UNMAPPED, but POLICY_DENIED when the question
// names something that the caller may not see.
func (n *Node) Run(ctx context.Context, in Input) (Output, error) {
	key := n.key(in)
	if kept, ok := n.Cache.get(key); ok && len(in.Feedback) == 0 {
		return Output{
			Plan: &kept.plan, Reading: kept.reading, Planner: kept.planner, Cached: true, Key: key,
			Summary: fmt.Sprintf("Plan from the cache, first proposed by %s: %s", kept.planner, short(kept.plan)),
		}, nil
	}
	out, err := n.ask(ctx, in)
	if err == nil && !out.Deterministic && !passing(out.Plan, in) {
		out.Key = key
	}
	return out, err
}

func (n *Node) ask(ctx context.Context, in Input) (Output, error) {
	task := provider.PlanTask{
		Request: n.request(in),
		Prompt:  func(data config.Data) (provider.Prompt, error) { return n.prompt(in, data), nil },
	}
	got, err := n.Planner.Plan(ctx, task)
	out := Output{Call: got.Call, Deterministic: got.Deterministic, Final: got.Deterministic && !got.Others, Planner: string(got.Call.Provider)}
	switch refusal := got.Response.Refusal; {
	case err != nil:
		return out, planningFailure(err)
	case refusal != nil:
		out.Refusal = &Refusal{NotUnderstood: refusal.NotUnderstood}
		own := refusal.Proposals
		if reason.Reason(refusal.Reason) == reason.ReasonNeedsClarification {
			out.Refusal.Choices, own = own, nil
		}
		err := n.refused(in, reason.Reason(refusal.Reason), refusal.Readings, out.Refusal)
		if err.Code != reason.PolicyDenied {
			out.Refusal.Proposals = proposals(own, n.Proposer.Proposals(ctx, in))
		}
		out.Summary = "The planner refused: " + err.SafeMessage
		return out, err
	case got.Response.Plan == nil || asksNothing(*got.Response.Plan):
		out.Summary = "The planner proposed no plan."
		return out, reason.New(reason.PlanningFailure, reason.ReasonPlanningFailed, "provider %s proposed no plan", got.Call.Provider)
	}
	out.Plan, out.Reading = got.Response.Plan, got.Response.Reading
	out.Summary = summary(out)
	return out, nil
}

func (n *Node) request(in Input) provider.PlanRequest {
	return provider.PlanRequest{
		RequestID: in.RequestID, Question: in.Question, Intent: in.Intent, ExpectedSchema: in.ExpectedSchema,
		Catalog: in.Tables, ValueHits: in.ValueHits,
		Now: in.Clock.Now.Format(time.RFC3339), Zone: n.Time.Zone, WeekStart: n.Time.WeekStart, FiscalYearStart: n.Time.FiscalYearStart,
		Language: in.Language, Feedback: in.Feedback,
	}
}

func (n *Node) rules() string {
	if n.Rules == "" {
		return ownRules
	}
	return n.Rules
}

// asksNothing tells a plan whose every key is empty, which is how a model that has
// to answer in the form of a plan says that it has none.
func asksNothing(p wire.Plan) bool { return len(p.With) == 0 && p.From == "" && len(p.Select) == 0 }

func planningFailure(err error) error {
	var known *reason.Error
	if errors.As(err, &known) {
		return err
	}
	return reason.New(reason.PlanningFailure, reason.ReasonPlanningFailed, "asking for a plan: %w", err)
}

// summary says what was proposed, for the run's reasoning.
func summary(o Output) string {
	if o.Reading != "" {
		return fmt.Sprintf("Plan by %s: %s", o.Planner, o.Reading)
	}
	return fmt.Sprintf("Plan by %s: %s", o.Planner, short(*o.Plan))
}
