package redact

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a place in a text that is taken out.
type span struct {
	from, to int
	kind     Kind
}

// occurrences are the places of a value in text; whole asks that no letter or digit
// touches it.
func occurrences(text, value string, kind Kind, whole bool) []span {
	var out []span
	for at := 0; value != ""; {
		i := strings.Index(text[at:], value)
		if i < 0 {
			break
		}
		from := at + i
		at = from + len(value)
		if !whole || bounded(text, from, at) {
			out = append(out, span{from, at, kind})
		}
	}
	return out
}

// bounded reports whether no letter or digit of the same script touches a place.
// Korean particles follow a word without a space, so letters beyond ASCII are no
// part of it.
func bounded(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !wordy(before) && !wordy(after)
}

func wordy(r rune) bool {
	return r < utf8.RuneSelf && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r))
}

// placeholder is what stands for what was taken out.
var placeholder = regexp.MustCompile(`\[[a-z][a-z_]{1,23}:[0-9a-z]{1,12}\]`)

// merge puts overlapping spans together, orders them, and leaves out those that are
// placeholders already. Of spans that overlap the longest names the kind.
func merge(text string, spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(a.from-b.from, b.to-a.to, slices.Index(precedence, a.kind)-slices.Index(precedence, b.kind))
	})
	var out []span
	for _, s := range spans {
		if s.from >= s.to || replaced(text[s.from:s.to]) {
			continue
		}
		if n := len(out); n > 0 && s.from < out[n-1].to {
			last := &out[n-1]
			if s.to-s.from > last.to-last.from {
				last.kind = s.kind
			}
			last.to = max(last.to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// replaced reports whether text is made of placeholders alone.
func replaced(text string) bool {
	if !strings.Contains(text, "[") {
		return false
	}
	left := placeholder.ReplaceAllString(text, "")
	return left != text && strings.Trim(left, " \t\r\n\"',;") == ""
}

// Holds reports whether a text holds a placeholder.
func Holds(text string) bool { return strings.Contains(text, "[") && placeholder.MatchString(text) }
