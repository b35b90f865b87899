package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"querent.dev/querent/core/datasource/internal/remote"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
)

// settings are set on every connection beside those of the dialect.
const settings = `SET application_name = 'querent'; SET default_transaction_read_only = on;
	SET idle_in_transaction_session_timeout = '60s'` // a host that stops reading for good leaves no transaction behind

type pool = remote.Pool[*pgconn.PgConn]

func newPool(config *pgconn.Config) *pool {
	return &pool{
		Connect: func(ctx context.Context) (*pgconn.PgConn, error) { return connect(ctx, config) },
		Alive:   func(ctx context.Context, conn *pgconn.PgConn) bool { return conn.Ping(ctx) == nil },
		Begin:   begin,
		Reset:   reset,
		Discard: discard,
	}
}

func connect(ctx context.Context, config *pgconn.Config) (*pgconn.PgConn, error) {
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	text := strings.Join(append(sqlgen.Session(schema.Postgres), settings), "; ")
	if _, err := conn.Exec(ctx, text).ReadAll(); err != nil {
		return nil, errors.Join(err, discard(conn))
	}
	return conn, nil
}

func begin(ctx context.Context, conn *pgconn.PgConn, limit time.Duration) error {
	text := fmt.Sprintf("BEGIN TRANSACTION READ ONLY; SET LOCAL statement_timeout = %d", max(limit.Milliseconds(), 1))
	_, err := conn.Exec(ctx, text).ReadAll()
	return err
}

// reset frees, too, the locks of a view that outlive a transaction.
func reset(ctx context.Context, conn *pgconn.PgConn) error {
	_, err := conn.Exec(ctx, "ROLLBACK; SELECT pg_advisory_unlock_all()").ReadAll()
	return err
}

// discard closes a connection and waits until what ran on it was told to stop.
func discard(conn *pgconn.PgConn) error {
	ctx, cancel := context.WithTimeout(context.Background(), remote.ReleaseTimeout)
	defer cancel()
	_ = conn.Close(ctx) // it is of no use any more, whatever it says
	select {
	case <-conn.CleanupDone():
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close a connection: %w", ctx.Err())
	}
}
