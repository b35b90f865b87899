//go:build databases && !race

package mysql_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/mysql"
)

// The race detector makes pools forget what they hold, so that under it much more
// is allocated.

// 2,000 tables of 20 columns are read in a fixed number of questions.
func TestManyTablesAreReadInBulk(t *testing.T) {
	var columns, script strings.Builder
	for n := range 18 {
		fmt.Fprintf(&columns, ", c%d varchar(20)", n)
	}
	for i := range 2000 {
		fmt.Fprintf(&script, "CREATE TABLE t%d (id int PRIMARY KEY, up int REFERENCES t%d (id)%s) ENGINE=Aria TRANSACTIONAL=0;", i, max(i-1, 0), columns.String())
	}
	db := dbtest.MariaDB(t).Database(t, script.String())
	d := open(t, mysql.Options{DSN: db.DSN})
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
