package answer

import (
	"math/big"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// number is an optional minus, then digits, perhaps in groups of three, then a
// fraction.
var number = regexp.MustCompile(`[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`)

// scale is what may stand behind a number and makes another of it.
var scale = regexp.MustCompile(`(?i)^(?:\s?%|\s?percent\b|\s?(?:hundred|thousand|million|billion|trillion|dozen)s?\b|(?:k|m|\s?mn|\s?mio|\s?bn)\b|\s?(?:백만|천만|백|천|만|억|조))`)

// scales are the factors of scale. A percentage is a number of its own kind.
var scales = map[string]int64{
	"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12,
	"k": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "bn": 1e9,
	"백": 100, "천": 1e3, "만": 1e4, "백만": 1e6, "천만": 1e7, "억": 1e8, "조": 1e12,
}

// numbers are the numbers in text, in figures and in words, canonically spelled:
// "1,200.50" is 1200.5, "1.3 million" is 1300000, "twenty-four" is 24, "5 percent"
// is 5%. A hyphen between digits or letters is no minus.
func numbers(text string) []string {
	text = norm.NFKC.String(text)
	var out []string
	for _, at := range number.FindAllStringIndex(text, -1) {
		n := canonical(text[at[0]:at[1]], text[:at[0]])
		unit := strings.ToLower(strings.TrimSpace(scale.FindString(text[at[1]:])))
		switch {
		case unit == "":
		case unit == "%" || unit == "percent":
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

// times is a canonical number times a factor, canonically.
func times(n string, factor int64) string {
	r, ok := new(big.Rat).SetString(n)
	if !ok {
		return n
	}
	r.Mul(r, new(big.Rat).SetInt64(factor))
	return canonical(r.FloatString(12), "")
}

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
	last := []rune(before)
	if len(last) == 0 {
		return false
	}
	r := last[len(last)-1]
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
