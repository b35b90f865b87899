package pipeline

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/redact"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

// Deps are what an engine works with. The engine closes none of them; they must
// outlive it. Datasources, Providers and Policy are required.
type Deps struct {
	Datasources map[schema.DatasourceID]datasource.Datasource
	Providers   *provider.Registry
	Policy      *policy.Policy
	Recorder    Recorder         // nil: runs are not recorded
	Secrets     *redact.Known    // that are taken out wherever they stand; nil: none are known
	Clock       func() time.Time // nil: the system's
	Logger      hclog.Logger     // nil: none
	// Say is what is said in English, a note or a limit of a result, in another
	// language, or as it is where that language has no words for it. Nil: as it is.
	Say func(language, english string) string
	// Spoken is the language in which templates word an answer in a language, another
	// where they do not have that one. Nil: they have every language.
	Spoken func(language string) string
	// IDs makes the ids of runs and traces, never the same twice. Nil: 128 random
	// bits in hex, the form of W3C trace ids.
	IDs func() string
	// Random gives numbers in [0, 1), concurrently: they spread the waits before
	// retries. Nil: the runtime's.
	Random func() float64
	// ReadFile reads plans and prompts that the configuration names. Nil: os.ReadFile.
	ReadFile func(path string) ([]byte, error)
}

func (d Deps) complete() (Deps, error) {
	if len(d.Datasources) == 0 || d.Providers == nil || d.Policy == nil {
		return d, errors.New("pipeline: an engine needs datasources, providers and a policy")
	}
	if d.Clock == nil {
		d.Clock = time.Now
	}
	if d.Logger == nil {
		d.Logger = hclog.NewNullLogger()
	}
	if d.IDs == nil {
		d.IDs = randomID
	}
	if d.Random == nil {
		d.Random = mathrand.Float64
	}
	if d.ReadFile == nil {
		d.ReadFile = os.ReadFile
	}
	return d, nil
}

func randomID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails: the runtime stops the process first
	return hex.EncodeToString(b[:])
}

// Engine answers questions. It is safe for concurrent use, and any number of
// engines with different settings live in one process.
type Engine struct {
	cfg      *config.Config
	deps     Deps
	nodes    nodes
	calendar calendar
	control  *graph.Graph[Run]
	redactor *redact.Redactor

	mu      sync.Mutex
	closed  bool
	running map[*context.CancelCauseFunc]struct{}
	runs    sync.WaitGroup
}

// New makes an engine: it reads the files that cfg names, wires the graphs, lets
// the options change them, and checks the wiring.
func New(cfg *config.Config, d Deps, options ...Option) (*Engine, error) {
	d, err := d.complete()
	if err != nil {
		return nil, err
	}
	cal, err := newCalendar(cfg.Settings.Time)
	if err != nil {
		return nil, err
	}
	n, err := newNodes(cfg, d, cal.zone)
	if err != nil {
		return nil, err
	}
	control, err := connect(n, options)
	if err != nil {
		return nil, fmt.Errorf("pipeline: %w", err)
	}
	redactor, err := redact.New(cfg.Settings.Redaction.Options(d.Secrets))
	if err != nil {
		return nil, fmt.Errorf("pipeline: %w", err)
	}
	return &Engine{
		cfg: cfg, deps: d, nodes: n, calendar: cal, control: control, redactor: redactor,
		running: map[*context.CancelCauseFunc]struct{}{},
	}, nil
}

// Mermaid draws the engine's graphs as a Mermaid flowchart.
func (e *Engine) Mermaid() string { return e.control.Mermaid() }

// Mermaid draws the graphs as they are without a configuration. The error is one
// of the options.
func Mermaid(options ...Option) (string, error) {
	control, err := connect(nodes{settings: config.DefaultSettings()}, options)
	if err != nil {
		return "", fmt.Errorf("pipeline: %w", err)
	}
	return control.Mermaid(), nil
}

// Close cancels the runs that are on their way and waits for them, until ctx
// ends. What is asked afterwards is answered as cancelled. It may be called
// twice.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	e.closed = true
	for cancel := range e.running {
		(*cancel)(errClosed)
	}
	e.mu.Unlock()
	done := make(chan struct{})
	go func() {
		e.runs.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("pipeline: runs did not end: %w", context.Cause(ctx))
	}
}

var errClosed = reason.New(reason.CancelledCode, reason.ReasonCancelled, "the engine was closed")

// enter counts a run in and bounds it by the run's timeout and by Close.
func (e *Engine) enter(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stopTimer := func() {}
	if limit := e.cfg.Settings.Run.Timeout.Std(); limit > 0 {
		late := reason.New(reason.RunTimeout, reason.ReasonTimeout, "the run did not finish within %s", limit)
		ctx, stopTimer = context.WithTimeoutCause(ctx, limit, late)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		cancel(errClosed)
		return ctx, stopTimer
	}
	e.running[&cancel] = struct{}{}
	e.runs.Add(1)
	return ctx, func() {
		stopTimer()
		cancel(nil)
		e.mu.Lock()
		delete(e.running, &cancel)
		e.mu.Unlock()
		e.runs.Done()
	}
}
