package main

import (
	"context"
	"fmt"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/result"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
)

// rerun runs the plans of a receipt again, under the rights that its caller has now
// and the clock of then, and compares what comes out.
func rerun(ctx context.Context, cfg *config.Config, r *audit.Receipt) audit.Report {
	var report audit.Report
	rules, err := compileRoles(cfg)
	if err != nil {
		return audit.Report{{What: "rerun", Status: audit.Unchecked, Detail: err.Error()}}
	}
	for _, q := range r.Queries {
		what := q.SubQuery + ": rerun"
		switch {
		case q.Plan == nil || r.Part != nil && r.Part.Redacted:
			report = append(report, audit.Check{What: what, Status: audit.Unchecked, Detail: "the plan is left out: needs the whole receipt"})
			continue
		case q.Result == nil:
			report = append(report, audit.Check{What: what, Status: audit.Unchecked, Detail: "nothing was read for this part"})
			continue
		}
		checks, err := runAgain(ctx, cfg, rules, r, q)
		report = append(report, checks...)
		if err != nil {
			report = append(report, audit.Check{What: what, Status: audit.Unchecked, Detail: explainRerun(err)})
		}
	}
	return report
}

// explainRerun is why a plan could not be run again, without what a database says.
func explainRerun(err error) string {
	if own := reason.From(err); own != nil && own.SafeMessage != "" {
		return own.SafeMessage
	}
	return err.Error()
}

func runAgain(ctx context.Context, cfg *config.Config, rules *policy.Policy, r *audit.Receipt, q audit.Query) (audit.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, cfg.Settings.Run.Timeout.Std())
	defer cancel()
	id := schema.DatasourceID(q.Datasource)
	if _, ok := cfg.Datasources[id]; !ok {
		return nil, fmt.Errorf("the configuration has no datasource %q", id)
	}
	source, err := openDatasource(cfg, id)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	catalog, err := source.Introspect(ctx)
	if err != nil {
		return nil, err
	}
	report := audit.Report{sameOr(q.SubQuery+": schema fingerprint", q.Fingerprint, catalog.Fingerprint(), "the structure of the database is another one now")}
	s, err := statementAgain(rules, catalog, r, q)
	if err != nil {
		return report, err
	}
	rows, err := source.Query(ctx, s, datasource.Limits{
		Rows: q.Result.RowLimit, Bytes: int64(cfg.Settings.Results.ByteLimit), Timeout: cfg.Datasources[id].StatementTimeout.Std(),
	})
	if err != nil {
		return report, err
	}
	kept, err := result.Store(ctx, rows, s.Columns(), result.Options{Head: 1, RowCap: q.Result.RowLimit})
	if err != nil {
		return report, err
	}
	defer kept.Close()
	detail := fmt.Sprintf("different: %d rows then, %d now; the data, the structure or the rights have changed since, or the receipt is wrong", q.Result.RowCount, kept.RowCount())
	return append(report, sameOr(q.SubQuery+": rerun", q.Result.Hash, kept.Hash(), detail)), nil
}

// sameOr is a check of equal hashes. What is different now is no proof against a
// receipt: data change.
func sameOr(what, then, now, different string) audit.Check {
	if then == now {
		return audit.Check{What: what, Status: audit.Checked, Detail: "same"}
	}
	return audit.Check{What: what, Status: audit.Different, Detail: different}
}

func statementAgain(rules *policy.Policy, catalog *schema.Catalog, r *audit.Receipt, q audit.Query) (sqlgen.Statement, error) {
	clock, err := r.Clock.Plan()
	if err != nil {
		return sqlgen.Statement{}, err
	}
	caller := r.Caller.Policy()
	view, err := rules.View(catalog, caller)
	if err != nil {
		return sqlgen.Statement{}, err
	}
	query, err := plan.Bind(*q.Plan, plan.Scope{Catalog: catalog, Visible: view, Clock: clock})
	if err != nil {
		return sqlgen.Statement{}, err
	}
	secured, err := rules.Secure(catalog, query, caller)
	if err != nil {
		return sqlgen.Statement{}, err
	}
	return sqlgen.Render(secured, catalog.Dialect, sqlgen.Options{Zone: clock.Now.Location()})
}
