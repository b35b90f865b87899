package astplanner

import (
	"fmt"
	"strings"
	"unicode"

	"querent.dev/querent/sdk/wire"
)

// longestSummary is, in characters, what a line of reasoning holds.
const longestSummary = 300

// short is a plan on one line, as it was proposed.
func short(p wire.Plan) string {
	var parts []string
	for _, b := range p.With {
		if b.Op == "" || b.Op == "select" || len(b.Of) == 0 {
			parts = append(parts, fmt.Sprintf("with %s (%s)", b.Name, clauses(b.Clauses)))
		} else {
			parts = append(parts, fmt.Sprintf("with %s = %s of %s", b.Name, b.Op, strings.Join(b.Of, ", ")))
		}
	}
	parts = append(parts, clauses(p.Clauses))
	return clip(strings.Join(parts, "; ") + ".")
}

func clauses(c wire.Clauses) string {
	var parts []string
	add := func(key string, values ...string) {
		if text := strings.Join(values, ", "); text != "" {
			parts = append(parts, key+" "+text)
		}
	}
	add("from", c.From)
	add("join", c.Joins...)
	add("where", c.Where)
	add("group by", c.Group...)
	add("select", c.Select...)
	add("having", c.Having)
	add("order by", c.Order...)
	if c.Limit > 0 {
		add("limit", fmt.Sprint(c.Limit))
	}
	return strings.Join(parts, "; ")
}

// clip makes one line of bounded length of a model's text.
func clip(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > longestSummary {
		return string(runes[:longestSummary]) + "…"
	}
	return text
}
