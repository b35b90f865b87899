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
	numberBefore = regexp.MustCompile(`(?:^|[^\d.,:/월년·~-])(\d{1,2})(?:st|nd|rd|th)?(?:[월일분기년대]*)( ?[·~/,] ?|-|–| – | - | and | or | to | through | until | and the | to the | through the )$`)
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
	n, _ := strconv.Atoi(text[at[2]:at[3]])
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
