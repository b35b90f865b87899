package verifiedmatcher

import (
	"fmt"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/sqlimport"
	"querent.dev/querent/sdk/wire"
)

// Bind puts the values in the place of the query's slots and binds its plan to the
// scope. It returns the plan with and without its names looked up. The error says
// what of the query does not fit the structure, or cannot take the values; rights
// are policy.Secure's to decide. It is pure and safe for concurrent use.
func (q Query) Bind(values map[string]wire.Value, scope plan.Scope) (*plan.Query, wire.Plan, error) {
	approved := q.Plan
	if q.SQL != "" {
		var err error
		approved, err = q.imported(sqlimport.Options{Flavour: flavourOf(scope.Catalog, q), Catalog: scope.Catalog, Visible: scope.Visible, Clock: scope.Clock})
		if err != nil {
			return nil, wire.Plan{}, fmt.Errorf("the SQL cannot be carried over: %w", err)
		}
	}
	filled, err := fill(approved, values)
	if err != nil {
		return nil, wire.Plan{}, err
	}
	bound, err := plan.Bind(filled, scope)
	return bound, filled, err
}
