package verifiedmatcher

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// word is a word of a question: as it compares, and as it was typed.
type word struct {
	text string // NFC, lower case, without apostrophes
	raw  string // NFC, as typed, without the quotes around it
}

// closing has the quotation marks that hold several words together.
var closing = map[rune]rune{'"': '"', '“': '”', '„': '“', '«': '»', '「': '」'}

// split takes a text apart into words. Punctuation and white space only
// separate, but a sign such as < or % is a word, since it changes what is asked;
// what stands in double quotation marks is one word. A number is a word
// of its own also where a unit follows without a space, as in 2026년.
func split(text string) []word {
	runes := []rune(norm.NFC.String(text))
	var out []word
	for i := 0; i < len(runes); {
		switch end := quoted(runes, i); {
		case end > 0:
			out = append(out, newWord(string(runes[i+1:end])))
			i = end + 1
		case sign(runes, i):
			out = append(out, newWord(string(runes[i])))
			i++
		case !inWord(runes[i]):
			i++
		default:
			from := i
			for i < len(runes) && (inWord(runes[i]) || joins(runes, i)) && (i == from || !parts(runes[i-1], runes[i])) {
				i++
			}
			out = append(out, newWord(string(runes[from:i])))
		}
	}
	return out
}

// apostrophes takes them out of words.
var apostrophes = strings.NewReplacer("'", "", "’", "")

func newWord(raw string) word {
	raw = strings.TrimSpace(raw)
	return word{text: apostrophes.Replace(strings.ToLower(raw)), raw: raw}
}

// quoted is the place of the mark that closes the one at i, or 0.
func quoted(runes []rune, i int) int {
	end, opens := closing[runes[i]]
	if !opens {
		return 0
	}
	for j := i + 1; j < len(runes); j++ {
		if runes[j] == end && j > i+1 {
			return j
		}
	}
	return 0
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// sign reports whether the mark at i changes what is asked: a comparison, a unit,
// or a minus in front of a number.
func sign(runes []rune, i int) bool {
	r := runes[i]
	switch r {
	case '%', '&', '*', '@', '#', '\\':
		return true
	case '`', '^', '´':
		return false
	case '-', '–', '—', '.':
		number := i+1 < len(runes) && unicode.IsDigit(runes[i+1])
		return number && (i == 0 || !inWord(runes[i-1]))
	}
	return unicode.IsSymbol(r)
}

// joins reports whether the mark at i belongs to the word around it: an
// apostrophe between letters, or what dates and decimals have between digits.
func joins(runes []rune, i int) bool {
	if i == 0 || i+1 == len(runes) {
		return false
	}
	before, after := runes[i-1], runes[i+1]
	switch runes[i] {
	case '\'', '’':
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	case '-', '.', '/', ':':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	return false
}

// parts reports whether a word ends between the two.
func parts(before, after rune) bool { return unicode.IsDigit(before) && unspaced(after) }

// unspaced reports whether r is of a script that sets words, or what follows
// them, without spaces.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// stopWords carry no meaning of their own in a question. Words that restrict,
// negate, compare or aggregate are not among them.
var stopWords = setOf("a an the of in on for do does did we have has is are was were there please show list give tell " +
	"me what which how our i can could you whats")

// sameWords are words that mean the same in a question.
var sameWords = map[string]string{"per": "by", "each": "by", "every": "by"}

func setOf(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// content is the words that carry the meaning, in order.
func content(words []word) []string {
	var out []string
	shouted := !slices.ContainsFunc(words, func(w word) bool { return w.raw != strings.ToUpper(w.raw) })
	for _, w := range words {
		if stopWords[w.text] && (shouted || !abbreviation(w.raw)) {
			continue
		}
		if same, ok := sameWords[w.text]; ok {
			w.text = same
		}
		out = append(out, w.text)
	}
	return out
}

// abbreviation reports whether a word in capitals may be short for a name, as IN
// is for Indiana.
func abbreviation(raw string) bool {
	return len(raw) > 1 && raw == strings.ToUpper(raw) && raw != strings.ToLower(raw)
}

// stem takes the plural off an English word; words of other languages compare as
// they are.
func stem(w string) string {
	switch {
	case len(w) < 4 || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies"):
		return strings.TrimSuffix(w, "ies") + "y"
	case strings.HasSuffix(w, "sses"):
		return strings.TrimSuffix(w, "es")
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		return strings.TrimSuffix(w, "s")
	}
	return w
}
