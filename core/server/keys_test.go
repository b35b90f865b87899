package server_test

import (
	"regexp"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/server"
)

func TestNewKeys(t *testing.T) {
	form := regexp.MustCompile(`^qk_[0-9A-Za-z]{43}$`)
	seen := map[string]bool{}
	for range 200 {
		secret, hash := server.NewKey()
		if !form.MatchString(secret) || seen[secret] || !strings.HasPrefix(hash, "sha256:") || strings.Contains(hash, secret) {
			t.Fatalf("key %s, hash %s", secret, hash)
		}
		seen[secret] = true
	}
}

func TestFilesOfKeys(t *testing.T) {
	_, hash := server.NewKey()
	roles := map[config.RoleName]config.Role{"analyst": {}}
	const secret = "qk_thisIsAKeyThatWasPastedInPlaceOfItsHash0000000"
	for name, c := range map[string]struct{ text, want string }{
		"empty":           {"", ""},
		"none":            {"keys: []", ""},
		"good":            {"keys: [{id: a, hash: \"" + hash + "\", role: analyst}]", ""},
		"a moment":        {"keys: [{id: a, hash: \"" + hash + "\", role: analyst, expires: 2030-01-01T10:00:00+09:00}]", ""},
		"no YAML":         {"keys: [", "[1:7]"},
		"unknown key":     {"keys: [{id: a, hash: \"" + hash + "\", roles: analyst}]", `unknown field "roles"`},
		"a key as hash":   {"keys: [{id: a, hash: " + secret + ", role: analyst}]", "keys[0]: hash is no hash"},
		"no hash":         {"keys: [{id: a, role: analyst}]", "keys[0]: hash is no hash"},
		"a short hash":    {"keys: [{id: a, hash: \"sha256:00ff\", role: analyst}]", "keys[0]: hash is no hash"},
		"no id":           {"keys: [{hash: \"" + hash + "\", role: analyst}]", "keys[0]: an id has"},
		"an odd id":       {"keys: [{id: \"a b\", hash: \"" + hash + "\", role: analyst}]", "keys[0]: an id has"},
		"no such role":    {"keys: [{id: a, hash: \"" + hash + "\", role: boss}]", `keys[0]: there is no role "boss"`},
		"twice":           {"keys: [{id: a, hash: \"" + hash + "\", role: analyst}, {id: a, hash: \"" + hash + "\", role: analyst}]", `keys[1]: the id "a" is there twice`},
		"no day":          {"keys: [{id: a, hash: \"" + hash + "\", role: analyst, expires: soon}]", `keys[0]: expires is "soon"`},
		"a nested value":  {"keys: [{id: a, hash: \"" + hash + "\", role: analyst, user: {region: {a: b}}}]", "keys[0]: user.region must be"},
		"all at once":     {"keys: [{id: a, hash: x, role: analyst}, {id: b, hash: \"" + hash + "\", role: boss}]", "\nkeys[1]:"},
		"a key elsewhere": {"keys: [{id: a, key: " + secret + "}]", "unknown field"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := server.ParseKeys([]byte(c.text), roles)
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v, want %s", err, c.want)
			case err != nil && strings.Contains(err.Error(), secret):
				t.Errorf("the key is repeated: %v", err)
			}
		})
	}
}
