// Package schema holds what is known of a database's structure: an immutable
// snapshot of its tables, columns and keys, with a fingerprint.
package schema

import (
	"strings"

	"querent.dev/querent/sdk/wire"
)

// DatasourceID is a datasource's name in the configuration.
type DatasourceID string

// Dialect is a family of databases that share their SQL.
type Dialect string

// The dialects.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
	MySQL    Dialect = "mysql"
)

// Storage is how a column that holds dates or times stores them. The empty
// Storage is the database's own type.
type Storage string

// The storage formats of dates and times in columns of text or numbers.
const (
	StorageNative  Storage = ""
	StorageISO     Storage = "iso"      // 2006-01-02, optionally with a time
	StorageEpoch   Storage = "epoch_s"  // seconds since 1970
	StorageEpochMS Storage = "epoch_ms" // milliseconds since 1970
	StorageJulian  Storage = "julian"   // julian day number
	StorageDMY     Storage = "dmy"      // 02/01/2006
)

// Catalog is a snapshot of a datasource's structure. It and everything in it
// are read-only after Build and safe for concurrent use.
type Catalog struct {
	Datasource  DatasourceID
	Dialect     Dialect
	Description string
	Tables      []*Table // sorted by schema, then name
	// MultiSchema is set when the tables span several schemas, so that plans
	// name them schema.table.
	MultiSchema bool

	fingerprint string
	byName      map[string]*Table
}

// TableKind tells views from tables.
type TableKind string

// The kinds of tables.
const (
	KindTable TableKind = "table"
	KindView  TableKind = "view"
)

// Table is a table or view as the database spells it.
type Table struct {
	Schema      string // "main" on SQLite
	Name        string
	Kind        TableKind
	Description string
	Synonyms    []string
	Columns     []*Column
	PrimaryKey  []*Column
	Unique      [][]*Column // unique keys beside the primary key
	ForeignKeys []ForeignKey
	RowEstimate int64 // -1: unknown

	byName map[string]*Column
}

// Column is a column as the database spells it.
type Column struct {
	Table    *Table
	Position int // 0-based
	Name     string
	Native   string // the declared type
	Type     wire.Type
	Storage  Storage
	// Mixed is set where the ISO text of a column's moments was seen in several forms,
	// such as with a T and with a space, so that it neither sorts nor is equal as the
	// moments are.
	Mixed bool
	// Evidence says in plain words what of the column's values, or of the
	// configuration, made its type and storage what they are; it holds counts and no
	// value. It is "" where the declared type alone did.
	Evidence string
	// Collation is the database's own order of the column's text, such as NOCASE.
	// Empty means that it already compares by code point, as plans do.
	Collation string
	// Charset is the character set of the column's text where it is not the one of
	// the connection: "" or, on MariaDB, such as latin1.
	Charset     string
	Nullable    bool
	Generated   bool
	Enum        []string // the labels of an enumeration, in its order
	Description string
	Synonyms    []string
	Tags        []string // personal, internal, …
}

// ForeignKey says that Columns of its table refer to RefColumns, pair by pair.
type ForeignKey struct {
	Columns    []*Column
	RefTable   *Table
	RefColumns []*Column
}

// ID is the table's name in policies and messages: schema.table.
func (t *Table) ID() string { return t.Schema + "." + t.Name }

// ID is the column's name in policies and messages: schema.table.column.
func (c *Column) ID() string { return c.Table.ID() + "." + c.Name }

// Column finds a column by name, ignoring ASCII case unless two columns differ
// by case alone, in which case the name must be exact.
func (t *Table) Column(name string) (*Column, bool) {
	c, ok := t.byName[name]
	if !ok {
		c, ok = t.byName[fold(name)]
	}
	return c, ok && c != nil
}

// Table finds a table by name or schema.table, with the case rule of Column. A
// bare name that two schemas share is not found.
func (c *Catalog) Table(name string) (*Table, bool) {
	t, ok := c.byName[name]
	if !ok {
		t, ok = c.byName[fold(name)]
	}
	return t, ok && t != nil
}

// PlanName is the name that plans use for t: bare, or schema.table in a catalog
// of several schemas.
func (c *Catalog) PlanName(t *Table) string {
	if c.MultiSchema {
		return t.ID()
	}
	return t.Name
}

// Fingerprint is a hash of the whole structure: it changes when a table, a
// column, a type or a key does.
func (c *Catalog) Fingerprint() string { return c.fingerprint }

// fold prefixes the key so that a folded name never meets an exact one.
func fold(name string) string { return "\x00" + strings.ToLower(name) }
