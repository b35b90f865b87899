package pack

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Set is the wording of every language. It is read-only after NewSet.
type Set struct {
	languages []*Language
	matcher   language.Matcher
}

// Language is the wording of one language: the packs of it, laid over each other.
type Language struct {
	Tag       language.Tag
	words     map[Word]string
	more      *Text
	templates []*Template
	phrases   map[Key]Phrase
	sentences map[string]Sentence
	forms     []string // the English of the sentences with slots, the longest first

	last *Pack // the one that was laid over the others
}

// NewSet lays packs over each other, later over earlier: a template replaces the
// one of the same id, a word or phrase the one before. The first pack's language
// is spoken to those whose own is not there. Every language must be complete.
func NewSet(packs []*Pack) (*Set, error) {
	if len(packs) == 0 {
		return nil, errors.New("there is no template pack")
	}
	s := &Set{}
	for _, p := range packs {
		s.language(p.Language).add(p)
	}
	var problems Problems
	tags := make([]language.Tag, len(s.languages))
	for i, l := range s.languages {
		tags[i] = l.Tag
		problems = append(problems, l.problems()...)
	}
	s.matcher = language.NewMatcher(tags)
	return s, problems.err()
}

// Language is the wording for a BCP 47 tag.
func (s *Set) Language(tag string) *Language {
	wanted, _, err := language.ParseAcceptLanguage(tag)
	if err != nil {
		return s.languages[0]
	}
	_, i, _ := s.matcher.Match(wanted...)
	return s.languages[i]
}

// Languages lists the wordings, in the order of their packs.
func (s *Set) Languages() []*Language { return slices.Clone(s.languages) }

func (s *Set) language(tag language.Tag) *Language {
	for _, l := range s.languages {
		if l.Tag == tag {
			return l
		}
	}
	l := &Language{Tag: tag, words: map[Word]string{}, phrases: map[Key]Phrase{}, sentences: map[string]Sentence{}}
	s.languages = append(s.languages, l)
	return l
}

func (l *Language) add(p *Pack) {
	l.last = p
	for w, text := range p.Words {
		l.words[w] = text
	}
	for key, phrase := range p.Phrases {
		l.phrases[key] = phrase
	}
	maps.Copy(l.sentences, p.Sentences)
	l.forms = slices.DeleteFunc(sorted(l.sentences), func(key string) bool { return l.sentences[key].english == nil })
	slices.SortStableFunc(l.forms, func(a, b string) int { return len(b) - len(a) })
	for _, t := range p.Templates {
		l.templates = slices.DeleteFunc(l.templates, func(old *Template) bool { return old.name == t.name })
		l.templates = append(l.templates, t)
	}
}

// File is the file of the last of the language's packs.
func (l *Language) File() string { return l.last.File }

// Word is the word in this language.
func (l *Language) Word(w Word) string { return l.words[w] }

// More is the line behind rows that go on.
func (l *Language) More(v Values) string { return l.more.Render(v, l.Tag) }

// Phrase is the wording of a row of the table of reasons.
func (l *Language) Phrase(k Key) (Phrase, bool) {
	p, ok := l.phrases[k]
	return p, ok
}

// Sentence is what the host says in English in this language, or as it is. What
// stands behind a colon is the question's own and stays.
func (l *Language) Sentence(english string) string {
	if s, ok := l.sentences[english]; ok {
		return s.own
	}
	for _, key := range l.forms {
		if own, ok := l.sentences[key].say(english, l.inside); ok {
			return own
		}
	}
	if head, rest, found := strings.Cut(english, ": "); found {
		if s, ok := l.sentences[head]; ok {
			return s.own + ": " + rest
		}
	}
	return english
}

// inside is what stands in a slot in this language: the cause of a failure by its
// phrase, a whole number as the language writes it, and else a sentence of its own: it
// is shorter than what it stands in.
func (l *Language) inside(english string) string {
	for _, row := range reason.Rows() {
		if phrase, ok := l.phrases[Key{row.Code, row.Reason}]; ok && row.SafeMessage == english {
			return phrase.Says
		}
	}
	if number.MatchString(english) {
		if n, err := strconv.ParseInt(strings.ReplaceAll(english, ",", ""), 10, 64); err == nil {
			return FormatNumber(l.Tag, strconv.FormatInt(n, 10))
		}
	}
	return l.Sentence(english)
}

// number is a whole number as English writes it, with a comma at each thousand.
var number = regexp.MustCompile(`^\d{1,3}(,\d{3})+$`)

// Find is the template made for the facts: the one with the most conditions, and
// of several such the last. It is nil when none fits.
func (l *Language) Find(f Facts) *Template {
	var best *Template
	most := -1
	for _, t := range l.templates {
		if n, ok := t.when.match(f); ok && n >= most {
			best, most = t, n
		}
	}
	return best
}

// problems names what the language lacks, in the file of its last pack.
func (l *Language) problems() Problems {
	var out Problems
	lacks := func(format string, args ...any) {
		out = append(out, Problem{File: l.last.File, Line: l.last.line, Message: fmt.Sprintf("the language %s lacks "+format, append([]any{l.Tag}, args...)...)})
	}
	for _, w := range Words() {
		if l.words[w] == "" {
			lacks("the word %q", w)
		}
	}
	var err error
	if l.more, err = ParseText(l.words[WordMore]); err != nil {
		out = append(out, Problem{File: l.last.File, Line: l.last.line, Message: fmt.Sprintf("the language %s: word more: %v", l.Tag, err)})
	}
	for _, row := range reason.Rows() {
		if _, ok := l.phrases[Key{row.Code, row.Reason}]; !ok {
			lacks("a phrase for %s/%s", row.Code, row.Reason)
		}
		for _, kind := range wire.OutcomeKinds() {
			if l.Find(Facts{Outcome: kind, Shape: ShapeNone, Code: row.Code, Reason: row.Reason}) == nil {
				lacks("a template for %s with %s/%s", kind, row.Code, row.Reason)
			}
		}
	}
	for _, kind := range wire.OutcomeKinds() {
		for _, shape := range Shapes() {
			if l.Find(Facts{Outcome: kind, Shape: shape}) == nil {
				lacks("a template for %s with shape %s", kind, shape)
			}
		}
	}
	return out
}
