package planner

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// tokenKind is the kind of a token of a question.
type tokenKind uint8

const (
	wordToken tokenKind = iota
	numberToken
	periodToken // 2025-03, 2025-03-15, 2025-Q1
	quotedToken
	commaToken
	symbolToken
	particleToken // a Korean particle, or the 's of a possessive
)

// token is a piece of a question that must be accounted for.
type token struct {
	kind tokenKind
	text string // as it was asked
	word string // in lower case
	stem string // without its plural
	// final is set for the quoted text with which the question ends: a full stop
	// inside it may be the question's own.
	final bool
	// exact is set for a quoted text that is the name of something to the letter.
	exact bool
}

func newWord(text string) token {
	word := strings.ToLower(text)
	return token{kind: wordToken, text: text, word: word, stem: stem(word)}
}

// closers are the quotes that open a value, with those that close it.
var closers = map[rune]rune{'\'': '\'', '"': '"', '“': '”', '‘': '’', '「': '」', '『': '』', '«': '»', '`': '`'}

// silent are the marks that carry no meaning between words.
const silent = "?!.;:()[]？。！、…-–—¿¡"

var (
	periodForm = regexp.MustCompile(`^\d{4}-(\d{2}(-\d{2})?|[Qq][1-4])`)
	numberForm = regexp.MustCompile(`^-?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?`)
	symbolForm = regexp.MustCompile(`^([<>]=?|=)`)
)

// tokenize cuts a question into tokens. Every character that could carry a
// meaning ends up in one.
func tokenize(question string) []token {
	question = norm.NFC.String(question)
	var out []token
	for at := 0; at < len(question); {
		r, size := utf8.DecodeRuneInString(question[at:])
		rest := question[at:]
		switch {
		case unicode.IsSpace(r):
			at += size
		case r == ',' || r == '，':
			out = append(out, token{kind: commaToken, text: ","})
			at += size
		case possessive(rest, out, question, at):
			out = append(out, token{kind: particleToken, text: "'s", word: "'s"})
			at += size + 1
		case closers[r] != 0 && strings.ContainsRune(rest[size:], closers[r]):
			value, after, _ := strings.Cut(rest[size:], string(closers[r]))
			out = append(out, token{kind: quotedToken, text: value, final: strings.TrimSpace(after) == ""})
			at = len(question) - len(after)
		case wordRune(r) && !unicode.IsDigit(r):
			word := rest[:len(rest)-len(strings.TrimLeftFunc(rest, wordRune))]
			for _, part := range splitName(word) {
				out = append(out, newWord(part))
			}
			at += len(word)
		case periodForm.MatchString(rest):
			at += appendMatch(&out, periodToken, periodForm.FindString(rest))
		case numberForm.MatchString(rest):
			at += appendMatch(&out, numberToken, numberForm.FindString(rest))
		case symbolForm.MatchString(rest):
			at += appendMatch(&out, symbolToken, symbolForm.FindString(rest))
		case (strings.ContainsRune(silent, r) || closers[r] != 0 || r == '’' || r == '”') && !changesNext(r, rest[size:]):
			at += size
		default:
			at += appendMatch(&out, symbolToken, rest[:size])
		}
	}
	return out
}

// changesNext reports whether a mark says something about what follows it: !=
// and !x deny it, .5 is a fraction, and a dash before a number may be a minus.
func changesNext(mark rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	value, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " ."))
	switch mark {
	case '!':
		return value == '=' || wordRune(next) || closers[next] != 0
	case '.', '-', '–', '—':
		return unicode.IsDigit(value)
	}
	return false
}

// possessive reports whether rest is the 's that follows a word.
func possessive(rest string, before []token, question string, at int) bool {
	if at == 0 || len(before) == 0 || !(strings.HasPrefix(rest, "'s") || strings.HasPrefix(rest, "’s")) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(question[:at])
	_, mark := utf8.DecodeRuneInString(rest)
	next, _ := utf8.DecodeRuneInString(rest[mark+1:])
	return unicode.IsLetter(last) && !wordRune(next)
}

func appendMatch(out *[]token, kind tokenKind, text string) int {
	*out = append(*out, token{kind: kind, text: text, word: strings.ToLower(text)})
	return len(text)
}

func wordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

// splitName cuts a name into its words: at underscores and other marks, where
// small letters turn to capitals, and between Hangul and other scripts.
func splitName(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, string(word))
			word = nil
		}
	}
	for _, r := range norm.NFC.String(name) {
		if r == '_' || !wordRune(r) {
			flush()
			continue
		}
		if n := len(word); n > 0 && boundary(word[n-1], r) {
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

func boundary(a, b rune) bool {
	return unicode.IsLower(a) && unicode.IsUpper(b) || unicode.Is(unicode.Hangul, a) != unicode.Is(unicode.Hangul, b)
}

// stems are the words of a name without their plurals.
func stems(name string) []string {
	words := splitName(name)
	for i, w := range words {
		words[i] = stem(strings.ToLower(w))
	}
	return words
}

// irregular are the plurals that no ending shows.
var irregular = map[string]string{
	"people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot", "mice": "mouse",
}

// stem is an English word without its plural. It need not be a word: it only has
// to be the same for both numbers of a word and different for different words.
func stem(word string) string {
	if one, ok := irregular[word]; ok {
		return one
	}
	n := len(word)
	switch {
	case n <= 3 || !strings.HasSuffix(word, "s"):
		return word
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"):
		return word
	case strings.HasSuffix(word, "ies") && n > 4:
		return word[:n-3] + "y"
	case endsInAny(word, "ches", "shes", "sses", "xes", "zzes"):
		return word[:n-2]
	}
	return word[:n-1]
}

func endsInAny(word string, endings ...string) bool {
	for _, e := range endings {
		if strings.HasSuffix(word, e) {
			return true
		}
	}
	return false
}
