package planner

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// speller writes names as a question says them.
type speller func(name string) string

// spellers are the ways to write a name, the plainest first: its words, where
// they lead back to it alone, else the name as it is, in quotes.
var spellers = []speller{
	spoken,
	func(name string) string { return quoted(lastPart(name)) },
	quoted,
}

// spoken is a name as people write it.
func spoken(name string) string { return strings.Join(splitName(lastPart(name)), " ") }

// nameQuotes are pairs of quotes, the most usual first.
var nameQuotes = []string{`""`, `''`, "“”", "«»"}

// quoted is text in quotes that do not occur in it; "" when there are none, or
// when the text would not be read as it is written.
func quoted(text string) string {
	if text == "" || strings.ContainsFunc(text, unseen) {
		return ""
	}
	for _, pair := range nameQuotes {
		if !strings.ContainsAny(text, pair) {
			quotes := []rune(pair)
			return string(quotes[0]) + norm.NFC.String(text) + string(quotes[1])
		}
	}
	return ""
}

// joiner makes one sign of several, as in pictures of families.
const joiner = '\u200d'

// unseen reports whether a character does not show as itself.
func unseen(r rune) bool { return !unicode.IsPrint(r) && r != joiner }

// plural is the plural of a name, or the name where ours would not lead back.
func plural(name string) string {
	lower := strings.ToLower(name)
	last := lower[strings.LastIndexByte(lower, ' ')+1:]
	if end, _ := utf8.DecodeLastRuneInString(last); stem(last) != last || hangul(last) || len(last) < 3 || !wordRune(end) {
		return name
	}
	for _, ending := range []string{"s", "es"} {
		if stem(last+ending) == last {
			return name + ending
		}
	}
	if base, ok := strings.CutSuffix(name, "y"); ok {
		return base + "ies"
	}
	return name
}
