package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/policy"
)

// Callers are those who may ask.
type Callers struct {
	Keys []Key
	// Anonymous is who asks without a key. The zero Caller may not.
	Anonymous policy.Caller
	// Local is set where the server listens on the loopback interface alone. An
	// anonymous caller must then have addressed it by a name of this machine, so
	// that no web page gets at it under a name of its own.
	Local bool
}

// Key is a caller's key, of which the server knows the hash alone.
type Key struct {
	ID      string
	Hash    [sha256.Size]byte
	Caller  policy.Caller
	Expires time.Time // zero: never
}

// identify is who sent the request; false for nobody. It takes the same time for
// every key that is not known, however much of it is right.
func (c Callers) identify(r *http.Request, now time.Time) (policy.Caller, bool) {
	sent := r.Header.Values("Authorization")
	if len(sent) == 0 {
		if !c.Anonymous.Known() || c.Local && !c.fromHere(r) {
			return policy.Caller{}, false
		}
		return c.Anonymous, true
	}
	scheme, token, _ := strings.Cut(sent[0], " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	var found policy.Caller
	ok := 0
	for _, k := range c.Keys {
		same := subtle.ConstantTimeCompare(sum[:], k.Hash[:])
		if same == 1 && (k.Expires.IsZero() || now.Before(k.Expires)) {
			found, ok = k.Caller, 1
		}
	}
	if ok == 0 || len(sent) > 1 || !strings.EqualFold(scheme, "Bearer") {
		return policy.Caller{}, false
	}
	return found, true
}

// fromHere reports whether the request can only come from this machine, and from no
// web page that has a name of its own for it.
func (c Callers) fromHere(r *http.Request) bool {
	return c.Local && config.Loopback(hostname(r.Host))
}

func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}
