package planner

import (
	"strconv"
	"strings"
)

// asAsked are the tokens as they stand in a question.
func asAsked(tokens []token) []string {
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.asked()
	}
	return words
}

// rephrasings are questions that say all of a reading, in the grammar's own words
// and with names in each spelling.
func rephrasings(c candidate) []string {
	out := make([]string, len(spellers))
	for i, spell := range spellers {
		r := rephraser{spell, c.table}
		if c.query.korean {
			out[i] = r.korean(c.query)
		} else {
			out[i] = r.english(c.query)
		}
	}
	return out
}

type rephraser struct {
	spell speller
	t     *table
}

// comparisonWords say the comparisons in a question.
var comparisonWords = map[string]string{"=": "", "during": " in", ">": " over", ">=": " at least", "<": " under", "<=": " at most"}

// functionWords say the aggregates in a question.
var functionWords = map[string]string{"avg": "average", "sum": "total", "min": "minimum", "max": "maximum", "first": "earliest", "last": "latest"}

func (r rephraser) english(q query) string {
	var s strings.Builder
	s.WriteString(r.verb(q))
	for i, f := range q.filters {
		s.WriteString(link(i, " with ") + r.column(f.ref) + comparisonWords[f.op] + " " + f.asked)
	}
	for i, g := range q.groups {
		s.WriteString(link(i, " by ") + r.group(g))
	}
	for _, o := range q.order {
		if q.verb == list {
			s.WriteString(" sorted by " + r.column(o.ref))
		}
		if q.verb == list && o.desc {
			s.WriteString(" descending")
		}
	}
	// The mark keeps what is quoted at the end from being taken for a full stop's.
	return s.String() + "?"
}

// link is what stands in front of the i-th of several.
func link(i int, first string) string {
	if i == 0 {
		return first
	}
	return " and "
}

func (r rephraser) verb(q query) string {
	name := plural(r.spell.table(r.t.Name))
	switch q.verb {
	case count:
		return "How many " + name + " are there"
	case countDistinct:
		return "How many different " + r.column(q.subject) + " of " + name + " are there"
	case aggregate:
		return "What is the " + functionWords[q.function] + " " + r.column(q.subject) + " of " + name
	case top:
		side := "bottom "
		if q.order[0].desc {
			side = "top "
		}
		return side + strconv.FormatInt(q.limit, 10) + " " + name + " by " + r.column(q.subject)
	}
	if len(q.items) == 0 {
		return "List all " + name
	}
	items := make([]string, len(q.items))
	for i, item := range q.items {
		items[i] = r.column(item)
	}
	different := ""
	if q.distinct {
		different = "different "
	}
	return "List the " + different + strings.Join(items, " and ") + " of " + name
}

// column is a column with the way to its table, if that is another.
func (r rephraser) column(c ref) string {
	return r.way(c) + r.spell.column(c.column.Name)
}

func (r rephraser) way(c ref) string {
	switch {
	case c.via == nil:
		return ""
	case c.via.only:
		return r.spell.table(c.via.to.Name) + " "
	}
	return r.spell.column(c.via.Columns[0]) + " "
}

func (r rephraser) group(g group) string {
	switch {
	case g.unit != "":
		return r.column(g.ref) + " " + g.unit
	case g.entity != nil && g.via.only:
		return r.spell.table(g.entity.Name)
	case g.entity != nil:
		return r.way(g.ref) + r.spell.table(g.entity.Name)
	}
	return r.column(g.ref)
}

func (r rephraser) korean(q query) string {
	var s strings.Builder
	for _, g := range q.groups {
		s.WriteString(r.column(g.ref) + "별 ")
	}
	return s.String() + r.spell.table(r.t.Name) + " 수는?"
}
