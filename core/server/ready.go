package server

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"querent.dev/querent/sdk/reason"
)

// Check looks whether something that answers need is there.
type Check struct {
	Name string // such as "provider local"; everybody may read it
	// Run ends with ctx. Of its error, code and reason are shown.
	Run func(ctx context.Context) error
}

// readiness is what the checks found last.
type readiness struct {
	checks []Check

	mu    sync.Mutex
	at    time.Time
	found []checked
}

// checked is what a check found.
type checked struct {
	Name   string        `json:"name"`
	Ready  bool          `json:"ready"`
	Code   reason.Code   `json:"code,omitempty"`
	Reason reason.Reason `json:"reason,omitempty"`
}

// look is what the checks find now, or found a moment ago. Who comes while
// someone looks waits for what is found.
func (r *readiness) look(ctx context.Context, now func() time.Time, limit, fresh time.Duration) []checked {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.at.IsZero() && now().Sub(r.at) < fresh {
		return r.found
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	found := make([]checked, len(r.checks))
	var looking sync.WaitGroup
	for i, c := range r.checks {
		looking.Go(func() { found[i] = c.look(ctx) })
	}
	looking.Wait()
	r.found, r.at = found, now()
	return found
}

func (c Check) look(ctx context.Context) checked {
	err := c.Run(ctx)
	if err == nil {
		return checked{Name: c.Name, Ready: true}
	}
	known := reason.From(err)
	return checked{Name: c.Name, Code: known.Code, Reason: known.Reason}
}

// healthz says that the process lives.
func (s *Server) healthz(w *response, _ *http.Request, _ *call) *problem {
	writeJSON(w, http.StatusOK, map[string]bool{"alive": true})
	return nil
}

// readyz says whether questions can be answered, and what is missing.
func (s *Server) readyz(w *response, r *http.Request, _ *call) *problem {
	out := struct {
		Ready    bool      `json:"ready"`
		Draining bool      `json:"draining,omitempty"`
		Checks   []checked `json:"checks"`
	}{Ready: true, Checks: []checked{}}
	if s.runs.stopping() {
		out.Ready, out.Draining = false, true
	} else {
		out.Checks = s.ready.Load().look(r.Context(), s.options().Clock, s.options().Timeouts.Check, s.options().Timeouts.Fresh)
	}
	for _, c := range out.Checks {
		out.Ready = out.Ready && c.Ready
	}
	status := http.StatusOK
	if !out.Ready {
		status = http.StatusServiceUnavailable
	}
	writeJSON(w, status, out)
	return nil
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is made of texts and truth values
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // a client that has left misses nothing
}
