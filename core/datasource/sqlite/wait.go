package sqlite

import (
	"context"
	"database/sql"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

const (
	// lockWait is how long a writer that holds the file is waited for.
	lockWait = 2 * time.Second
	// The pauses between two looks at the lock double from the first to the longest.
	firstPause, longestPause = time.Millisecond, 50 * time.Millisecond
)

// patiently repeats work while a writer keeps the file to itself, until lockWait
// is over or ctx ends. SQLite asks for its lock before the first row, so that
// nothing is read twice.
func patiently(ctx context.Context, work func() error) error {
	began, pause := time.Now(), firstPause
	for {
		err := work()
		if kindOf(err) != sqlite3.SQLITE_BUSY || time.Since(began) > lockWait {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
			pause = min(2*pause, longestPause)
		}
	}
}

// query runs a statement up to its first row on a session that is armed with ctx.
// The driver is not given ctx: it would watch it with a goroutine and, all through
// the statement, a call back every thousand steps.
func (s *session) query(ctx context.Context, text string, args ...any) (rows *sql.Rows, err error) {
	err = patiently(ctx, func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, err = s.conn.QueryContext(context.WithoutCancel(ctx), text, args...)
		return err
	})
	return rows, err
}
