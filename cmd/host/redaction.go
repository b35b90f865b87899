package main

import (
	"io"
	"sync"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/redact"
)

// guard takes secrets and personal data out of what a command writes about itself:
// its log, in which those of the plugins are, and its messages. Until a
// configuration says how much, it takes out all. It is safe for concurrent use.
type guard struct {
	known *redact.Known

	mu     sync.RWMutex
	filter redact.Filter
}

func newGuard() *guard {
	g := &guard{known: &redact.Known{}}
	r, err := redact.New(redact.Options{Secrets: g.known})
	if err != nil {
		panic("the defaults of redaction are wrong: " + err.Error())
	}
	g.filter = r.Process().At(redact.Logs)
	return g
}

// follow takes out what cfg says, and its secrets.
func (g *guard) follow(cfg *config.Config) error {
	g.known.Add(cfg.Secrets()...)
	r, err := redact.New(cfg.Settings.Redaction.Options(g.known))
	if err != nil {
		return usage("settings.redaction: %v", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.filter = r.Process().At(redact.Logs)
	return nil
}

// text is s without what is taken out.
func (g *guard) text(s string) string {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.filter.Text(s)
}

// writer is w behind the guard. Each write is judged as a whole: a log writes its
// lines at once.
func (g *guard) writer(w io.Writer) io.Writer { return guarded{g, w} }

type guarded struct {
	guard *guard
	to    io.Writer
}

// Write implements io.Writer.
func (w guarded) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.to, w.guard.text(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
