package plan

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// periodForms shows the periods, for messages and the prompt.
const periodForms = "write '2025', '2025-Q1', '2025-03', '2025-03-15', '2025-01..2025-06', 'since 2025-03', last_days(n), " +
	"last_months(n), last_years(n), this_month(), this_year(), today(), yesterday() or fiscal_year(2025)"

// The years a period may name. Databases store four digits of them, and the end
// of the last is still one of them.
const (
	firstYear = 1
	lastYear  = 9998
)

// maxBack bounds how many units a relative period reaches back: 5000 quarters
// are 1250 years. A count of years must leave the year 1 out of reach.
const (
	maxBack      = 5000
	maxYearsBack = 1000
)

// period is a stretch of time, half-open: from is in it and to is not. A zero
// time is an open end. text is its normal form.
type period struct {
	text     string
	from, to time.Time
}

var (
	fixedPeriod   = regexp.MustCompile(`^(\d{4})(?:-?q([1-4])|-(\d{2})(?:-(\d{2}))?)?$`)
	countedPeriod = regexp.MustCompile(`^last[ _](?:(\d+)[ _])?(day|week|month|quarter|year|fiscal[ _]year)s?\s*(?:\(\s*(\d*)\s*\))?$`)
	currentPeriod = regexp.MustCompile(`^this[ _](day|week|month|quarter|year|fiscal[ _]year)\s*(?:\(\s*\))?$`)
	fiscalPeriod  = regexp.MustCompile(`^fiscal_year\s*\(\s*(\d{4})\s*\)$`)
	dayPeriod     = regexp.MustCompile(`^(today|yesterday)\s*(?:\(\s*\))?$`)
)

// parsePeriod reads a period and resolves it against the clock.
func parsePeriod(text string, c Clock) (period, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if rest, ok := strings.CutPrefix(text, "since "); ok {
		text = rest + ".."
	}
	if left, right, ok := strings.Cut(text, ".."); ok {
		return c.between(strings.TrimSpace(left), strings.TrimSpace(right))
	}
	return c.period(text)
}

// between is the time from the start of one period to the end of another.
func (c Clock) between(left, right string) (period, error) {
	var first, last period
	var err error
	if left == "" && right == "" {
		return period{}, &Error{Message: "the period has no bound"}
	}
	if left != "" {
		if first, err = c.period(left); err != nil {
			return first, err
		}
	}
	if right != "" {
		if last, err = c.period(right); err != nil {
			return last, err
		}
	}
	out := period{text: first.text + ".." + last.text, from: first.from, to: last.to}
	if left != "" && right != "" && !out.from.Before(out.to) {
		return out, &Error{Message: "the period " + quote(out.text) + " ends before it begins"}
	}
	return out, nil
}

// period reads a single period, in lower case.
func (c Clock) period(text string) (period, error) {
	if m := fixedPeriod.FindStringSubmatch(text); m != nil {
		return c.fixed(text, m[1], m[2], m[3], m[4])
	}
	if m := fiscalPeriod.FindStringSubmatch(text); m != nil {
		return c.fiscal(m[1])
	}
	if m := countedPeriod.FindStringSubmatch(text); m != nil {
		return c.counted(m[2], m[1]+m[3])
	}
	if m := currentPeriod.FindStringSubmatch(text); m != nil {
		return c.current(m[1])
	}
	if m := dayPeriod.FindStringSubmatch(text); m != nil {
		if m[1] == "yesterday" {
			return c.counted("day", "1")
		}
		return c.current("day")
	}
	return period{}, (&Error{Message: quote(text) + " is not a period"}).hint("%s", periodForms)
}

// fixed is a year, a quarter, a month or a day.
func (c Clock) fixed(text, year, quarter, month, day string) (period, error) {
	y, _ := strconv.Atoi(year) // four digits
	if y < firstYear || y > lastYear {
		return period{}, &Error{Message: fmt.Sprintf("the year of a period is from %d to %d", firstYear, lastYear)}
	}
	switch {
	case quarter != "":
		q := time.Month(quarter[0] - '0')
		from := c.day(y, 3*q-2, 1)
		return period{year + "-Q" + quarter, from, c.shift(from, unitQuarter, 1)}, nil
	case day != "":
		t, err := time.Parse(time.DateOnly, text)
		if err != nil {
			return period{}, &Error{Message: quote(text) + " is not a day of the calendar"}
		}
		from := c.day(y, t.Month(), t.Day())
		return period{text, from, c.shift(from, unitDay, 1)}, nil
	case month != "":
		t, err := time.Parse("2006-01", text)
		if err != nil {
			return period{}, &Error{Message: quote(text) + " is not a month of the calendar"}
		}
		from := c.day(y, t.Month(), 1)
		return period{text, from, c.shift(from, unitMonth, 1)}, nil
	}
	from := c.day(y, time.January, 1)
	return period{text, from, c.shift(from, unitYear, 1)}, nil
}

// fiscal is a fiscal year, named after the calendar year in which it begins.
func (c Clock) fiscal(year string) (period, error) {
	y, _ := strconv.Atoi(year) // four digits
	if y < firstYear || y > lastYear {
		return period{}, &Error{Message: fmt.Sprintf("the year of a period is from %d to %d", firstYear, lastYear)}
	}
	from := c.FiscalYearStart.in(y, c.Now.Location())
	return period{"fiscal_year(" + year + ")", from, c.shift(from, unitFiscalYear, 1)}, nil
}

// counted is the last n whole units before the current one.
func (c Clock) counted(name, count string) (period, error) {
	u := unit(strings.ReplaceAll(name, " ", "_"))
	n := 1
	if count != "" {
		var err error
		if n, err = strconv.Atoi(count); err != nil || n < 1 || n > backLimit(u) {
			return period{}, &Error{Message: fmt.Sprintf("last_%ss takes a count from 1 to %d", u, backLimit(u))}
		}
	}
	today, err := c.today()
	if err != nil {
		return period{}, err
	}
	to := c.start(today, u)
	return period{fmt.Sprintf("last_%ss(%d)", u, n), c.shift(to, u, -n), to}, nil
}

func backLimit(u unit) int {
	if u == unitYear || u == unitFiscalYear {
		return maxYearsBack
	}
	return maxBack
}

// current is the whole unit that today is in.
func (c Clock) current(name string) (period, error) {
	u := unit(strings.ReplaceAll(name, " ", "_"))
	today, err := c.today()
	if err != nil {
		return period{}, err
	}
	from := c.start(today, u)
	text := fmt.Sprintf("this_%s()", u)
	if u == unitDay {
		text = "today()"
	}
	return period{text, from, c.shift(from, u, 1)}, nil
}
