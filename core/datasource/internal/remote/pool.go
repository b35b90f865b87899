package remote

import (
	"context"
	"errors"
	"sync"
	"time"
)

// restTime is how long a connection may rest before it is asked whether it is
// still good.
const restTime = time.Second

// Pool is the connections that rest between queries. How many there are at once is
// bounded by who takes them.
type Pool[C any] struct {
	// Connect makes a connection that is ready for Begin.
	Connect func(ctx context.Context) (C, error)
	// Alive reports whether a connection that has rested still answers.
	Alive func(ctx context.Context, c C) bool
	// Begin starts a read-only transaction whose queries the server ends after limit.
	Begin func(ctx context.Context, c C, limit time.Duration) error
	// Reset ends the transaction and takes back what it may have left behind.
	Reset func(ctx context.Context, c C) error
	// Discard closes a connection, whatever state it is in.
	Discard func(c C) error

	mu     sync.Mutex
	idle   []resting[C]
	closed bool
}

type resting[C any] struct {
	conn  C
	since time.Time
}

// Take is a connection with a transaction begun. One that rested may have been lost
// without a trace: then it is another's turn, up to a new one.
func (p *Pool[C]) Take(ctx context.Context, limit time.Duration) (C, error) {
	for {
		r, rested := p.pop()
		if !rested {
			conn, err := p.Connect(ctx)
			if err != nil {
				return conn, errors.Join(errConnect, err)
			}
			r.conn = conn
		} else if time.Since(r.since) > restTime && !p.Alive(ctx, r.conn) {
			_ = p.Discard(r.conn) // it is of no use any more, whatever it says
			continue
		}
		err := p.Begin(ctx, r.conn, limit)
		if err == nil {
			return r.conn, nil
		}
		_ = p.Discard(r.conn) // likewise
		if !rested || ctx.Err() != nil {
			return r.conn, err
		}
	}
}

func (p *Pool[C]) pop() (resting[C], bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return resting[C]{}, false
	}
	last := p.idle[len(p.idle)-1]
	p.idle = p.idle[:len(p.idle)-1]
	return last, true
}

// Give takes a connection back. One that cannot be reset is thrown away.
func (p *Pool[C]) Give(conn C) error {
	ctx, cancel := context.WithTimeout(context.Background(), ReleaseTimeout)
	defer cancel()
	if p.Reset(ctx, conn) != nil || !p.rest(conn) {
		return p.Discard(conn)
	}
	return nil
}

func (p *Pool[C]) rest(conn C) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.idle = append(p.idle, resting[C]{conn, time.Now()})
	}
	return !p.closed
}

// Close closes the connections that rest, and those in use when they are given
// back.
func (p *Pool[C]) Close() error {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	var errs []error
	for _, r := range idle {
		errs = append(errs, p.Discard(r.conn))
	}
	return errors.Join(errs...)
}
