package audit

import (
	"errors"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/wire"
)

// written is what a plan becomes again, without its database.
type written struct {
	planID    string
	securedID string
	sql       string       // as the asker may see it
	args      []wire.Value // likewise
	sent      string       // hash of the statement as the database got it
}

// errNoBasis is why a query cannot be written again.
var errNoBasis = errors.New("the receipt does not hold what the SQL was written from")

// render writes a plan in place of that of the i-th query, under the rules and over
// the structure that the receipt holds. With an error, what was found before it is
// set.
func (r *Receipt) render(i int, p wire.Plan) (written, error) {
	if r.Rules == nil {
		return written{}, errNoBasis
	}
	rules, err := r.Rules.policy()
	if err != nil {
		return written{}, err
	}
	return r.renderUnder(i, p, rules)
}

// renderUnder is render under other rules than those of the receipt.
func (r *Receipt) renderUnder(i int, p wire.Plan, rules *policy.Policy) (written, error) {
	q := r.Queries[i]
	if q.Basis == nil {
		return written{}, errNoBasis
	}
	catalog, err := q.Basis.catalog(q.Datasource, q.Dialect)
	if err != nil {
		return written{}, err
	}
	clock, err := r.Clock.Plan()
	if err != nil {
		return written{}, err
	}
	view, err := rules.View(catalog, r.Caller.Policy())
	if err != nil {
		return written{}, err
	}
	query, err := plan.Bind(p, plan.Scope{Catalog: catalog, Visible: view, Clock: clock})
	if err != nil {
		return written{}, err
	}
	out := written{planID: query.ID()}
	secured, err := rules.Secure(catalog, query, r.Caller.Policy())
	if err != nil {
		return out, err
	}
	out.securedID = secured.ID()
	s, err := sqlgen.Render(secured, q.Dialect, sqlgen.Options{Zone: clock.Now.Location()})
	if err != nil {
		return out, err
	}
	out.sql, out.args, out.sent = s.ShownSQL(), s.Shown(), sentHash(s)
	return out, nil
}
