package pack

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Sentence is what the host says in English, in a pack's language. {1} to {9}
// stand for what differs from case to case, as a name or a number.
type Sentence struct {
	english *regexp.Regexp // nil: it stands for itself alone
	own     string
}

// slot is where a sentence differs from case to case.
var slot = regexp.MustCompile(`\{[1-9]\}`)

// parseSentence makes a Sentence of its English and its own words, each of whose
// slots must be in the English once.
func parseSentence(english, own string) (Sentence, error) {
	if own == "" {
		return Sentence{}, errors.New("the sentence is empty")
	}
	slots := slot.FindAllString(english, -1)
	for i, name := range slots {
		if slices.Contains(slots[:i], name) {
			return Sentence{}, fmt.Errorf("%s stands in the English twice", name)
		}
	}
	for _, name := range slot.FindAllString(own, -1) {
		if !slices.Contains(slots, name) {
			return Sentence{}, fmt.Errorf("%s is not in the English", name)
		}
	}
	if len(slots) == 0 {
		return Sentence{own: own}, nil
	}
	var form strings.Builder
	rest := english
	for _, name := range slots {
		before, after, _ := strings.Cut(rest, name)
		form.WriteString(regexp.QuoteMeta(before) + "(?P<s" + name[1:2] + ">.+?)")
		rest = after
	}
	form.WriteString(regexp.QuoteMeta(rest))
	return Sentence{english: regexp.MustCompile("^(?s:" + form.String() + ")$"), own: own}, nil
}

// say is the sentence for an English text of its form, with inside of what stands in
// the slots.
func (s Sentence) say(text string, inside func(string) string) (string, bool) {
	if s.english == nil {
		return "", false
	}
	found := s.english.FindStringSubmatch(text)
	if found == nil {
		return "", false
	}
	return slot.ReplaceAllStringFunc(s.own, func(name string) string {
		return inside(found[s.english.SubexpIndex("s"+name[1:2])])
	}), true
}
