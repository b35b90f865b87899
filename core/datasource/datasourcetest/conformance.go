// Package datasourcetest is the conformance suite of adapters: what every
// datasource must do, whatever its database, and the means to ask one a plan.
package datasourcetest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Database is a database for one test.
type Database struct {
	// Open opens it with the adapter under test; maxParallel 0 means its default.
	Open func(t testing.TB, maxParallel int) datasource.Datasource
	// Exec runs a script with an account that may write.
	Exec func(t testing.TB, script string)
	// Running counts the queries of the datasource that the server is running; nil
	// for a database without a server.
	Running func(t testing.TB) int
	// Schema is where Exec makes tables.
	Schema string
}

// New makes a database that is empty but for what script makes of it.
type New func(t testing.TB, script string) Database

// numbers is a script of standard SQL: a table n of the numbers below 2,000, which
// joined with itself a few times keeps any server busy for years.
const numbers = `CREATE TABLE n (i INTEGER NOT NULL PRIMARY KEY, half DECIMAL(10,2), word VARCHAR(20));
	INSERT INTO n WITH RECURSIVE g (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM g WHERE i < 999) SELECT i, i / 2.0, 'w' FROM g;
	INSERT INTO n SELECT i + 1000, half + 500, 'w' FROM n;
	CREATE TABLE child (id INTEGER NOT NULL, part INTEGER NOT NULL, n_i INTEGER REFERENCES n (i), PRIMARY KEY (id, part), UNIQUE (part, n_i));
	CREATE TABLE grandchild (id INTEGER, part INTEGER, FOREIGN KEY (id, part) REFERENCES child (id, part));
	CREATE VIEW small AS SELECT i, word FROM n WHERE i < 3`

const (
	list    = `{"from": "n", "select": ["i", "half", "word"], "order": ["i"]}`
	endless = `{"from": "n a", "joins": ["cross n b", "cross n c", "cross n d", "cross n e"], "select": ["count(*) as x"], "where": "a.i + b.i + c.i + d.i + e.i < 0"}`
	stream  = `{"from": "n a", "joins": ["cross n b", "cross n c"], "select": ["a.i", "b.word"]}`
)

// patience bounds every wait of the suite, and is far beyond what any takes.
const patience = time.Minute

// Run runs the suite.
func Run(t *testing.T, make New) {
	t.Run("structure", func(t *testing.T) { structure(t, make(t, numbers)) })
	t.Run("limits", func(t *testing.T) { limits(t, make(t, numbers)) })
	t.Run("time limit", func(t *testing.T) { timeLimit(t, make(t, numbers)) })
	t.Run("cancellation", func(t *testing.T) { cancellation(t, make(t, numbers)) })
	t.Run("cut results stop the query", func(t *testing.T) { cutStops(t, make(t, numbers)) })
	t.Run("closing", func(t *testing.T) { closing(t, make(t, numbers)) })
	t.Run("pool", func(t *testing.T) { pool(t, make(t, numbers)) })
	t.Run("schema changes", func(t *testing.T) { schemaChanges(t, make(t, numbers)) })
	t.Run("statements", func(t *testing.T) { statements(t, make(t, numbers)) })
	t.Run("explain", func(t *testing.T) { explain(t, make(t, numbers)) })
}

func structure(t *testing.T, db Database) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	d := db.Open(t, 0)
	first, err := d.Introspect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	second, err := d.Introspect(ctx)
	if err != nil || first.Fingerprint() != second.Fingerprint() {
		t.Errorf("the same structure has two fingerprints (%v)", err)
	}
	var names []string
	for _, table := range first.Tables {
		names = append(names, table.ID())
	}
	if want := []string{"child", "grandchild", "n", "small"}; len(names) != len(want) || !slices.IsSorted(names) ||
		names[0] != db.Schema+".child" || names[3] != db.Schema+".small" {
		t.Fatalf("tables %v, want %v in %s", names, want, db.Schema)
	}
	child, grandchild, small := first.Tables[0], first.Tables[1], first.Tables[3]
	if small.Kind != "view" || child.Kind != "table" {
		t.Errorf("small is a %s and child a %s", small.Kind, child.Kind)
	}
	if len(child.PrimaryKey) != 2 || len(child.Unique) != 1 || len(child.ForeignKeys) != 1 || len(child.Unique[0]) != 2 {
		t.Errorf("child has the keys %v, %v, %v", child.PrimaryKey, child.Unique, child.ForeignKeys)
	}
	if keys := grandchild.ForeignKeys; len(keys) != 1 || len(keys[0].Columns) != 2 || keys[0].RefTable != child || keys[0].RefColumns[1].Name != "part" {
		t.Errorf("grandchild has the foreign keys %+v", keys)
	}
	half, _ := first.Tables[2].Column("half")
	if half.Type != (wire.Type{Kind: wire.KindDecimal, Precision: 10, Scale: 2}) || !half.Nullable {
		t.Errorf("half is %s, nullable %t", half.Type, half.Nullable)
	}
	if i, _ := first.Tables[2].Column("i"); i.Type.Kind != wire.KindInt || i.Nullable {
		t.Errorf("i is %s, nullable %t", i.Type, i.Nullable)
	}
}

func limits(t *testing.T, db Database) {
	d := db.Open(t, 0)
	s := Statement(t, d, list)
	for _, c := range []struct {
		name   string
		limits datasource.Limits
		rows   int
		cut    datasource.Cut
	}{
		{"none", datasource.Limits{}, 2000, datasource.CutNone},
		{"rows", datasource.Limits{Rows: 10}, 10, datasource.CutByRows},
		{"as many rows as there are", datasource.Limits{Rows: 2000}, 2000, datasource.CutNone},
		{"one row fewer", datasource.Limits{Rows: 1999}, 1999, datasource.CutByRows},
		{"bytes", datasource.Limits{Bytes: 100}, -1, datasource.CutByBytes},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, r, err := Read(t.Context(), d, s, c.limits)
			if err != nil {
				t.Fatal(err)
			}
			if datasource.CutOf(r) != c.cut || r.Truncated() != (c.cut != datasource.CutNone) {
				t.Errorf("cut by %q, want %q", datasource.CutOf(r), c.cut)
			}
			if c.rows >= 0 && len(rows) != c.rows || c.rows < 0 && (len(rows) == 0 || len(rows) > 20) {
				t.Errorf("%d rows, want %d", len(rows), c.rows)
			}
			if got := rows[3]; got[0].String() != "3" || got[1].String() != "1.50" || got[2].String() != "w" {
				t.Errorf("row 3 is %v", got)
			}
		})
	}
}

func timeLimit(t *testing.T, db Database) {
	d := db.Open(t, 1)
	_, _, err := Read(t.Context(), d, Statement(t, d, endless), datasource.Limits{Timeout: 300 * time.Millisecond})
	WantCode(t, err, reason.QueryTimeout)
	db.settles(t)
	usable(t, d)
}

func cancellation(t *testing.T, db Database) {
	d := db.Open(t, 1)
	for name, plan := range map[string]string{"before the first row": endless, "between rows": stream} {
		t.Run(name, func(t *testing.T) {
			s := Statement(t, d, plan)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var once sync.Once
			if plan == endless {
				go func() { db.starts(t); once.Do(cancel) }()
			}
			r, err := d.Query(ctx, s, datasource.Limits{})
			for n := 0; err == nil && r.Next(); n++ {
				if n == 100 {
					once.Do(cancel)
				}
			}
			if err == nil {
				err = r.Err()
				r.Close()
			}
			WantCode(t, err, reason.CancelledCode)
			db.settles(t)
			usable(t, d)
		})
	}
}

// cutStops: a caller that has enough rows leaves nothing running.
func cutStops(t *testing.T, db Database) {
	d := db.Open(t, 1)
	s := Statement(t, d, stream)
	if rows, _, err := Read(t.Context(), d, s, datasource.Limits{Rows: 5}); err != nil || len(rows) != 5 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	db.settles(t)
	r, err := d.Query(t.Context(), s, datasource.Limits{})
	if err != nil || !r.Next() {
		t.Fatal(err)
	}
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if r.Next() {
		t.Error("rows go on after Close")
	}
	db.settles(t)
	usable(t, d)
}

func closing(t *testing.T, db Database) {
	d := db.Open(t, 0)
	s := Statement(t, d, endless)
	ended := make(chan error, 1)
	go func() {
		_, _, err := Read(context.Background(), d, s, datasource.Limits{})
		ended <- err
	}()
	db.starts(t)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		WantCode(t, err, reason.DatasourceUnreachable)
	case <-time.After(patience):
		t.Fatal("the query goes on after Close")
	}
	db.settles(t)
	if err := d.Close(); err != nil {
		t.Errorf("the second Close: %v", err)
	}
	_, err := d.Query(t.Context(), s, datasource.Limits{})
	WantCode(t, err, reason.DatasourceUnreachable)
	_, err = d.Introspect(t.Context())
	WantCode(t, err, reason.DatasourceUnreachable)
}

// pool: queries beyond max_parallel wait, and give up with their own context.
func pool(t *testing.T, db Database) {
	d := db.Open(t, 1)
	s := Statement(t, d, stream)
	r, err := d.Query(t.Context(), s, datasource.Limits{})
	if err != nil || !r.Next() {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = d.Query(ctx, s, datasource.Limits{})
	WantCode(t, err, reason.QueryTimeout)
	waiting := make(chan error, 1)
	go func() {
		_, _, err := Read(context.Background(), d, s, datasource.Limits{Rows: 1})
		waiting <- err
	}()
	r.Close()
	if err := <-waiting; err != nil {
		t.Errorf("the query that waited: %v", err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, _, err := Read(context.Background(), d, s, datasource.Limits{Rows: 3}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func schemaChanges(t *testing.T, db Database) {
	d := db.Open(t, 0)
	s := Statement(t, d, `{"from": "grandchild", "select": ["id"]}`)
	db.Exec(t, "DROP TABLE grandchild")
	_, _, err := Read(t.Context(), d, s, datasource.Limits{})
	WantCode(t, err, reason.SchemaChanged, "grandchild")
	s = Statement(t, d, `{"from": "child", "select": ["n_i"]}`)
	db.Exec(t, "DROP TABLE child; CREATE TABLE child (other INTEGER)")
	_, _, err = Read(t.Context(), d, s, datasource.Limits{})
	WantCode(t, err, reason.SchemaChanged, "n_i", "child")
	usable(t, d)
}

// statements: only what was rendered for the dialect runs.
func statements(t *testing.T, db Database) {
	d := db.Open(t, 0)
	_, err := d.Query(t.Context(), sqlgen.Statement{}, datasource.Limits{})
	WantCode(t, err, reason.InvalidState)
}

func explain(t *testing.T, db Database) {
	d := db.Open(t, 0)
	explainer, ok := d.(datasource.Explainer)
	if !ok {
		t.Fatal("the datasource cannot say what a statement would cost")
	}
	db.Exec(t, analyze(d))
	small, err := explainer.Explain(t.Context(), Statement(t, d, `{"from": "n", "select": ["half"], "where": "i = 5"}`))
	if err != nil {
		t.Fatal(err)
	}
	// Were it run, this would never end.
	huge, err := explainer.Explain(t.Context(), Statement(t, d, endless))
	if err != nil {
		t.Fatal(err)
	}
	if small.CrossProducts != 0 || huge.CrossProducts == 0 {
		t.Errorf("cross products: %d in the look at one row, %d in the join without a condition", small.CrossProducts, huge.CrossProducts)
	}
	if huge.Rows >= 0 && (small.Rows > 100 || huge.Rows < 1e6) {
		t.Errorf("rows: %d and %d", small.Rows, huge.Rows)
	}
	if len(small.Scans) != 0 || !slices.Contains(huge.Scans, db.Schema+".n") {
		t.Errorf("scans: %v and %v", small.Scans, huge.Scans)
	}
	db.settles(t)
}

func analyze(d datasource.Datasource) string {
	if d.Dialect() == schema.MySQL {
		return "ANALYZE TABLE n"
	}
	return "ANALYZE"
}

// usable: the datasource answers, with the one connection that it may have.
func usable(t *testing.T, d datasource.Datasource) {
	t.Helper()
	rows, _, err := Read(t.Context(), d, Statement(t, d, `{"from": "n", "select": ["count(*) as x"]}`), datasource.Limits{})
	if err != nil || len(rows) != 1 || rows[0][0].String() != "2000" {
		t.Errorf("afterwards it says %v, %v", rows, err)
	}
}

// settles waits until nothing runs in the server.
func (db Database) settles(t testing.TB) {
	t.Helper()
	db.until(t, "still runs the query", func(running int) bool { return running == 0 })
}

// starts waits until a query runs in the server; for a database without one, a
// moment in which it will mostly have begun.
func (db Database) starts(t testing.TB) {
	if db.Running == nil {
		time.Sleep(100 * time.Millisecond)
		return
	}
	db.until(t, "does not run the query", func(running int) bool { return running > 0 })
}

func (db Database) until(t testing.TB, problem string, reached func(running int) bool) {
	t.Helper()
	if db.Running == nil {
		return
	}
	for began := time.Now(); !reached(db.Running(t)); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > patience {
			t.Errorf("after %s the server %s", patience, problem)
			return
		}
	}
}
