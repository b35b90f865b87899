package redact

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// shortestKnown is the length from which a text counts as a known secret: shorter
// ones stand in ordinary words, too.
const shortestKnown = 4

// Known are secrets that the program holds itself, such as the keys of its
// configuration. It is safe for concurrent use; the zero value holds none. A nil
// *Known holds none, either.
type Known struct {
	mu     sync.RWMutex
	values []string // longest first, with the forms in which they are written
}

// Add makes a text known as a secret, and the forms in which it stands in URLs, JSON
// and base64.
func (k *Known) Add(secrets ...string) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range secrets {
		if len(s) < shortestKnown {
			continue
		}
		for _, form := range forms(s) {
			if !slices.Contains(k.values, form) {
				k.values = append(k.values, form)
			}
		}
	}
	slices.SortFunc(k.values, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
}

func forms(s string) []string {
	quoted, _ := json.Marshal(s) // text always marshals
	return []string{
		s, url.QueryEscape(s), url.PathEscape(s), strings.TrimPrefix(url.UserPassword("", s).String(), ":"),
		string(quoted[1 : len(quoted)-1]),
		base64.StdEncoding.EncodeToString([]byte(s)), base64.RawURLEncoding.EncodeToString([]byte(s)),
	}
}

// find are the places of known secrets in text. Weak are those that may be ordinary
// words, too: they count where nothing is lost when a word is.
func (k *Known) find(text string, weak bool) []span {
	if k == nil {
		return nil
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	var out []span
	for _, v := range k.values {
		if !weak && (len(v) < 8 || !mixed(v) && len(v) < 16) {
			continue
		}
		out = append(out, occurrences(text, v, Token, len(v) < 8)...)
	}
	return out
}
