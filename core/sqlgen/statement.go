// Package sqlgen writes SQL: a policy.Secured goes in, one SELECT with bound
// arguments comes out. Identifiers are those of the catalog, quoted and fully
// qualified; aliases are made here; no literal of the plan is in the text.
package sqlgen

import (
	"slices"

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
	secrets []int
}

// Valid reports whether Render made s.
func (s Statement) Valid() bool { return s.sql != "" }

// SQL is the text, one SELECT.
func (s Statement) SQL() string { return s.sql }

// Args are the bound arguments in order. Keys of masks are among them: they are
// for the database alone. What is shown, stored or logged is Shown.
func (s Statement) Args() []wire.Value { return s.args }

// hiddenArg stands for an argument that is not shown.
const hiddenArg = "(hidden)"

// Shown is Args for the eyes of people and for records, with the keys of masks
// replaced by the text "(hidden)".
func (s Statement) Shown() []wire.Value {
	if len(s.secrets) == 0 {
		return s.args
	}
	out := slices.Clone(s.args)
	for _, i := range s.secrets {
		out[i] = wire.Text(hiddenArg)
	}
	return out
}

// Columns are the headers, with the types to which adapters convert.
func (s Statement) Columns() []wire.Column { return s.columns }

// Reads is every column that the statement may touch.
func (s Statement) Reads() []*schema.Column { return s.reads }

// Tables is every table that the statement may touch.
func (s Statement) Tables() []*schema.Table { return s.tables }

// Dialect is the family of databases that the text is for.
func (s Statement) Dialect() schema.Dialect { return s.dialect }
