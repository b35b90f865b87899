package verifiedmatcher

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"querent.dev/querent/sdk/wire"
)

// slotForm is a parameter's place in a question or in a plan.
var slotForm = regexp.MustCompile(`\{([\p{L}_][\p{L}\p{N}_]*)\}`)

// clause rewrites one string of a plan.
type clause func(string) (string, error)

// rewrite applies f to every string of a plan, and returns a new plan.
func rewrite(p wire.Plan, f clause) (wire.Plan, error) {
	var first error
	one := func(s string) string {
		out, err := f(s)
		if err != nil && first == nil {
			first = err
		}
		return out
	}
	list := func(in []string) []string {
		out := slices.Clone(in)
		for i := range out {
			out[i] = one(out[i])
		}
		return out
	}
	clauses := func(c wire.Clauses) wire.Clauses {
		c.From, c.Where, c.Having = one(c.From), one(c.Where), one(c.Having)
		c.Joins, c.Group, c.Select, c.Order, c.Per = list(c.Joins), list(c.Group), list(c.Select), list(c.Order), list(c.Per)
		return c
	}
	p.Clauses = clauses(p.Clauses)
	p.With = slices.Clone(p.With)
	for i := range p.With {
		p.With[i].Clauses = clauses(p.With[i].Clauses)
	}
	return p, first
}

// fill puts the values in the place of the plan's slots: as literals of the plan
// language, with quotes doubled, never as text that could be read as more.
func fill(p wire.Plan, values map[string]wire.Value) (wire.Plan, error) {
	return rewrite(p, func(s string) (string, error) { return fillClause(s, values) })
}

func fillClause(s string, values map[string]wire.Value) (string, error) {
	var out strings.Builder
	last := 0
	for _, at := range slotForm.FindAllStringSubmatchIndex(s, -1) {
		name := s[at[2]:at[3]]
		v, ok := values[name]
		if !ok {
			return "", fmt.Errorf("the plan's %q holds {%s}, which is no parameter; the parameters are %s",
				s, name, strings.Join(slices.Sorted(maps.Keys(values)), ", "))
		}
		text, err := literal(s, at[0], at[1], v)
		if err != nil {
			return "", fmt.Errorf("{%s} in the plan's %q %w", name, s, err)
		}
		out.WriteString(s[last:at[0]])
		out.WriteString(text)
		last = at[1]
	}
	out.WriteString(s[last:])
	return out.String(), nil
}

// literal is the value as it must stand between the bytes from and to of s.
func literal(s string, from, to int, v wire.Value) (string, error) {
	inner := strings.ReplaceAll(v.String(), "'", "''")
	switch open := openQuote(s[:from]); {
	case open == '`':
		return "", fmt.Errorf("stands in a name; a parameter is a value")
	case open == '\'':
		return inner, nil
	case touchesWord(s[:from], s[to:]):
		return "", fmt.Errorf("touches a word; put spaces around it, or quote the whole text")
	case v.Kind() == wire.KindInt:
		return inner, nil
	}
	return "'" + inner + "'", nil
}

// openQuote is the quotation mark that is open at the end of s, or 0. A doubled
// mark closes and opens again.
func openQuote(s string) rune {
	var open rune
	for _, r := range s {
		switch {
		case open == 0 && (r == '\'' || r == '`'):
			open = r
		case r == open:
			open = 0
		}
	}
	return open
}

func touchesWord(before, after string) bool {
	return touches(lastRune(before)) || touches(firstRune(after))
}

// touches reports whether a slot beside r would melt into a word or a literal.
func touches(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_'`{}", r)
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
