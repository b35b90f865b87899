// Package sanity looks at results for what is odd about them: a condition on a
// value that is not there, and columns without any value.
//
// Its notes never change a result and never fail a run: what cannot be found out
// within its limits is not said.
package sanity

import (
	"context"
	"time"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/result"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/wire"
)

// Input is a result with what it came from.
type Input struct {
	Secured  policy.Secured // what ran
	Catalog  *schema.Catalog
	Caller   policy.Caller
	Clock    plan.Clock
	Language string // of the notes, BCP 47: Korean, or English for any other
	Result   *result.Result
}

// Querier runs a statement; every datasource.Datasource is one.
type Querier interface {
	Query(ctx context.Context, s sqlgen.Statement, l datasource.Limits) (datasource.Rows, error)
}

// Policy decides what a caller may run.
type Policy interface {
	View(cat *schema.Catalog, caller policy.Caller) (*policy.View, error)
	Secure(cat *schema.Catalog, q *plan.Query, caller policy.Caller) (policy.Secured, error)
}

// Checker checks results. It is safe for concurrent use.
type Checker struct {
	Policy  Policy
	Options sqlgen.Options
}

// The bounds of what is asked of the database for one result: enough for the
// conditions that people write, and no longer than they wait without noticing.
const (
	maxValues = 8               // values that are looked for
	patience  = 2 * time.Second // for all questions together
)

// Notes says what is odd about the result. Where it is empty, or aggregates
// nothing, the database is asked whether the values are there that the plan
// demands of columns of text; each question is a plan of its own that is secured
// for the caller, so row filters and masks hold for it too.
func (c *Checker) Notes(ctx context.Context, db Querier, in Input) []wire.Note {
	if !in.Secured.Valid() {
		return nil
	}
	words := wordsFor(in.Language)
	var notes []wire.Note
	if ofNothing(in.Result) {
		notes = c.missing(ctx, db, in, words)
	}
	return append(notes, blank(in, words)...)
}

// missing are the notes on values that are not there.
func (c *Checker) missing(ctx context.Context, db Querier, in Input, words words) []wire.Note {
	demands := demanded(in.Secured.Query())
	if len(demands) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, timeLeft(ctx))
	defer cancel()
	var notes []wire.Note
	p := &prober{checker: c, db: db, in: in}
	for _, d := range demands[:min(len(demands), maxValues)] {
		there, err := p.there(ctx, d)
		if ctx.Err() != nil {
			break
		}
		if err == nil && !there {
			notes = append(notes, words.notFound(d, p.near(ctx, d), in.Catalog))
		}
	}
	return notes
}

// timeLeft leaves a run half of the time that it has.
func timeLeft(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return min(patience, time.Until(deadline)/2)
	}
	return patience
}

// ofNothing reports whether the result has no row, or one of nulls and zeros
// alone, as aggregates over no rows give.
func ofNothing(r *result.Result) bool {
	if r.RowCount() != 1 {
		return r.RowCount() == 0
	}
	for _, v := range r.Head(1)[0] {
		if !v.IsNull() && !zero(v) {
			return false
		}
	}
	return true
}

func zero(v wire.Value) bool {
	switch v.Kind() {
	case wire.KindInt, wire.KindFloat:
		return v.Float() == 0
	case wire.KindDecimal:
		return len(v.String()) > 0 && allZero(v.String())
	}
	return false
}

func allZero(number string) bool {
	for _, r := range number {
		if r != '0' && r != '.' && r != '-' {
			return false
		}
	}
	return true
}

// blank are the notes on columns without a value in any row. One that access rules
// mask is left out: that it shows nothing is what they are for.
func blank(in Input, words words) []wire.Note {
	items := in.Secured.Query().Result().Columns()
	var notes []wire.Note
	for _, i := range in.Result.Blank() {
		if i < len(items) && !masked(items[i].Expr) {
			notes = append(notes, words.noValue(items[i].Label, in.Result.Truncated()))
		}
	}
	return notes
}

// masked reports whether the expression reads a column that is masked, in its own
// block or in one that it reads.
func masked(e plan.Expr) bool {
	found := false
	_ = plan.Walk(e, func(x plan.Expr) bool {
		switch x := x.(type) {
		case *plan.Column:
			found = found || x.Source.Masked[x.Column] != nil
		case *plan.Output:
			found = found || masked(x.Source.Block.Columns()[x.Item].Expr)
		case *plan.Scalar:
			found = found || masked(x.Block.Columns()[0].Expr)
		}
		return !found
	})
	return found
}
