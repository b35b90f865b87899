package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/core/sqlimport"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Database is one database of a suite on one dialect.
type Database struct {
	Source datasource.Datasource
	// Gold runs gold SQL of the dialect, read-only, and says what it gives.
	Gold func(ctx context.Context, query string) (*Gold, error)
}

// Databases opens the databases of a suite on one dialect.
type Databases interface {
	Dialect() schema.Dialect
	// Open opens the database of a SQLite file. The caller closes its Source.
	Open(ctx context.Context, path string) (*Database, error)
}

// Coverage measures what the plan language can say: every gold is imported as a
// plan, and the plan's rows are compared with the gold's own on every dialect.
type Coverage struct {
	Dialects []Databases   // SQLite among them, whose catalogs golds are read against
	Timeout  time.Duration // of each statement
	Clock    plan.Clock
	Parallel int // databases at a time; at least 1
}

// Run covers the cases. A record is written for each case and dialect, in the
// order of the cases, unless records is nil. Only a broken records writer or the
// end of ctx is an error.
func (c Coverage) Run(ctx context.Context, cases []Case, records io.Writer) (CoverageReport, error) {
	report := CoverageReport{Cases: len(cases), Dialects: map[schema.Dialect]*DialectReport{}, Reasons: map[schema.Dialect]map[string]int{}}
	results := make([][]Record, len(cases))
	var wait sync.WaitGroup
	slots := make(chan struct{}, max(c.Parallel, 1))
	for _, group := range byDatabase(cases) {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			c.database(ctx, cases, group, results)
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return report, err
	}
	for _, list := range results {
		for _, r := range list {
			report.add(r)
			if records == nil {
				continue
			}
			if err := json.NewEncoder(records).Encode(r); err != nil {
				return report, fmt.Errorf("writing the record of case %s: %w", r.ID, err)
			}
		}
	}
	report.finish()
	return report, nil
}

// byDatabase groups the places of cases by their database.
func byDatabase(cases []Case) [][]int {
	var out [][]int
	at := map[string]int{}
	for i, c := range cases {
		n, ok := at[c.DBPath]
		if !ok {
			n = len(out)
			at[c.DBPath] = n
			out = append(out, nil)
		}
		out[n] = append(out[n], i)
	}
	return out
}

// covered is one database, open on every dialect, with its catalogs.
type covered struct {
	Coverage
	dialects []opened
	failed   map[schema.Dialect]string
}

type opened struct {
	*Database
	dialect schema.Dialect
	catalog *schema.Catalog
	policy  *policy.Policy
}

// wholeRole may read everything: coverage is about the language.
const wholeRole config.RoleName = "whole"

func wholePolicy(id schema.DatasourceID) (*policy.Policy, error) {
	return policy.Compile(map[config.RoleName]config.Role{wholeRole: {Tables: config.TableRules{Allow: []string{string(id) + ".*.*"}}}})
}

// database covers the cases of one database.
func (c Coverage) database(ctx context.Context, cases []Case, group []int, results [][]Record) {
	d := &covered{Coverage: c, failed: map[schema.Dialect]string{}}
	path := cases[group[0]].DBPath
	if _, err := os.Stat(path); err == nil {
		d.open(ctx, path)
		defer d.close()
	}
	for _, i := range group {
		if ctx.Err() != nil {
			return
		}
		results[i] = d.cover(ctx, cases[i])
	}
}

func (d *covered) open(ctx context.Context, path string) {
	for _, dialect := range d.Dialects {
		db, err := dialect.Open(ctx, path)
		if err != nil {
			d.failed[dialect.Dialect()] = "the database does not open: " + err.Error()
			continue
		}
		o := opened{Database: db, dialect: dialect.Dialect()}
		if o.catalog, err = db.Source.Introspect(ctx); err == nil {
			o.policy, err = wholePolicy(db.Source.ID())
		}
		d.dialects = append(d.dialects, o)
		if err != nil {
			d.failed[o.dialect] = "the database cannot be read: " + err.Error()
		}
	}
}

func (d *covered) close() {
	for _, o := range d.dialects {
		o.Source.Close()
	}
}

// of finds the database on a dialect.
func (d *covered) of(dialect schema.Dialect) (opened, bool) {
	for _, o := range d.dialects {
		if o.dialect == dialect && d.failed[dialect] == "" {
			return o, true
		}
	}
	return opened{}, false
}

// cover makes the records of one case.
func (d *covered) cover(ctx context.Context, c Case) []Record {
	flavour := schema.Dialect(c.Dialect)
	if flavour == "" {
		flavour = schema.SQLite
	}
	all := func(status Status, why string) []Record {
		var out []Record
		for _, dialect := range d.Dialects {
			out = append(out, Record{ID: c.ID, Dialect: string(dialect.Dialect()), Status: status, Reason: why})
		}
		return out
	}
	if c.GoldBroken || c.GoldSQL == "" || c.DBPath == "" || len(d.dialects)+len(d.failed) == 0 {
		return all(Skipped, "no usable gold or database")
	}
	home, ok := d.of(flavour)
	if why := d.failed[flavour]; why != "" {
		return all(Failed, why)
	}
	if !ok {
		return all(Skipped, "no database of the gold's dialect")
	}
	gold, err := d.gold(ctx, home, c.GoldSQL)
	if err != nil {
		return all(Skipped, "the gold does not run")
	}
	imported, err := sqlimport.Import(c.GoldSQL, sqlimport.Options{Flavour: flavour, Catalog: home.catalog, Clock: d.Clock})
	if err != nil {
		status, why := unimported(err)
		return all(status, why)
	}
	var out []Record
	for _, dialect := range d.Dialects {
		rec := Record{ID: c.ID, Dialect: string(dialect.Dialect()), Plan: &imported.Plan, PlanID: imported.Query.ID()}
		if o, ok := d.of(dialect.Dialect()); ok {
			d.run(ctx, o, imported, gold, &rec)
		} else {
			rec.Status, rec.Reason = Failed, d.failed[dialect.Dialect()]
		}
		out = append(out, rec)
	}
	return out
}

func (d *covered) gold(ctx context.Context, home opened, query string) (*Gold, error) {
	ctx, cancel := context.WithTimeout(ctx, d.Timeout)
	defer cancel()
	return home.Gold(ctx, query)
}

// unimported tells SQL that means nothing elsewhere from what plans cannot say.
func unimported(err error) (Status, string) {
	var e *sqlimport.Error
	if errors.As(err, &e) && e.Kind == sqlimport.NotPortable {
		return NotPortable, e.Error()
	}
	return Refused, err.Error()
}

// run binds, secures, renders and runs a plan on one dialect.
func (d *covered) run(ctx context.Context, o opened, imported *sqlimport.Imported, gold *Gold, rec *Record) {
	p, home := imported.Plan, reads(imported.Query)
	start := time.Now()
	defer func() { rec.MS = time.Since(start).Milliseconds() }()
	rows, err := d.rows(ctx, o, p, rec)
	rec.Status, rec.RowCount = Failed, int64(len(rows))
	if err == nil {
		rec.Status = Compare(rows, gold)
	} else {
		rec.Reason = err.Error()
	}
	if column, lossy := o.lossy(home); lossy && (rec.Status == Wrong || rec.Status == Failed) {
		rec.Status, rec.Reason = Skipped, "the column "+column+" holds values that are not of its type, which no server stores"
	}
}

// Lossy is the comment of a column of a mirror that lacks values of the original.
const Lossy = "values that are not of the type are missing"

// lossy finds a column among those that a plan reads whose mirror lacks values.
func (o opened) lossy(reads []*schema.Column) (string, bool) {
	for _, c := range reads {
		t, ok := o.catalog.Table(c.Table.Name)
		if !ok {
			continue
		}
		if own, ok := t.Column(c.Name); ok && own.Description == Lossy {
			return c.Table.Name + "." + c.Name, true
		}
	}
	return "", false
}

// reads are the columns that a query reads.
func reads(q *plan.Query) []*schema.Column {
	var out []*schema.Column
	for _, b := range q.Blocks {
		// The query was bound, so Walk knows all of it.
		_ = b.Walk(func(e plan.Expr) bool {
			if c, ok := e.(*plan.Column); ok {
				out = append(out, c.Column)
			}
			return true
		})
	}
	return out
}

func (d *covered) rows(ctx context.Context, o opened, p wire.Plan, rec *Record) ([][]wire.Value, error) {
	q, err := plan.Bind(p, plan.Scope{Catalog: o.catalog, Clock: d.Clock})
	if err != nil {
		return nil, fmt.Errorf("binding: %w", err)
	}
	secured, err := o.policy.Secure(o.catalog, q, policy.Caller{Name: "coverage", Roles: []string{string(wholeRole)}})
	if err != nil {
		return nil, fmt.Errorf("securing: %w", err)
	}
	stmt, err := sqlgen.Render(secured, o.dialect, sqlgen.Options{})
	if err != nil {
		return nil, fmt.Errorf("rendering: %w", err)
	}
	rec.SQL = stmt.SQL()
	for _, v := range stmt.Args() {
		rec.Args = append(rec.Args, wire.Tag(v))
	}
	rows, err := o.Source.Query(ctx, stmt, datasource.Limits{Rows: maxGoldRows, Timeout: d.Timeout})
	if err != nil {
		return nil, cause(err)
	}
	defer rows.Close()
	var out [][]wire.Value
	for rows.Next() {
		out = append(out, append([]wire.Value(nil), rows.Row()...))
	}
	return out, cause(rows.Err())
}

// cause is what is behind an error whose safe message says less: suites hold no
// secrets, and what failed is what a coverage is for.
func cause(err error) error {
	var e *reason.Error
	if errors.As(err, &e) {
		return fmt.Errorf("running: %s: %w", e.Reason, errors.Join(errors.Unwrap(e), e))
	}
	return err
}
