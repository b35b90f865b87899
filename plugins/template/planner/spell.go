package planner

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// speller writes a table's and a column's name as a question says them.
type speller struct{ table, column func(name string) string }

// spellers are the ways to write names, the plainest first. Quotes tell apart what
// sounds alike, and the whole name tables of two schemas.
var spellers = []speller{
	{func(name string) string { return plain(lastPart(name)) }, plain},
	{func(name string) string { return quoted(lastPart(name)) }, quoted},
	{quoted, quoted},
}

// plain is a name in words, or in quotes where words would lose a part of it.
func plain(name string) string {
	lost := func(r rune) bool { return !wordRune(r) && r != ' ' && r != '-' }
	if text := quoted(name); text != "" && strings.ContainsFunc(name, lost) {
		return text
	}
	return strings.Join(splitName(name), " ")
}

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
