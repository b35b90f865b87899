package eval

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/sqlc-dev/meyer/ast"
	"github.com/sqlc-dev/meyer/parser"
	_ "modernc.org/sqlite" // the engine that the suites' databases are for

	"querent.dev/querent/sdk/wire"
)

// Gold is the result of a case's gold SQL.
type Gold struct {
	rows    []row
	ordered bool
	// open is the result without the gold's limit, each row with the values by
	// which it is ordered; empty when the gold has no limit that ties can cross.
	open []keyed
}

type keyed struct {
	row, key row
}

// maxGoldRows bounds what a gold may return. Gold queries answer questions of
// people; one with more rows is a mistake, and would not fit in memory.
const maxGoldRows = 1_000_000

// RunGold runs trusted gold SQL read-only on the SQLite file at path.
func RunGold(ctx context.Context, path, query string) (*Gold, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	dsn := (&url.URL{Scheme: "file", Opaque: url.PathEscape(path), RawQuery: "mode=ro&_pragma=query_only(1)"}).String()
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	g := &Gold{}
	if g.rows, err = fetch(ctx, db, query); err != nil {
		return nil, err
	}
	core := ordering(query)
	if core == nil {
		return g, nil
	}
	g.ordered = true
	if core.Limit != nil && core.Distinct == ast.DistinctNone {
		g.open, err = openRows(ctx, db, query, len(g.rows))
	}
	return g, err
}

// ordering is the part of query that orders its result, or nil.
func ordering(query string) *ast.SelectQuery {
	_, core := parse(query)
	if core == nil || len(core.OrderBy) == 0 {
		return nil
	}
	return core
}

func parse(query string) (*ast.SelectStmt, *ast.SelectQuery) {
	stmts, err := parser.ParseString(query)
	if err != nil || len(stmts) != 1 {
		return nil, nil
	}
	stmt, ok := stmts[0].(*ast.SelectStmt)
	if !ok {
		return nil, nil
	}
	core, _ := stmt.Cores[len(stmt.Cores)-1].(*ast.SelectQuery)
	return stmt, core
}

// openRows runs query without its limit and with its ordering terms selected
// beside its columns.
func openRows(ctx context.Context, db *sql.DB, query string, width int) ([]keyed, error) {
	stmt, core := parse(query)
	if len(stmt.Cores) != 1 || width == 0 {
		return nil, nil
	}
	own := len(core.Columns)
	for _, c := range core.Columns {
		if _, star := c.Expr.(*ast.Star); star {
			return nil, nil
		}
	}
	keys := make([]int, len(core.OrderBy))
	for i, o := range core.OrderBy {
		if at, ok := outputOf(o.Expr, core.Columns[:own]); ok {
			keys[i] = at
			continue
		}
		keys[i] = len(core.Columns)
		core.Columns = append(core.Columns, &ast.ResultColumn{Expr: o.Expr})
	}
	core.Limit = nil
	rows, err := fetch(ctx, db, ast.Statements([]ast.Stmt{stmt}))
	if err != nil {
		return nil, fmt.Errorf("the gold without its limit: %w", err)
	}
	out := make([]keyed, len(rows))
	for i, r := range rows {
		out[i].row = r[:own]
		for _, at := range keys {
			out[i].key = append(out[i].key, r[at])
		}
	}
	return out, nil
}

// outputOf finds the column that an ordering term names by number or alias.
func outputOf(e ast.Expr, columns []*ast.ResultColumn) (int, bool) {
	switch e := e.(type) {
	case *ast.Literal:
		n, err := strconv.Atoi(e.Value)
		return n - 1, err == nil && n >= 1 && n <= len(columns)
	case *ast.Ident:
		for i, c := range columns {
			if c.Alias != nil && strings.EqualFold(e.Name, c.Alias.Name) {
				return i, true
			}
		}
	}
	return 0, false
}

// tied reports whether got differs from the gold only in rows that tie with the
// last one under the gold's order.
func (g *Gold) tied(got []row) bool {
	n := len(g.rows)
	if n == 0 || len(got) != n || len(g.open) < n {
		return false
	}
	boundary := g.open[n-1].key
	first := slices.IndexFunc(g.open, func(k keyed) bool { return k.key.equal(boundary) })
	var certain, candidates []row
	for i, k := range g.open {
		switch {
		case i < first:
			certain = append(certain, k.row)
		case k.key.equal(boundary):
			candidates = append(candidates, k.row)
		}
	}
	if !sameRows(got[:first], certain, false) {
		return false
	}
	for _, r := range got[first:] {
		at := slices.IndexFunc(candidates, r.equal)
		if at < 0 {
			return false
		}
		candidates = slices.Delete(candidates, at, at+1)
	}
	return true
}

func fetch(ctx context.Context, db *sql.DB, query string) ([]row, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	cells := make([]any, len(names))
	targets := make([]any, len(names))
	for i := range cells {
		targets[i] = &cells[i]
	}
	var out []row
	for rows.Next() {
		if len(out) == maxGoldRows {
			return nil, fmt.Errorf("the gold has more than %d rows", maxGoldRows)
		}
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		r := make(row, len(cells))
		for i, c := range cells {
			r[i] = cellOfDriver(c)
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

func cellOfDriver(v any) cell {
	switch v := v.(type) {
	case nil:
		return cell{null: true}
	case int64:
		return cellOf(wire.Int(v))
	case float64:
		return cellOf(wire.Float(v))
	case bool:
		return cellOf(wire.Bool(v))
	case []byte:
		return cellOf(wire.Bytes(v))
	case string:
		return textCell(v)
	case interface{ Format(string) string }:
		return textCell(v.Format("2006-01-02 15:04:05.999999999"))
	}
	return textCell(fmt.Sprint(v))
}
