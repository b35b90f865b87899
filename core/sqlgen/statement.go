// Package sqlgen writes SQL: a policy.Secured goes in, one SELECT with bound
// arguments comes out. Identifiers are those of the catalog, quoted and fully
// qualified; aliases are made here; no literal of the plan is in the text.
package sqlgen

import (
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
}

// Valid reports whether Render made s.
func (s Statement) Valid() bool { return s.sql != "" }

// SQL is the text, one SELECT.
func (s Statement) SQL() string { return s.sql }

// Args are the bound arguments in order.
func (s Statement) Args() []wire.Value { return s.args }

// Columns are the headers, with the types to which adapters convert.
func (s Statement) Columns() []wire.Column { return s.columns }

// Reads is every column that the statement may touch.
func (s Statement) Reads() []*schema.Column { return s.reads }

// Tables is every table that the statement may touch.
func (s Statement) Tables() []*schema.Table { return s.tables }

// Dialect is the family of databases that the text is for.
func (s Statement) Dialect() schema.Dialect { return s.dialect }
