//go:build databases

package mysql_test

import (
	"strings"
	"testing"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/datasourcetest"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/mysql"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

const table = `CREATE TABLE t (a int PRIMARY KEY, b text); INSERT INTO t SELECT seq, concat('x', seq) FROM seq_1_to_5000`

const all = `{"from": "t", "select": ["a", "b"]}`

func TestConnectionsThatFailSayWhyWithoutThePassword(t *testing.T) {
	db := dbtest.MariaDB(t).Database(t, table)
	s := db.Server
	for _, c := range []struct {
		name, dsn string
		code      reason.Code
	}{
		{"wrong password", s.DSN(dbtest.User, "hunter2", db.Name), reason.DatasourceAuthFailed},
		{"no such user", s.DSN("nobody", "hunter2", db.Name), reason.DatasourceAuthFailed},
		{"no such database", s.DSN(dbtest.User, dbtest.Password, "none"), reason.DatasourceAuthFailed},
		{"nobody listens", "mysql://u:hunter2@127.0.0.1:1/db", reason.DatasourceUnreachable},
		{"no such host", "mariadb://u:hunter2@db.invalid/db", reason.DatasourceUnreachable},
		{"authority that did not sign", db.DSN + "?tls=true", reason.DatasourceUnreachable},
		{"the driver's form", "u:hunter2@tcp(127.0.0.1:1)/db", reason.DatasourceUnreachable},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := open(t, mysql.Options{DSN: c.dsn}).Introspect(t.Context())
			datasourcetest.WantCode(t, err, c.code, "hunter2", "127.0.0.1", db.Name)
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the log has the password: %v", err)
			}
		})
	}
	for _, dsn := range []string{"mysql://u:hunter2%zz@h/db", "mysql://u:hunter2@/db", "mysql://u:hunter2@h", "u:hunter2@tcp(h/db", "u:hunter2@h", "mysql://u:p@h/db?tls=hunter2", "mysql://u:hunter2@h/db?tls-ca=/none"} {
		_, err := mysql.Open(mysql.Options{ID: "test", DSN: dsn})
		datasourcetest.WantCode(t, err, reason.DatasourceUnreachable, "hunter2")
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error has the password: %v", err)
		}
	}
}

func TestTLSIsVerified(t *testing.T) {
	db := dbtest.MariaDB(t).Database(t, table)
	d := open(t, mysql.Options{DSN: db.DSN + "?tls-ca=" + db.Server.CAFile})
	if got := datasourcetest.Answer(t, d, `{"from": "t", "select": ["count(*) as n"]}`); got[0] != "int 5000" {
		t.Error(got)
	}
}

func TestAServerThatEndsIsUnreachable(t *testing.T) {
	db := dbtest.Start(t, schema.MySQL).Database(t, table, "INSERT INTO t SELECT seq, repeat('x', 1000) FROM seq_5001_to_60000")
	d := open(t, mysql.Options{DSN: db.DSN})
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
	db := dbtest.MariaDB(t).Database(t, table)
	d := open(t, mysql.Options{DSN: db.DSN})
	s := datasourcetest.Statement(t, d, all)
	var id string
	if err := db.DB.QueryRow("SELECT ID FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND ID <> CONNECTION_ID()").Scan(&id); err != nil {
		t.Fatal(err)
	}
	db.Exec(t, "KILL "+id)
	if rows, _, err := datasourcetest.Read(t.Context(), d, s, datasource.Limits{}); err != nil || len(rows) != 5000 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

func TestAccountsThatCouldWriteAreNamed(t *testing.T) {
	db := dbtest.MariaDB(t).Database(t, table)
	reader := db.Reader(t)
	for _, c := range []struct{ name, dsn, change, want string }{
		{"all", db.DSN, "", "ALL PRIVILEGES"},
		{"reader", reader, "", ""},
		{"one column", reader, "GRANT UPDATE (b, a) ON t TO '%'", "UPDATE"},
		{"files", reader, "REVOKE UPDATE (b, a) ON t FROM '%'; GRANT FILE ON *.* TO '%'", "FILE"},
	} {
		if c.change != "" {
			db.Exec(t, strings.ReplaceAll(c.change, "%'", db.Name+"_reader'@'%'"))
		}
		can, right, err := open(t, mysql.Options{DSN: c.dsn}).(datasource.AccountChecker).CanWrite(t.Context())
		if err != nil || can != (c.want != "") || !strings.Contains(right, c.want) {
			t.Errorf("%s: %t by %q (%v), want %q", c.name, can, right, err, c.want)
		}
	}
}

// A view may call what writes: the transaction refuses it.
func TestNothingIsWritten(t *testing.T) {
	db := dbtest.MariaDB(t).Database(t, `CREATE TABLE t (a int); CREATE VIEW writes AS SELECT 1 AS a;
		CREATE FUNCTION f() RETURNS int MODIFIES SQL DATA BEGIN INSERT INTO t VALUES (1); RETURN 1; END`)
	d := open(t, mysql.Options{DSN: db.DSN})
	s := datasourcetest.Statement(t, d, `{"from": "writes", "select": ["a"]}`)
	db.Exec(t, "CREATE OR REPLACE VIEW writes AS SELECT f() AS a")
	_, _, err := datasourcetest.Read(t.Context(), d, s, datasource.Limits{})
	datasourcetest.WantCode(t, err, reason.ExecutionFailed, "writes")
	var n int
	if err := db.DB.QueryRow("SELECT count(*) FROM t").Scan(&n); err != nil || n != 0 {
		t.Errorf("%d rows were written (%v)", n, err)
	}
}

// What the server leaves out with a warning is an error, not a wrong answer.
func TestAResultThatTheServerCutsIsAnError(t *testing.T) {
	db := dbtest.MariaDB(t).Database(t, table, `CREATE TABLE long_texts (a int, b longtext); INSERT INTO long_texts SELECT seq, repeat('x', 1000000) FROM seq_1_to_20`)
	d := open(t, mysql.Options{DSN: db.DSN})
	_, _, err := datasourcetest.Read(t.Context(), d, datasourcetest.Statement(t, d, `{"from": "long_texts", "select": ["length(string_agg(b)) as n"]}`), datasource.Limits{})
	datasourcetest.WantCode(t, err, reason.ExecutionFailed)
	if !strings.Contains(reason.From(err).SafeMessage, "left out") {
		t.Errorf("it says %q", reason.From(err).SafeMessage)
	}
	if got := datasourcetest.Answer(t, d, `{"from": "t", "select": ["count(*) as n"]}`); got[0] != "int 5000" {
		t.Error(got)
	}
}
