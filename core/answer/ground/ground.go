// Package ground checks a text about results against these results: each number,
// date, name and quoted value must be what its clause says of the row or column
// that the clause names, or a derivation that the clause names and that can be
// done over again over rows that were seen.
//
// It reads English and Korean. Of other languages it reads figures, dates and the
// names of rows; see docs/grounding.md for what that leaves unchecked.
package ground

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"querent.dev/querent/sdk/wire"
)

// Evidence is all that a text may speak of.
type Evidence struct {
	// Results are what the writer of the text saw of them.
	Results  []wire.Preview
	Question string
	// Said are texts of the host, such as notes, whose words may be repeated.
	Said []string
	// Verbatim are ids, codes and names of steps, which may stand as they are.
	Verbatim []string
	// Incomplete is set when the results are not the whole of what was asked for:
	// nothing may then be computed over them.
	Incomplete bool
	Language   string // BCP 47
}

// Violation is a part of a text that nothing proves.
type Violation struct {
	Item   string // as it stands in the text
	Clause string // the sentence around it
	Why    string // in plain words
}

// Error names the item, where it stands, and what is wrong with it.
func (v Violation) Error() string {
	return fmt.Sprintf("%q in %q: %s", v.Item, v.Clause, v.Why)
}

// Checker checks texts against one Evidence. It may be used concurrently.
type Checker struct {
	unread       bool // it could not be prepared
	lang         string
	decimalComma bool
	tables       []*table
	phrases      map[string][]*phrase // by the first token
	nouns        map[string]bool      // stems of the question and of column names
	asked        source
	said         []source
	years        []int           // of which the question and the host speak
	known        map[string]bool // folded words that may be written with a capital
	quotable     string          // folded, all that may be quoted
	smallNames   bool            // names of rows are written without capitals
	empty        bool            // there are results, and all are empty
	incomplete   bool
	verbatim     []string
	concepts     map[string]bool // what the nouns stand for
	bools        []boolColumn
	weekdays     []weekdayColumn
	scales       []scale
	dotted       []string                   // names with the end of a sentence in them
	shown        *Checker                   // that knows only the rows that are shown; nil where these are all
	states       func() map[string]bool     // of which the question and the result speak
	asksFirst    func() bool                // the question asks for the first rows of an order
	knowsTime    func() bool                // see tellsMoments
	peopleNamed  func() (apart, other bool) // see namesPeople
	absent       []*phrase                  // values that no row has, of kinds that the columns have
}

// source is a text whose figures and dates may be repeated as it has them.
type source struct {
	text    string
	tokens  []token
	figures []figure
	dates   []dateSpan
}

// New prepares the check of texts about e. What it costs depends on what was seen
// of the results, never on their size. Where the preparation itself fails, every text is
// refused as Unread.
func New(e Evidence) *Checker {
	return orUnread(func() *Checker { return prepare(e) })
}

func prepare(e Evidence) *Checker {
	c := &Checker{
		phrases: map[string][]*phrase{}, nouns: map[string]bool{}, known: map[string]bool{},
		empty: len(e.Results) > 0, incomplete: e.Incomplete,
	}
	c.keepVerbatim(e)
	c.lang, _, _ = strings.Cut(strings.ToLower(e.Language), "-")
	c.decimalComma = slices.Contains([]string{"de", "fr", "es", "it", "pt", "nl", "pl", "ru", "uk", "sv", "da", "nb", "no", "fi", "cs", "sk", "tr", "el", "hu", "ro", "bg", "hr", "sl", "id", "vi"}, c.lang)
	for i, p := range e.Results {
		c.tables = append(c.tables, newTable(p))
		c.tables[i].whole = c.tables[i].whole && !e.Incomplete
		c.addNames(i, p)
		c.empty = c.empty && p.RowCount == 0
	}
	c.asked = c.read(e.Question)
	c.learn(c.asked)
	c.learnLatin(c.asked)
	c.asked = c.read(e.Question) // "more than one order" is a number where orders are known
	c.learnWorths()
	c.learnCountries(c.asked.tokens)
	for _, t := range e.Said {
		s := c.read(t)
		c.said = append(c.said, s)
		c.learn(s)
	}
	c.addAliases(e.Results)
	for _, w := range jobs {
		if c.nouns[w] && c.lang == "en" {
			c.nouns["employee"] = true
		}
	}
	c.concepts = map[string]bool{}
	for w := range c.nouns {
		c.concepts[concept(w)] = true
	}
	for w := range c.known {
		c.concepts[concept(koreanStem(w))] = true
	}
	c.smallNames = c.hasSmallNames()
	if slices.ContainsFunc(kinds, func(k valueKind) bool { return k.values[0][0] == "store manager" && c.asksKind(k) }) {
		c.concepts["employee"] = true // who has a job is one
	}
	c.addWeekdays()
	c.addScales()
	c.states = sync.OnceValue(c.knownStates)
	c.knowsTime, c.peopleNamed = sync.OnceValue(c.tellsMoments), sync.OnceValues(c.namesPeople)
	c.asksFirst = sync.OnceValue(func() bool { return asksTop.MatchString(c.asked.text) })
	c.addAbsent()
	c.addBools()
	c.shown = c.onlyRows()
	return c
}

// jobs are nouns that speak of employees.
var jobs = []string{"salary", "wage", "job", "hire", "cashier", "clerk", "manager", "assistant", "급여", "연봉", "입사", "직책", "직급"}

// read takes a text of the host or the asker apart.
func (c *Checker) read(text string) source {
	text = clean(text)
	s := &sentence{checker: c, text: text, tokens: scan(text), decimalComma: c.decimalComma}
	s.taken = make([]bool, len(s.tokens))
	out := source{text: fold(text), tokens: s.tokens, dates: inOneYear(findDates(text))}
	for _, d := range out.dates {
		at, to := s.tokensOf(d.begin, d.end)
		for ; at < to; at++ {
			s.taken[at] = true
		}
	}
	s.findFigures()
	out.figures = s.figures
	return out
}

// learn takes the words, years and quotable texts of a source.
func (c *Checker) learn(s source) {
	for _, t := range s.tokens {
		if t.kind == word {
			c.known[t.fold] = true
			if !stopWords[t.fold] {
				c.nouns[stem(koreanStem(t.fold))] = true
			}
		}
	}
	for _, d := range s.dates {
		for _, p := range d.readings {
			if p.year != 0 {
				c.years = append(c.years, p.year)
			}
		}
	}
	c.quotable += s.text + "\n"
}

// isNoun reports whether a word is one of the question's or of a column's name.
func (c *Checker) isNoun(w string) bool { return w != "" && c.nouns[stem(w)] }

// What is checked at most: a reader takes in less, and the time grows with the square
// of a sentence.
const (
	maxText     = 64 << 10 // bytes
	maxSentence = 4 << 10  // bytes
)

// Check finds what nothing proves in a text, in the order in which it stands
// there. What a beginning of the text leaves unproved, the text does, too.
func (c *Checker) Check(text string) []Violation {
	return c.guarded(func() []Violation { return c.check(text, nil, nil) })
}

// check finds what nothing proves in a text that goes on after a sentence, if there is one.
func (c *Checker) check(text string, below *told, before *sentence) []Violation {
	if len(text) > maxText {
		return []Violation{{Item: "the text", Clause: "the text", Why: "it is longer than what is checked"}}
	}
	var found []Violation
	last := ""
	var previous, heading *sentence
	named, rows, listed := 0, make([][]int, len(c.tables)), make([][]int, len(c.tables))
	inList := false
	text = c.withoutVerbatim(clean(text))
	cut := saysCut.MatchString(text)
	for _, line := range lines(text) {
		before = continued(before, line)
		if line.item && !inList {
			listed = make([][]int, len(c.tables))
		}
		inList = line.item
		for _, part := range c.sentences(line.text) {
			if len(part) > maxSentence {
				found = append(found, Violation{Item: "the sentence", Clause: strings.ToValidUTF8(part[:40], "") + "…", Why: "it is longer than what is checked"})
				continue
			}
			s := c.seeingBehind(part, last).parse(part, before, line)
			last = part
			s.saysCut, s.earlier, s.earlierRows = cut, named, rows
			s.told, s.last, s.listRows, s.heading = below, previous, listed, heading
			previous = s
			if !line.item {
				heading = s
			}
			found = append(found, s.check()...)
			below.keep(s)
			named += len(s.referents)
			for _, r := range s.referents {
				for i := range rows {
					rows[i] = union(rows[i], r.rows[i])
					if line.item && len(r.rows[i]) == 1 {
						listed[i] = union(listed[i], r.rows[i])
					}
				}
			}
			if len(s.referents) > 0 || before == nil {
				before = s
			}
		}
	}
	return found
}

// saysCut finds the words that say of a count that there may be more.
var saysCut = regexp.MustCompile(`(?i)at least|or more|more than|cut|truncat|stops?\b|limit|incomplete|이상|최소|적어도|제한|잘렸|잘린|잘려|잘림|한도|mindestens|au moins|al menos`)

// keepVerbatim keeps what may stand as it is: the longest first.
func (c *Checker) keepVerbatim(e Evidence) {
	for _, t := range e.Verbatim {
		if t = clean(t); t != "" {
			c.verbatim = append(c.verbatim, t)
		}
	}
	for _, p := range e.Results {
		for _, col := range p.Columns {
			if name := strings.ToLower(col.Name); strings.ContainsAny(name, "0123456789") && !strings.HasSuffix(name, "월") {
				c.verbatim = append(c.verbatim, clean(col.Name))
			}
		}
	}
	slices.SortFunc(c.verbatim, func(a, b string) int { return len(b) - len(a) })
}

// withoutVerbatim takes out what may stand as it is, where it is no part of a word or
// of a number.
func (c *Checker) withoutVerbatim(text string) string {
	for _, v := range c.verbatim {
		for at := 0; at < len(text); {
			i := strings.Index(text[at:], v)
			if i < 0 {
				break
			}
			begin, end := at+i, at+i+len(v)
			at = end
			if begin > 0 && isWordByte(text[begin-1]) || end < len(text) && isWordByte(text[end]) {
				continue
			}
			text = text[:begin] + "it" + text[end:]
			at = begin + len("it")
		}
	}
	return text
}

func isWordByte(b byte) bool { return isDigit(b) || isLetterByte(b) || b == '_' }

// continued is the sentence whose rows a line may go on about: that before it, where
// it stands in a list below a heading, or in the same text.
func continued(before *sentence, l line) *sentence {
	if before == nil || before.line.item && !l.item {
		return nil
	}
	return before
}
