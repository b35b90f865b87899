// Package logicalvalidator is the node that checks a proposed plan before
// anything is made of it: against the schema, then against the caller's rights.
// Nothing that a provider wrote passes it unread.
package logicalvalidator

import (
	"context"
	"slices"
	"strings"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/nodes/engineaggregator"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Input is what the node reads of the sub-query.
type Input struct {
	Plan    wire.Plan // as proposed; not trusted
	Catalog *schema.Catalog
	Caller  policy.Caller
	Clock   plan.Clock
	Cached  bool // the plan answered before, and nobody proposed it now
	// Needs are columns that the result must have, by label: what is done with it
	// afterwards names them.
	Needs []string
	// Approved is set for a verified query's plan: people have checked what it
	// computes, so it runs as it is written.
	Approved bool
	Language string // of the notes, BCP 47
}

// Output is what the node gives to the sub-query.
type Output struct {
	Plan    wire.Plan // the normal form
	PlanID  string
	Secured policy.Secured
	Notes   []wire.Note // aggregates that joins may have made count rows twice
	Summary string
}

// Policy decides what a caller may run.
type Policy interface {
	View(cat *schema.Catalog, caller policy.Caller) (*policy.View, error)
	Secure(cat *schema.Catalog, q *plan.Query, caller policy.Caller) (policy.Secured, error)
}

// Validator is the node. It is safe for concurrent use.
type Validator struct {
	Policy Policy
	// RefuseFanOut refuses plans whose aggregates may count rows more than once,
	// instead of noting it.
	RefuseFanOut bool
}

// Run binds the plan to the catalog and secures it for the caller. It fails with
// PLAN_INVALID, naming the place and what would be right, and with
// POLICY_DENIED, naming nothing that the caller may not see. The output of a
// denied plan still has its id. A plan that passes is announced as plan.ready. A
// join along a part of a declared key is refused, unless the plan is approved. A
// join that only chooses rows, and would make a sum or an average count them more
// than once, is turned into a condition; rows that are aggregated beside others are
// put together before they are joined. The plan and its id are then those of what
// runs.
func (v *Validator) Run(ctx context.Context, in Input) (Output, error) {
	view, err := v.Policy.View(in.Catalog, in.Caller)
	if err != nil {
		return Output{}, err
	}
	query, err := plan.Bind(in.Plan, plan.Scope{Catalog: in.Catalog, Visible: view, Clock: in.Clock})
	if err != nil {
		return Output{}, err
	}
	if !in.Approved {
		if err := wholeKeys(query, view); err != nil {
			return Output{Plan: query.Wire(), PlanID: query.ID()}, err
		}
	}
	grain, err := v.grain(query, in, !in.Approved)
	if err != nil {
		return Output{Plan: query.Wire(), PlanID: query.ID()}, err
	}
	if err := complete(query, in.Needs); err != nil {
		return Output{Plan: query.Wire(), PlanID: query.ID()}, err
	}
	grain, secured, err := v.secure(query, grain, in)
	out := Output{Plan: grain.query.Wire(), PlanID: grain.query.ID(), Notes: grain.notes}
	if err != nil {
		return out, err
	}
	out.Secured = secured
	out.Summary = strings.Join(append([]string{"The plan fits the schema and the caller's rights."}, grain.done...), " ")
	graph.Emit(ctx, graph.PlanReady, out.PlanID, map[string]any{"plan": out.Plan, "secured_id": secured.ID(), "cached": in.Cached})
	return out, nil
}

// complete checks that the result has the columns that it must have.
func complete(query *plan.Query, needs []string) error {
	var labels []string
	for _, item := range query.Result().Columns() {
		labels = append(labels, item.Label)
	}
	for _, needed := range needs {
		if !slices.ContainsFunc(labels, func(label string) bool { return engineaggregator.SameLabel(label, needed) }) {
			return reason.New(reason.PlanInvalid, reason.ReasonPlanInvalid, "the result has the columns %q and lacks %q", labels, needed).
				WithSafe("select: the result must have a column labelled %q, since what is done with it names that; it has %s.", needed, strings.Join(labels, ", ")).
				WithEvidence("field", "select")
		}
	}
	return nil
}
