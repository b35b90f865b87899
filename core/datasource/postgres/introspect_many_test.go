//go:build databases && !race

package postgres_test

import (
	"runtime"
	"testing"
	"time"

	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/postgres"
)

// The race detector makes pools forget what they hold, so that under it much more
// is allocated.

// 2,000 tables of 20 columns are read in a fixed number of questions.
func TestManyTablesAreReadInBulk(t *testing.T) {
	db := dbtest.Postgres(t).Database(t, `DO $$ BEGIN FOR i IN 1..2000 LOOP EXECUTE format(
		'CREATE TABLE t%s (id int PRIMARY KEY, up int REFERENCES t%s, %s)', i, greatest(i - 1, 1), (SELECT string_agg(format('c%s text', n), ', ') FROM generate_series(1, 18) n));
		IF i % 100 = 0 THEN COMMIT; END IF; END LOOP; END $$`)
	d := open(t, postgres.Options{DSN: db.DSN})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := time.Now()
	catalog, err := d.Introspect(t.Context())
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	if err != nil || len(catalog.Tables) != 2000 || len(catalog.Tables[1999].Columns) != 20 {
		t.Fatalf("%v", err)
	}
	const limit = 200 << 20
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > limit {
		t.Errorf("it allocated %d MB", allocated>>20)
	} else {
		t.Logf("2,000 tables of 20 columns in %s, %d MB allocated", took.Round(time.Millisecond), allocated>>20)
	}
}
