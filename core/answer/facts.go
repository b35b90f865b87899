package answer

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/unicode/norm"

	"querent.dev/querent/sdk/wire"
)

// facts are the figures that a text may hold.
type facts struct {
	numbers map[string]bool // canonically spelled
	dates   []string        // as ISO 8601
	parts   map[string]bool // the numbers in dates, which count nothing
	names   []string        // texts with figures in them, which count nothing
	// shown finds how many of the rows a reader sees, where it is said as that.
	shown []*regexp.Regexp
	// percent is set when the question or a column speaks of shares.
	percent bool
}

func newFacts() *facts {
	return &facts{numbers: map[string]bool{}, parts: map[string]bool{}}
}

// add takes the figures of texts.
func (f *facts) add(texts ...string) {
	for _, text := range texts {
		text = norm.NFKC.String(text)
		f.percent = f.percent || share.MatchString(text)
		for _, date := range isoDate.FindAllString(text, -1) {
			f.addDate(date)
		}
		for _, n := range numbers(isoDate.ReplaceAllString(text, " ")) {
			f.numbers[n] = true
		}
	}
}

func (f *facts) addDate(date string) {
	f.dates = append(f.dates, date)
	for _, n := range numbers(strings.NewReplacer("-", " ", ":", " ", "T", " ").Replace(date)) {
		f.parts[n] = true
	}
}

func (f *facts) addPreviews(list []wire.Preview) {
	for _, p := range list {
		f.add(fmt.Sprint(p.RowCount))
		if p.RowCap > 0 {
			f.add(fmt.Sprint(p.RowCap))
		}
		f.shown = append(f.shown, shownOf(len(p.Rows), p.RowCount))
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
// nobody may make 66 of anything.
func (f *facts) addCell(v wire.Value) {
	text := norm.NFKC.String(v.String())
	switch v.Kind() {
	case wire.KindText, wire.KindUUID, wire.KindBytes:
		if len(numbers(text)) > 0 && number.FindString(text) != text && isoDate.FindString(text) != text {
			f.names = append(f.names, text)
			return
		}
	}
	f.add(text)
}

// check finds a number of the text that is none of the facts.
func (f *facts) check(r wire.AggregatedResponse) error {
	for _, text := range append([]string{r.Summary, withoutCounters(r.Content)}, r.Warnings...) {
		if err := f.checkText(norm.NFKC.String(text)); err != nil {
			return err
		}
	}
	return nil
}

func (f *facts) checkText(text string) error {
	if strings.ContainsFunc(text, foreignDigit) || foreignWords.MatchString(text) {
		return errors.New("the text holds numbers of a script that cannot be checked")
	}
	text = f.withoutNames(text)
	for _, date := range isoDate.FindAllString(text, -1) {
		if !slices.ContainsFunc(f.dates, func(known string) bool { return strings.HasPrefix(known, date) }) {
			return fmt.Errorf("the date %s is not in the result", date)
		}
	}
	text = isoDate.ReplaceAllString(text, " ")
	for _, date := range spokenDate.FindAllString(text, -1) {
		for _, n := range numbers(date) {
			if !f.parts[n] && !f.numbers[n] {
				return fmt.Errorf("the date %s is not in the result", date)
			}
		}
	}
	text = spokenDate.ReplaceAllString(text, " ")
	for _, shown := range f.shown {
		text = shown.ReplaceAllString(text, " ")
	}
	for _, n := range numbers(text) {
		if f.percent {
			n = strings.TrimSuffix(n, "%")
		}
		if !f.numbers[n] && !(f.parts[n] && year.MatchString(n)) {
			return fmt.Errorf("the number %s is not in the result", n)
		}
	}
	return nil
}

// withoutNames takes out the names that stand in text as they are, longest first.
func (f *facts) withoutNames(text string) string {
	names := slices.Clone(f.names)
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, name := range names {
		parts := strings.Split(text, name)
		for i := 1; i < len(parts); i++ {
			if name == "" || runsOn(parts[i-1], parts[i]) {
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

// shownOf finds "the first 20" and "20 of 500". Said otherwise, the number of the
// shown rows would pass for that of all.
func shownOf(shown int, all int64) *regexp.Regexp {
	grouped := message.NewPrinter(language.English).Sprintf("%d", all)
	return regexp.MustCompile(fmt.Sprintf(`(?i)(?:\bfirst|처음) %d\b|\b%d (?:out )?of (?:the )?(?:%d|%s)\b`, shown, shown, all, grouped))
}

func foreignDigit(r rune) bool { return r > unicode.MaxASCII && unicode.IsNumber(r) }

// share finds words of figures in percent.
var share = regexp.MustCompile(`(?i)%|percent|pct|share|rate\b|ratio|비율|율\b|퍼센트`)

var (
	isoDate = regexp.MustCompile(`\b\d{4}-\d{2}(?:-\d{2})?(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?\b`)
	// spokenDate is a day, a month or a time of day as people write it.
	spokenDate = regexp.MustCompile(`(?i)\b(?:` + monthNames + `)\.? \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4}\b)?|` +
		`\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:` + monthNames + `)\b(?:,? \d{4}\b)?|` +
		`\b\d{1,2}:\d{2}(?::\d{2})?\b|\b\d{1,4}/\d{1,2}/\d{1,4}\b|\d{4}년|\d{1,2}월|\d{1,2}일`)
	year = regexp.MustCompile(`^(19|20|21)\d\d$`)
)

const monthNames = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"

// counter is that of a numbered list.
var counter = regexp.MustCompile(`(?m)^\s*(\d{1,2})[.)]\s`)

// withoutCounters takes out the counters of a numbered list, which state nothing:
// those that count on from 1.
func withoutCounters(content string) string {
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
