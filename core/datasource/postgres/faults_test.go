//go:build databases

package postgres_test

import (
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/datasourcetest"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/postgres"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

const table = `CREATE TABLE t (a int PRIMARY KEY, b text); INSERT INTO t SELECT i, 'x' || i FROM generate_series(1, 5000) i`

const all = `{"from": "t", "select": ["a", "b"]}`

func TestConnectionsThatFailSayWhyWithoutThePassword(t *testing.T) {
	db := dbtest.Postgres(t).Database(t, table)
	s := db.Server
	for _, c := range []struct {
		name, dsn string
		code      reason.Code
	}{
		{"wrong password", s.DSN(dbtest.User, "hunter2", db.Name), reason.DatasourceAuthFailed},
		{"no such user", s.DSN("nobody", "hunter2", db.Name), reason.DatasourceAuthFailed},
		{"no such database", s.DSN(dbtest.User, dbtest.Password, "hunter2"), reason.DatasourceAuthFailed},
		{"nobody listens", "postgres://u:hunter2@127.0.0.1:1/db", reason.DatasourceUnreachable},
		{"no such host", "postgres://u:hunter2@db.invalid/db", reason.DatasourceUnreachable},
		{"authority that did not sign", s.DSN(dbtest.User, dbtest.Password, db.Name) + "?sslmode=verify-full&password=hunter2", reason.DatasourceUnreachable},
		{"key=value", "host=127.0.0.1 port=1 user=u password=hunter2 dbname=db", reason.DatasourceUnreachable},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t, postgres.Options{DSN: c.dsn})
			_, err := d.Introspect(t.Context())
			datasourcetest.WantCode(t, err, c.code, "hunter2", "127.0.0.1", db.Name)
			if c.name != "no such database" && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the log has the password: %v", err)
			}
		})
	}
	for _, dsn := range []string{"postgres://u:hunter2@h:x/db", "postgres://u:hunter2%zz@h/db", "host=h password=hunter2 port=x", "postgres://u:hunter2@h/db?sslmode=hunter2"} {
		_, err := postgres.Open(postgres.Options{ID: "test", DSN: dsn})
		datasourcetest.WantCode(t, err, reason.DatasourceUnreachable, "hunter2")
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error has the password: %v", err)
		}
	}
}

func TestTLSIsVerified(t *testing.T) {
	db := dbtest.Postgres(t).Database(t, table)
	d := open(t, postgres.Options{DSN: db.DSN + "?sslmode=verify-full&sslrootcert=" + db.Server.CAFile})
	if got := datasourcetest.Answer(t, d, `{"from": "t", "select": ["count(*) as n"]}`); got[0] != "int 5000" {
		t.Error(got)
	}
	var encrypted bool
	if err := db.DB.QueryRow("SELECT bool_and(s.ssl) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.application_name = 'querent' AND a.datname = current_database()").Scan(&encrypted); err != nil || !encrypted {
		t.Errorf("encrypted: %t (%v)", encrypted, err)
	}
}

func TestAServerThatEndsIsUnreachable(t *testing.T) {
	db := dbtest.Start(t, schema.Postgres).Database(t, table, "INSERT INTO t SELECT i, repeat('x', 1000) FROM generate_series(5001, 60000) i")
	d := open(t, postgres.Options{DSN: db.DSN})
	r, err := d.Query(t.Context(), datasourcetest.Statement(t, d, all), datasource.Limits{})
	if err != nil || !r.Next() {
		t.Fatal(err)
	}
	db.Server.Stop()
	for r.Next() {
	}
	datasourcetest.WantCode(t, r.Err(), reason.DatasourceUnreachable, "127.0.0.1")
	r.Close()
	_, err = d.Introspect(t.Context())
	datasourcetest.WantCode(t, err, reason.DatasourceUnreachable, "127.0.0.1")
}

// Connections that the server has ended while they rested are replaced.
func TestLostConnectionsAreReplaced(t *testing.T) {
	db := dbtest.Postgres(t).Database(t, table)
	d := open(t, postgres.Options{DSN: db.DSN})
	s := datasourcetest.Statement(t, d, all)
	db.Exec(t, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'querent' AND datname = current_database()")
	if rows, _, err := datasourcetest.Read(t.Context(), d, s, datasource.Limits{}); err != nil || len(rows) != 5000 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

func TestAColumnThatMayNotBeReadIsNotThere(t *testing.T) {
	db := dbtest.Postgres(t).Database(t, table, "CREATE TABLE secret (a int); CREATE TABLE half (open int, secret int)")
	dsn := db.Reader(t)
	db.Exec(t, "REVOKE ALL ON secret, half FROM "+db.Name+"_reader; GRANT SELECT (open) ON half TO "+db.Name+"_reader")
	d := open(t, postgres.Options{DSN: dsn})
	catalog, err := d.Introspect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := catalog.Table("secret"); ok || len(catalog.Tables) != 2 || len(catalog.Tables[0].Columns) != 1 {
		t.Errorf("tables %v", catalog.Tables)
	}
	s := datasourcetest.Rendered(t, catalog, all)
	db.Exec(t, "REVOKE SELECT ON t FROM "+db.Name+"_reader")
	_, _, err = datasourcetest.Read(t.Context(), d, s, datasource.Limits{})
	datasourcetest.WantCode(t, err, reason.DatasourceAuthFailed, db.Name)
}

func TestAccountsThatCouldWriteAreNamed(t *testing.T) {
	db := dbtest.Postgres(t).Database(t, table, "REVOKE CREATE ON SCHEMA public FROM public")
	reader := db.Reader(t)
	for _, c := range []struct{ name, dsn, change, want string }{
		{"superuser", db.DSN, "", "superuser"},
		{"reader", reader, "", ""},
		{"one column", reader, "GRANT UPDATE (b) ON t TO %", "rows"},
		{"schema", reader, "REVOKE UPDATE (b) ON t FROM %; GRANT CREATE ON SCHEMA public TO %", "create tables"},
	} {
		if c.change != "" {
			db.Exec(t, strings.ReplaceAll(c.change, "%", db.Name+"_reader"))
		}
		can, right, err := open(t, postgres.Options{DSN: c.dsn}).(datasource.AccountChecker).CanWrite(t.Context())
		if err != nil || can != (c.want != "") || !strings.Contains(right, c.want) {
			t.Errorf("%s: %t by %q (%v), want %q", c.name, can, right, err, c.want)
		}
	}
}

// A view may call what writes: the transaction refuses it.
func TestNothingIsWritten(t *testing.T) {
	db := dbtest.Postgres(t).Database(t, `CREATE TABLE t (a int); CREATE SEQUENCE s;
		CREATE FUNCTION write() RETURNS int LANGUAGE sql AS 'INSERT INTO public.t VALUES (1) RETURNING a';
		CREATE VIEW writes AS SELECT write() AS a; CREATE VIEW counts AS SELECT nextval('public.s') AS a;
		CREATE VIEW locks AS SELECT pg_try_advisory_lock(7) AS a`)
	d := open(t, postgres.Options{DSN: db.DSN, MaxParallel: 1})
	catalog, err := d.Introspect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, view := range []string{"writes", "counts"} {
		s := datasourcetest.Rendered(t, catalog, `{"from": "`+view+`", "select": ["a"]}`)
		_, _, err := datasourcetest.Read(t.Context(), d, s, datasource.Limits{})
		datasourcetest.WantCode(t, err, reason.ExecutionFailed, view)
	}
	datasourcetest.Answer(t, d, `{"from": "locks", "select": ["a"]}`)
	var n, locks int
	if err := db.DB.QueryRow("SELECT (SELECT count(*) FROM t), (SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database WHERE locktype = 'advisory' AND d.datname = current_database())").Scan(&n, &locks); err != nil || n != 0 || locks != 0 {
		t.Errorf("%d rows were written and %d locks kept (%v)", n, locks, err)
	}
}

// A query that waits for a lock ends with its time.
func TestALockedTableTimesOut(t *testing.T) {
	db := dbtest.Postgres(t).Database(t, table)
	d := open(t, postgres.Options{DSN: db.DSN})
	s := datasourcetest.Statement(t, d, all)
	tx, err := db.DB.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec("LOCK TABLE t"); err != nil {
		t.Fatal(err)
	}
	_, _, err = datasourcetest.Read(t.Context(), d, s, datasource.Limits{Timeout: 100 * time.Millisecond})
	datasourcetest.WantCode(t, err, reason.QueryTimeout)
}
