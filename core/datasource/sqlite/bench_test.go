package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"testing"
	"time"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/result"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/wire"
)

// overheadPairs is how often each side is measured, in turns.
const overheadPairs = 500

// BenchmarkOverhead tells what the adapter and the storing of the result add to
// a query of about a millisecond, against the same SQL on the bare driver.
func BenchmarkOverhead(b *testing.B) {
	path := makeFile(b, `CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT, joined DATE, made TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
		INSERT INTO customers SELECT i, 'name ' || i, 'country ' || (i % 15), date('2025-01-01', i || ' days'), '2025-01-01 00:00:00' FROM n;
		CREATE VIEW named AS SELECT id, name, country FROM customers WHERE name <> ''`)
	d := openFile(b, Options{Path: path})
	bare, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	for _, c := range []struct{ name, plan string }{
		{"table", `{"from": "customers", "group": ["country"], "select": ["country", "count(*) as n"], "where": "name <> ''", "order": ["n desc"]}`},
		{"one row", `{"from": "customers", "select": ["name"], "where": "id = 7"}`},
		{"view", `{"from": "named", "group": ["country"], "select": ["country", "count(*) as n"], "order": ["n desc"]}`},
		{"computed default", `{"from": "customers", "group": ["country"], "select": ["country", "count(made) as n"], "order": ["n desc"]}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			s, err := rendered(b, d, c.plan)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				compareOverhead(b, d, bare, s)
			}
		})
	}
}

func compareOverhead(b *testing.B, d *database, bare *sql.DB, s sqlgen.Statement) {
	var ours, theirs []time.Duration
	for i := range overheadPairs + 20 {
		began := time.Now()
		stored(b, d, s)
		middle := time.Now()
		readBare(b, bare, s)
		if i >= 20 { // the first ones warm up
			ours, theirs = append(ours, middle.Sub(began)), append(theirs, time.Since(middle))
		}
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	with, without := ours[len(ours)/2], theirs[len(theirs)/2]
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(without)/1e3, "µs/bare")
	b.ReportMetric(float64(with-without)/1e3, "µs/added")
}

// stored runs s as the executor does: a deadline, limits, and the rows kept.
func stored(b *testing.B, d *database, s sqlgen.Statement) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	rows, err := d.Query(ctx, s, datasource.Limits{Rows: 100000, Bytes: 64 << 20, Timeout: 20 * time.Second})
	if err != nil {
		b.Fatal(err)
	}
	r, err := result.Store(ctx, rows, s.Columns(), result.Options{RowCap: 100000})
	if err != nil || r.RowCount() == 0 {
		b.Fatal(err)
	}
	if err := r.Close(); err != nil {
		b.Fatal(err)
	}
}

func readBare(b *testing.B, db *sql.DB, s sqlgen.Statement) {
	args, err := bind(s.Args())
	if err != nil {
		b.Fatal(err)
	}
	rows, err := db.Query(s.SQL(), args...)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	cells := make([]any, len(s.Columns()))
	dest := make([]any, len(cells))
	for i := range cells {
		dest[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			b.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkScan reads a million rows through the adapter and, in the same run,
// through the bare driver.
func BenchmarkScan(b *testing.B) {
	path := makeFile(b, `CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER, c REAL, d TEXT, e TEXT, f INTEGER);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
		INSERT INTO t SELECT i, i * 7 % 1000, i / 3.0, 'name ' || i, 'city ' || (i % 100), CASE WHEN i % 3 THEN i END FROM n`)
	d := openFile(b, Options{Path: path, StatementTimeout: time.Hour})
	q := query{sql: `SELECT t1."a", t1."b", t1."c", t1."d", t1."e", t1."f" FROM "main"."t" AS t1`, tables: []table{{"t", false}}}
	for i, k := range []wire.Kind{wire.KindInt, wire.KindInt, wire.KindFloat, wire.KindText, wire.KindText, wire.KindInt} {
		q.columns = append(q.columns, wire.Column{Type: wire.Type{Kind: k}})
		q.reads = append(q.reads, column{"t", string(rune('a' + i))})
	}
	bare, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	var ours, theirs time.Duration
	for b.Loop() {
		began := time.Now()
		r, err := d.run(context.Background(), q, datasource.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		for r.Next() {
		}
		if r.Err() != nil || r.count != 1000000 {
			b.Fatal(r.count, r.Err())
		}
		middle := time.Now()
		ours += middle.Sub(began)
		scanBare(b, bare, q.sql)
		theirs += time.Since(middle)
	}
	b.ReportMetric(float64(ours)/float64(theirs), "ratio")
}

func scanBare(b *testing.B, db *sql.DB, text string) {
	rows, err := db.Query(text)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	cells := make([]any, 6)
	dest := []any{&cells[0], &cells[1], &cells[2], &cells[3], &cells[4], &cells[5]}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			b.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
}
