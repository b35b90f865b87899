package modelhttp

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const (
	redacted = "[redacted]"
	// shortestSecret is the length from which a configured value is looked for in
	// texts. A shorter one would blot out ordinary words.
	shortestSecret = 6
	// excerptLength bounds the server's words in a message for the operator.
	excerptLength = 300
)

// keyLike matches keys as the well-known services write them, also partly
// starred out, since servers echo the key that they refuse.
var keyLike = regexp.MustCompile(`\b(?:sk|pk|rk|gsk|hf|xai|key)[-_][A-Za-z0-9_*.\-]{6,}|(?i:bearer)\s+[A-Za-z0-9._~+/=\-]{6,}`)

// Redactor takes secrets out of texts. The zero value knows key-like words only.
// It prints as nothing, so that it cannot leak what it hides.
type Redactor struct {
	replace func(string) string
}

// NewRedactor makes a Redactor that also takes out the given secrets, and of one
// of several words ("Basic …") the last by itself, too.
func NewRedactor(secrets ...string) Redactor {
	var hidden []string
	for _, s := range secrets {
		hidden = append(hidden, s, s[strings.LastIndexByte(s, ' ')+1:])
	}
	// The longest first: a secret may begin with another one.
	slices.SortFunc(hidden, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, s := range hidden {
		if len(s) >= shortestSecret {
			pairs = append(pairs, s, redacted)
		}
	}
	return Redactor{replace: strings.NewReplacer(pairs...).Replace}
}

// Redact is text without secrets.
func (r Redactor) Redact(text string) string {
	if r.replace != nil {
		text = r.replace(text)
	}
	return keyLike.ReplaceAllString(text, redacted)
}

// Excerpt is the beginning of text for a message: on one line, without control
// characters and without secrets.
func (r Redactor) Excerpt(text string) string {
	text = strings.Join(strings.FieldsFunc(r.Redact(text), func(c rune) bool {
		return unicode.IsSpace(c) || unicode.IsControl(c)
	}), " ")
	if runes := []rune(text); len(runes) > excerptLength {
		return string(runes[:excerptLength]) + "…"
	}
	return text
}
