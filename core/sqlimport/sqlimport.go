// Package sqlimport turns SQL into plans: to author verified queries, which then
// run under policy like any other plan, and to measure what the plan language can
// say.
//
// SQL goes one way: the parser of its flavour -> one tree of our own -> a
// wire.Plan, resolved against a catalog -> plan.Bind. The plan returns the rows
// that the SQL returns on a database of its flavour. What a plan cannot say is an
// *Error that names the construct, its place and why.
package sqlimport

import (
	"errors"
	"fmt"
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlimport/internal/litesql"
	"querent.dev/querent/core/sqlimport/internal/mysql"
	"querent.dev/querent/core/sqlimport/internal/pgsql"
	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// What SQL may measure before a parser sees it: two of the parsers have no limit
// of their own, and their time grows with the square of the depth.
const (
	// MaxBytes is the length of the SQL. The longest of the measured golds has less
	// than 8 KiB.
	MaxBytes = 64 << 10
	// maxDepth is the nesting of parentheses.
	maxDepth = 200
)

// Options say how SQL is read. All but Visible are needed.
type Options struct {
	Flavour schema.Dialect
	Catalog *schema.Catalog
	// Visible tells what the author may see; nil: all. A name of what is not
	// visible is bound all the same, and refused by the policy.
	Visible plan.Visibility
	Clock   plan.Clock
}

// Imported is SQL as a plan.
type Imported struct {
	Plan  wire.Plan // in normal form
	Query *plan.Query
	// Ordered is set when the SQL itself orders its rows.
	Ordered bool
	// Notes say where the plan differs from the SQL on purpose, in plain words.
	Notes []string
}

// Kind says why SQL cannot be carried over.
type Kind string

// The kinds of errors.
const (
	// Syntax is text that is no single select of its flavour.
	Syntax Kind = "syntax"
	// UnknownName is a table, a column or an alias that is not there.
	UnknownName Kind = "unknown_name"
	// NotPortable is SQL whose rows its own database does not determine, or which
	// mean something on that database only.
	NotPortable Kind = "not_portable"
	// NotSupported is SQL that has a meaning which plans cannot say.
	NotSupported Kind = "not_supported"
)

// Error says what of the SQL cannot be carried over, where and why. It repeats
// names of the SQL, so it is for the author of the SQL.
type Error struct {
	Kind      Kind
	Construct string // "" for a syntax error
	Line, Col int    // from 1; 0: not known
	Why       string
}

// Error is one line.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d, column %d: ", e.Line, e.Col)
	}
	if e.Construct != "" {
		b.WriteString(e.Construct + ": ")
	}
	return b.String() + e.Why
}

// Import turns one select into a plan. The error is an *Error, or, for SQL that
// names what is not visible, what plan.Bind says about it. Import is safe for
// concurrent use.
func Import(sql string, o Options) (*Imported, error) {
	q, err := parse(sql, o.Flavour)
	if err != nil {
		return nil, err
	}
	t := newTranslator(sql, o, q)
	p, err := t.plan(q)
	if err != nil {
		return nil, t.explain(err)
	}
	bound, err := plan.Bind(p, t.planScope())
	if err != nil {
		return nil, t.unbound(err)
	}
	return &Imported{Plan: bound.Wire(), Query: bound, Ordered: len(q.Order) > 0, Notes: t.notes}, nil
}

// Check reads SQL without looking its names up. The error is the *Error of its
// syntax, or nil.
func Check(sql string, flavour schema.Dialect) error {
	_, err := parse(sql, flavour)
	return err
}

// parse reads SQL of a flavour. A parser that panics has met what it cannot read.
func parse(sql string, flavour schema.Dialect) (q *tree.Query, err error) {
	if err := checkText(sql); err != nil {
		return nil, err
	}
	parsers := map[schema.Dialect]func(string) (*tree.Query, int, error){
		schema.SQLite: litesql.Parse, schema.Postgres: pgsql.Parse, schema.MySQL: mysql.Parse,
	}
	read, ok := parsers[flavour]
	if !ok {
		return nil, &Error{Kind: NotSupported, Construct: "SQL of the flavour " + string(flavour), Why: "expected sqlite, postgres or mysql"}
	}
	defer func() {
		if p := recover(); p != nil {
			q, err = nil, &Error{Kind: Syntax, Why: "the parser failed on it"}
		}
	}()
	q, at, err := read(sql)
	if err != nil {
		e := &Error{Kind: Syntax, Why: err.Error()}
		e.Line, e.Col = place(sql, at)
		return nil, e
	}
	return q, nil
}

func checkText(sql string) error {
	if len(sql) > MaxBytes {
		return &Error{Kind: Syntax, Why: fmt.Sprintf("the SQL is too long: %d bytes, at most %d are read", len(sql), MaxBytes)}
	}
	if strings.TrimSpace(sql) == "" {
		return &Error{Kind: Syntax, Why: "there is no SQL"}
	}
	depth := 0
	for i := range len(sql) {
		switch sql[i] {
		case 0:
			return &Error{Kind: Syntax, Why: "the SQL holds a zero character"}
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth > maxDepth {
			e := &Error{Kind: Syntax, Why: fmt.Sprintf("parentheses nest more than %d deep", maxDepth)}
			e.Line, e.Col = place(sql, i)
			return e
		}
	}
	return nil
}

// place is the line and the column of a byte, 0 if it is not known.
func place(sql string, at int) (line, col int) {
	if at < 0 || at > len(sql) {
		return 0, 0
	}
	before := sql[:at]
	return strings.Count(before, "\n") + 1, len([]rune(before[strings.LastIndexByte(before, '\n')+1:])) + 1
}

// unbound explains a plan that does not bind. What the translator lets through and
// the binder refuses is a plan that cannot be said.
func (t *translator) unbound(err error) error {
	var e *plan.Error
	if !errors.As(err, &e) {
		return err
	}
	return &Error{Kind: NotSupported, Construct: "the query as a plan", Why: e.Error()}
}
