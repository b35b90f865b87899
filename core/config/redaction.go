package config

import (
	"slices"

	"github.com/nyaruka/phonenumbers"

	"querent.dev/querent/core/redact"
)

// RedactionLevel is how much is taken out at a way out. Each takes out what those
// before it do.
type RedactionLevel string

// The levels.
const (
	RedactNone    RedactionLevel = "none"
	RedactSecrets RedactionLevel = "secrets" // tokens, keys, passwords, cookies, authorization headers, connection strings
	RedactTagged  RedactionLevel = "tagged"  // values of columns with the tag personal, internal or secret, and what patterns match
	RedactAll     RedactionLevel = "all"     // e-mail addresses, phone numbers, card numbers, national ids, bank accounts
)

// Redaction is what is taken out of what leaves, by the way out: none, secrets (tokens,
// keys, passwords, connection strings), tagged (also values of columns with the tag
// personal, internal or secret, and what patterns match) or all (also e-mail addresses,
// phone numbers, card numbers, national ids). Placeholders such as [email:1] stand for
// it, the same for the same value within a run.
type Redaction struct {
	Answer      RedactionLevel `yaml:"answer,omitempty" jsonschema:"enum=none,enum=secrets,enum=tagged,enum=all"`       // words, notes and queries of an answer; default secrets
	Failure     RedactionLevel `yaml:"failure,omitempty" jsonschema:"enum=none,enum=secrets,enum=tagged,enum=all"`      // an answer that explains a failure, with its partial results; default all
	ResultTable RedactionLevel `yaml:"result_table,omitempty" jsonschema:"enum=none,enum=secrets,enum=tagged,enum=all"` // rows of an answer; default none: what a role may see is for its policy to say
	Events      RedactionLevel `yaml:"events,omitempty" jsonschema:"enum=none,enum=secrets,enum=tagged,enum=all"`       // default secrets
	Logs        RedactionLevel `yaml:"logs,omitempty" jsonschema:"enum=none,enum=secrets,enum=tagged,enum=all"`         // and all else on standard error; default all
	Traces      RedactionLevel `yaml:"traces,omitempty" jsonschema:"enum=none,enum=secrets,enum=tagged,enum=all"`       // default all
	Prompts     RedactionLevel `yaml:"prompts,omitempty" jsonschema:"enum=none,enum=secrets,enum=tagged,enum=all"`      // what models are sent; what they write of placeholders is put back; default all
	// PhoneRegions are the regions whose phone numbers are found in their national form,
	// ISO 3166 codes; default US, KR, GB, DE, FR and JP. Numbers with + are found of all.
	PhoneRegions []string `yaml:"phone_regions,omitempty"`
	// Patterns are regular expressions (RE2) of ids of the organisation, by the names
	// that their placeholders have: {order_id: "ORD-[0-9]{8}"}.
	Patterns map[string]string `yaml:"patterns,omitempty"`
}

// levels are the levels by their names in the configuration.
var levels = map[RedactionLevel]redact.Level{
	RedactNone: redact.None, RedactSecrets: redact.Secrets, RedactTagged: redact.Tagged, RedactAll: redact.All,
}

// Options are the settings as they act. Known are the secrets of the configuration
// itself; they may be nil.
func (r Redaction) Options(known *redact.Known) redact.Options {
	o := redact.Options{Levels: map[redact.Sink]redact.Level{}, Secrets: known, PhoneRegions: r.PhoneRegions, Patterns: map[redact.Kind]string{}}
	for sink, level := range map[redact.Sink]RedactionLevel{
		redact.Answer: r.Answer, redact.Failure: r.Failure, redact.ResultTable: r.ResultTable, redact.Events: r.Events,
		redact.Logs: r.Logs, redact.Traces: r.Traces, redact.Prompts: r.Prompts,
	} {
		if level != "" {
			o.Levels[sink] = levels[level]
		}
	}
	for name, text := range r.Patterns {
		o.Patterns[redact.Kind(name)] = text
	}
	return o
}

func (k *checker) redaction() {
	r, at := k.c.Settings.Redaction, path{"settings", "redaction"}
	for i, region := range r.PhoneRegions {
		if !phonenumbers.GetSupportedRegions()[region] {
			k.fail(at.with("phone_regions"), "entry %d is no region: expected a code of ISO 3166 in capitals, such as US or KR", i+1)
		}
		if slices.Contains(r.PhoneRegions[:i], region) {
			k.fail(at.with("phone_regions"), "%s stands there twice", region)
		}
	}
	for _, name := range sortedKeys(r.Patterns) {
		if _, err := redact.CompilePattern(redact.Kind(name), r.Patterns[name]); err != nil {
			k.fail(at.with("patterns").with(name), "%v", err)
		}
	}
}

// Secrets are the texts of the configuration that are secrets, references resolved:
// values of settings whose names say so, files that are referred to, passwords of
// databases, keys of masks. What cannot be resolved is left out. They are for taking
// them out of what leaves, and for nothing else.
func (c *Config) Secrets() []string {
	var out []string
	add := func(at path, text string) {
		value, err := c.expand(text)
		if err != nil || value == "" {
			return
		}
		if secretName.MatchString(at[len(at)-1]) || slices.ContainsFunc(at, secretName.MatchString) || namesFile(text) {
			out = append(out, value)
		}
	}
	for _, name := range sortedKeys(c.Providers) {
		eachText(path{string(name)}, c.Providers[name].Config, add)
	}
	for _, id := range sortedKeys(c.Datasources) {
		if dsn, err := c.DSN(id); err == nil && dsn != "" {
			out = append(out, redact.PasswordsOf(dsn)...)
		}
	}
	for _, name := range sortedKeys(c.Roles) {
		for _, m := range c.Roles[name].Masks {
			add(path{"key"}, m.HashKey)
		}
	}
	return out
}

// eachText calls use for every text in v.
func eachText(at path, v any, use func(at path, text string)) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			eachText(at.with(key), v[key], use)
		}
	case []any:
		for _, e := range v {
			eachText(at, e, use)
		}
	case string:
		use(at, v)
	}
}
