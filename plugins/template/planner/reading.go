package planner

import (
	"strconv"
	"strings"
)

// reading says in plain words how a question was understood.
func reading(t *table, q query) string {
	if q.korean {
		return koreanReading(t, q)
	}
	var s strings.Builder
	s.WriteString(asked(t, q))
	for i, f := range q.filters {
		if i == 0 {
			s.WriteString(", where ")
		} else {
			s.WriteString(" and ")
		}
		s.WriteString(t.say(f.ref) + " " + opWord(f) + " " + f.shown)
	}
	for i, g := range q.groups {
		if i == 0 {
			s.WriteString(", for each ")
		} else {
			s.WriteString(" and ")
		}
		s.WriteString(t.sayGroup(g))
	}
	for _, o := range q.order {
		if q.verb == list {
			s.WriteString(", sorted by " + t.say(o.ref) + direction(o.desc))
		}
	}
	s.WriteString(".")
	return s.String()
}

// asked is the verb of a reading.
func asked(t *table, q query) string {
	switch q.verb {
	case count:
		return "The number of rows of " + t.Name
	case countDistinct:
		return "The number of different values of " + t.say(q.subject) + " of " + t.Name
	case aggregate:
		return "The " + functionWord(q.function) + " of " + t.say(q.subject) + " over the rows of " + t.Name
	case top:
		return strconv.FormatInt(q.limit, 10) + " rows of " + t.Name + " by " + t.say(q.subject) + direction(q.order[0].desc)
	}
	if len(q.items) == 0 {
		return "All rows of " + t.Name
	}
	names := make([]string, len(q.items))
	for i, r := range q.items {
		names[i] = t.say(r)
	}
	different := ""
	if q.distinct {
		different = "different "
	}
	return "The " + different + "values of " + strings.Join(names, ", ") + " of the rows of " + t.Name
}

// say names a column, with its table and key when it is another's.
func (t *table) say(r ref) string {
	if r.via == nil {
		return r.column.Name
	}
	name := r.via.to.Name + "." + r.column.Name
	if !r.via.only {
		name += " (by " + strings.Join(r.via.Columns, ", ") + ")"
	}
	return name
}

func (t *table) sayGroup(g group) string {
	switch {
	case g.entity != nil:
		name := "row of " + g.entity.Name
		if !g.via.only {
			name += " (by " + strings.Join(g.via.Columns, ", ") + ")"
		}
		return name + " that they belong to"
	case g.unit != "":
		return g.unit + " of " + g.column.Name
	}
	return t.say(g.ref)
}

func opWord(f filter) string {
	switch f.op {
	case "during":
		return "is in"
	case "=":
		return "is"
	}
	return f.op
}

func functionWord(function string) string {
	switch function {
	case "avg":
		return "average"
	case "sum":
		return "total"
	case "min":
		return "lowest value"
	case "max":
		return "highest value"
	case "first":
		return "earliest value"
	}
	return "latest value"
}

func direction(desc bool) string {
	if desc {
		return ", highest first"
	}
	return ", lowest first"
}
