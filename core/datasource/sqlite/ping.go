package sqlite

import (
	"context"
	"errors"

	sqlite3 "modernc.org/sqlite/lib"

	"querent.dev/querent/core/datasource"
)

var _ datasource.Pinger = (*database)(nil)

// Ping implements datasource.Pinger by reading the file's first pages. A writer
// that holds the file just now is no failure.
func (d *database) Ping(ctx context.Context) error {
	g := &grants{catalog: true}
	s, err := d.checkOut(ctx)
	if err == nil {
		if err = s.grant(ctx, g); err == nil {
			var objects int
			err = s.conn.QueryRowContext(ctx, "SELECT count(*) FROM main.sqlite_schema").Scan(&objects)
		}
		err = errors.Join(err, s.close())
	}
	switch kindOf(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return nil
	}
	return d.explain(ctx, g, err)
}
