// Package server is the HTTP API: questions are asked with POST /v1/ask and
// answered at once or as server-sent events. It knows callers by their keys,
// bounds what a client can hold, and ends without losing a run that can finish.
//
// A request that became a run is answered with status 200 whatever came of it: the
// outcome is in the body. One that did not is an RFC 9457 problem.
package server

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
)

// Engine answers questions. *pipeline.Engine is one.
type Engine interface {
	// Ask is that of pipeline.Engine: a run that is never nil, and its events
	// one by one, the last of them terminal. The server closes the run.
	Ask(ctx context.Context, q pipeline.Question, sink func(graph.Event)) *pipeline.Run
}

var _ Engine = (*pipeline.Engine)(nil)

// Options say what the server works with. Engine and Write are required.
type Options struct {
	Engine Engine
	// Write writes an ended run as JSON, with whole results: the body of an
	// answer that is not streamed.
	Write   func(w io.Writer, run *pipeline.Run) error
	Callers Callers
	// Receipts are those of ended runs. Nil: there are none.
	Receipts Receipts
	// Metrics answers GET /metrics. Nil: there is no such path.
	Metrics http.Handler
	// Checks say whether what answers need is there, for /readyz.
	Checks       []Check
	MaxRuns      int           // 0: no limit
	MaxBody      int64         // bytes; 0: 64 KiB
	DrainTimeout time.Duration // how long runs may go on once Serve is told to stop
	TLS          *tls.Config   // nil: plain HTTP
	Logger       hclog.Logger  // nil: none
	Clock        func() time.Time
	Timeouts     Timeouts
}

// Timeouts bound what clients can hold. A zero field takes its default.
type Timeouts struct {
	Header    time.Duration // until a request's header is there; 10 s
	Body      time.Duration // until a request's body is there; 10 s, since it is small
	Idle      time.Duration // of a connection between requests; 2 min, as proxies keep them
	Write     time.Duration // until a client has taken what it is sent, each time; 30 s
	KeepAlive time.Duration // between signs of life on a stream; 15 s, below what proxies wait
	Check     time.Duration // for all checks of /readyz; 3 s, below what probes wait
	Fresh     time.Duration // how long what the checks found is believed; 5 s
	End       time.Duration // for cancelled runs to explain themselves; 15 s
}

const defaultMaxBody = 64 << 10

func (o Options) withDefaults() (Options, error) {
	if o.Engine == nil || o.Write == nil {
		return o, errors.New("server: an engine and a writer of runs are needed")
	}
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	orDefault(&o.MaxBody, defaultMaxBody)
	orDefault(&o.Timeouts.Header, 10*time.Second)
	orDefault(&o.Timeouts.Body, 10*time.Second)
	orDefault(&o.Timeouts.Idle, 2*time.Minute)
	orDefault(&o.Timeouts.Write, 30*time.Second)
	orDefault(&o.Timeouts.KeepAlive, 15*time.Second)
	orDefault(&o.Timeouts.Check, 3*time.Second)
	orDefault(&o.Timeouts.Fresh, 5*time.Second)
	orDefault(&o.Timeouts.End, 15*time.Second)
	return o, nil
}

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Server is the HTTP API over one engine. It is safe for concurrent use.
type Server struct {
	opts  atomic.Pointer[Options]
	ready atomic.Pointer[readiness]
	runs  *runs
}

// New makes a Server, which listens to nothing yet.
func New(o Options) (*Server, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Server{runs: newRuns(o.MaxRuns)}
	s.opts.Store(&o)
	s.ready.Store(&readiness{checks: o.Checks})
	return s, nil
}

// Change replaces who may ask, the checks and the limits while the server serves:
// Callers, Checks, MaxRuns, MaxBody and DrainTimeout of o are for the requests from
// now on, and nothing else of it is looked at. Runs that have begun go on.
func (s *Server) Change(o Options) {
	next := *s.options()
	next.Callers, next.Checks, next.MaxRuns, next.MaxBody, next.DrainTimeout = o.Callers, o.Checks, o.MaxRuns, o.MaxBody, o.DrainTimeout
	orDefault(&next.MaxBody, defaultMaxBody)
	s.opts.Store(&next)
	s.ready.Store(&readiness{checks: next.Checks})
	s.runs.limit(next.MaxRuns)
}

// options are those that count now.
func (s *Server) options() *Options { return s.opts.Load() }

// maxHeader is far above the headers of any client of ours; a key has 46 bytes.
const maxHeader = 32 << 10

// Serve answers what comes in at l, which it closes, until ctx ends. Then it takes
// no question any more, lets those on their way finish within DrainTimeout, cancels
// the rest, and returns nil. An error is one of listening, or of clients that could
// not be got rid of.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{
		Handler: s, ReadHeaderTimeout: s.options().Timeouts.Header, IdleTimeout: s.options().Timeouts.Idle,
		MaxHeaderBytes: maxHeader, TLSConfig: s.options().TLS,
		ErrorLog: s.options().Logger.StandardLogger(&hclog.StandardLoggerOptions{ForceLevel: hclog.Debug}),
	}
	served := make(chan error, 1)
	go func() {
		if s.options().TLS != nil {
			served <- h.ServeTLS(l, "", "")
			return
		}
		served <- h.Serve(l)
	}()
	select {
	case err := <-served:
		return fmt.Errorf("serve HTTP on %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	s.drain()
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.options().Timeouts.End)
	defer cancel()
	err := h.Shutdown(closing)
	if err != nil {
		err = errors.Join(fmt.Errorf("stop serving HTTP: %w", err), h.Close())
	}
	<-served
	return err
}

// drain ends the runs: by waiting, then by cancelling them.
func (s *Server) drain() {
	s.options().Logger.Info("stopping: no question is taken any more", "runs", s.runs.count(), "drain_timeout", s.options().DrainTimeout)
	idle := s.runs.drain()
	if endedWithin(idle, s.options().DrainTimeout) {
		return
	}
	s.options().Logger.Warn("cancelling what is still running", "runs", s.runs.count())
	s.runs.cancelAll(errStopping)
	if !endedWithin(idle, s.options().Timeouts.End) {
		s.options().Logger.Error("runs did not end when they were cancelled", "runs", s.runs.count())
	}
}

func endedWithin(idle <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-idle:
		return true
	case <-timer.C:
		return false
	}
}

// newID is an id of a request, in the form of the runs' own.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails: the runtime stops the process first
	return hex.EncodeToString(b[:])
}
