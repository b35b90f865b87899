package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"

	"modernc.org/sqlite"
)

// column is a column of schema main, as the catalog spells it.
type column struct{ table, name string }

// table is a table or view of schema main.
type table struct {
	name string
	view bool
}

// access is one operation that SQLite asks about while it compiles.
type access struct {
	action              sqlite.AuthorizerActionCode
	first, second       string
	schema, reachedFrom string // reachedFrom: the view, named sub-query or trigger that it is part of
}

// grants is what one statement may touch. SQLite asks decide while it compiles
// and, after a schema change, compiles again, on the one goroutine that uses the
// connection.
type grants struct {
	columns map[column]bool
	tables  map[string]bool
	// blocks are the names of the statement's own named sub-queries.
	blocks map[string]bool
	// views are the permitted views, and inSchema what the schema itself does: the
	// views, whose reads are granted only when reached from the view (no column of t
	// is readable because v is), and the defaults of the columns, by the functions
	// they call.
	views    []string
	inSchema map[access]bool
	// catalog is set for introspection, which may ask for the structure. It calls
	// no function but those of views and defaults.
	catalog bool
	// refused describes the first operation that was denied.
	refused string
}

func newGrants(q query) *grants {
	g := &grants{columns: map[column]bool{}, tables: map[string]bool{}, blocks: q.blocks(), inSchema: map[access]bool{}}
	for _, c := range q.reads {
		g.columns[c] = true
	}
	for _, t := range q.tables {
		g.tables[t.name] = true
		if t.view {
			g.views = append(g.views, t.name)
		}
	}
	return g
}

// decide is the authorizer of a statement.
func (g *grants) decide(action sqlite.AuthorizerActionCode, first, second, schema, reachedFrom string) sqlite.AuthorizerReturnCode {
	a := access{action, first, second, schema, reachedFrom}
	if g.allows(a) || g.inSchema[a] || g.ofDefault(a) {
		return sqlite.AuthorizerOK
	}
	if g.refused == "" {
		g.refused = a.String()
	}
	return sqlite.AuthorizerDeny
}

func (g *grants) allows(a access) bool {
	switch a.action {
	case sqlite.AuthSelect, sqlite.AuthRecursive:
		return true
	case sqlite.AuthFunction:
		return g.catalog || functions[strings.ToLower(a.second)]
	case sqlite.AuthPragma:
		return g.catalog && catalogPragmas[a.first]
	case sqlite.AuthRead:
		return g.catalog || g.allowsRead(a)
	}
	return false
}

// ofDefault reports whether a column's default makes the call. Where SQLite asks
// for it from depends on the query around the column.
func (g *grants) ofDefault(a access) bool {
	a.reachedFrom = ""
	return a.action == sqlite.AuthFunction && g.inSchema[a]
}

// allowsRead handles the read without a column, too, which stands for the use
// of a table that gives no value, as in count(*). SQLite names no schema in it
// for views and named sub-queries.
func (g *grants) allowsRead(a access) bool {
	switch {
	case a.schema == "main" && a.second != "":
		return g.columns[column{a.first, a.second}]
	case a.schema == "main":
		return g.tables[a.first]
	case a.schema == "" && a.second == "":
		return g.blocks[a.first] || g.isView(a.first)
	}
	return false
}

func (g *grants) isView(name string) bool {
	for _, v := range g.views {
		if v == name {
			return true
		}
	}
	return false
}

// learn compiles selections on a driver connection and keeps what the schema does
// in them by itself. The schema is read anew each time, so one that changed is
// never granted what it was before. A wait for a lock ends with ctx.
func (g *grants) learn(ctx context.Context, driverConn any, selections []string) error {
	preparer, ok := driverConn.(driver.ConnPrepareContext)
	if !ok {
		return fmt.Errorf("a connection of type %T cannot compile a statement", driverConn)
	}
	if len(selections) == 0 {
		return nil
	}
	if err := authorize(driverConn, g.keep); err != nil {
		return err
	}
	for _, text := range selections {
		var compiled driver.Stmt
		err := patiently(ctx, func() (err error) {
			compiled, err = preparer.PrepareContext(ctx, text)
			return err
		})
		if err != nil {
			return err
		}
		if err := compiled.Close(); err != nil {
			return err
		}
	}
	return nil
}

// keep is the authorizer under which the schema is compiled. A call that is not
// reached from a view comes from a column's default.
func (g *grants) keep(action sqlite.AuthorizerActionCode, first, second, schema, reachedFrom string) sqlite.AuthorizerReturnCode {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRecursive, sqlite.AuthRead, sqlite.AuthFunction:
		if reachedFrom != "" || action == sqlite.AuthFunction {
			g.inSchema[access{action, first, second, schema, reachedFrom}] = true
		}
		if reachedFrom != "" && action == sqlite.AuthRead {
			// A query that uses fewer columns of the view may need none of a table's. SQLite
			// may ask for that use after it has merged the view into the query.
			g.inSchema[access{action, first, "", schema, reachedFrom}] = true
			g.inSchema[access{action, first, "", schema, ""}] = true
		}
		return sqlite.AuthorizerOK
	}
	return sqlite.AuthorizerDeny
}

// ofViews are queries that hold every permitted view.
func (g *grants) ofViews() []string {
	var out []string
	for _, v := range g.views {
		out = append(out, "SELECT * FROM main."+quote(v))
	}
	return out
}

// ofTables are queries that hold every permitted column of a table.
func (g *grants) ofTables() []string {
	columns := map[string][]string{}
	for c := range g.columns {
		if !g.isView(c.table) {
			columns[c.table] = append(columns[c.table], quote(c.name))
		}
	}
	var out []string
	for t, names := range columns {
		out = append(out, "SELECT "+strings.Join(names, ", ")+" FROM main."+quote(t))
	}
	return out
}

// authorize puts an authorizer on a driver connection.
func authorize(driverConn any, decide sqlite.AuthorizerFn) error {
	r, ok := driverConn.(sqlite.AuthorizerRegisterer)
	if !ok {
		return fmt.Errorf("a connection of type %T takes no authorizer", driverConn)
	}
	return r.RegisterAuthorizer(decide)
}

func denyAll(sqlite.AuthorizerActionCode, string, string, string, string) sqlite.AuthorizerReturnCode {
	return sqlite.AuthorizerDeny
}

// String describes the access for the operator's log.
func (a access) String() string {
	switch a.action {
	case sqlite.AuthRead:
		return fmt.Sprintf("read of %s.%s.%s", a.schema, a.first, a.second)
	case sqlite.AuthFunction:
		return fmt.Sprintf("call of function %s", a.second)
	}
	return fmt.Sprintf("operation %d on %q, %q", a.action, a.first, a.second)
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
