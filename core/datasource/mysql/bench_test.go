//go:build databases

package mysql_test

import (
	"testing"
	"time"

	"querent.dev/querent/core/datasource/datasourcetest"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/mysql"
)

// longest lets a query read a million rows on a machine that is busy.
const longest = 5 * time.Minute

func BenchmarkStream(b *testing.B) {
	db := dbtest.MariaDB(b).Database(b, `CREATE TABLE big (id int, word varchar(20), amount decimal(12,2), made datetime);
		INSERT INTO big SELECT seq, concat('word ', seq), seq / 100, timestamp('2020-01-01') + interval seq minute FROM seq_1_to_1000000`)
	d := open(b, mysql.Options{DSN: db.DSN, StatementTimeout: longest})
	datasourcetest.BenchmarkStream(b, d, func(sql string) (int, error) {
		prepared, err := db.DB.Prepare(sql)
		if err != nil {
			return 0, err
		}
		defer prepared.Close()
		rows, err := prepared.Query()
		if err != nil {
			return 0, err
		}
		defer rows.Close()
		cells, dest := make([]any, 4), make([]any, 4)
		for i := range cells {
			dest[i] = &cells[i]
		}
		n := 0
		for ; rows.Next(); n++ {
			if err := rows.Scan(dest...); err != nil {
				return n, err
			}
		}
		return n, rows.Err()
	})
}
