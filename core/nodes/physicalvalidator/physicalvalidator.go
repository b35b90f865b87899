// Package physicalvalidator is the node that asks the database what a statement
// would cost before it runs, and stops what would cost too much.
package physicalvalidator

import (
	"context"
	"fmt"
	"strings"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
)

// Input is what the node reads of the sub-query.
type Input struct {
	Datasource schema.DatasourceID
	Statement  sqlgen.Statement
	Limit      int64 // the plan's own; 0 for none
	// Visible tells whether the caller may know a table; nil names none in
	// messages.
	Visible func(*schema.Table) bool
}

// Output is what the node gives to the sub-query.
type Output struct {
	Estimate datasource.Estimate
	Known    bool // whether the database said anything
	Summary  string
}

// Sources gives what explains a datasource's statements.
type Sources interface {
	// Explainer is nil for a datasource that cannot explain; false for one that is
	// not there.
	Explainer(id schema.DatasourceID) (datasource.Explainer, bool)
	// Forget drops what is known of the datasource's structure.
	Forget(id schema.DatasourceID)
}

// Validator is the node. It is safe for concurrent use.
type Validator struct {
	Sources Sources
	MaxRows int64 // of one step of the database's plan; 0: no limit
}

// largeSide is, in rows, when a side of a cross product is large: two of them
// give a hundred million pairs, which takes minutes.
const largeSide = 10_000

// Run explains the statement, never running it. A statement over the limit, and
// a cross product of two large tables without a limit of its own, are COST_LIMIT.
// A datasource that cannot explain lets everything pass. Database errors are the
// adapter's; after SCHEMA_CHANGED the structure is read anew.
func (v *Validator) Run(ctx context.Context, in Input) (Output, error) {
	source, ok := v.Sources.Explainer(in.Datasource)
	switch {
	case !ok:
		return Output{}, reason.New(reason.InvalidState, reason.ReasonInvalidState, "there is no datasource %q to explain SQL on", in.Datasource)
	case source == nil:
		return Output{Summary: "The database gives no estimate."}, nil
	}
	estimate, err := source.Explain(ctx, in.Statement)
	if err != nil {
		if e := reason.From(err); e.Code == reason.SchemaChanged {
			v.Sources.Forget(in.Datasource)
		}
		return Output{}, err
	}
	out := Output{Estimate: estimate, Known: true, Summary: summary(estimate)}
	if v.MaxRows > 0 && estimate.Rows > v.MaxRows {
		return out, tooManyRows(estimate.Rows, v.MaxRows)
	}
	if estimate.CrossProducts > 0 && in.Limit == 0 {
		if large := largeTables(in.Statement, estimate.Scans); len(large) > 1 {
			return out, tooManyPairs(visible(large, in.Visible))
		}
	}
	return out, nil
}

func tooManyRows(rows, limit int64) *reason.Error {
	return reason.New(reason.CostLimit, reason.ReasonTooExpensive, "a step of the plan is thought to yield %d rows, over the limit of %d", rows, limit).
		WithSafe("The database expects to go through about %d rows in one step, more than the %d that are allowed. A filter, or a join by more columns, would make it less.", rows, limit).
		WithEvidence("rows", fmt.Sprint(rows)).WithEvidence("max_rows", fmt.Sprint(limit))
}

func tooManyPairs(named []string) *reason.Error {
	which := ""
	if len(named) > 0 {
		which = " (" + strings.Join(named, ", ") + ")"
	}
	return reason.New(reason.CostLimit, reason.ReasonTooExpensive, "a cross product of large tables%s", which).
		WithSafe("Every row of one large table would be paired with every row of another%s. Join them by a key, or aggregate each of them first.", which)
}

// largeTables are the large tables that the statement reads whole.
func largeTables(s sqlgen.Statement, scans []string) []*schema.Table {
	var out []*schema.Table
	for _, id := range scans {
		for _, t := range s.Tables() {
			if t.ID() == id && t.RowEstimate > largeSide {
				out = append(out, t)
			}
		}
	}
	return out
}

// visible are the names of the tables that the caller may know: a policy's own
// conditions may read others.
func visible(tables []*schema.Table, known func(*schema.Table) bool) []string {
	var out []string
	for _, t := range tables {
		if known != nil && known(t) {
			out = append(out, t.ID())
		}
	}
	return out
}

// summary says what the database expects, for the run's reasoning.
func summary(e datasource.Estimate) string {
	rows := "is not known"
	if e.Rows >= 0 {
		rows = fmt.Sprintf("is about %d", e.Rows)
	}
	out := fmt.Sprintf("The largest number of rows in one step %s; tables read whole: %d.", rows, len(e.Scans))
	if e.CrossProducts > 0 {
		out += fmt.Sprintf(" Joins without a condition that narrows them: %d.", e.CrossProducts)
	}
	return out
}
