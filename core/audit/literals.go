package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// period is a text that names a time, or a length of time: a plan needs it as it is,
// and it names nobody.
var period = regexp.MustCompile(`^(\d{4}(-Q[1-4]|-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?)?)?(\.\.)?){1,2}$|^-?\d+ (year|quarter|month|week|day|hour|minute|second)s?$|^(year|quarter|month|week|day|hour|minute|second)$`)

// withoutTexts is the plan with placeholders for the texts in it, and what they stand
// for. Periods stay, unless they are among those that are bound as texts.
func withoutTexts(p wire.Plan, bound []string) (wire.Plan, []string) {
	l := &literals{bound: bound}
	p.Clauses = l.clauses(p.Clauses)
	p.With = slices.Clone(p.With)
	for i := range p.With {
		p.With[i].Clauses = l.clauses(p.With[i].Clauses)
	}
	return p, l.gone
}

type literals struct {
	bound []string
	gone  []string
}

func (l *literals) clauses(c wire.Clauses) wire.Clauses {
	c.From, c.Where, c.Having = l.text(c.From), l.text(c.Where), l.text(c.Having)
	for _, list := range []*[]string{&c.Joins, &c.Group, &c.Select, &c.Order, &c.Per} {
		*list = slices.Clone(*list)
		for i := range *list {
			(*list)[i] = l.text((*list)[i])
		}
	}
	return c
}

// text replaces the texts in a clause: what stands in single quotes, outside names
// in backticks. In both, the quote is doubled to stand for itself.
func (l *literals) text(clause string) string {
	var out strings.Builder
	for i := 0; i < len(clause); {
		quote := clause[i]
		if quote != '\'' && quote != '`' {
			out.WriteByte(quote)
			i++
			continue
		}
		end := i + 1
		for end < len(clause) && (clause[end] != quote || end+1 < len(clause) && clause[end+1] == quote) {
			if clause[end] == quote {
				end++
			}
			end++
		}
		end = min(end+1, len(clause))
		if quote == '`' {
			out.WriteString(clause[i:end])
		} else {
			out.WriteString(l.literal(clause[i:end]))
		}
		i = end
	}
	return out.String()
}

func (l *literals) literal(quoted string) string {
	value := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(quoted, "'"), "'"), "''", "'")
	if value == "" || period.MatchString(value) && !slices.Contains(l.bound, value) {
		return quoted
	}
	i := slices.Index(l.gone, value)
	if i < 0 {
		i = len(l.gone)
		l.gone = append(l.gone, value)
	}
	return fmt.Sprintf("'[redacted %d]'", i+1)
}
