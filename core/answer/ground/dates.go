package ground

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// period is a day, a month, a quarter, a year or a moment, as far as it was
// written. A field that was not is 0, of the time -1.
type period struct {
	year, month, day, quarter int
	hour, minute, second      int
	zone                      string // as written, "" for none
}

// dateSpan is a date in a text with its readings: "03/04/2025" has two.
type dateSpan struct {
	begin, end int // bytes
	text       string
	readings   []period
	yearOnly   bool
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
	ordinalEnd  = `(?:st|nd|rd|th)?`
	clockEnd    = `(?:[T ,]+(?:at )?(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?: ?([AaPp]\.?[Mm])\b\.?)?(?:Z|[+-]\d{2}:?\d{2})?)?`
	quarterWord = `(first|second|third|fourth|1st|2nd|3rd|4th)`
)

// dateForm is a way to write a date. Its groups are named after fields: y, m (a
// number), M (a name), d, q, Q (an ordinal), H, I, S, P (am or pm); a and b are day and
// month in either order.
type dateForm struct {
	re     *regexp.Regexp
	fields string
}

var dateForms = []dateForm{
	{regexp.MustCompile(`\b(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?`), "ymdHIS"},
	{regexp.MustCompile(`\b(\d{4})\. ?(\d{1,2})\. ?(\d{1,2})\b\.?`), "ymd"},
	{regexp.MustCompile(`\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b` + clockEnd), "ymdHISP"},
	{regexp.MustCompile(`\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\b` + clockEnd), "abyHISP"},
	{regexp.MustCompile(`\b` + monthPattern + ` (\d{1,2})` + ordinalEnd + `,? (\d{4})\b` + clockEnd), "MdyHISP"},
	{regexp.MustCompile(`\b(\d{1,2})` + ordinalEnd + `\.?(?: of| de)? ` + monthPattern + `,?(?: of| de)? (\d{4})\b` + clockEnd), "dMyHISP"},
	{regexp.MustCompile(`\b(\d{4}) ` + monthPattern + ` (\d{1,2})\b`), "yMd"},
	{regexp.MustCompile(`(\d{4})년 ?(\d{1,2})월 ?(\d{1,2})일(?: ?(오전|오후)? ?(\d{1,2})시(?: ?(\d{1,2})분)?)?`), "ymdPHI"},
	{regexp.MustCompile(`(\d{1,2})월 ?(\d{1,2})일`), "md"},
	{regexp.MustCompile(`(\d{4})년 ?(?:도 ?)?(\d{1,2})월`), "ym"},
	{regexp.MustCompile(`(\d{4})년 ?(?:도 ?)?(?:제)?(\d)[ /]?분기`), "yq"},
	{regexp.MustCompile(`(\d{4})년`), "y"},
	{regexp.MustCompile(`\b` + monthPattern + `(?: of|,| de)? ?'?(\d{4})\b`), "My"},
	{regexp.MustCompile(`\b(\d{4})[-/ ]?Q([1-4])\b`), "yq"},
	{regexp.MustCompile(`\bQ([1-4])(?: of|,|/|-)? ?(?:FY ?)?(\d{4})\b`), "qy"},
	{regexp.MustCompile(`(?i)\b` + quarterWord + `[ -]quarter(?:,? (?:of |in )?(\d{4})\b)?`), "Qy"},
	{regexp.MustCompile(`(?i)\bquarter ([1-4])\b(?:,? (?:of |in )?(\d{4})\b)?`), "qy"},
	{regexp.MustCompile(`\bQ([1-4])\b`), "q"},
	{regexp.MustCompile(`(?:제)?([1-4]) ?(?:사)?분기`), "q"},
	{regexp.MustCompile(`\b(\d{4})-(\d{2})\b`), "ym"},
	{regexp.MustCompile(`\b(0?[1-9]|1[0-2])/(\d{4})\b`), "my"},
	{regexp.MustCompile(`\b` + monthPattern + ` (\d{1,2})` + ordinalEnd + `\b` + clockEnd), "MdHISP"},
	{regexp.MustCompile(`\b(\d{1,2})` + ordinalEnd + `\.?(?: of| de)? ` + monthPattern), "dM"},
	{regexp.MustCompile(`(\d{1,2})월`), "m"},
	{regexp.MustCompile(`\b(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([AaPp]\.?[Mm])\b\.?)?`), "HISP"},
	{regexp.MustCompile(`\b(19\d\d|20\d\d|21\d\d)\b`), "y"},
}

// monthAlone finds a month without day and year. May and March are months only
// with a capital.
var monthAlone = regexp.MustCompile(`\b(January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)\b`)

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
				found = append(found, dateSpan{at[0], at[1], text[at[0]:at[1]], list, form.fields == "y" && at[1]-at[0] == 4})
			}
		}
	}
	for _, at := range monthAlone.FindAllStringIndex(text, -1) {
		if free(at[0], at[1]) && !(text[at[0]:at[1]] == "May" && at[0] == 0) {
			found = append(found, dateSpan{at[0], at[1], text[at[0]:at[1]], []period{{month: months[strings.ToLower(text[at[0]:at[1]])], hour: -1, minute: -1, second: -1}}, false})
		}
	}
	slices.SortFunc(found, func(a, b dateSpan) int { return a.begin - b.begin })
	return found
}

// mayHoldDate is false for most texts without a date, which costs less than to look for
// each form: every date has a name, or a mark or a year among its digits.
func mayHoldDate(text string) bool {
	if strings.ContainsAny(text, "년월분") {
		return true
	}
	for i := range len(text) {
		switch b := text[i]; {
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			if (i == 0 || !isLetterByte(text[i-1])) && (i+2 < len(text) && namesDate(text[i:]) || i+1 < len(text) && b|0x20 == 'q' && isDigit(text[i+1])) {
				return true
			}
		case b >= utf8.RuneSelf:
		case strings.IndexByte("-/:.", b) >= 0:
			if i > 0 && isDigit(text[i-1]) && i+1 < len(text) && (isDigit(text[i+1]) || text[i+1] == ' ') && !(b == '.' && !isDigit(text[i+1])) {
				return true
			}
		case (b == '1' || b == '2') && (i == 0 || !isDigit(text[i-1])) && digits(text[i:]) == 4:
			return true
		}
	}
	return false
}

// datePrefixes are the beginnings of the names of months and quarters.
var datePrefixes = func() map[string]bool {
	out := map[string]bool{"qua": true, "fir": true, "sec": true, "thi": true, "fou": true, "1st": true}
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
		case 'd':
			p.day = n
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
	if a == 0 {
		return valid(p)
	}
	first, second := p, p
	first.month, first.day, second.month, second.day = a, b, b, a
	return append(valid(first), valid(second)...)
}

var zoneEnd = regexp.MustCompile(`:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})$`)

// zoneOf is the zone at the end of a moment.
func zoneOf(text string) string {
	if found := zoneEnd.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// hourOf is the hour of a day of 24.
func hourOf(hour int, late string) int {
	switch {
	case hour < 0 || late == "" || hour > 12:
		return hour
	case late[0] == 'p' || late == "오후":
		return hour%12 + 12
	}
	return hour % 12
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
	if !agree(p.month, cell.month) || !agree(p.day, cell.day) {
		return false
	}
	if p.zone != "" && p.zone != cell.zone {
		return false
	}
	time := func(written, known int) bool { return written < 0 || written == known }
	return time(p.hour, cell.hour) && time(p.minute, cell.minute) && time(p.second, cell.second)
}
