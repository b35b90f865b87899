package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/nodes/verifiedmatcher"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/wire"
)

// verifiedChecker checks verified queries against the databases as they are.
type verifiedChecker struct {
	cfg      *config.Config
	rules    *policy.Policy
	clock    plan.Clock
	sources  map[schema.DatasourceID]datasource.Datasource
	catalogs map[schema.DatasourceID]*schema.Catalog
	run      bool // run what binds
}

// verifiedReport is what became of a verified query.
type verifiedReport struct {
	ID         string            `json:"id"`
	Datasource string            `json:"datasource"`
	Status     checkStatus       `json:"status"`
	Detail     string            `json:"detail"`
	Params     map[string]string `json:"params,omitempty"` // example values
	Roles      []roleReport      `json:"roles"`            // that may run it
}

// roleReport is a verified query as a role runs it.
type roleReport struct {
	Role string `json:"role"`
	Rows *int64 `json:"rows,omitempty"` // absent when it was not run
}

// all checks every query. The error is that of queries that cannot be read at all.
func (c *verifiedChecker) all(ctx context.Context) ([]verifiedReport, error) {
	queries, err := pipeline.VerifiedQueries(c.cfg, os.ReadFile)
	if err != nil {
		return nil, err
	}
	out := []verifiedReport{}
	for _, q := range queries {
		out = append(out, c.query(ctx, q))
	}
	return out, nil
}

func (c *verifiedChecker) query(ctx context.Context, q verifiedmatcher.Query) verifiedReport {
	values := examples(q.Params, c.clock)
	r := verifiedReport{ID: q.ID, Datasource: string(q.Datasource), Status: checkOK, Roles: []roleReport{}}
	for name, v := range values {
		if r.Params == nil {
			r.Params = map[string]string{}
		}
		r.Params[name] = v.String()
	}
	cat := c.catalogs[q.Datasource]
	if cat == nil {
		r.Status, r.Detail = checkSkipped, "the datasource could not be read"
		return r
	}
	if _, _, err := q.Bind(values, plan.Scope{Catalog: cat, Clock: c.clock}); err != nil {
		r.Status, r.Detail = checkFail, err.Error()
		return r
	}
	for _, role := range slices.Sorted(maps.Keys(c.cfg.Roles)) {
		secured, ok := c.secured(q, values, cat, role)
		if !ok {
			continue
		}
		own := roleReport{Role: string(role)}
		if c.run {
			rows, err := c.rows(ctx, q.Datasource, secured)
			if err != nil {
				r.Status, r.Detail = checkFail, fmt.Sprintf("as role %s: %v", role, err)
				return r
			}
			own.Rows = &rows
		}
		r.Roles = append(r.Roles, own)
	}
	r.Detail = r.words()
	if len(r.Roles) == 0 {
		r.Status, r.Detail = checkWarn, "binds, but no role may run it"
	}
	return r
}

// words say which roles may run the query, and what came.
func (r verifiedReport) words() string {
	var said []string
	for _, role := range r.Roles {
		text := role.Role
		if role.Rows != nil {
			text = fmt.Sprintf("%s: %d rows", role.Role, *role.Rows)
		}
		said = append(said, text)
	}
	return "binds; may be run by " + strings.Join(said, ", ")
}

// secured is the query as a role may run it, with the attributes of the first of
// its callers; false when it may not.
func (c *verifiedChecker) secured(q verifiedmatcher.Query, values map[string]wire.Value, cat *schema.Catalog, role config.RoleName) (policy.Secured, bool) {
	caller := policy.Caller{Name: "verified", Roles: []string{string(role)}}
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Callers)) {
		if known := c.cfg.Callers[name]; known.Role == role && !known.Deny {
			caller = callerOf(c.cfg, name)
			break
		}
	}
	view, err := c.rules.View(cat, caller)
	if err != nil {
		return policy.Secured{}, false
	}
	bound, _, err := q.Bind(values, plan.Scope{Catalog: cat, Visible: view, Clock: c.clock})
	if err != nil {
		return policy.Secured{}, false
	}
	secured, err := c.rules.Secure(cat, bound, caller)
	return secured, err == nil
}

// rows runs the query and counts what comes, up to the row limit.
func (c *verifiedChecker) rows(ctx context.Context, id schema.DatasourceID, secured policy.Secured) (int64, error) {
	source := c.sources[id]
	statement, err := sqlgen.Render(secured, source.Dialect(), sqlgen.Options{Zone: c.clock.Now.Location()})
	if err != nil {
		return 0, err
	}
	results := c.cfg.Settings.Results
	rows, err := source.Query(ctx, statement, datasource.Limits{
		Rows: results.RowLimit, Bytes: int64(results.ByteLimit), Timeout: c.cfg.Datasources[id].StatementTimeout.Std(),
	})
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n := int64(0)
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

// examples are values that the parameters can have: the middle of the range that
// is left, the first choice, today.
func examples(params map[string]config.Param, clock plan.Clock) map[string]wire.Value {
	out := map[string]wire.Value{}
	for name, p := range params {
		switch p.Type {
		case config.ParamInt:
			out[name] = wire.Int(exampleInt(p, clock.Now))
		case config.ParamDate:
			out[name] = wire.Date(time.Date(clock.Now.Year(), clock.Now.Month(), clock.Now.Day(), 0, 0, 0, 0, time.UTC))
		default:
			out[name] = wire.Text("example")
			if len(p.Enum) > 0 {
				out[name] = wire.Text(p.Enum[0])
			}
		}
	}
	return out
}

// exampleInt is this year where it is in the range, since most numbers of
// questions are years, else the end of the range that is nearer to it.
func exampleInt(p config.Param, now time.Time) int64 {
	n := int64(now.Year())
	if p.Max != nil {
		n = min(n, *p.Max)
	}
	if p.Min != nil {
		n = max(n, *p.Min)
	}
	return n
}
