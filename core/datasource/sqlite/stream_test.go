package sqlite_test

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"querent.dev/querent/core/datasource/datasourcetest"
	"querent.dev/querent/core/datasource/sqlite"
)

func BenchmarkStream(b *testing.B) {
	path := filepath.Join(b.TempDir(), "big.db")
	bare, err := sql.Open("sqlite", path)
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	if _, err := bare.Exec(`CREATE TABLE big (id INTEGER, word TEXT, amount DECIMAL(12,2), made TIMESTAMP);
		INSERT INTO big WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
			SELECT i, 'word ' || i, i / 100.0, datetime('2020-01-01', i || ' minutes') FROM n`); err != nil {
		b.Fatal(err)
	}
	d, err := sqlite.Open(sqlite.Options{ID: "test", Path: path, StatementTimeout: 5 * time.Minute})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	datasourcetest.BenchmarkStream(b, d, func(text string) (int, error) {
		rows, err := bare.Query(text)
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
