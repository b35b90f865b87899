package ground

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Numbers that share what stands at another date: "1·2월", "1 and 31 March", "1일~31일",
// "March 1–31".
var (
	numberBefore = regexp.MustCompile(`(?:^|[^\d.,:/월년·~-])(\d{1,2}(?:st|nd|rd|th)?)(?:[월일분기년대]*)( ?[·~/,] ?|-|–| – | - | and | or | to | through | until | and the | to the | through the )$`)
	numberBehind = regexp.MustCompile(`^(?:부터|에서|과|와)?( ?[·~,] ?|-|–| – | - | and | to | through | until | and the | to the | )(\d{1,2})(?:st|nd|rd|th)?(일(?:까지|에|은|과|와|이|의|,| |\.|$)|\b)(?:, (\d{4})\b)?`)
	koreanUnit   = regexp.MustCompile(`^(\d{1,2})(월|분기|년대|사분기)`)
)

// withLists adds the dates that share their month or their unit with the date next to them.
func withLists(text string, dates []dateSpan) []dateSpan {
	var more []dateSpan
	taken := func(begin, end int) bool {
		hits := func(d dateSpan) bool { return begin < d.end && d.begin < end }
		return slices.ContainsFunc(dates, hits) || slices.ContainsFunc(more, hits)
	}
	for i := range dates {
		for d := &dates[i]; d != nil; {
			next, ok := d.before(text)
			if !ok || taken(next.begin, next.end) {
				break
			}
			more = append(more, next)
			d = &next
		}
		if next, ok := dates[i].behind(text); ok && !taken(next.begin, next.end) {
			if y := next.readings[0].year; y != 0 && dates[i].readings[0].year == 0 {
				for k := range dates[i].readings {
					dates[i].readings[k].year = y
				}
			}
			more = append(more, next)
		}
	}
	if more == nil {
		return dates
	}
	dates = append(dates, more...)
	slices.SortFunc(dates, func(a, b dateSpan) int { return a.begin - b.begin })
	return dates
}

// before is the date of a number in front that shares the unit, or the month, of d.
func (d dateSpan) before(text string) (dateSpan, bool) {
	at := numberBefore.FindStringSubmatchIndex(text[:d.begin])
	if at == nil {
		return dateSpan{}, false
	}
	n, _ := strconv.Atoi(text[at[2] : at[2]+digits(text[at[2]:])])
	out := dateSpan{begin: at[2], end: at[3], text: text[at[2]:at[3]], weak: true}
	p := d.readings[0]
	mark := text[at[4]:at[5]]
	symbol := strings.TrimSpace(mark) == strings.Trim(mark, " andortheugilf")
	switch unit := koreanUnit.FindStringSubmatch(d.text); {
	case len(d.readings) != 1 || p.hour >= 0:
		return out, false
	case isUnitText(d.text) && symbol:
		switch {
		case p.decade:
			p.year = p.year/100*100 + n
		case p.quarter != 0 && n <= 4:
			p.quarter = n
		case p.month != 0 && p.day == 0 && n <= 12:
			p.month = n
		default:
			return out, false
		}
	case unit == nil && p.day != 0 && p.month != 0 && n >= 1 && n <= 31 && isDigit(d.text[0]) && !strings.ContainsAny(d.text, "-/.월"):
		p.day = n
	default:
		return out, false
	}
	out.readings = []period{p}
	return out, true
}

// isUnitText reports whether a date is a number with its unit: "2월", "3분기", "90년대".
func isUnitText(text string) bool {
	at := koreanUnit.FindString(text)
	return at != "" && at == text || len(text) > 2 && text[len(text)-1] == 's' && isDigit(text[0])
}

// behind is the date of a number behind that shares the month of d.
func (d dateSpan) behind(text string) (dateSpan, bool) {
	at := numberBehind.FindStringSubmatchIndex(text[d.end:])
	p := d.readings[0]
	if at == nil || len(d.readings) != 1 || p.day == 0 || p.month == 0 || p.hour >= 0 {
		return dateSpan{}, false
	}
	korean, joined := strings.HasSuffix(d.text, "일"), text[d.end+at[2]:d.end+at[3]]
	if korean != (at[7] > at[6]) || isDigit(d.text[0]) && !korean || joined == " " && !korean {
		return dateSpan{}, false
	}
	n, _ := strconv.Atoi(text[d.end+at[4] : d.end+at[5]])
	if n < 1 || n > 31 {
		return dateSpan{}, false
	}
	p.day = n
	out := dateSpan{begin: d.end + at[4], end: d.end + at[5], weak: true}
	if at[8] >= 0 {
		p.year, _ = strconv.Atoi(text[d.end+at[8] : d.end+at[9]])
		out.end = d.end + at[9]
	} else if korean {
		out.end += len("일")
	}
	out.text, out.readings = text[out.begin:out.end], []period{p}
	return out, true
}

// dayAlone finds the day of a month without the month, and koreanDay what follows it where
// it is no duration.
var (
	dayAlone  = regexp.MustCompile(`(?:^|[^\d월./:-])(\d{1,2})일|\b[Tt]he (\d{1,2})(?:st|nd|rd|th)\b`)
	koreanDay = regexp.MustCompile(`^(?:이|은|에|에는|에도|과|와|의|로|을|자|보다|까지|부터)?(?:[ ,.()·]|$)`)
	noDay     = regexp.MustCompile(`^(?:이|은|에|로|의)? ?(?:동안|만|차이|간|뒤|후|전|이내|넘|남짓|걸|늦|빠르|빨리|먼저|더|앞|연속|이상|이하|미만|가량|정도|쯤 걸)`)
	onDay     = regexp.MustCompile(`(?i)\b(?:on|since|until|by) the $`)
	noOrdinal = regexp.MustCompile(`^ (?:[a-z]|[A-Z])`)
	afterDay  = regexp.MustCompile(`^ (?:has|had|was|is|came|saw|and|with|at|in|of|to|through|until|brought|reached|follows|followed|than|were|are)\b`)
)

// withDays adds the days that stand alone, of the month of which the text speaks.
func (s *sentence) withDays(dates []dateSpan) []dateSpan {
	if len(s.checker.tables) == 0 {
		return dates
	}
	for _, at := range dayAlone.FindAllStringSubmatchIndex(s.text, -1) {
		begin, end := max(at[2], at[4]), at[1]
		behind := s.text[end:]
		korean := at[2] >= 0
		if korean && (noDay.MatchString(behind) || !koreanDay.MatchString(behind)) || !korean && noOrdinal.MatchString(behind) && !afterDay.MatchString(behind) && !onDay.MatchString(s.text[:begin]) {
			continue
		}
		n, _ := strconv.Atoi(s.text[begin : begin+digits(s.text[begin:])])
		month, ok := s.monthOfDay(dates, begin)
		if slices.ContainsFunc(dates, func(d dateSpan) bool { return begin < d.end && d.begin < end }) || !ok || n < 1 || n > 31 {
			continue
		}
		month.day = n
		dates = append(dates, dateSpan{begin: begin, end: end, text: s.text[begin:end], readings: []period{month}, weak: true})
	}
	slices.SortStableFunc(dates, func(a, b dateSpan) int { return a.begin - b.begin })
	return dates
}

// monthOfDay is the month of which a text speaks where a day stands alone: that of the date
// before it, else the one month of all rows, or that of the question.
func (s *sentence) monthOfDay(dates []dateSpan, at int) (period, bool) {
	month := func(list []dateSpan, before int) (period, bool) {
		for i := len(list) - 1; i >= 0; i-- {
			if p := list[i].readings[0]; len(list[i].readings) == 1 && p.month != 0 && list[i].begin < before {
				return period{year: p.year, month: p.month, hour: -1, minute: -1, second: -1}, true
			}
		}
		return period{}, false
	}
	if p, ok := month(dates, at); ok {
		return p, true
	}
	for b := s.before; b != nil; b = b.before {
		var list []dateSpan
		for _, d := range b.dates {
			list = append(list, d.dateSpan)
		}
		if p, ok := month(list, len(b.text)+1); ok {
			return p, true
		}
	}
	if p, ok := s.checker.onlyMonth(); ok {
		return p, true
	}
	return month(s.checker.asked.dates, len(s.checker.asked.text)+1)
}

// onlyMonth is the month in which all days of the rows lie.
func (c *Checker) onlyMonth() (period, bool) {
	out, found := period{hour: -1, minute: -1, second: -1}, false
	for _, t := range c.tables {
		for _, col := range t.columns {
			for _, v := range col.cells {
				if v.period == nil || v.period.day == 0 || v.period.month == 0 {
					continue
				}
				if found && (v.period.year != out.year || v.period.month != out.month) {
					return out, false
				}
				out.year, out.month, found = v.period.year, v.period.month, true
			}
		}
	}
	return out, found
}

// inOneYear are dates where a month without a year is also one of the year that the others
// have, if they have one: "from June to July 2023".
func inOneYear(list []dateSpan) []dateSpan {
	year := 0
	for _, d := range list {
		for _, p := range d.readings {
			if p.year != 0 && year != 0 && p.year != year {
				return list
			}
			year = max(year, p.year)
		}
	}
	for i, d := range list {
		for _, p := range d.readings {
			if p.year == 0 && p.month != 0 && year != 0 {
				p.year = year
				list[i].readings = append(slices.Clone(list[i].readings), p)
			}
		}
	}
	return list
}
