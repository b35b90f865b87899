// Package policy decides what a caller may read. Secure is the only maker of
// Secured, and everything that turns a plan into SQL takes nothing else.
package policy

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
)

// Secured is a plan that the policy has passed, with the columns that it may
// touch. Its fields are unexported so that no other package can make one; the
// zero Secured is refused by every reader.
type Secured struct {
	query  *plan.Query
	view   *View
	reads  []*schema.Column
	tables []*schema.Table
	id     string

	minGroup int
}

// Valid reports whether the policy made s.
func (s Secured) Valid() bool { return s.query != nil }

// Query is the plan with the policy applied.
func (s Secured) Query() *plan.Query { return s.query }

// Reads is every column that the query touches, anywhere in it: those of the plan,
// and those that row filters and masks read, which the caller may not.
func (s Secured) Reads() []*schema.Column { return s.reads }

// Tables is every table that the query touches, also those of which it reads no
// column, as count(*) does.
func (s Secured) Tables() []*schema.Table { return s.tables }

// ID is the secured plan's id: the hash of its normal form after policy.
func (s Secured) ID() string { return s.id }

// Permits reports whether the caller may read a column that the plan does not
// name, as it is stored. What the host adds to a query by itself, such as the key
// that makes an order total, must ask.
func (s Secured) Permits(c *schema.Column) bool {
	return s.view != nil && s.view.Column(c) && s.view.limit(c) == nil
}

// Names reports whether the caller may know that the column is there.
func (s Secured) Names(c *schema.Column) bool { return s.view != nil && s.view.Column(c) }

// MinGroup is the number of rows below which groups are left out of the result,
// because the plan aggregates a column that is for aggregates only; 0 for none.
func (s Secured) MinGroup() int { return s.minGroup }
