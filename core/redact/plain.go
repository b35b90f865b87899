package redact

import (
	"crypto/sha256"
	"sync"
)

const (
	// longPlain is from how many bytes on it pays to remember that a text is plain: the
	// rules at the head of a prompt are as long, and are sent with every question.
	longPlain = 1 << 10
	// mostPlain bounds what is remembered. When it is full, all is forgotten.
	mostPlain = 256
)

// plainTexts remembers long texts in which nothing looked like what is taken out, by
// their sums: no text stays in memory for it. It is safe for concurrent use.
type plainTexts struct {
	mu   sync.Mutex
	sums map[plainSum]bool
}

// plainSum is a text at a level.
type plainSum struct {
	level Level
	sum   [sha256.Size]byte
}

// plainEntry is a text's place in the memory, nil for one that is too short for it.
type plainEntry struct {
	of  *plainTexts
	sum plainSum
}

func (p *plainTexts) entry(level Level, text string) *plainEntry {
	if len(text) < longPlain {
		return nil
	}
	return &plainEntry{of: p, sum: plainSum{level, sha256.Sum256([]byte(text))}}
}

func (e *plainEntry) known() bool {
	if e == nil {
		return false
	}
	e.of.mu.Lock()
	defer e.of.mu.Unlock()
	return e.of.sums[e.sum]
}

func (e *plainEntry) keep() {
	if e == nil {
		return
	}
	e.of.mu.Lock()
	defer e.of.mu.Unlock()
	if e.of.sums == nil || len(e.of.sums) >= mostPlain {
		e.of.sums = map[plainSum]bool{}
	}
	e.of.sums[e.sum] = true
}
