package ground

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// nearness is how a time is told: as it is, or with words around it.
type nearness uint8

const (
	sharp      nearness = iota
	roughly             // "around nine", "9시쯤"
	justBefore          // "shortly before nine"
	justAfter
	anyBefore // "before nine"
	anyAfter
)

// dayHalf finds what tells the hours of one half of the day from those of the other.
const dayHalf = `(?: ?([AaPp]\.?[Mm])\b\.?| (?:in the |at |this )?(morning|afternoon|evening|night)\b)`

// hourNumber finds an hour, in figures or in words.
const hourNumber = `(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`

// clockForm is a way to write a time of the day; its groups are named after fields: H, I,
// S, P as those of a date, K for a half or a quarter or minutes, T for "past" or "to", Z
// for a half hour.
type clockForm struct {
	re     *regexp.Regexp
	fields string
}

var clockForms = []clockForm{
	{regexp.MustCompile(`(?i)\b(half|(?:a )?quarter|\d{1,2} minutes) (past|to|before|after) ` + hourNumber + `\b` + dayHalf + `?`), "KTHPP"},
	{regexp.MustCompile(`(오전|오후|아침|저녁|밤|낮|새벽) ?(\d{1,2}):(\d{2})(?::(\d{2}))?`), "PHIS"},
	{regexp.MustCompile(`\b(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?` + dayHalf + `?`), "HISPP"},
	{regexp.MustCompile(`(?i)\b` + hourNumber + ` o'clock` + dayHalf + `?`), "HPP"},
	{regexp.MustCompile(`(?i)\b` + hourNumber + dayHalf), "HPP"},
	{regexp.MustCompile(`(?:(오전|오후|아침|저녁|밤|낮|새벽) ?)?(\d{1,2}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두)시(?: ?(\d{1,2})분)?(?: ?(\d{1,2})초)?( ?반)?`), "PHISZ"},
	{regexp.MustCompile(`(?i)\b(noon|midday|midnight)\b|정오|자정`), "N"},
}

// koreanHours are the native Korean numbers of hours.
var koreanHours = map[string]int{"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "열한": 11, "열두": 12}

// Words around a time that tell it roughly.
var (
	clockBefore = regexp.MustCompile(`(?i)(?:(shortly|just|a little|a bit|slightly|right|soon|a few minutes|moments) )?(before|after|past|around|about|roughly|approximately|near|nearly|almost|약|거의|대략)(?: at)?(?: a)? $`)
	clockBehind = regexp.MustCompile(`^ ?(쯤|경|께|무렵|즈음|가량|정도|직전|직후|조금 전|조금 지나|조금 넘|을 조금 넘|이 조금 지나|이 조금 넘|을 갓 넘|이 되기 직전|이 조금 안)`)
	wordHour    = regexp.MustCompile(`^[a-z]`)
)

// withClocks adds the times of the day to dates, in one where they stand beside one.
func withClocks(text string, dates []dateSpan, free func(begin, end int) bool) []dateSpan {
	var clocks []dateSpan
	for _, form := range clockForms {
		for _, at := range form.re.FindAllStringSubmatchIndex(text, -1) {
			taken := slices.ContainsFunc(clocks, func(d dateSpan) bool { return at[0] < d.end && d.begin < at[1] })
			if p, ok := form.read(text, at); ok && !taken && free(at[0], at[1]) && wholeNumber(text, at[0], at[1]) && !goesOnAsWord(text, at[1]) {
				d := dateSpan{begin: at[0], end: at[1], readings: []period{p}, weak: form.fields == "HPP" || form.fields == "N"}
				d.tellsRoughly(text)
				clocks = append(clocks, d)
			}
		}
	}
	for _, c := range clocks {
		if at := slices.IndexFunc(dates, func(d dateSpan) bool { return d.besides(text, c) }); at >= 0 {
			dates[at] = dates[at].at(text, c)
			continue
		}
		if begin := dayBefore(text, c.begin); begin >= 0 && free(begin, c.end) {
			day, _ := strconv.Atoi(text[begin : begin+digits(text[begin:])])
			c.begin, c.readings[0].day, c.weak = begin, day, true
		}
		c.text = text[c.begin:c.end]
		dates = append(dates, c)
	}
	return dates
}

// goesOnAsWord tells an hour from "2시간" and "3시즌".
func goesOnAsWord(text string, end int) bool {
	return strings.HasSuffix(text[:end], "시") && hasPrefix(text[end:], "간", "즌", "리", "민", "장", "스", "도")
}

// read is the time that a form found.
func (f clockForm) read(text string, at []int) (period, bool) {
	p := period{hour: -1, minute: -1, second: -1}
	late, shift, back := "", -1, false
	for i, field := range f.fields {
		if at[2*i+2] < 0 {
			continue
		}
		part := strings.ToLower(text[at[2*i+2]:at[2*i+3]])
		n, _ := strconv.Atoi(part)
		switch field {
		case 'H':
			p.hour = max(n, koreanHours[part])
			if wordHour.MatchString(part) {
				p.hour = max(int(small[part]), boolInt(part == "one"))
			}
		case 'I':
			p.minute = n
		case 'S':
			p.second = n
		case 'P':
			late = part
		case 'Z':
			p.minute = 30
		case 'T':
			back = part == "to" || part == "before"
		case 'K':
			shift = map[bool]int{true: 30, false: 15}[part == "half"]
			if m := digits(part); m > 0 {
				shift, _ = strconv.Atoi(part[:m])
			}
		}
	}
	if f.fields == "N" {
		p.hour, p.minute = 12, 0
		if w := strings.ToLower(text[at[0]:at[1]]); w == "midnight" || w == "자정" {
			p.hour = 0
		}
	}
	if p.hour = hourOf(p.hour, late); shift >= 0 {
		p.minute = shift
		if back {
			p.hour, p.minute = (p.hour+23)%24, 60-shift
		}
		if late == "" {
			p.near = sharp
		}
	}
	return p, p.hour <= 24 && p.minute < 60 && p.second < 60
}

// hourOf is the hour of a day of 24.
func hourOf(hour int, late string) int {
	if hour < 0 || late == "" || hour > 12 {
		return hour
	}
	switch late {
	case "오전", "아침", "새벽", "morning":
		return hour % 12
	case "밤", "night":
		if hour == 12 || hour < 5 {
			return hour % 12
		}
	case "낮":
		if hour >= 10 {
			return hour
		}
	}
	if late[0] == 'a' && late != "afternoon" {
		return hour % 12
	}
	return hour%12 + 12
}

// tellsRoughly takes the words around a time that say that it is not meant sharply.
func (d *dateSpan) tellsRoughly(text string) {
	near := sharp
	if at := clockBefore.FindStringSubmatchIndex(text[:d.begin]); at != nil {
		word := strings.ToLower(text[at[4]:at[5]])
		slight := at[2] >= 0
		unit := unitBefore.MatchString(text[:at[0]])
		switch {
		case unit && !slight:
		case word == "before" || word == "nearly" || word == "almost" || word == "거의":
			near = justBefore
			if word == "before" && !slight {
				near = anyBefore
			}
		case word == "after" || word == "past":
			near = justAfter
			if !slight {
				near = anyAfter
			}
		default:
			near = roughly
		}
		if near != sharp {
			d.begin = at[0]
		}
	}
	if at := clockBehind.FindStringSubmatchIndex(text[d.end:]); at != nil {
		switch word := text[d.end+at[2] : d.end+at[3]]; {
		case strings.Contains(word, "전") || strings.Contains(word, "안"):
			near = justBefore
		case strings.Contains(word, "후") || strings.Contains(word, "지나") || strings.Contains(word, "넘"):
			near = justAfter
		default:
			near = roughly
		}
	}
	d.readings[0].near = near
}

// unitBefore finds a duration that is measured from a time: "an hour before 9:10".
var unitBefore = regexp.MustCompile(`(?i)(?:hours?|minutes?|seconds?|days?) $`)

// Gaps between a date and a time of that day.
var (
	clockGap = regexp.MustCompile(`^(?:,? ?(?:\(?[월화수목금토일](?:요일)?\)?|\(?(?i:(?:mon|tues|wednes|thurs|fri|satur|sun)day)\)?)?,? ?(?:\(|at |at about |에 |의 )?)$`)
	dateGap  = regexp.MustCompile(`^,? (?:(?:on|of) )?(?:the )?(?:(?:morning|afternoon|evening|night) of )?(?:the )?(?:(?i:(?:mon|tues|wednes|thurs|fri|satur|sun)day),? (?:the )?)?$`)
)

// besides reports whether a time is one of the day that a date names.
func (d dateSpan) besides(text string, clock dateSpan) bool {
	if d.readings[0].day == 0 || d.readings[0].hour >= 0 {
		return false
	}
	if d.end <= clock.begin {
		return clockGap.MatchString(text[d.end:clock.begin])
	}
	return clock.end <= d.begin && dateGap.MatchString(text[clock.end:d.begin])
}

// at is a date with the time of a clock.
func (d dateSpan) at(text string, clock dateSpan) dateSpan {
	d.begin, d.end = min(d.begin, clock.begin), max(d.end, clock.end)
	d.text = text[d.begin:d.end]
	readings := slices.Clone(d.readings)
	for i := range readings {
		t := clock.readings[0]
		readings[i].hour, readings[i].minute, readings[i].second, readings[i].near = t.hour, t.minute, t.second, t.near
	}
	d.readings = readings
	return d
}

var dayOnly = regexp.MustCompile(`(?:^|[^\d월])(?:\s|^)?(\d{1,2})일(?: ?\([월화수목금토일]\)| [월화수목금토일]요일)? ?$`)

// dayBefore is where the day of a month begins that stands alone before a time, -1 for
// none: "14일 20:47".
func dayBefore(text string, end int) int {
	if at := dayOnly.FindStringSubmatchIndex(text[:end]); at != nil {
		return at[2]
	}
	return -1
}

// How many minutes a time may be off that is told roughly: with its minutes, and in whole
// or half hours.
const (
	offMinutes = 10
	offHours   = 30
)

// holdsTime reports whether the time of a cell is the one that is told.
func (p period) holdsTime(cell period) bool {
	same := func(written, known int) bool { return written < 0 || written == known }
	if p.near == sharp || cell.hour < 0 {
		return same(p.hour, cell.hour) && same(p.minute, cell.minute) && same(p.second, cell.second)
	}
	off := (cell.hour-p.hour)*60 + max(0, cell.minute) - max(0, p.minute)
	most := offMinutes
	if p.minute <= 0 || p.minute%30 == 0 {
		most = offHours
	}
	switch p.near {
	case justBefore:
		return off < 0 && -off <= most
	case justAfter:
		return off >= 0 && off <= most
	case anyBefore:
		return off < 0
	case anyAfter:
		return off >= 0
	}
	return -most <= off && off <= most
}
