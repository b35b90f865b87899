// Package redact takes secrets and personal data out of text, values and JSON
// before they leave by a way out that is to be without them. What it takes out is
// replaced by typed placeholders, such as [email:1].
//
// A Redactor holds what a configuration says; a Run holds the placeholders of one
// question: the same value has the same placeholder everywhere in it. Detection is
// linear in the length of the text. It errs on the side of taking out: what looks
// like a secret is one.
package redact

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
)

// Sink is a way out.
type Sink string

// The ways out, a closed set.
const (
	Answer      Sink = "answer"       // what an answer says: its words, its notes, its queries
	Failure     Sink = "failure"      // an answer that explains a failure, with its partial results
	ResultTable Sink = "result_table" // the rows of an answer
	Events      Sink = "events"
	Logs        Sink = "logs" // and all else on standard error
	Traces      Sink = "traces"
	Prompts     Sink = "prompts" // what is sent to models
)

// Sinks lists every way out.
func Sinks() []Sink { return []Sink{Answer, Failure, ResultTable, Events, Logs, Traces, Prompts} }

// Level is how much is taken out at a way out. Each level takes out what those
// before it do.
type Level int

// The levels.
const (
	None    Level = iota // nothing
	Secrets              // tokens, keys, passwords, cookies, authorization headers, connection strings
	Tagged               // values of tagged columns, and what the configured patterns match
	All                  // e-mail addresses, phone numbers, card numbers, national ids, bank accounts
)

// Kind is what a placeholder stands for. It is the first word in it.
type Kind string

// The kinds that are found without configuration. Patterns have kinds of their
// own names.
const (
	Token         Kind = "token" // an API key, an access token
	PrivateKey    Kind = "private_key"
	Cookie        Kind = "cookie"
	Authorization Kind = "authorization"
	Connection    Kind = "connection" // a connection string
	Password      Kind = "password"
	Email         Kind = "email"
	Phone         Kind = "phone"
	Card          Kind = "card"
	NationalID    Kind = "national_id"
	BankAccount   Kind = "bank_account"
	InternalID    Kind = "internal_id" // of columns with the tag internal
	Personal      Kind = "personal"    // of columns with any other tag
)

// precedence orders kinds that claim the same text: the first has it.
var precedence = []Kind{PrivateKey, Connection, Cookie, Authorization, Token, Password, Card, BankAccount, NationalID, Email, Phone, InternalID, Personal}

// DefaultLevels is how much is taken out where a configuration does not say:
// secrets everywhere, and personal data where it is of no use to the asker. Rows
// are what a role may see, which is for its policy to say.
func DefaultLevels() map[Sink]Level {
	return map[Sink]Level{Answer: Secrets, Failure: All, ResultTable: None, Events: Secrets, Logs: All, Traces: All, Prompts: All}
}

// DefaultPhoneRegions are the regions whose phone numbers are known in their
// national form where a configuration names none.
func DefaultPhoneRegions() []string { return []string{"US", "KR", "GB", "DE", "FR", "JP"} }

// Options are what a Redactor takes out.
type Options struct {
	// Levels of the ways out; those that are not named have their default.
	Levels map[Sink]Level
	// Secrets are taken out wherever they stand, whatever they look like. Nil: none.
	Secrets *Known
	// PhoneRegions are the regions, ISO 3166 codes, whose phone numbers are known in
	// their national form. Numbers with + are known of all. Nil: the default.
	PhoneRegions []string
	// Patterns are regular expressions of ids of an organisation, by their kinds.
	Patterns map[Kind]string
}

// Redactor takes out what its options say. It is safe for concurrent use.
type Redactor struct {
	levels   map[Sink]Level
	known    *Known
	regions  []string
	patterns []pattern
	plain    plainTexts
}

type pattern struct {
	kind Kind
	re   *regexp.Regexp
}

// kindName is what a kind of a pattern may be called.
var kindName = regexp.MustCompile(`^[a-z][a-z_]{1,23}$`)

// New makes a Redactor. The error names a pattern that does not compile.
func New(o Options) (*Redactor, error) {
	r := &Redactor{levels: DefaultLevels(), known: o.Secrets, regions: o.PhoneRegions}
	maps.Copy(r.levels, o.Levels)
	if r.regions == nil {
		r.regions = DefaultPhoneRegions()
	}
	for _, kind := range slices.Sorted(maps.Keys(o.Patterns)) {
		re, err := CompilePattern(kind, o.Patterns[kind])
		if err != nil {
			return nil, err
		}
		r.patterns = append(r.patterns, pattern{kind, re})
	}
	return r, nil
}

// CompilePattern checks a pattern of Options. The error says what is wrong with it.
func CompilePattern(kind Kind, text string) (*regexp.Regexp, error) {
	if !kindName.MatchString(string(kind)) {
		return nil, fmt.Errorf("%q is no name of a pattern: expected 2 to 24 lower-case letters and underscores", kind)
	}
	if slices.Contains(precedence, kind) && kind != InternalID && kind != Personal {
		return nil, fmt.Errorf("%q is the name of what is found without a pattern", kind)
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("pattern %s: %w", kind, err)
	}
	if re.MatchString("") {
		return nil, fmt.Errorf("pattern %s matches the empty text, and so everything", kind)
	}
	return re, nil
}

// Level is how much is taken out at a way out.
func (r *Redactor) Level(s Sink) Level { return r.levels[s] }
