package ground

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// period is a day, a month, a quarter, a year or a moment, as far as it was
// written. A field that was not is 0, of the time -1.
type period struct {
	year, month, day, quarter int
	half                      int  // of a year: 1 or 2
	decade                    bool // the ten years from year on
	part                      int  // 1 for the beginning, 2 for the middle, 3 for the end
	weekday                   int  // 1 for Monday, as it is said of a day
	hour, minute, second      int
	near                      nearness // of the time
	zone                      string   // as written, "" for none
}

// dateSpan is a date in a text with its readings: "03/04/2025" has two.
type dateSpan struct {
	begin, end int // bytes
	text       string
	readings   []period
	yearOnly   bool
	weak       bool // it is a date only where the rows or the question have it
}

var months = map[string]int{
	"january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4, "may": 5, "june": 6, "jun": 6, "july": 7, "jul": 7,
	"august": 8, "aug": 8, "september": 9, "sep": 9, "sept": 9, "october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12, "dec": 12,
	"januar": 1, "februar": 2, "märz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10, "dezember": 12,
	"janvier": 1, "février": 2, "mars": 3, "avril": 4, "juin": 6, "juillet": 7, "août": 8, "septembre": 9, "octobre": 10, "novembre": 11, "décembre": 12,
	"enero": 1, "febrero": 2, "marzo": 3, "abril": 4, "mayo": 5, "junio": 6, "julio": 7, "agosto": 8, "septiembre": 9, "octubre": 10, "noviembre": 11, "diciembre": 12,
}

// monthPattern finds a month's name; the longer names first.
var monthPattern = func() string {
	var names []string
	for name := range months {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return `(?i:(` + strings.Join(names, "|") + `))\b\.?`
}()

const (
	clockEnd    = `(?:[T ,]+(?:at )?(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?` + dayHalf + `?(?:Z|[+-]\d{2}:?\d{2})?)?`
	quarterWord = `(first|second|third|fourth|1st|2nd|3rd|4th)`
)

// dateForm is a way to write a date. Its groups are named after fields: y, m (a
// number), M (a name), d, q, Q (an ordinal), h (a half), H, I, S, P (am or pm); a and b
// are day and month in either order, Y is a year of two digits, D and E a decade of four
// and of two. A weak form may mean something else.
type dateForm struct {
	re     *regexp.Regexp
	fields string
	weak   bool
}

// dayNumber finds the day of a month, in figures or as an ordinal.
var dayNumber = func() string {
	var words []string
	for w := range dayOrdinals {
		words = append(words, w)
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return `(?i:(\d{1,2}|` + strings.Join(words, "|") + `))(?:st|nd|rd|th)?`
}()

// dayOrdinals are the days of a month in words.
var dayOrdinals = func() map[string]int {
	out := map[string]int{}
	for w, n := range ordinals {
		out[w] = int(n)
	}
	for i, ones := range strings.Fields("first second third fourth fifth sixth seventh eighth ninth") {
		for _, mark := range []string{"-", " "} {
			out["twenty"+mark+ones] = 20 + i + 1
		}
	}
	out["thirtieth"], out["thirty-first"], out["thirty first"] = 30, 31, 31
	return out
}()

var dateForms = []dateForm{
	{re: regexp.MustCompile(`\b(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?`), fields: "ymdHIS"},
	{re: regexp.MustCompile(`\b(\d{4})\. ?(\d{1,2})\. ?(\d{1,2})\b\.?`), fields: "ymd"},
	{re: regexp.MustCompile(`\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b` + clockEnd), fields: "ymdHISPP"},
	{re: regexp.MustCompile(`\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b` + clockEnd), fields: "abyHISPP"},
	{re: regexp.MustCompile(`\b` + monthPattern + ` (?:the )?` + dayNumber + `,? (\d{4})\b` + clockEnd), fields: "MdyHISPP"},
	{re: regexp.MustCompile(`\b` + dayNumber + `\.?(?: of| de)? ` + monthPattern + `,?(?: of| de)? (\d{4})\b` + clockEnd), fields: "dMyHISPP"},
	{re: regexp.MustCompile(`\b(\d{4}) ` + monthPattern + ` (\d{1,2})\b`), fields: "yMd"},
	{re: regexp.MustCompile(`(\d{4})년 ?(\d{1,2})월 ?(\d{1,2})일`), fields: "ymd"},
	{re: regexp.MustCompile(`'?\b(\d{2})년 ?(\d{1,2})월 ?(\d{1,2})일`), fields: "Ymd"},
	{re: regexp.MustCompile(`'?\b(\d{2})년 ?(\d{1,2})월`), fields: "Ym"},
	{re: regexp.MustCompile(`(\d{1,2})월 ?(\d{1,2})일`), fields: "md"},
	{re: regexp.MustCompile(`(\d{4})년 ?(?:도 ?)?(\d{1,2})월`), fields: "ym"},
	{re: regexp.MustCompile(`(\d{4})년 ?(?:도 ?)?(?:제)?(\d)[ /]?분기`), fields: "yq"},
	{re: regexp.MustCompile(`(\d{4})년 ?(?:도 ?)?(상|하|전|후)반기`), fields: "yh"},
	{re: regexp.MustCompile(`'?\b(\d{2})년 ?(?:제)?(\d)[ /]?분기`), fields: "Yq"},
	{re: regexp.MustCompile(`'?\b(\d{2})년 ?(상|하)반기`), fields: "Yh"},
	{re: regexp.MustCompile(`(\d{4})년대`), fields: "D"},
	{re: regexp.MustCompile(`\b(\d0)년대`), fields: "E"},
	{re: regexp.MustCompile(`\b(\d{4})s\b`), fields: "D"},
	{re: regexp.MustCompile(`'?\b(\d0)s\b`), fields: "E", weak: true},
	{re: regexp.MustCompile(`(\d{4})년`), fields: "y"},
	{re: regexp.MustCompile(`'(\d{2})년`), fields: "Y"},
	{re: regexp.MustCompile(`\b(\d{2})년생`), fields: "Y"},
	{re: regexp.MustCompile(`\b` + monthPattern + `(?: of|,| de)? ?'?(\d{4})\b`), fields: "My"},
	{re: regexp.MustCompile(`\b` + monthPattern + ` '(\d{2})\b`), fields: "MY"},
	{re: regexp.MustCompile(`\b(\d{4})[-/ ]?Q([1-4])\b`), fields: "yq"},
	{re: regexp.MustCompile(`\bQ([1-4])(?: of|,|/|-)? ?(?:FY ?)?(\d{4})\b`), fields: "qy"},
	{re: regexp.MustCompile(`\b(\d{4})[-/ ]?H([12])\b`), fields: "yh"},
	{re: regexp.MustCompile(`\bH([12])(?:(?: of|,|/|-)? ?(\d{4}))?\b`), fields: "hy"},
	{re: regexp.MustCompile(`(?i)\b(first|second|1st|2nd) half,? (?:of |in )?(\d{4})\b`), fields: "hy"},
	{re: regexp.MustCompile(`(?i)\b(first|second|1st|2nd) half(?: of the year)?\b`), fields: "h", weak: true},
	{re: regexp.MustCompile(`(상|하|전|후)반기`), fields: "h", weak: true},
	{re: regexp.MustCompile(`(?i)\b` + quarterWord + `[ -]quarter(?:,? (?:of |in )?(\d{4})\b)?`), fields: "Qy"},
	{re: regexp.MustCompile(`(?i)\bquarter ([1-4])\b(?:,? (?:of |in )?(\d{4})\b)?`), fields: "qy"},
	{re: regexp.MustCompile(`\bQ([1-4])\b`), fields: "q"},
	{re: regexp.MustCompile(`(?:제)?([1-4]) ?(?:사)?분기`), fields: "q"},
	{re: regexp.MustCompile(`\b(\d{4})-(\d{2})\b`), fields: "ym"},
	{re: regexp.MustCompile(`\b(0?[1-9]|1[0-2])/(\d{4})\b`), fields: "my"},
	{re: regexp.MustCompile(`\b` + monthPattern + ` (?:the )?` + dayNumber + `\b` + clockEnd), fields: "MdHISPP"},
	{re: regexp.MustCompile(`\b` + dayNumber + `\.?(?: of| de)? ` + monthPattern), fields: "dM"},
	{re: regexp.MustCompile(`(\d{1,2})월`), fields: "m"},
	{re: regexp.MustCompile(`\b(\d{1,2})/(\d{1,2})\b`), fields: "ab", weak: true},
	{re: regexp.MustCompile(`\b(19\d\d|20\d\d|21\d\d)\b`), fields: "y"},
}

// monthAlone finds a month without day and year. May and March are months only
// with a capital.
var monthAlone = regexp.MustCompile(`\b(January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)\b`)

// monthShort finds one in short, which may be a name.
var monthShort = regexp.MustCompile(`\b(Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)\b`)

// findDates finds the dates of a clean text, in order, without overlap.
func findDates(text string) []dateSpan {
	if !mayHoldDate(text) {
		return nil
	}
	var found []dateSpan
	free := func(begin, end int) bool {
		return !slices.ContainsFunc(found, func(d dateSpan) bool { return begin < d.end && d.begin < end })
	}
	for _, form := range dateForms {
		for _, at := range form.re.FindAllStringSubmatchIndex(text, -1) {
			list := form.read(text, at)
			if len(list) > 0 && free(at[0], at[1]) && wholeNumber(text, at[0], at[1]) {
				found = append(found, dateSpan{begin: at[0], end: at[1], text: text[at[0]:at[1]], readings: list, yearOnly: form.fields == "y" && at[1]-at[0] == 4, weak: form.weak})
			}
		}
	}
	for _, at := range monthAlone.FindAllStringIndex(text, -1) {
		if free(at[0], at[1]) && !(text[at[0]:at[1]] == "May" && at[0] == 0 && strings.HasSuffix(strings.TrimSpace(text), "?")) {
			found = append(found, dateSpan{begin: at[0], end: at[1], text: text[at[0]:at[1]], readings: []period{{month: months[strings.ToLower(text[at[0]:at[1]])], hour: -1, minute: -1, second: -1}}})
		}
	}
	for _, at := range monthShort.FindAllStringIndex(text, -1) {
		if free(at[0], at[1]) {
			found = append(found, dateSpan{begin: at[0], end: at[1], text: text[at[0]:at[1]], readings: []period{{month: months[strings.ToLower(text[at[0]:at[1]])], hour: -1, minute: -1, second: -1}}, weak: true})
		}
	}
	found = withClocks(text, found, free)
	slices.SortFunc(found, func(a, b dateSpan) int { return a.begin - b.begin })
	return withLists(text, found)
}

// mayHoldDate is false for most texts without a date, which costs less than to look for
// each form: every date has a name, or a mark or a year among its digits.
func mayHoldDate(text string) bool {
	if strings.ContainsAny(text, "년월분시반정") {
		return true
	}
	for i := range len(text) {
		switch b := text[i]; {
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			if (i == 0 || !isLetterByte(text[i-1])) && (i+2 < len(text) && namesDate(text[i:]) || i+1 < len(text) && (b|0x20 == 'q' || b|0x20 == 'h') && isDigit(text[i+1]) || i > 0 && i+1 < len(text) && (b|0x20 == 'a' || b|0x20 == 'p') && (text[i+1]|0x20 == 'm' || text[i+1] == '.') && hasDigitBefore(text, i)) {
				return true
			}
		case b >= utf8.RuneSelf:
		case strings.IndexByte("-/:.", b) >= 0:
			if i > 0 && isDigit(text[i-1]) && i+1 < len(text) && (isDigit(text[i+1]) || text[i+1] == ' ') && !(b == '.' && !isDigit(text[i+1])) {
				return true
			}
		case b == '0' && i+1 < len(text) && text[i+1] == 's':
			return true
		case (b == '1' || b == '2') && (i == 0 || !isDigit(text[i-1])) && digits(text[i:]) == 4:
			return true
		}
	}
	return false
}

// datePrefixes are the beginnings of the names of months and quarters.
var datePrefixes = func() map[string]bool {
	out := map[string]bool{"qua": true, "fir": true, "sec": true, "thi": true, "fou": true, "1st": true, "hal": true, "noo": true, "mid": true, "mor": true, "aft": true, "eve": true, "nig": true, "o'c": true}
	for name := range months {
		out[fold(name)[:3]] = true
		out[name[:3]] = true
	}
	return out
}()

func namesDate(text string) bool {
	var low [3]byte
	for i := range low {
		low[i] = text[i]
		if 'A' <= low[i] && low[i] <= 'Z' {
			low[i] += 'a' - 'A'
		}
	}
	return datePrefixes[string(low[:])]
}

// wholeNumber reports whether no digits go on at either side of a date: 2024 is no
// year in 2024.5 and 1,2024.
func wholeNumber(text string, begin, end int) bool {
	if begin > 0 && (isDigit(text[begin-1]) || begin > 1 && strings.IndexByte(".,_", text[begin-1]) >= 0 && isDigit(text[begin-2])) {
		return false
	}
	return end >= len(text) || !isDigit(text[end]) && !(end+1 < len(text) && strings.IndexByte(".,_:", text[end]) >= 0 && isDigit(text[end+1]))
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// read makes periods of what a form found; none when no calendar has such a date.
func (f dateForm) read(text string, at []int) []period {
	p := period{hour: -1, minute: -1, second: -1}
	var a, b int
	late := ""
	for i, field := range f.fields {
		if at[2*i+2] < 0 {
			continue
		}
		part := text[at[2*i+2]:at[2*i+3]]
		n, _ := strconv.Atoi(part)
		switch field {
		case 'y':
			p.year = n
		case 'm':
			p.month = n
		case 'M':
			p.month = months[strings.ToLower(part)]
		case 'Y':
			p.year = 2000 + n - 100*boolInt(n >= 50)
		case 'D':
			p.year, p.decade = n, true
			if n%10 != 0 {
				return nil
			}
		case 'E':
			p.year, p.decade = 1900+n, true
		case 'h':
			p.half = halves[strings.ToLower(part)]
		case 'd':
			if n == 0 && isDigit(part[0]) {
				return nil
			}
			p.day = cmp.Or(n, dayOrdinals[strings.ToLower(part)])
		case 'q':
			p.quarter = n
		case 'Q':
			p.quarter = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}[strings.ToLower(part)]
		case 'H':
			p.hour = n
		case 'I':
			p.minute = n
		case 'S':
			p.second = n
		case 'P':
			late = strings.ToLower(part)
		case 'a':
			a = n
		case 'b':
			b = n
		}
	}
	p.hour = hourOf(p.hour, late)
	p.zone = zoneOf(text[at[0]:at[1]])
	switch {
	case (p.decade || strings.HasSuffix(text[:at[1]], "생")) && p.year < 2000 && p.year+100 <= lastYear && at[3]-at[2] == 2:
		next := p
		next.year += 100
		return append(valid(p), valid(next)...)
	case strings.HasSuffix(text[:at[1]], "생") && p.year >= 2000 && at[3]-at[2] == 2:
		before := p
		before.year -= 100
		return append(valid(p), valid(before)...)
	case a == 0:
		return valid(p)
	}
	first, second := p, p
	first.month, first.day, second.month, second.day = a, b, b, a
	return append(valid(first), valid(second)...)
}

// lastYear is the last that a decade or a year of two digits may mean.
const lastYear = 2040

// halves are the words for the halves of a year.
var halves = map[string]int{"first": 1, "second": 2, "1st": 1, "2nd": 2, "1": 1, "2": 2, "상": 1, "하": 2, "전": 1, "후": 2}

func hasDigitBefore(text string, i int) bool {
	before := strings.TrimRight(text[:i], " ")
	return before != "" && isDigit(before[len(before)-1])
}

var zoneEnd = regexp.MustCompile(`:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})$`)

// zoneOf is the zone at the end of a moment.
func zoneOf(text string) string {
	if found := zoneEnd.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

func valid(p period) []period {
	if p.month > 12 || p.day > 31 || p.hour > 24 || p.minute > 59 || p.quarter > 4 {
		return nil
	}
	return []period{p}
}

// parsePeriod reads a text that is a date and nothing else.
func parsePeriod(text string) (period, bool) {
	text = clean(strings.TrimSpace(text))
	if len(text) < 4 && !quarterText.MatchString(text) || len(text) > 40 {
		return period{}, false
	}
	if found := findDates(text); len(found) == 1 && found[0].begin == 0 && (found[0].end == len(text) || isMoment(text)) {
		return found[0].readings[0], true
	}
	return period{}, false
}

var quarterText = regexp.MustCompile(`^[Qq][1-4]$`)

var moment = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$`)

func isMoment(text string) bool { return moment.MatchString(text) }

// holds reports whether the cell lies in the period p. What the cell leaves open is
// taken from context, the years of which the question speaks.
func (p period) holds(cell period, years []int) bool {
	agree := func(written, known int) bool { return written == 0 || written == known }
	switch {
	case p.decade:
		if cell.year/10 != p.year/10 {
			return false
		}
	case p.year != 0 && cell.decade:
		return false
	case p.year != 0 && cell.year == 0:
		if !slices.Contains(years, p.year) {
			return false
		}
	case !agree(p.year, cell.year):
		return false
	}
	if p.quarter != 0 && cell.quarter == 0 {
		if cell.month == 0 || p.quarter != (cell.month+2)/3 {
			return false
		}
	} else if !agree(p.quarter, cell.quarter) {
		return false
	}
	if p.half != 0 && p.half != cell.halfOfYear() || p.part != 0 && !p.holdsPart(cell) || !p.onWeekday(cell) {
		return false
	}
	if !agree(p.month, cell.month) || !agree(p.day, cell.day) {
		return false
	}
	return (p.zone == "" || p.zone == cell.zone) && p.holdsTime(cell)
}

// halfOfYear is the half of the year in which a moment lies, 0 where that is not known.
func (p period) halfOfYear() int {
	switch {
	case p.half != 0:
		return p.half
	case p.month != 0:
		return 1 + boolInt(p.month > 6)
	case p.quarter != 0:
		return 1 + boolInt(p.quarter > 2)
	}
	return 0
}

// holdsPart reports whether the cell lies at the beginning, in the middle or at the end of
// a month or a year, as far as it is known.
func (p period) holdsPart(cell period) bool {
	of, most := cell.day, 31
	if p.month == 0 {
		of, most = cell.month, 12
	}
	if of == 0 || p.quarter != 0 || p.half != 0 || p.day != 0 {
		return true
	}
	const third, slack = 3, 12 // a part is a third, and a twelfth more
	from, to := (p.part-1)*most*slack/third-most, p.part*most*slack/third+most
	return of*slack > from && (of-1)*slack < to
}

// onWeekday reports whether a day is one of the weekday that is said of it, as far as it
// is known.
func (p period) onWeekday(cell period) bool {
	if p.weekday == 0 || cell.year == 0 || cell.month == 0 || cell.day == 0 {
		return true
	}
	day := int(time.Date(cell.year, time.Month(cell.month), cell.day, 0, 0, 0, 0, time.UTC).Weekday())
	return (day+6)%7 == p.weekday-1
}
