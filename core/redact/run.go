package redact

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// mostValues bounds what a run remembers; values beyond it have placeholders that
// are not mapped back.
const mostValues = 10_000

// Run is the placeholders of one question, or of a process. It is safe for
// concurrent use. A nil Run takes nothing out.
type Run struct {
	r   *Redactor
	key [32]byte
	// keyed runs number nothing and remember nothing: a placeholder holds part of a
	// keyed digest. They are for what goes on for long, such as a log.
	keyed bool

	mu       sync.Mutex
	counts   map[Kind]int
	names    map[[32]byte]string // by keyed digest
	values   map[string]string   // by placeholder, for Restore
	tagged   []taggedValue       // longest first
	isTagged map[string]bool
}

type taggedValue struct {
	text string
	kind Kind
}

// Run begins the placeholders of one question.
func (r *Redactor) Run() *Run {
	if r == nil {
		return nil
	}
	u := &Run{r: r, counts: map[Kind]int{}, names: map[[32]byte]string{}, values: map[string]string{}, isTagged: map[string]bool{}}
	_, _ = rand.Read(u.key[:]) // it never fails: the runtime stops the process first
	return u
}

// Process begins placeholders that last as long as the process: they remember
// nothing, and are the same for the same value.
func (r *Redactor) Process() *Run {
	u := r.Run()
	if u != nil {
		u.keyed = true
	}
	return u
}

type contextKey struct{}

// With is ctx with the run's placeholders, for those who send something on the way.
func With(ctx context.Context, u *Run) context.Context {
	return context.WithValue(ctx, contextKey{}, u)
}

// From is the run of ctx, nil if there is none.
func From(ctx context.Context) *Run {
	u, _ := ctx.Value(contextKey{}).(*Run)
	return u
}

// Tag makes values of a tagged column known, so that they are taken out wherever
// they stand in the run, as whole words. Short values are not: they stand in
// ordinary text, too.
func (u *Run) Tag(kind Kind, values ...string) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	tagged := slices.Clone(u.tagged) // others read the list without the lock
	for _, v := range values {
		if len(v) < shortestKnown || len(tagged) >= mostValues || u.isTagged[v] {
			continue
		}
		u.isTagged[v] = true
		tagged = append(tagged, taggedValue{v, kind})
	}
	slices.SortStableFunc(tagged, func(a, b taggedValue) int { return len(b.text) - len(a.text) })
	u.tagged = tagged
}

func (u *Run) findTagged(text string) []span {
	u.mu.Lock()
	tagged := u.tagged
	u.mu.Unlock()
	var out []span
	for _, t := range tagged {
		out = append(out, occurrences(text, t.text, t.kind, true)...)
	}
	return out
}

// name is the placeholder of a value.
func (u *Run) name(kind Kind, value string) string {
	mac := hmac.New(sha256.New, u.key[:])
	mac.Write([]byte(string(kind) + "\x00" + value))
	digest := [32]byte(mac.Sum(nil))
	if u.keyed {
		return fmt.Sprintf("[%s:%s]", kind, strings.ToLower(base32.HexEncoding.EncodeToString(digest[:])[:6]))
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if known, ok := u.names[digest]; ok {
		return known
	}
	u.counts[kind]++
	name := fmt.Sprintf("[%s:%d]", kind, u.counts[kind])
	if len(u.names) < mostValues {
		u.names[digest], u.values[name] = name, value
	}
	return name
}

// value is what a placeholder of this run stands for.
func (u *Run) value(name string) (string, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	v, ok := u.values[name]
	return v, ok
}
