package plan

import (
	"fmt"
	"strings"
)

// callWords are calls in words; %s stands for the arguments in their order. A
// function that is not here is worded as its call.
var callWords = map[string]string{
	"sum": "the total of %s", "avg": "the average of %s", "min": "the lowest of %s", "max": "the highest of %s",
	"stddev": "the standard deviation of %s", "variance": "the variance of %s", "median": "the median of %s",
	"percentile": "of %s the percentile %s", "bool_and": "whether in all rows %s", "bool_or": "whether in any row %s",
	"row_number": "the number of the row", "rank": "the rank", "dense_rank": "the rank without gaps", "ntile": "the bucket of %s",
	"lag": "the earlier %s", "lead": "the later %s", "first_value": "the first %s", "last_value": "the last %s", "nth_value": "%s of row %s",
	"abs": "the size of %s", "round": "%s rounded", "floor": "%s rounded down", "ceil": "%s rounded up", "trunc": "%s without its fraction",
	"lower": "%s in small letters", "upper": "%s in capitals", "length": "the length of %s", "trim": "%s without spaces around it",
	"like_case": "%s is like %s with the same case", "contains": "%s contains %s", "starts_with": "%s begins with %s", "ends_with": "%s ends with %s",
	"coalesce": "the first that is not empty of %s", "greatest": "the greatest of %s", "least": "the least of %s",
	"year": "the year of %s", "quarter": "the quarter of %s", "month": "the month of %s", "day": "the day of the month of %s",
	"weekday": "the weekday number of %s", "iso_week": "the week number of %s", "hour": "the hour of %s", "minute": "the minute of %s",
	"year_month": "the month and year of %s", "date": "the day of %s", "day_name": "the weekday of %s", "month_name": "the name of the month of %s",
	"last_day": "the last day of the month of %s", "days_between": "the days from %s to %s", "months_between": "the whole months from %s to %s",
	"years_between": "the whole years from %s to %s", "seconds_between": "the seconds from %s to %s", "text": "%s as text", "number": "%s as a number",
}

// shiftWords are the functions that move a moment.
var shiftWords = map[string]string{
	"add_days": "days", "add_months": "months", "add_years": "years", "add_hours": "hours", "add_minutes": "minutes", "add_seconds": "seconds",
}

func (x *explainer) call(c *Call) string {
	text := x.plainCall(c)
	if c.Filter != nil {
		text += ", counting only rows where " + x.words(c.Filter)
	}
	return text
}

func (x *explainer) plainCall(c *Call) string {
	name := c.Func.Name
	switch {
	case name == "count":
		return x.count(c)
	case name == "string_agg":
		return x.joined(c)
	case name == "date_trunc":
		return "the " + c.Args[0].(*Literal).Value.String() + " of " + x.inner(c.Args[1])
	case shiftWords[name] != "":
		word, by := "plus", x.inner(c.Args[1])
		if less, ok := strings.CutPrefix(by, "-"); ok {
			word, by = "minus", less
		}
		return fmt.Sprintf("%s %s %s %s", x.inner(c.Args[0]), word, by, shiftWords[name])
	case name == "round" && len(c.Args) > 1:
		return fmt.Sprintf("%s rounded to %s digits", x.inner(c.Args[0]), x.words(c.Args[1]))
	}
	if form, ok := callWords[name]; ok {
		return x.fill(form, c)
	}
	return name + "(" + x.all(c.Args) + ")"
}

// fill puts the arguments into the form; the last place takes all that are left,
// and an aggregate with distinct counts different values only.
func (x *explainer) fill(form string, c *Call) string {
	places := strings.Count(form, "%s")
	var args []any
	for i, a := range c.Args {
		text := x.inner(a)
		if c.Distinct {
			text = "the different values of " + text
		}
		switch {
		case i < places:
			args = append(args, text)
		case places > 0 && c.Func.MaxArgs < 0:
			args[places-1] = args[places-1].(string) + ", " + text
		case places > 0:
			form += " (" + strings.ReplaceAll(text, "%", "%%") + ")"
		}
	}
	return fmt.Sprintf(form, args...)
}

// oneEach reports whether the block has at most one row for each row of its first
// table, as far as the keys of the joined tables tell.
func (b *Block) oneEach() bool {
	if len(b.Sources) == 0 || b.Sources[0].Table == nil {
		return false
	}
	for _, s := range b.Sources[1:] {
		if s.Join == JoinSemi || s.Join == JoinAnti {
			continue
		}
		g := &grouper{block: b, known: map[string]bool{}}
		pairs, _ := equalities(s.On)
		for _, p := range pairs {
			for i := range p {
				if sourceOf(p[i]) == s && sourceOf(p[1-i]) != s {
					g.known[key(p[i])] = true
				}
			}
		}
		if s.Table == nil || s.Join != JoinInner && s.Join != JoinLeft || !g.hasKey(s) {
			return false
		}
	}
	return true
}

func (x *explainer) count(c *Call) string {
	switch {
	case len(c.Args) == 0 && x.block.oneEach():
		return "the number of " + x.sourceName(x.block.Sources[0])
	case len(c.Args) == 0:
		return "the number of rows"
	case c.Distinct:
		return "how many different values there are of " + x.inner(c.Args[0])
	}
	return "the number of rows with a value of " + x.inner(c.Args[0])
}

func (x *explainer) joined(c *Call) string {
	what := x.inner(c.Args[0])
	if c.Distinct {
		what = "the different values of " + what
	}
	separator := "','"
	if len(c.Args) > 1 {
		separator = x.words(c.Args[1])
	}
	return "the list of " + what + " with " + separator + " between, in the order of " + x.order(c.Order)
}
