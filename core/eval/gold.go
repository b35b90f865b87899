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
	"time"

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
	// which it is ordered; nil when the gold has neither, or an order whose values
	// cannot be selected beside the columns.
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
	stmt, core := parse(query)
	if core == nil || len(core.OrderBy) == 0 && core.Limit == nil {
		return g, nil
	}
	g.ordered = len(core.OrderBy) > 0
	g.open, err = openRows(ctx, db, stmt, core)
	return g, err
}

// parse gives the part of a query that orders and cuts its result, with the
// whole; nil for what is no query of that form.
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

// openRows runs a query without its limit and with its ordering terms selected
// beside its columns.
func openRows(ctx context.Context, db *sql.DB, stmt *ast.SelectStmt, core *ast.SelectQuery) ([]keyed, error) {
	own := len(core.Columns)
	keys := make([]int, len(core.OrderBy))
	for i, o := range core.OrderBy {
		at, ok := outputOf(o.Expr, core.Columns[:own])
		if !ok {
			at = len(core.Columns)
			core.Columns = append(core.Columns, &ast.ResultColumn{Expr: o.Expr})
		}
		keys[i] = at
	}
	if len(core.Columns) > own && !extensible(stmt, core, own) {
		return nil, nil
	}
	core.Limit = nil
	rows, err := fetch(ctx, db, ast.Statements([]ast.Stmt{stmt}))
	if err != nil {
		return nil, fmt.Errorf("the gold without its limit: %w", err)
	}
	out := make([]keyed, len(rows))
	for i, r := range rows {
		width := own
		if len(core.Columns) == own {
			width = len(r) // a star stands for several columns
		}
		out[i].row = r[:width]
		for _, at := range keys {
			out[i].key = append(out[i].key, r[at])
		}
	}
	return out, nil
}

// extensible reports whether more columns leave the rows of a query what they
// are: not under distinct or a set operation, and not beside a star, whose width
// is not known here.
func extensible(stmt *ast.SelectStmt, core *ast.SelectQuery, own int) bool {
	star := slices.ContainsFunc(core.Columns[:own], func(c *ast.ResultColumn) bool {
		_, is := c.Expr.(*ast.Star)
		return is
	})
	return !star && len(stmt.Cores) == 1 && core.Distinct == ast.DistinctNone
}

// outputOf finds the column that an ordering term names by number or name.
func outputOf(e ast.Expr, columns []*ast.ResultColumn) (int, bool) {
	switch e := e.(type) {
	case *ast.Literal:
		n, err := strconv.Atoi(e.Value)
		return n - 1, err == nil && n >= 1 && n <= len(columns)
	case *ast.Ident:
		for i, c := range columns {
			if name := outputName(c); name != "" && strings.EqualFold(e.Name, name) {
				return i, true
			}
		}
	}
	return 0, false
}

// outputName is a column's alias, or its name where it is a bare one, or "".
func outputName(c *ast.ResultColumn) string {
	if c.Alias != nil {
		return c.Alias.Name
	}
	if bare, ok := c.Expr.(*ast.Ident); ok {
		return bare.Name
	}
	return ""
}

// agrees reports whether got has the gold's rows in the gold's order: rows with
// equal keys may stand in any order, and where a limit cuts such rows, others of
// them may take their places. exact is false when that happened.
func (g *Gold) agrees(got []row) (agrees, exact bool) {
	if len(got) != len(g.rows) || len(g.open) < len(got) {
		return false, false
	}
	exact = true
	for from := 0; from < len(got); {
		to := from + 1
		for to < len(g.open) && g.open[to].key.equal(g.open[from].key) {
			to++
		}
		peers := make([]row, to-from)
		for i := range peers {
			peers[i] = g.open[from+i].row
		}
		end := min(to, len(got))
		if end == to {
			if !sameRows(got[from:end], peers, false) {
				return false, false
			}
		} else {
			if !subset(got[from:end], peers) {
				return false, false
			}
			exact = sameRows(got[from:end], g.rows[from:end], false)
		}
		from = end
	}
	return true, exact
}

// subset reports whether every row of got is one of peers, each used once.
func subset(got, peers []row) bool {
	for _, r := range got {
		at := slices.IndexFunc(peers, r.equal)
		if at < 0 {
			return false
		}
		peers = slices.Delete(peers, at, at+1)
	}
	return true
}

// querier is a connection, a transaction or a pool.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func fetch(ctx context.Context, db querier, query string) ([]row, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	types, err := rows.ColumnTypes()
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
			if b, is := c.([]byte); is && textual(types[i].DatabaseTypeName()) {
				c = string(b)
			}
			r[i] = cellOfDriver(c)
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// textual reports whether the driver of MariaDB hands out the text of a type as
// bytes, as it does for all but those that are bytes.
func textual(native string) bool {
	switch native {
	case "CHAR", "VARCHAR", "TEXT", "DECIMAL", "DATE", "DATETIME", "TIMESTAMP", "TIME", "ENUM", "SET", "JSON", "YEAR", "UNSIGNED BIGINT", "NULL":
		return true
	}
	return false
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
	case time.Time:
		return textCell(v.UTC().Format("2006-01-02 15:04:05.999999999"))
	}
	return textCell(fmt.Sprint(v))
}
