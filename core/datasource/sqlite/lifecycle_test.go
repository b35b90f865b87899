package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
)

func TestOpenSaysWhatIsThere(t *testing.T) {
	folder := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ name, path, says string }{
		{"missing", filepath.Join(folder, "none.db"), "no such file"},
		{"missing folder", filepath.Join(folder, "none", "x.db"), "no such file"},
		{"folder", folder, "is a folder"},
		{"empty", write("empty.db", ""), "empty"},
		{"short", write("short.db", "SQLite"), "not an SQLite database"},
		{"garbage", write("garbage.db", "SQLite format 3\x00"+strings.Repeat("garbage", 1000)), "not an SQLite database"},
		{"other", write("other.db", strings.Repeat("PGDMP", 10)), "not an SQLite database"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Open(Options{ID: "x", Path: c.path})
			if err == nil {
				d.Close()
			}
			e := wantCode(t, err, reason.DatasourceUnreachable)
			if !strings.Contains(e.Message, c.says) || !strings.Contains(e.Message, c.path) {
				t.Errorf("%q says neither %q nor the path", e.Message, c.says)
			}
			if strings.Contains(e.SafeMessage, folder) {
				t.Errorf("the safe message holds the path: %s", e.SafeMessage)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(folder, "none.db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the missing file was made (%v)", err)
	}
}

func TestADamagedFileIsUnreachable(t *testing.T) {
	path := makeFile(t, `CREATE TABLE t (a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
		INSERT INTO t SELECT 'row ' || i FROM n`)
	d := openFile(t, Options{Path: path})
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(content); i++ {
		content[i] = 0xee
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err = ask(t, d, one, datasource.Limits{})
	e := wantCode(t, err, reason.DatasourceUnreachable)
	if strings.Contains(e.SafeMessage, "malformed") || strings.Contains(e.SafeMessage, path) {
		t.Errorf("the safe message says too much: %s", e.SafeMessage)
	}
}

// one reads the one value of table t.
var one = query{
	sql: `SELECT t1."a" FROM "main"."t" AS t1`, columns: columns(1),
	reads: []column{{"t", "a"}}, tables: []table{{"t", false}},
}

func TestAFileThatIsGoneOrReplacedIsNoticed(t *testing.T) {
	path := makeFile(t, `CREATE TABLE t (a); INSERT INTO t VALUES ('old')`)
	d := openFile(t, Options{Path: path})
	read := func() (string, error) {
		got, _, err := ask(t, d, one, datasource.Limits{})
		if err != nil {
			return "", err
		}
		return got[0][0].String(), nil
	}
	if v, err := read(); err != nil || v != "old" {
		t.Fatal(v, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, err := read()
	wantCode(t, err, reason.DatasourceUnreachable)
	_, err = d.Introspect(context.Background())
	wantCode(t, err, reason.DatasourceUnreachable)
	if err := os.Rename(makeFile(t, `CREATE TABLE t (a); INSERT INTO t VALUES ('new')`), path); err != nil {
		t.Fatal(err)
	}
	if v, err := read(); err != nil || v != "new" {
		t.Errorf("after the file was replaced: %q, %v", v, err)
	}
}

func TestASchemaThatChangedIsNoticed(t *testing.T) {
	for _, c := range []struct{ name, change string }{
		{"table dropped", `DROP TABLE t`},
		{"table renamed", `ALTER TABLE t RENAME TO s`},
		{"column dropped", `ALTER TABLE t DROP COLUMN a`},
		{"column renamed", `ALTER TABLE t RENAME COLUMN a TO z`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := makeFile(t, `CREATE TABLE t (a, b); INSERT INTO t VALUES ('x', 'y')`)
			d := openFile(t, Options{Path: path})
			if _, _, err := ask(t, d, one, datasource.Limits{}); err != nil {
				t.Fatal(err)
			}
			fill(t, path, c.change)
			_, _, err := ask(t, d, one, datasource.Limits{})
			e := wantCode(t, err, reason.SchemaChanged)
			if strings.Contains(e.SafeMessage, "no such") {
				t.Errorf("the safe message has SQLite's text: %s", e.SafeMessage)
			}
		})
	}
}

// endless gives one row at once and then none for a very long time.
const endless = `WITH RECURSIVE b1 AS (SELECT 1 AS c1 UNION ALL SELECT t1.c1 + 1 FROM b1 AS t1)
SELECT t2.c1 FROM b1 AS t2 WHERE t2.c1 < 2`

func TestAQueryIsStoppedAtItsTimeLimit(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, "CREATE TABLE t (a)"), MaxParallel: 1})
	for _, c := range []struct{ name, sql string }{
		{"before the first row", strings.Replace(endless, "< 2", "< 0", 1)},
		{"after the first row", endless},
	} {
		t.Run(c.name, func(t *testing.T) {
			began := time.Now()
			_, _, err := ask(t, d, query{sql: c.sql, columns: columns(1)}, datasource.Limits{Timeout: 50 * time.Millisecond})
			wantCode(t, err, reason.QueryTimeout)
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
	// The one connection must be usable again.
	if _, _, err := ask(t, d, one, datasource.Limits{}); err != nil {
		t.Error(err)
	}
}

// SQLite forgets an interrupt that arrives between compiling and the first step.
func TestATimeLimitIsNotLostAtTheStart(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, "CREATE TABLE t (a)"), MaxParallel: 1})
	q := query{sql: strings.Replace(endless, "< 2", "< 0", 1), columns: columns(1)}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for i := range 1000 {
		_, err := d.run(ctx, q, datasource.Limits{Timeout: time.Duration(1+i%200) * time.Microsecond / 2})
		wantCode(t, err, reason.QueryTimeout)
		if ctx.Err() != nil {
			t.Fatalf("query %d went on", i)
		}
	}
}

func TestACallerCanStopAQuery(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, "CREATE TABLE t (a)")})
	ctx, cancel := context.WithCancel(context.Background())
	r, err := d.run(ctx, query{sql: endless, columns: columns(1)}, datasource.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Next() || r.Row()[0].Int() != 1 {
		t.Fatalf("no first row: %v", r.Err())
	}
	time.AfterFunc(20*time.Millisecond, cancel)
	if r.Next() {
		t.Error("a second row came")
	}
	wantCode(t, r.Err(), reason.CancelledCode)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = d.run(ended, one, datasource.Limits{})
	wantCode(t, err, reason.CancelledCode)
}

func TestADeadlineOfTheCallerIsATimeLimit(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, "CREATE TABLE t (a)")})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	r, err := d.run(ctx, query{sql: endless, columns: columns(1)}, datasource.Limits{})
	if err == nil {
		for r.Next() {
		}
		err = r.Err()
	}
	wantCode(t, err, reason.QueryTimeout)
}

func TestCloseStopsWhatRuns(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, "CREATE TABLE t (a)")})
	r, err := d.run(context.Background(), query{sql: endless, columns: columns(1)}, datasource.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	r.Next()
	time.AfterFunc(20*time.Millisecond, func() { d.Close() })
	if r.Next() {
		t.Error("a second row came")
	}
	wantCode(t, r.Err(), reason.DatasourceUnreachable)
	_, _, err = ask(t, d, one, datasource.Limits{})
	wantCode(t, err, reason.DatasourceUnreachable)
	if err := d.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}

func TestABusyPoolIsNotASlowQuery(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, "CREATE TABLE t (a)"), MaxParallel: 1, StatementTimeout: 200 * time.Millisecond})
	r, err := d.run(context.Background(), query{sql: "SELECT 1", columns: columns(1)}, datasource.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.run(context.Background(), one, datasource.Limits{})
	if e := wantCode(t, err, reason.DatasourceUnreachable); !strings.Contains(e.Message, "busy") {
		t.Error(e.Message)
	}
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
	if _, _, err := ask(t, d, one, datasource.Limits{}); err != nil {
		t.Error(err)
	}
}

// lockFile begins a transaction that keeps all others out.
func lockFile(t *testing.T, path string) *sql.DB {
	t.Helper()
	link := filepath.Join(t.TempDir(), "plain")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	writer, err := sql.Open("sqlite", link)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { writer.Close() })
	writer.SetMaxOpenConns(1)
	if _, err := writer.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	return writer
}

func TestAWriterIsWaitedForAndThenReported(t *testing.T) {
	path := makeFile(t, "CREATE TABLE t (a)")
	d := openFile(t, Options{Path: path, StatementTimeout: 30 * time.Second})
	writer := lockFile(t, path)
	_, _, err := ask(t, d, one, datasource.Limits{})
	wantCode(t, err, reason.DatasourceUnreachable)
	if _, err := writer.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ask(t, d, one, datasource.Limits{}); err != nil {
		t.Error(err)
	}
}

// A writer that keeps the file to itself is waited for no longer than the query
// may take, whatever the wait's own bound.
func TestTheWaitForAWriterObeysTheTimeLimit(t *testing.T) {
	path := makeFile(t, "CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t")
	d := openFile(t, Options{Path: path})
	lockFile(t, path)
	view := query{sql: `SELECT t1."a" FROM "main"."v" AS t1`, columns: columns(1), reads: []column{{"v", "a"}}, tables: []table{{"v", true}}}
	for name, q := range map[string]query{"table": one, "view": view} {
		_, _, err := ask(t, d, q, datasource.Limits{Timeout: 50 * time.Millisecond})
		if e := wantCode(t, err, reason.QueryTimeout); e.SafeMessage == "" {
			t.Errorf("%s: nothing is told", name)
		}
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		_, err = d.run(ctx, q, datasource.Limits{})
		wantCode(t, err, reason.CancelledCode)
	}
}

func TestLimitsCutAndSaySo(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, `CREATE TABLE t (a); INSERT INTO t VALUES ('aaaa'), ('bbbb'), ('cccc')`)})
	for _, c := range []struct {
		limits datasource.Limits
		rows   int
		cut    datasource.Cut
	}{
		{datasource.Limits{}, 3, datasource.CutNone},
		{datasource.Limits{Rows: 4}, 3, datasource.CutNone},
		{datasource.Limits{Rows: 3}, 3, datasource.CutNone},
		{datasource.Limits{Rows: 2}, 2, datasource.CutByRows},
		{datasource.Limits{Bytes: 12}, 3, datasource.CutNone},
		{datasource.Limits{Bytes: 11}, 2, datasource.CutByBytes},
		{datasource.Limits{Rows: 2, Bytes: 11}, 2, datasource.CutByRows},
		{datasource.Limits{Rows: 2, Bytes: 4}, 1, datasource.CutByBytes},
		{datasource.Limits{Bytes: 3}, 0, datasource.CutByBytes},
	} {
		got, r, err := ask(t, d, one, c.limits)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != c.rows || r.CutBy() != c.cut || r.Truncated() != (c.cut != datasource.CutNone) {
			t.Errorf("%+v: %d rows, truncated %t, cut by %q; want %d, %q", c.limits, len(got), r.Truncated(), r.CutBy(), c.rows, c.cut)
		}
	}
}

func TestStatementsOfNobodyAreRefused(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, "CREATE TABLE t (a)")})
	rows, err := d.Query(context.Background(), sqlgen.Statement{}, datasource.Limits{})
	wantCode(t, err, reason.InvalidState)
	if rows != nil {
		t.Error("rows came with the error")
	}
	_, _, err = ask(t, d, query{sql: "SELECT 1, 2", columns: columns(1)}, datasource.Limits{})
	wantCode(t, err, reason.ExecutionFailed)
}

func TestManyQueriesAtOnce(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, lockedDown), MaxParallel: 3})
	wide := query{sql: `SELECT t1."secret" FROM "main"."t" AS t1`, columns: columns(1), reads: []column{{"t", "secret"}}}
	narrow := wide
	narrow.reads = nil
	var wg sync.WaitGroup
	errs := make(chan error, 200)
	for i := range 100 {
		wg.Go(func() {
			q := wide
			if i%2 == 1 {
				q = narrow
			}
			r, err := d.run(context.Background(), q, datasource.Limits{})
			if err == nil {
				n := 0
				for r.Next() {
					n++
				}
				err = errors.Join(r.Err(), r.Close())
				if n != 3 && err == nil {
					err = fmt.Errorf("%d rows", n)
				}
			}
			denied := errors.Is(err, &reason.Error{Code: reason.PolicyDenied})
			if denied != (i%2 == 1) || err != nil && !denied {
				errs <- fmt.Errorf("query %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
}
