package provider

import (
	"regexp/syntax"
	"strings"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// checkPattern refuses a pattern that the server does not take, or under which it
// lets the model write what is no JSON: it reads a pattern as one over the text as
// it stands between the quotes.
func checkPattern(pattern string) error {
	if !strings.HasPrefix(pattern, "^") || !strings.HasSuffix(pattern, "$") {
		return sdk.Errorf(reason.InvalidRequest, "the output schema has a pattern that does not stand between ^ and $, which the server's grammar asks for")
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return sdk.Errorf(reason.InvalidRequest, "the output schema has a pattern that cannot be read: %w", err)
	}
	if r, found := unescaped(tree); found {
		return sdk.Errorf(reason.InvalidRequest, "the output schema has a pattern that takes %q, which a string of JSON holds only with a backslash; "+
			`write [^"\\\x00-\x1f] for any character`, r)
	}
	return nil
}

// unescaped finds a character that the pattern takes and JSON must escape.
func unescaped(p *syntax.Regexp) (rune, bool) {
	switch p.Op {
	case syntax.OpLiteral:
		for _, r := range p.Rune {
			if mustEscape(r) {
				return r, true
			}
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return '"', true
	case syntax.OpCharClass:
		for i := 0; i+1 < len(p.Rune); i += 2 {
			for _, r := range []rune{max(p.Rune[i], 0), '"', '\\'} {
				if r >= p.Rune[i] && r <= p.Rune[i+1] && mustEscape(r) {
					return r, true
				}
			}
		}
	}
	for _, part := range p.Sub {
		if r, found := unescaped(part); found {
			return r, true
		}
	}
	return 0, false
}

func mustEscape(r rune) bool { return r < ' ' || r == '"' || r == '\\' }
