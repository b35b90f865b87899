package server

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/policy"
)

// Entry is a key in the file of keys.
type Entry struct {
	ID   string `yaml:"id" json:"id"`
	Hash string `yaml:"hash" json:"hash"` // sha256: and 64 hex digits
	Role string `yaml:"role" json:"role"`
	// User are the caller's attributes, which row filters may name.
	User    map[string]any `yaml:"user,omitempty" json:"user,omitempty"`
	Expires string         `yaml:"expires,omitempty" json:"expires,omitempty"` // YYYY-MM-DD, the first day on which the key is not valid, or RFC 3339
}

const (
	keyPrefix  = "qk_"
	hashPrefix = "sha256:"
	// keyDigits is how many digits of base 62 hold 256 bits.
	keyDigits = 43
)

// NewKey makes a key of 256 random bits and its hash. A hash without salt and
// without work is enough for it: it cannot be guessed.
func NewKey() (key, hash string) {
	var b [32]byte
	_, _ = rand.Read(b[:]) // it never fails: the runtime stops the process first
	digits := new(big.Int).SetBytes(b[:]).Text(62)
	key = keyPrefix + strings.Repeat("0", keyDigits-len(digits)) + digits
	sum := sha256.Sum256([]byte(key))
	return key, hashPrefix + hex.EncodeToString(sum[:])
}

// ParseKeys reads a file of keys: entries under keys. The roles are those that
// there are. All that is wrong is reported at once; nothing of a hash is, since a
// key may stand in its place.
func ParseKeys(content []byte, roles map[config.RoleName]config.Role) ([]Key, error) {
	var file struct {
		Keys []Entry `yaml:"keys"`
	}
	d := yaml.NewDecoder(bytes.NewReader(content), yaml.Strict())
	if err := d.Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.New(strings.TrimSpace(yaml.FormatError(err, false, false)))
	}
	var keys []Key
	var errs []error
	seen := map[string]bool{}
	for i, e := range file.Keys {
		k, err := e.key(roles)
		if err == nil && seen[e.ID] {
			err = fmt.Errorf("the id %q is there twice", e.ID)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("keys[%d]: %w", i, err))
		}
		seen[e.ID] = true
		keys = append(keys, k)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return keys, nil
}

// keyID is what ids are made of: they stand in logs and receipts.
var keyID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)

// CheckKeyID refuses what cannot be the id of a key.
func CheckKeyID(id string) error {
	if !keyID.MatchString(id) {
		return errors.New("an id has 1 to 64 letters, digits, dots, dashes, underscores and @, and begins with a letter or a digit")
	}
	return nil
}

func (e Entry) key(roles map[config.RoleName]config.Role) (Key, error) {
	k := Key{ID: e.ID, Caller: policy.Caller{Kind: policy.KeyCaller, Name: e.ID, Roles: []string{e.Role}, Attributes: map[string]string{}}}
	if err := CheckKeyID(e.ID); err != nil {
		return k, err
	}
	digits, tagged := strings.CutPrefix(e.Hash, hashPrefix)
	sum, err := hex.DecodeString(digits)
	if !tagged || err != nil || len(sum) != sha256.Size {
		return k, errors.New("hash is no hash of a key: expected sha256: and 64 hex digits, as querent keys new prints it")
	}
	copy(k.Hash[:], sum)
	if _, ok := roles[config.RoleName(e.Role)]; !ok {
		return k, fmt.Errorf("there is no role %q in the configuration", e.Role)
	}
	for name, value := range e.User {
		switch value.(type) {
		case string, bool, int64, uint64, float64:
			k.Caller.Attributes[name] = fmt.Sprint(value)
		default:
			return k, fmt.Errorf("user.%s must be a text, a number, true or false", name)
		}
	}
	if k.Expires, err = ParseExpiry(e.Expires); err != nil {
		return k, err
	}
	return k, nil
}

// ParseExpiry reads when a key ends: a day, from whose first moment in UTC on it
// is not valid, or a moment. "" is never, the zero time.
func ParseExpiry(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(form, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("expires is %q: expected a day such as 2030-12-31, or a moment such as 2030-12-31T18:00:00Z", text)
}
