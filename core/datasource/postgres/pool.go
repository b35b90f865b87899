package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"querent.dev/querent/core/datasource/internal/remote"
)

// settings are set on every connection: what sessions may differ in, and plans do
// not know of.
var settings = [][2]string{
	{"search_path", ""},
	{"timezone", "UTC"},
	{"datestyle", "ISO, YMD"},
	{"intervalstyle", "iso_8601"},
	{"bytea_output", "hex"},
	{"extra_float_digits", "1"},
	{"standard_conforming_strings", "on"},
	{"client_encoding", "UTF8"},
	{"application_name", "querent"},
	{"default_transaction_read_only", "on"},
	// A host that stops reading for good leaves no transaction behind.
	{"idle_in_transaction_session_timeout", "60s"},
}

// idleTime is how long a connection may rest before it is asked whether it is
// still good.
const idleTime = time.Second

// pool is the connections that rest between queries. How many there are at once is
// bounded by who takes them.
type pool struct {
	config *pgconn.Config

	mu     sync.Mutex
	idle   []resting
	closed bool
}

type resting struct {
	conn  *pgconn.PgConn
	since time.Time
}

// take is a connection that works, as far as can be known.
func (p *pool) take(ctx context.Context) (*pgconn.PgConn, error) {
	for {
		r, ok := p.pop()
		if !ok {
			return p.connect(ctx)
		}
		if time.Since(r.since) < idleTime || r.conn.Ping(ctx) == nil {
			return r.conn, nil
		}
		_ = discard(r.conn)
	}
}

func (p *pool) pop() (resting, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return resting{}, false
	}
	last := p.idle[len(p.idle)-1]
	p.idle = p.idle[:len(p.idle)-1]
	return last, true
}

func (p *pool) connect(ctx context.Context) (*pgconn.PgConn, error) {
	conn, err := pgconn.ConnectConfig(ctx, p.config)
	if err != nil {
		return nil, err
	}
	var calls []string
	var args [][]byte
	for i, s := range settings {
		calls = append(calls, fmt.Sprintf("set_config('%s', $%d, false)", s[0], i+1))
		args = append(args, []byte(s[1]))
	}
	if err := conn.ExecParams(ctx, "SELECT "+strings.Join(calls, ", "), args, nil, nil, nil).Read().Err; err != nil {
		return nil, errors.Join(err, discard(conn))
	}
	return conn, nil
}

// give returns a connection. One whose transaction does not end is thrown away.
func (p *pool) give(conn *pgconn.PgConn) error {
	ctx, cancel := context.WithTimeout(context.Background(), remote.ReleaseTimeout)
	defer cancel()
	if conn.IsClosed() {
		return discard(conn)
	}
	// A view may have taken a lock that outlives the transaction.
	if _, err := conn.Exec(ctx, "ROLLBACK; SELECT pg_advisory_unlock_all()").ReadAll(); err != nil {
		return discard(conn)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return conn.Close(ctx)
	}
	p.idle = append(p.idle, resting{conn, time.Now()})
	return nil
}

func (p *pool) close() error {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	var errs []error
	for _, r := range idle {
		errs = append(errs, discard(r.conn))
	}
	return errors.Join(errs...)
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
