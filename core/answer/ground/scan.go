package ground

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// kind says what a token is.
type kind uint8

const (
	word kind = iota
	number
	mark // punctuation and symbols, one rune each
)

// token is a word, a number in figures or a mark of a text.
type token struct {
	kind       kind
	text       string // as it stands
	fold       string // without case, width, accents and possessive ending
	begin, end int    // bytes of the clean text
	gap        bool   // white space stands before it
	capital    bool
	hangul     bool
}

// clean makes one spelling of the widths, spaces, quotes and digits of a text, so
// that the rest need not know them.
func clean(text string) string {
	if plain(text) {
		return text
	}
	text = norm.NFKC.String(groupSpaces(text))
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		switch {
		case r == '’' || r == '‘' || r == 'ʼ':
			b.WriteByte('\'')
		case strings.ContainsRune("“”„‟«»「」『』〈〉《》‹›", r):
			b.WriteByte('"')
		case r == '−' || r == '‐' || r == '‑':
			b.WriteByte('-')
		case r == '—' || r == '―':
			b.WriteRune('–')
		case r == '〜' || r == '∼' || r == '～':
			b.WriteByte('~')
		case r == '٫':
			b.WriteByte('.')
		case r == '٬':
			b.WriteByte('_')
		case r == '٪':
			b.WriteByte('%')
		case r > unicode.MaxASCII && unicode.IsDigit(r):
			b.WriteByte('0' + digitValue(r))
		case r == '\u200b' || r == '\u00ad' || r == '\ufeff' || r == '\u200d' || r == '\u2060':
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func plain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// digitValue is the value of a decimal digit of any script: they stand in rows of
// ten.
func digitValue(r rune) byte {
	v := byte(0)
	for v < 9 && unicode.IsDigit(r-1-rune(v)) {
		v++
	}
	return v
}

// groupSpaces makes a mark of the fixed spaces between groups of digits, which
// would else become the space between two numbers.
func groupSpaces(text string) string {
	if !strings.ContainsAny(text, "\u00a0\u202f\u2009’") {
		return text
	}
	runes := []rune(text)
	for i := 1; i+3 < len(runes); i++ {
		if strings.ContainsRune("\u00a0\u202f\u2009’", runes[i]) && unicode.IsDigit(runes[i-1]) &&
			unicode.IsDigit(runes[i+1]) && unicode.IsDigit(runes[i+2]) && unicode.IsDigit(runes[i+3]) {
			runes[i] = '_'
		}
	}
	return string(runes)
}

// fold takes case and accents off a word.
func fold(text string) string {
	if plain(text) {
		return strings.ToLower(text)
	}
	if isHangul(text) {
		return text
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(text) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == 'ß':
			b.WriteString("ss")
		case r == 'ł' || r == 'Ł':
			b.WriteByte('l')
		case r == 'ø' || r == 'Ø':
			b.WriteByte('o')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return norm.NFC.String(b.String())
}

func isHangul(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.Is(unicode.Hangul, r)
}

// scan takes a clean text apart.
func scan(text string) []token {
	list := make([]token, 0, len(text)/4+4)
	gap := false
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(r) {
			gap, at = true, at+size
			continue
		}
		t := token{begin: at, gap: gap || at == 0}
		switch {
		case '0' <= r && r <= '9':
			t.kind, t.end = number, at+numberLength(text[at:])
		case unicode.IsLetter(r):
			t.end, t.hangul, t.capital = at+wordLength(text[at:]), unicode.Is(unicode.Hangul, r), unicode.IsUpper(r)
		default:
			t.kind, t.end = mark, at+size
		}
		t.text = text[at:t.end]
		t.fold = t.text
		if t.kind == word {
			t.fold = strings.TrimSuffix(strings.TrimSuffix(fold(t.text), "'s"), "'")
		}
		list, at, gap = append(list, t), t.end, false
	}
	return list
}

// wordLength is how many bytes of letters and marks text begins with: those of
// one alphabet, since Korean endings are glued to words of others.
func wordLength(text string) int {
	first, _ := utf8.DecodeRuneInString(text)
	script := scriptOf(first)
	for i, r := range text {
		switch {
		case unicode.IsLetter(r) && scriptOf(r) == script, unicode.Is(unicode.M, r):
		case r == '\'' && script == nil && i > 1 && i+1 < len(text) && isLetterByte(text[i+1]): // but l'Oréal is two
		default:
			return i
		}
	}
	return len(text)
}

// scriptOf is the script of a letter where scripts stand side by side in one word: in
// Korean and in Japanese; nil for all others.
func scriptOf(r rune) *unicode.RangeTable {
	switch {
	case r < 0x1100:
		return nil
	case r == 'ー', unicode.Is(unicode.Katakana, r):
		return unicode.Katakana
	case unicode.Is(unicode.Hangul, r):
		return unicode.Hangul
	case unicode.Is(unicode.Hiragana, r):
		return unicode.Hiragana
	case unicode.Is(unicode.Han, r):
		return unicode.Han
	}
	return nil
}

func isLetterByte(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// numberLength is how many bytes of digits, grouped and with a fraction or not,
// text begins with.
func numberLength(text string) int {
	end := digits(text)
	for end+1 < len(text) && strings.IndexByte(".,_'", text[end]) >= 0 {
		n := digits(text[end+1:])
		if n == 0 {
			break
		}
		end += 1 + n
	}
	return end + exponentLength(text[end:])
}

// exponentLength is that of "e-09" behind a number.
func exponentLength(text string) int {
	if len(text) < 2 || text[0]|0x20 != 'e' {
		return 0
	}
	at := 1
	if text[at] == '-' || text[at] == '+' {
		at++
	}
	n := digits(text[at:])
	if end := at + n; n > 0 && n <= 3 && (end == len(text) || !isLetterByte(text[end])) {
		return end
	}
	return 0
}

// digits is how many digits text begins with.
func digits(text string) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// stem is the form in which words of English are compared: plural and singular
// are one.
func stem(w string) string {
	switch {
	case len(w) < 4 || !plain(w):
	case w == "movies", w == "cookies", w == "series":
		return w[:len(w)-1]
	case strings.HasSuffix(w, "tuses"), strings.HasSuffix(w, "puses"), strings.HasSuffix(w, "nuses"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}
