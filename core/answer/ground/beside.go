package ground

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// Words beside a date that say in which part of its month or year, and on which weekday.
var (
	partBefore = regexp.MustCompile(`(?i)\b(?:(early|beginning of|start of|mid|middle of|late|end of|close of)(?: in)?(?:[ -](?:the )?(?:month of )?))$`)
	partBehind = regexp.MustCompile(`^ ?(초순|초반|초|중순|중반|하순|말)(?:에는|에서|에|의|부터|까지|쯤|경|,| |\.|$|이|입|였|인|로)`)
	dayBeside  = regexp.MustCompile(`(?i)\b(mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the |on (?:the )?)?$`)
	dayBehind  = regexp.MustCompile(`^(?i:,? ?\(?(?:an? )?(mon|tues|wednes|thurs|fri|satur|sun)day\b)`)
	dayKorean  = regexp.MustCompile(`^(?: ?\(([월화수목금토일])(?:요일)?\)|,? ([월화수목금토일])요일)`)
)

var partNames = map[string]int{"early": 1, "beginning of": 1, "start of": 1, "mid": 2, "middle of": 2, "late": 3, "end of": 3, "close of": 3, "초순": 1, "초반": 1, "초": 1, "중순": 2, "중반": 2, "하순": 3, "말": 3}

var weekdays = map[string]int{"mon": 1, "tues": 2, "wednes": 3, "thurs": 4, "fri": 5, "satur": 6, "sun": 7, "월": 1, "화": 2, "수": 3, "목": 4, "금": 5, "토": 6, "일": 7}

// readBeside takes what the words beside a date add to it.
func (s *sentence) readBeside(d *dateSpan) {
	part, weekday := 0, 0
	ahead, behind := s.text[:d.begin], s.text[d.end:]
	if at := partBefore.FindStringSubmatch(ahead); at != nil {
		part = partNames[strings.ToLower(at[1])]
	} else if at := partBehind.FindStringSubmatch(behind); at != nil && !s.checker.concepts[concept(at[1])] {
		part = partNames[at[1]]
	}
	for _, at := range [][]string{dayBeside.FindStringSubmatch(ahead), dayBehind.FindStringSubmatch(behind), dayKorean.FindStringSubmatch(behind)} {
		if at != nil {
			weekday = weekdays[strings.ToLower(strings.Join(at[1:], ""))]
		}
	}
	year := s.yearBeside(ahead, behind)
	if part == 0 && weekday == 0 && year == 0 {
		return
	}
	d.readings = slices.Clone(d.readings)
	for i := range d.readings {
		d.readings[i].part = part
		if d.readings[i].year == 0 {
			d.readings[i].year = year
		}
		if d.readings[i].day != 0 {
			d.readings[i].weekday = weekday
		}
	}
}

var (
	lastYearAhead  = regexp.MustCompile(`(?:전년|직전 연도|지난해)(?:도|의)? $`)
	lastYearBehind = regexp.MustCompile(`(?i)^ of the (?:previous|prior|preceding) year|^ (?:a|one) year (?:earlier|before)|^ the year before`)
)

// yearBeside is the year of a date that words name by that of the date before it: "전년
// 상반기", "the first half of the previous year"; 0 for none.
func (s *sentence) yearBeside(ahead, behind string) int {
	if !lastYearAhead.MatchString(ahead) && !lastYearBehind.MatchString(behind) {
		return 0
	}
	for b := s; b != nil; b = b.before {
		for i := len(b.dates) - 1; i >= 0; i-- {
			if p := b.dates[i].readings[0]; p.year != 0 && len(b.dates[i].readings) == 1 {
				return p.year - 1
			}
		}
	}
	return 0
}

// freeNames frees the words of a date that were taken for a name: the Jan of "Jan 24, 1947"
// for that of Jan Smit.
func (s *sentence) freeNames(d dateSpan, at, to int) {
	if d.weak || to-at < 2 {
		return
	}
	s.refs = slices.DeleteFunc(s.refs, func(r ref) bool {
		inside := r.at >= at && r.to <= to && r.to-r.at < to-at && s.tokens[r.at].kind == word && months[s.tokens[r.at].fold] != 0
		if inside {
			for k := r.at; k < r.to; k++ {
				s.taken[k] = false
			}
		}
		return inside
	})
}

// mustDate reports whether a weak date is one nonetheless: a half of a year where the
// result tells months apart.
func (s *sentence) mustDate(d dateSpan) bool {
	return strings.HasSuffix(d.text, "반기") && slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return t.whole && slices.ContainsFunc(t.columns, func(c column) bool {
			return c.temporal && slices.ContainsFunc(c.cells, func(v cell) bool { return v.period != nil && v.period.halfOfYear() != 0 })
		})
	})
}

// isBound reports whether a date is the first or the last of a time of which the question
// or the host speaks, where the sentence names the other one, too, or says that it is a
// bound: "between 1 and 31 March" of March.
func (s *sentence) isBound(d dateSpan, all []dateSpan) bool {
	p := d.readings[0]
	if len(d.readings) != 1 || p.hour >= 0 || p.quarter != 0 || p.half != 0 {
		return false
	}
	for _, src := range append([]source{s.checker.asked}, s.checker.said...) {
		for _, of := range src.dates {
			for _, k := range of.readings {
				end, ok := p.bounds(k)
				if !ok {
					continue
				}
				if s.saysBound(d) || slices.ContainsFunc(all, func(o dateSpan) bool {
					other, ok := o.readings[0].bounds(k)
					return ok && other != end
				}) {
					return true
				}
			}
		}
	}
	return false
}

var boundWords = regexp.MustCompile(`(?i)(?:from|since|until|till|through|to|before|after|between|by|on or after|on or before)(?: the)? $`)

func (s *sentence) saysBound(d dateSpan) bool {
	return boundWords.MatchString(s.text[:d.begin]) || hasPrefix(strings.TrimLeft(s.text[d.end:], " 에"), "부터", "까지", "이후", "이전", "~", "전", "후")
}

// bounds reports whether a day or a month is the first, or the last, of a time; end tells
// them apart. The day behind the last is one, too.
func (p period) bounds(k period) (end, ok bool) {
	if k.year == 0 || k.day != 0 || k.decade || p.year != 0 && p.year != k.year && !(p.year == k.year+1 && p.month == 1 && p.day == 1) || p.month == 0 {
		return false, false
	}
	first, last := 1, 12
	switch {
	case k.month != 0:
		first, last = k.month, k.month
	case k.quarter != 0:
		first, last = 3*k.quarter-2, 3*k.quarter
	case k.half != 0:
		first, last = 6*k.half-5, 6*k.half
	}
	if p.day == 0 {
		return p.month == last, first != last && (p.month == first || p.month == last)
	}
	day := time.Date(k.year, time.Month(p.month), p.day, 0, 0, 0, 0, time.UTC)
	if p.year > k.year {
		day = day.AddDate(1, 0, 0)
	}
	from, to := time.Date(k.year, time.Month(first), 1, 0, 0, 0, 0, time.UTC), time.Date(k.year, time.Month(last)+1, 1, 0, 0, 0, 0, time.UTC)
	switch {
	case day.Equal(from):
		return false, true
	case day.Equal(to), day.Equal(to.AddDate(0, 0, -1)):
		return true, true
	}
	return false, false
}

// checkWeekdays refuses a weekday on which no moment of the row lies of which the sentence
// speaks.
func (s *sentence) checkWeekdays() {
	if len(s.checker.weekdays) > 0 || len(s.referents) > 1 {
		return
	}
	for i, t := range s.tokens {
		day := weekdayOf(koreanStem(t.fold))
		if s.taken[i] || t.kind != word || day == 0 || !t.hangul && (!t.capital || !strings.HasSuffix(t.fold, "day")) || s.checker.known[t.fold] {
			continue
		}
		known, ok := false, false
		for index, of := range s.checker.tables {
			rows := []int{}
			if len(s.referents) == 1 {
				rows = s.referents[0].rows[index]
			} else if of.rows == 1 && of.count == 1 {
				rows = []int{0}
			}
			for _, c := range of.columns {
				for _, row := range rows {
					if p := c.cells[row].period; p != nil && p.day != 0 && p.year != 0 {
						known = true
						ok = ok || (period{weekday: day}).onWeekday(*p)
					}
				}
			}
		}
		if known && !ok {
			s.violate(i, i+1, "it was another day of the week")
		}
	}
}
