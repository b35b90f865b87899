package answer

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"querent.dev/querent/sdk/wire"
)

// facts are the figures that a text may hold.
type facts struct {
	numbers map[string]bool // canonically spelled
	dates   []string        // as ISO 8601
	parts   map[string]bool // the numbers in dates, which count nothing
	names   []string        // texts that may have figures in them, which count nothing
	said    []string        // the texts, which may speak of shares
	shown   []shown
}

// shown is how many of a result's rows a reader sees.
type shown struct{ rows, all string }

func newFacts() *facts {
	return &facts{numbers: map[string]bool{}, parts: map[string]bool{}}
}

// add takes the figures of texts.
func (f *facts) add(texts ...string) {
	for _, text := range texts {
		text = norm.NFKC.String(text)
		f.said = append(f.said, text)
		dates, rest := cutISODates(text)
		for _, date := range dates {
			f.addDate(date)
		}
		for _, n := range numbers(rest) {
			f.numbers[n] = true
		}
	}
}

// addDate takes a date or a time in ISO 8601 form.
func (f *facts) addDate(date string) {
	f.dates = append(f.dates, date)
	for begin, end := nextNumber(date, 0); begin < end; begin, end = nextNumber(date, end) {
		f.parts[canonical(strings.TrimLeft(date[begin:end], "-"), "")] = true
	}
}

func (f *facts) addPreviews(list []wire.Preview) {
	for _, p := range list {
		all := strconv.FormatInt(p.RowCount, 10)
		f.numbers[all] = true
		f.shown = append(f.shown, shown{strconv.Itoa(len(p.Rows)), all})
		if p.RowCap > 0 {
			f.numbers[strconv.FormatInt(p.RowCap, 10)] = true
		}
		for _, c := range p.Columns {
			f.add(c.Name)
		}
		for _, row := range p.Rows {
			for _, v := range row {
				f.addCell(v)
			}
		}
	}
}

// addCell takes a cell. The figures in a text are part of a name: of "Route 66"
// nobody may make 66 of anything. A float may be told without the errors of its
// sum.
func (f *facts) addCell(v wire.Value) {
	switch v.Kind() {
	case wire.KindNull, wire.KindBool:
	case wire.KindInt:
		f.numbers[v.String()] = true
	case wire.KindDecimal:
		f.numbers[canonical(v.String(), "")] = true
	case wire.KindFloat:
		f.addFloat(v)
	case wire.KindDate, wire.KindTimestamp, wire.KindTimestampTZ:
		f.addDate(v.String())
	case wire.KindText, wire.KindUUID, wire.KindBytes:
		f.addText(norm.NFKC.String(v.String()))
	default:
		f.add(v.String())
	}
}

func (f *facts) addFloat(v wire.Value) {
	for _, text := range []string{v.String(), v.Rounded()} {
		if isNumber(text) {
			f.numbers[canonical(text, "")] = true
		} else {
			f.add(text)
		}
	}
}

func (f *facts) addText(text string) {
	switch {
	case !strings.ContainsAny(text, figures):
		// It may hold numbers in words; that is looked at where it is said.
		f.said, f.names = append(f.said, text), append(f.names, text)
	case isNumber(text):
		f.numbers[canonical(text, "")] = true
	case isISODate(text):
		f.addDate(text)
	default:
		f.names = append(f.names, text)
	}
}

// check finds a number of the text that is none of the facts.
func (f *facts) check(text string) error {
	text = f.withoutNames(text)
	dates, text := cutISODates(text)
	for _, date := range dates {
		if !slices.ContainsFunc(f.dates, func(known string) bool { return strings.HasPrefix(known, date) }) {
			return fmt.Errorf("the date %s is not in the result", date)
		}
	}
	dates, text = cutSpokenDates(text)
	for _, date := range dates {
		for _, n := range numbers(date) {
			if !f.parts[n] && !f.numbers[n] {
				return fmt.Errorf("the date %s is not in the result", date)
			}
		}
	}
	for _, n := range numbers(f.withoutShown(text)) {
		if !f.numbers[n] && !(f.parts[n] && year.MatchString(n)) && !f.isShare(n) {
			return fmt.Errorf("the number %s is not in the result", n)
		}
	}
	return nil
}

// isShare reports whether a percentage is one of the numbers, where the question,
// a column or a cell speaks of shares.
func (f *facts) isShare(n string) bool {
	number, percent := strings.CutSuffix(n, "%")
	return percent && f.numbers[number] && slices.ContainsFunc(f.said, share.MatchString)
}

// withoutNames takes out the names that stand in text as they are, longest first.
func (f *facts) withoutNames(text string) string {
	var names []string
	for _, name := range f.names {
		if strings.Contains(text, name) && len(numbers(name)) > 0 {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, name := range names {
		parts := strings.Split(text, name)
		for i := 1; i < len(parts); i++ {
			if runsOn(parts[i-1], parts[i]) {
				// Part of a longer figure or word: it stays.
				parts[i-1] += name + parts[i]
				parts = slices.Delete(parts, i, i+1)
				i--
			}
		}
		text = strings.Join(parts, " ")
	}
	return text
}

// runsOn reports whether what stands between two texts is part of a word.
func runsOn(before, after string) bool {
	return endsInWord(before) || strings.IndexFunc(after, func(r rune) bool { return unicode.IsDigit(r) }) == 0
}

// shownOfAll finds "the first 20" and "20 of 500". Said otherwise, the number of
// the shown rows would pass for that of all.
var shownOfAll = regexp.MustCompile(`(?i)(?:\bfirst|처음) (\d+)\b|\b(\d+) (?:out )?of (?:the )?(\d{1,3}(?:,\d{3})+|\d+)\b`)

// withoutShown takes out how many of the rows a reader sees, where it is said as
// that.
func (f *facts) withoutShown(text string) string {
	if !slices.ContainsFunc(f.shown, func(s shown) bool { return strings.Contains(text, s.rows) }) {
		return text
	}
	return shownOfAll.ReplaceAllStringFunc(text, func(found string) string {
		parts := shownOfAll.FindStringSubmatch(found)
		said := shown{parts[1] + parts[2], strings.ReplaceAll(parts[3], ",", "")}
		if slices.ContainsFunc(f.shown, func(s shown) bool { return said.rows == s.rows && (said.all == "" || said.all == s.all) }) {
			return " "
		}
		return found
	})
}

// share finds words of figures in percent.
var share = regexp.MustCompile(`(?i)%|percent|pct|share|rate\b|ratio|비율|율\b|퍼센트`)

// counter is that of a numbered list.
var counter = regexp.MustCompile(`(?m)^\s*(\d{1,2})[.)]\s`)

// withoutCounters takes out the counters of a numbered list, which state nothing:
// those that count on from 1.
func withoutCounters(content string) string {
	if !strings.ContainsAny(content, figures) {
		return content
	}
	next := 1
	return counter.ReplaceAllStringFunc(content, func(found string) string {
		switch counter.FindStringSubmatch(found)[1] {
		case "1":
			next = 2
		case fmt.Sprint(next):
			next++
		default:
			return found
		}
		return "\n"
	})
}
