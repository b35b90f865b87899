//go:build databases

package dbtest_test

import (
	"testing"

	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/schema"
)

func TestServersHoldDatabasesApart(t *testing.T) {
	for _, server := range []func(testing.TB) *dbtest.Server{dbtest.Postgres, dbtest.MariaDB} {
		s := server(t)
		t.Run(string(s.Dialect), func(t *testing.T) {
			const script = "CREATE TABLE t (a int); INSERT INTO t VALUES (1), (2)"
			one, two := s.Database(t, script), s.Database(t, script, "INSERT INTO t VALUES (3)")
			for want, d := range map[int]*dbtest.Database{2: one, 3: two} {
				var n int
				if err := d.DB.QueryRow("SELECT count(*) FROM t").Scan(&n); err != nil || n != want {
					t.Errorf("%s has %d rows (%v), want %d", d.Name, n, err, want)
				}
			}
		})
	}
}

func TestAServerOfItsOwnStops(t *testing.T) {
	for _, dialect := range []schema.Dialect{schema.Postgres, schema.MySQL} {
		t.Run(string(dialect), func(t *testing.T) {
			d := dbtest.Start(t, dialect).Database(t)
			if err := d.DB.Ping(); err != nil {
				t.Fatal(err)
			}
			d.Server.Stop()
			if err := d.DB.Ping(); err == nil {
				t.Error("the server answers after it was stopped")
			}
		})
	}
}

func TestTextComparesAsAsked(t *testing.T) {
	for _, c := range []struct {
		server    *dbtest.Server
		collation string
		less      bool
	}{
		{dbtest.Postgres(t), "", false},
		{dbtest.Postgres(t), "en-US", true},
		{dbtest.MariaDB(t), "", true},
		{dbtest.MariaDB(t), "utf8mb4_bin", false},
	} {
		d := c.server.DatabaseWith(t, dbtest.Options{Collation: c.collation}, "CREATE TABLE t (a varchar(9)); INSERT INTO t VALUES ('a')")
		var less bool
		if err := d.DB.QueryRow("SELECT a < 'B' FROM t").Scan(&less); err != nil || less != c.less {
			t.Errorf("%s %q: a < B is %v (%v)", c.server.Dialect, c.collation, less, err)
		}
	}
}
