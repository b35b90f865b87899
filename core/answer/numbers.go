package answer

import (
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// scale is what may stand behind a number and makes another of it.
var scale = regexp.MustCompile(`(?i)^(?:\s?%|\s?percent\b|\s?(?:hundred|thousand|million|billion|trillion|dozen)s?\b|(?:k|m|\s?mn|\s?mio|\s?bn)\b|\s?(?:백만|천만|백|천|만|억|조))`)

// scales are the factors of scale. A percentage is a number of its own kind.
var scales = map[string]int64{
	"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12,
	"k": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "bn": 1e9,
	"백": 100, "천": 1e3, "만": 1e4, "백만": 1e6, "천만": 1e7, "억": 1e8, "조": 1e12,
}

const figures = "0123456789"

// numbers are the numbers in text, in figures and in words, canonically spelled:
// "1,200.50" is 1200.5, "1.3 million" is 1300000, "twenty-four" is 24, "5 percent"
// is 5%. A hyphen between digits or letters is no minus.
func numbers(text string) []string {
	text = norm.NFKC.String(text)
	var out []string
	for begin, end := nextNumber(text, 0); begin < end; begin, end = nextNumber(text, end) {
		n := canonical(text[begin:end], text[:begin])
		switch unit := scaleOf(text[end:]); unit {
		case "":
		case "%", "percent":
			n += "%"
		default:
			if factor, ok := scales[strings.TrimSuffix(unit, "s")]; ok {
				n = times(n, factor)
			}
		}
		out = append(out, n)
	}
	return append(out, spokenNumbers(text)...)
}

// nextNumber finds a number in figures at or after from: an optional minus, then
// digits, perhaps in groups of three, then a fraction. Without one both places are
// the same.
func nextNumber(text string, from int) (begin, end int) {
	first := strings.IndexAny(text[from:], figures)
	if first < 0 {
		return len(text), len(text)
	}
	begin = from + first
	end = begin + digitsAt(text[begin:])
	if end-begin <= 3 {
		for end < len(text) && text[end] == ',' && digitsAt(text[end+1:]) >= 3 {
			end += 4
		}
	}
	if end < len(text) && text[end] == '.' {
		if n := digitsAt(text[end+1:]); n > 0 {
			end += 1 + n
		}
	}
	if sign, size := utf8.DecodeLastRuneInString(text[from:begin]); sign == '-' || sign == '−' {
		begin -= size
	}
	return begin, end
}

// isNumber reports whether text is one number in figures and nothing else.
func isNumber(text string) bool {
	begin, end := nextNumber(text, 0)
	return begin == 0 && begin < end && end == len(text)
}

// digitsAt is how many digits text begins with.
func digitsAt(text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// scaleOf is the scale with which text begins, in lower case, or "".
func scaleOf(text string) string {
	next := strings.TrimLeft(text, " \t\n\f\r")
	if next == "" || next[0] < utf8.RuneSelf && !strings.ContainsRune("%phtmbdkPHTMBDK", rune(next[0])) {
		return ""
	}
	return strings.ToLower(strings.TrimSpace(scale.FindString(text)))
}

// times is a canonical number times a factor, canonically.
func times(n string, factor int64) string {
	r, ok := new(big.Rat).SetString(n)
	if !ok {
		return n
	}
	r.Mul(r, new(big.Rat).SetInt64(factor))
	return canonical(r.FloatString(12), "")
}

// canonical spells a number that stands behind before.
func canonical(n, before string) string {
	digits := strings.TrimLeft(n, "-−")
	negative := digits != n && !endsInWord(before)
	digits = strings.ReplaceAll(digits, ",", "")
	whole, fraction, _ := strings.Cut(digits, ".")
	whole = strings.TrimLeft(whole, "0")
	fraction = strings.TrimRight(fraction, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if negative && whole != "0" {
		return "-" + whole
	}
	return whole
}

func endsInWord(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
