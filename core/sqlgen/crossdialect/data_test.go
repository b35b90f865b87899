//go:build databases

// Package crossdialect_test runs plans on SQLite, PostgreSQL and MariaDB over the
// same data and demands the same rows.
package crossdialect_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// field is a column of the test's tables, with its type on every database.
type field struct {
	name                    string
	kind                    wire.Kind
	storage                 schema.Storage // everywhere
	sqlite, postgres, maria string         // declared types
	sqliteStorage           schema.Storage // where SQLite has no type for it
	collation, charset      string         // on MariaDB
	postgresCollation       string
	key, required           bool
}

// table is a table of the test.
type table struct {
	name    string
	fields  []field
	foreign map[string]string // column -> table
	rows    [][]any
}

func whole(name string) field {
	return field{name: name, kind: wire.KindInt, sqlite: "INTEGER", postgres: "integer", maria: "int"}
}

func text(name string) field {
	return field{name: name, kind: wire.KindText, sqlite: "TEXT", postgres: "text", maria: "varchar(80)", collation: "utf8mb4_general_ci"}
}

func moment(name string, kind wire.Kind) field {
	f := field{name: name, kind: kind, sqlite: "TEXT", sqliteStorage: schema.StorageISO}
	switch kind {
	case wire.KindDate:
		f.postgres, f.maria = "date", "date"
	case wire.KindTimestamp:
		f.postgres, f.maria = "timestamp", "datetime(6)"
	default:
		f.postgres, f.maria = "timestamptz", "timestamp(6) null"
	}
	return f
}

func stored(name string, s schema.Storage) field {
	switch s {
	case schema.StorageEpoch, schema.StorageEpochMS:
		return field{name: name, kind: wire.KindInt, storage: s, sqlite: "INTEGER", postgres: "bigint", maria: "bigint"}
	case schema.StorageJulian:
		return field{name: name, kind: wire.KindFloat, storage: s, sqlite: "REAL", postgres: "double precision", maria: "double"}
	}
	f := text(name)
	f.storage = s
	return f
}

func keyed(f field) field { f.key, f.required = true, true; return f }

func must(f field) field { f.required = true; return f }

// samples is the widest table: a column of every kind and of every storage.
func samples() table {
	big := whole("big")
	big.postgres, big.maria = "bigint", "bigint"
	short := whole("short")
	short.postgres, short.maria = "smallint", "smallint unsigned"
	latin := text("latin")
	latin.maria, latin.collation, latin.charset = "varchar(80) CHARACTER SET latin1 COLLATE latin1_swedish_ci", "latin1_swedish_ci", "latin1"
	latin.postgres, latin.postgresCollation = `varchar(80) COLLATE "en-x-icu"`, "en-x-icu"
	fixed := text("fixed")
	fixed.postgres, fixed.maria = "character varying(80)", "varchar(80) COLLATE utf8mb4_unicode_ci"
	fixed.collation = "utf8mb4_unicode_ci"
	return table{name: "samples", fields: []field{
		keyed(whole("id")), whole("n"), big, short,
		{name: "m", kind: wire.KindDecimal, sqlite: "DECIMAL(10,2)", postgres: "numeric(10,2)", maria: "decimal(10,2)"},
		{name: "f", kind: wire.KindFloat, sqlite: "REAL", postgres: "double precision", maria: "double"},
		text("s"), must(text("word")), latin, fixed,
		{name: "flag", kind: wire.KindBool, sqlite: "BOOLEAN", postgres: "boolean", maria: "tinyint(1)"},
		moment("day", wire.KindDate), moment("at", wire.KindTimestamp), moment("z", wire.KindTimestampTZ),
		stored("iso", schema.StorageISO), stored("ep", schema.StorageEpoch), stored("ms", schema.StorageEpochMS),
		stored("jul", schema.StorageJulian), stored("dmy", schema.StorageDMY),
	}}
}

// texts are values that databases like to take for one another.
var texts = []any{
	"abc", "ABC", "Abc", "abc ", " abc", "é", "É", "e", "E", "ß", "ss", "SS", "가나다", "가", "나é😀", "", "a", "A", "a_b", "a%b", "a!b", "a\\b",
	"100%", "12.5", " -3 ", "12abc", "1.2.3", "+7", ".5", "5.", "x'y", "zebra", "Zebra", "äpfel", "apfel", "-", "_", "2024-02-29", "2023-02-29",
	"2024-02-29 10:30", "true", nil, nil, nil,
}

var latins = []any{"abc", "ABC", "é", "É", "e", "ü", "u", "ss", "ß", "a b", "", nil}

var days = []string{
	"2023-12-31", "2024-01-01", "2024-01-31", "2024-02-28", "2024-02-29", "2024-03-01", "2024-03-31", "2024-04-30", "2024-06-30", "2024-07-01",
	"2024-09-30", "2024-10-01", "2024-12-29", "2024-12-30", "2024-12-31", "2025-01-01", "2025-01-05", "2025-01-06", "1999-12-31", "1971-01-01",
	"2023-02-28", "2000-02-29", "2021-01-03", "2021-01-04", "2037-05-30",
}

var clocks = []string{"00:00:00", "23:59:59.999", "12:30:15", "01:02:03.004", "10:00:00.5", "08:59:59"}

// sampleRows makes the rows of samples. The same seed gives the same rows.
func sampleRows(n int) [][]any {
	random := rand.New(rand.NewPCG(11, 12))
	pick := func(list []any) any { return list[random.IntN(len(list))] }
	maybe := func(v any) any {
		if random.IntN(7) == 0 {
			return nil
		}
		return v
	}
	var rows [][]any
	for i := range n {
		t := moments(random, i)
		word := fmt.Sprint(pick(texts[:len(texts)-3]))
		cents := random.Int64N(400_000) - 200_000
		if i%4 == 0 {
			cents = cents/10*10 + 5*sign(cents) // ties at the half of a tenth
		}
		rows = append(rows, []any{
			i + 1, maybe(random.Int64N(21) - 10), maybe((random.Int64N(2_000_001) - 1_000_000) * 4_000_000_000), maybe(random.Int64N(5)),
			maybe(fmt.Sprintf("%s%d.%02d", minus(cents), abs(cents)/100, abs(cents)%100)), maybe(float64(random.Int64N(4001)-2000) / 8),
			pick(texts), word, pick(latins), pick(texts), maybe(random.IntN(2) == 1),
			maybe(day(t)), maybe(stamp(t)), maybe(zoned(t)), maybe(isoText(t)), maybe(t.Unix()), maybe(t.UnixMilli()),
			maybe(float64(t.UnixMilli()+210866760000000) / 86400000), maybe(t.Format("02/01/2006")),
		})
	}
	return rows
}

func sign(n int64) int64 {
	if n < 0 {
		return -1
	}
	return 1
}

func abs(n int64) int64 { return n * sign(n) }

func minus(n int64) string {
	if n < 0 {
		return "-"
	}
	return ""
}

// moments takes the days with something about them first, and then any.
func moments(random *rand.Rand, i int) time.Time {
	d := days[i%len(days)]
	if i%3 == 2 {
		d = time.Unix(random.Int64N(2_000_000_000)+10_000_000, 0).UTC().Format(time.DateOnly)
	}
	t, err := time.Parse("2006-01-02 15:04:05", d+" "+clocks[random.IntN(len(clocks))])
	if err != nil {
		panic(err)
	}
	return t
}

// instant and clock are values that databases take in different forms.
type (
	instant time.Time
	clock   time.Time
	date    time.Time
)

func day(t time.Time) any   { return date(t) }
func stamp(t time.Time) any { return clock(t) }
func zoned(t time.Time) any { return instant(t) }

// isoText writes the moment as text. A column keeps to one form: SQLite sorts the
// text as it stands, and a T is greater than a space.
func isoText(t time.Time) any { return t.Format("2006-01-02T15:04:05.000Z") }

// sampleCount is how many rows there are to meet each other in joins.
const sampleCount = 130

func tables() []table {
	s := samples()
	s.rows = sampleRows(sampleCount)
	items := table{name: "items", foreign: map[string]string{"sample_id": "samples"}, fields: []field{
		keyed(whole("id")), whole("sample_id"), must(text("name")), must(whole("qty")),
		{name: "price", kind: wire.KindDecimal, sqlite: "DECIMAL(10,2)", postgres: "numeric(10,2)", maria: "decimal(10,2)"},
		text("city"), moment("sold", wire.KindDate),
	}}
	random := rand.New(rand.NewPCG(13, 14))
	for i := range 170 {
		var sample any = random.IntN(sampleCount*6/5) + 1 // some have none
		if sample.(int) > sampleCount {
			sample = nil
		}
		t := moments(random, i)
		var price any = fmt.Sprintf("%d.%02d", random.IntN(100), random.IntN(100))
		if i%11 == 0 {
			price = nil
		}
		items.rows = append(items.rows, []any{i + 1, sample, texts[i%20], random.IntN(9) - 1, price,
			[]any{"Paris", "paris", "PARIS ", "서울", "Köln", "Koln", nil}[random.IntN(7)], day(t)})
	}
	tree := table{name: "tree", foreign: map[string]string{"parent": "tree"}, fields: []field{
		keyed(whole("id")), whole("parent"), must(text("name")),
		{name: "weight", kind: wire.KindDecimal, sqlite: "DECIMAL(10,2)", postgres: "numeric(10,2)", maria: "decimal(10,2)"},
	}}
	for i := range 40 {
		var parent any = i / 3
		if i < 3 {
			parent = nil
		}
		tree.rows = append(tree.rows, []any{i + 1, parent, fmt.Sprintf("n%d", i+1), fmt.Sprintf("%d.50", i)})
	}
	tree.rows[2][1] = nil
	void := table{name: "void", fields: []field{keyed(whole("id")), whole("n"), text("s")}}
	loose := table{name: "loose", fields: []field{whole("c1"), text("c2"), whole("sample_id")}} // no key, and names that are aliases
	for i := range 30 {
		loose.rows = append(loose.rows, []any{[]any{3, 1, nil, 2}[i%4], texts[i%12], i * 7 % 40})
	}
	return []table{s, items, tree, void, loose}
}

// engine is one of the databases with the data in it.
type engine struct {
	dialect schema.Dialect
	db      *sql.DB
	catalog *schema.Catalog
	source  datasource.Datasource // nil: the driver alone
	spent   time.Duration
}

func (f field) declared(d schema.Dialect) string {
	switch d {
	case schema.SQLite:
		return f.sqlite
	case schema.Postgres:
		return f.postgres
	}
	return f.maria
}

func quoted(d schema.Dialect, name string) string {
	if d == schema.MySQL {
		return "`" + name + "`"
	}
	return `"` + name + `"`
}

// create makes the tables and fills them.
func (e *engine) create(t *testing.T) {
	t.Helper()
	for _, tab := range tables() {
		var columns, marks []string
		for i, f := range tab.fields {
			column := quoted(e.dialect, f.name) + " " + f.declared(e.dialect)
			if f.required {
				column += " NOT NULL"
			}
			if f.key {
				column += " PRIMARY KEY"
			}
			columns = append(columns, column)
			mark := "?"
			if e.dialect == schema.Postgres {
				mark = fmt.Sprintf("$%d", i+1)
			}
			marks = append(marks, mark)
		}
		for column, to := range tab.foreign {
			columns = append(columns, fmt.Sprintf("FOREIGN KEY (%s) REFERENCES %s (%s)", quoted(e.dialect, column), quoted(e.dialect, to), quoted(e.dialect, "id")))
		}
		e.exec(t, fmt.Sprintf("CREATE TABLE %s (%s)", quoted(e.dialect, tab.name), strings.Join(columns, ", ")))
		tx, err := e.db.Begin()
		if err != nil {
			t.Fatal(err)
		}
		insert, err := tx.Prepare(fmt.Sprintf("INSERT INTO %s VALUES (%s)", quoted(e.dialect, tab.name), strings.Join(marks, ", ")))
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range tab.rows {
			args := make([]any, len(row))
			for i, v := range row {
				args[i] = e.stored(v)
			}
			if _, err := insert.Exec(args...); err != nil {
				t.Fatalf("%s: %v: %v", tab.name, args, err)
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
}

func (e *engine) exec(t *testing.T, statement string) {
	t.Helper()
	if _, err := e.db.Exec(statement); err != nil {
		t.Fatalf("%v\n%s", err, statement)
	}
}

// stored is a value as it is put into the database.
func (e *engine) stored(v any) any {
	switch v := v.(type) {
	case date:
		return time.Time(v).Format(time.DateOnly)
	case clock:
		return time.Time(v).Format("2006-01-02 15:04:05.000")
	case instant:
		if e.dialect == schema.MySQL {
			return time.Time(v).Format("2006-01-02 15:04:05.000")
		}
		return time.Time(v).Format("2006-01-02T15:04:05.000Z")
	case bool:
		if e.dialect != schema.Postgres {
			return map[bool]int{true: 1}[v]
		}
	}
	return v
}

// build makes the catalog as the adapter of the database would, with the tables in
// the schema of the name.
func (e *engine) build(name string) {
	made := map[string]*schema.Table{}
	var list []*schema.Table
	for _, tab := range tables() {
		t := &schema.Table{Schema: name, Name: tab.name, Kind: schema.KindTable, RowEstimate: -1}
		for i, f := range tab.fields {
			c := &schema.Column{Name: f.name, Position: i, Native: f.declared(e.dialect), Type: wire.Type{Kind: f.kind}, Storage: f.storage, Nullable: !f.required}
			if f.kind == wire.KindDecimal {
				c.Type.Precision, c.Type.Scale = 10, 2
			}
			switch e.dialect {
			case schema.SQLite:
				if f.sqliteStorage != "" {
					c.Storage = f.sqliteStorage
				}
			case schema.MySQL:
				c.Collation, c.Charset = f.collation, f.charset
			case schema.Postgres:
				c.Collation = f.postgresCollation
			}
			t.Columns = append(t.Columns, c)
			if f.key {
				t.PrimaryKey = append(t.PrimaryKey, c)
			}
		}
		made[tab.name] = t
		list = append(list, t)
	}
	for _, tab := range tables() {
		for i, f := range tab.fields {
			if ref := made[tab.foreign[f.name]]; ref != nil {
				made[tab.name].ForeignKeys = append(made[tab.name].ForeignKeys, schema.ForeignKey{
					Columns: made[tab.name].Columns[i : i+1], RefTable: ref, RefColumns: ref.PrimaryKey,
				})
			}
		}
	}
	e.catalog = schema.Build("cross", e.dialect, list)
}
