package audit

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Key is the deployment's key: it signs receipts and entries of the audit log,
// and stands in for values that an exported receipt leaves out. The zero Key is
// none: nothing is signed with it, and nothing can be checked that was.
type Key struct{ secret []byte }

const (
	keyPrefix = "qak_"
	// minKeyLength is the length of a text that holds 128 bits in hex.
	minKeyLength = 32
	// keyIDLength is enough to tell a handful of keys apart, and tells nothing
	// of them.
	keyIDLength = 16
)

// NewKey makes the text of a key of 256 random bits.
func NewKey() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // it never fails: the runtime stops the process first
	return keyPrefix + hex.EncodeToString(b[:])
}

// ParseKey is the key of a text; "" is the zero Key. The error repeats nothing of
// the text.
func ParseKey(text string) (Key, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Key{}, nil
	}
	if len(text) < minKeyLength {
		return Key{}, fmt.Errorf("the key has %d characters and needs %d: querent audit keygen makes one", len(text), minKeyLength)
	}
	return Key{secret: []byte(text)}, nil
}

// Known reports whether there is a key.
func (k Key) Known() bool { return len(k.secret) > 0 }

// ID tells keys apart; it is "" for the zero Key.
func (k Key) ID() string {
	if !k.Known() {
		return ""
	}
	return k.mac("key id")[:keyIDLength]
}

// mac is the HMAC-SHA256, in hex, of parts under a purpose: what is signed for
// one purpose counts for no other. It is "" for the zero Key.
func (k Key) mac(purpose string, parts ...string) string {
	if !k.Known() {
		return ""
	}
	h := hmac.New(sha256.New, k.secret)
	for _, part := range append([]string{"querent " + purpose}, parts...) {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// signed reports whether mac is that of parts.
func (k Key) signed(mac, purpose string, parts ...string) bool {
	return k.Known() && hmac.Equal([]byte(mac), []byte(k.mac(purpose, parts...)))
}
