//go:build databases

package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"querent.dev/querent/core/datasource/datasourcetest"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/postgres"
)

// longest lets a query read a million rows on a machine that is busy.
const longest = 5 * time.Minute

func BenchmarkStream(b *testing.B) {
	db := dbtest.Postgres(b).Database(b, `CREATE TABLE big AS SELECT i AS id, 'word ' || i AS word, (i / 100.0)::numeric(12,2) AS amount,
		timestamp '2020-01-01' + i * interval '1 minute' AS made FROM generate_series(1, 1000000) i; ANALYZE`)
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, db.DSN)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(ctx)
	d := open(b, postgres.Options{DSN: db.DSN, StatementTimeout: longest})
	datasourcetest.BenchmarkStream(b, d, func(sql string) (int, error) {
		rows, err := conn.Query(ctx, sql)
		if err != nil {
			return 0, err
		}
		defer rows.Close()
		n := 0
		for ; rows.Next(); n++ {
			if _, err := rows.Values(); err != nil {
				return n, err
			}
		}
		return n, rows.Err()
	})
}
