package config

import (
	"maps"
	"net/url"
	"regexp"
	"strconv"

	"github.com/goccy/go-yaml"
)

// hidden stands where a secret was.
const hidden = "(hidden)"

// secretName matches keys whose value is a secret in every API that we know of;
// tokens as a unit (max_tokens) are not.
var secretName = regexp.MustCompile(`(?i)(^|[_-])(api[_-]?key|key|password|passwd|pass|pwd|secret|token|credentials?|authorization|auth|cookie|dsn)$|apikey|^headers$`)

// Show is the configuration as it acts, defaults included, in YAML. References
// stay references; a secret that is written out is replaced by "(hidden)".
func (c *Config) Show() ([]byte, error) {
	shown := *c
	shown.Providers = maps.Clone(c.Providers)
	for name, p := range shown.Providers {
		if p.Config != nil {
			p.Config, _ = hide(nil, p.Config).(map[string]any)
			shown.Providers[name] = p
		}
	}
	shown.Datasources = maps.Clone(c.Datasources)
	for id, d := range shown.Datasources {
		d.DSN, _ = hide(path{"dsn"}, d.DSN).(string)
		shown.Datasources[id] = d
	}
	shown.Roles = maps.Clone(c.Roles)
	for name, r := range shown.Roles {
		r.Masks = maps.Clone(r.Masks)
		for pattern, m := range r.Masks {
			m.HashKey, _ = hide(path{"key"}, m.HashKey).(string)
			r.Masks[pattern] = m
		}
		shown.Roles[name] = r
	}
	return yaml.Marshal(shown)
}

// hide is v without its secrets: a value under a secret's name, and the password
// inside a URL.
func hide(at path, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, e := range v {
			out[key] = hide(at.with(key), e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = hide(at.with(strconv.Itoa(i)), e)
		}
		return out
	case string:
		switch {
		case v == "" || reference.FindString(v) == v:
			return v
		case secretKey(at):
			return hidden
		}
		return withoutPassword(v)
	}
	if secretKey(at) {
		return hidden
	}
	return v
}

// secretKey reports whether a key on the way to p names a secret.
func secretKey(p path) bool {
	for _, key := range p {
		if secretName.MatchString(key) {
			return true
		}
	}
	return false
}

// withoutPassword is text as it is, unless it is a URL that carries a secret.
func withoutPassword(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return text
	}
	if _, has := u.User.Password(); has {
		u.User = url.UserPassword(u.User.Username(), hidden)
	}
	query := u.Query()
	for key := range query {
		if secretName.MatchString(key) {
			query.Set(key, hidden)
		}
	}
	if len(query) > 0 {
		u.RawQuery = query.Encode()
	}
	return u.String()
}
