package sqlite

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

var _ datasource.Explainer = (*database)(nil)

// explainColumns are what EXPLAIN QUERY PLAN gives: a tree of steps.
var explainColumns = []wire.Column{
	{Name: "id", Type: wire.Type{Kind: wire.KindInt}}, {Name: "parent", Type: wire.Type{Kind: wire.KindInt}},
	{Name: "notused", Type: wire.Type{Kind: wire.KindInt}}, {Name: "detail", Type: wire.Type{Kind: wire.KindText}},
}

// Explain implements datasource.Explainer with EXPLAIN QUERY PLAN, under the
// statement's own grants. SQLite estimates nothing by itself: the rows follow
// from the sizes that ANALYZE left in the file, and are not known without them.
// A cross product is a table that is read whole inside the loop over another. A
// connection that knew the schema before it changed explains by what it knew:
// only running the statement tells.
func (d *database) Explain(ctx context.Context, s sqlgen.Statement) (datasource.Estimate, error) {
	if !s.Valid() || s.Dialect() != schema.SQLite {
		return datasource.Estimate{}, reason.New(reason.InvalidState, reason.ReasonInvalidState,
			"datasource %s: the statement was not rendered for SQLite", d.options.ID)
	}
	q := queryOf(s)
	q.sql, q.columns = "EXPLAIN QUERY PLAN "+q.sql, explainColumns
	steps, err := d.run(ctx, q, datasource.Limits{})
	if err != nil {
		return datasource.Estimate{}, err
	}
	loops := map[int64][]string{} // the steps of each level, in the order of nesting
	for steps.Next() {
		row := steps.Row()
		loops[row[1].Int()] = append(loops[row[1].Int()], row[3].String())
	}
	if err := steps.Err(); err != nil {
		return datasource.Estimate{}, err
	}
	return estimate(loops, tablesOf(s)), steps.Close()
}

// queryOf is what a statement asks and touches.
func queryOf(s sqlgen.Statement) query {
	q := query{sql: s.SQL(), args: s.Args(), columns: s.Columns()}
	for _, c := range s.Reads() {
		q.reads = append(q.reads, column{c.Table.Name, c.Name})
	}
	for _, t := range s.Tables() {
		q.tables = append(q.tables, table{t.Name, t.Kind == schema.KindView})
	}
	return q
}

// sourceTable is a table with its alias, as sqlgen writes them.
var sourceTable = regexp.MustCompile(`"main"\."((?:[^"]|"")+)" AS (t\d+)`)

// tablesOf are the statement's tables by their aliases.
func tablesOf(s sqlgen.Statement) map[string]*schema.Table {
	byName := map[string]*schema.Table{}
	for _, t := range s.Tables() {
		byName[t.Name] = t
	}
	out := map[string]*schema.Table{}
	for _, m := range sourceTable.FindAllStringSubmatch(s.SQL(), -1) {
		if t := byName[strings.ReplaceAll(m[1], `""`, `"`)]; t != nil {
			out[m[2]] = t
		}
	}
	return out
}

// loop is a step of a plan that reads a table or a sub-query row by row.
var loop = regexp.MustCompile(`^(SCAN|SEARCH) (\S+)(.*)$`)

// subQuery is what a step reads that has steps of its own, or no rows at all; an
// alias of ours that is no table's is a sub-query's.
var subQuery = regexp.MustCompile(`^([bt]\d+|\(.*|CONSTANT)$`)

func estimate(levels map[int64][]string, tables map[string]*schema.Table) datasource.Estimate {
	out := datasource.Estimate{}
	scanned := map[string]bool{}
	known := true
	for _, level := range slices.Sorted(maps.Keys(levels)) {
		rows, scans := float64(1), 0
		for _, detail := range levels[level] {
			m := loop.FindStringSubmatch(detail)
			if m == nil {
				continue
			}
			t := tables[m[2]]
			switch {
			case t == nil:
				known = known && subQuery.MatchString(m[2])
				continue
			case m[1] == "SCAN":
				scans++
				scanned[t.ID()] = true
			}
			known = known && t.RowEstimate >= 0
			rows = yields(rows, m[1], m[3], float64(t.RowEstimate))
		}
		out.CrossProducts += max(0, scans-1)
		out.Rows = max(out.Rows, int64(min(rows, mostRows)))
	}
	if !known {
		out.Rows = -1
	}
	out.Scans = slices.Sorted(maps.Keys(scanned))
	return out
}

const (
	// mostRows is where counting stops: far more than any limit, far less than
	// what an int64 holds.
	mostRows = 1e15
	// perKey and perRange are what SQLite assumes where it has no statistics of an
	// index: rows for a key, and the part of a table that a range holds.
	perKey   = 10
	perRange = 0.25
)

// yields is how many rows there are after a loop over a table of size rows inside
// of outer rows.
func yields(outer float64, how, using string, size float64) float64 {
	switch {
	case how == "SCAN":
		return outer * size
	case strings.Contains(using, "PRIMARY KEY (rowid=?)"):
		return outer
	case !strings.Contains(using, "=?"):
		return outer * max(1, size*perRange)
	}
	return max(outer, min(outer*perKey, size))
}
