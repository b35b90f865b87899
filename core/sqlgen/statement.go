// Package sqlgen writes SQL: a policy.Secured goes in, one SELECT with bound
// arguments comes out. Identifiers are those of the catalog, quoted and fully
// qualified; aliases are made here; no literal of the plan is in the text.
package sqlgen

import (
	"slices"
	"strings"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// Statement is a rendered query. Render is its only maker; the zero Statement
// is refused by every adapter.
type Statement struct {
	sql     string
	args    []wire.Value
	columns []wire.Column
	reads   []*schema.Column
	tables  []*schema.Table
	dialect schema.Dialect

	concealed concealment
}

// Valid reports whether Render made s.
func (s Statement) Valid() bool { return s.sql != "" }

// SQL is the text, one SELECT. It may name columns that the caller may not see, in
// what the policy put into it: what is shown, stored with an answer or logged is
// ShownSQL.
func (s Statement) SQL() string { return s.sql }

// Args are the bound arguments in order. Constants of the policy are among them,
// also keys of masks: they are for the database alone. What is shown, stored with
// an answer or logged is Shown.
func (s Statement) Args() []wire.Value { return s.args }

// hidden stands for what is not shown.
const hidden = "(hidden)"

// Shown is Args for the eyes of the caller, with the constants of the policy
// replaced by the text "(hidden)".
func (s Statement) Shown() []wire.Value {
	out := slices.Clone(s.args)
	for _, i := range s.concealed.args {
		out[i] = wire.Text(hidden)
	}
	return out
}

// ShownSQL is SQL for the eyes of the caller: names that they may not see are
// replaced by "(hidden)".
func (s Statement) ShownSQL() string {
	var out strings.Builder
	at := 0
	for _, n := range s.concealed.names {
		out.WriteString(s.sql[at:n.from])
		out.WriteString(hidden)
		at = n.to
	}
	out.WriteString(s.sql[at:])
	return out.String()
}

// Columns are the headers, with the types to which adapters convert.
func (s Statement) Columns() []wire.Column { return s.columns }

// Reads is every column that the statement may touch.
func (s Statement) Reads() []*schema.Column { return s.reads }

// Tables is every table that the statement may touch.
func (s Statement) Tables() []*schema.Table { return s.tables }

// Dialect is the family of databases that the text is for.
func (s Statement) Dialect() schema.Dialect { return s.dialect }
