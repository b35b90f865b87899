package answer

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words are English numbers. "One" alone is left out, since it mostly counts
// nothing ("one of them"), and so are "quarter" and "third", which name periods
// and ranks.
var words = map[string]int64{
	"zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	"twice": 2, "double": 2, "doubled": 2, "triple": 3, "tripled": 3, "dozen": 12,
}

// powers are the English words that multiply what stands before them.
var powers = map[string]int64{"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}

// korean are the native Korean numbers in front of what they count.
var korean = map[string]string{"두": "2", "세": "3", "네": "4", "다섯": "5", "여섯": "6", "일곱": "7", "여덟": "8", "아홉": "9", "열": "10", "스무": "20"}

const koreanCounters = `\s?(?:명|개|건|곳|대|가지|나라|국가|배)`

var (
	koreanNumber = regexp.MustCompile(`(?:^|[^\p{Hangul}])(두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무)` + koreanCounters)
	// foreignWords are numbers in Korean and Chinese characters that are not read.
	foreignWords = regexp.MustCompile(`(?:^|[^\p{Hangul}\d])[일이삼사오육칠팔구]?[십백천만억조][일이삼사오육칠팔구십백천만억조]*` + koreanCounters +
		`|[一二三四五六七八九十百千万億亿]+(?:人|个|個|件|名|次|円|元|％|%)`)
)

// foreignMarks are the characters of which every one of foreignWords has one.
const foreignMarks = "십백천만억조一二三四五六七八九十百千万億亿"

func hasForeignWords(text string) bool {
	return strings.ContainsAny(text, foreignMarks) && foreignWords.MatchString(text)
}

// koreanDigits begin every number of koreanNumber.
const koreanDigits = "두세네다여일아열스"

// spokenNumbers are the numbers in words, as far as they are read.
func spokenNumbers(text string) []string {
	var out []string
	if !ascii(text) && strings.ContainsAny(text, koreanDigits) {
		for _, found := range koreanNumber.FindAllStringSubmatch(text, -1) {
			out = append(out, korean[found[1]])
		}
	}
	var n spoken
	for rest := strings.TrimLeftFunc(text, betweenWords); rest != ""; rest = strings.TrimLeftFunc(rest, betweenWords) {
		end := strings.IndexFunc(rest, betweenWords)
		if end < 0 {
			end = len(rest)
		}
		word := strings.Trim(rest[:end], ".,")
		if !n.take(word) || len(word) != end {
			out = append(out, n.end()...)
		}
		rest = rest[end:]
	}
	return append(out, n.end()...)
}

// betweenWords reports whether r separates words. Points and commas may be part
// of a number, and end one when they are not.
func betweenWords(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != ','
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// spoken is a number in words that is being read.
type spoken struct {
	total, group int64
	begun, and   bool
	figure       bool // the word before is a number in figures, which takes its scale itself
}

// longestNumber is the length of the longest word that is part of a number.
const longestNumber = len("thousands")

// beginsNumber are the first letters of words and powers, in both cases.
const beginsNumber = "zZtTfFsSeEnNdDhHmMbB"

// take reads a word; it is false when the word is no part of the number.
func (s *spoken) take(word string) bool {
	afterFigure := s.figure
	s.figure = strings.ContainsAny(word, figures)
	if word == "" || len(word) > longestNumber || !s.begun && strings.IndexByte(beginsNumber, word[0]) < 0 {
		return false
	}
	word = strings.ToLower(word)
	value, small := words[word]
	power, large := powers[strings.TrimSuffix(word, "s")]
	switch {
	case small:
		s.group += value
	case large && afterFigure:
		return false
	case large && power == 100:
		s.group = max(1, s.group) * power
	case large:
		s.total += max(1, s.group) * power
		s.group = 0
	case word == "one" && s.begun:
		s.group++
	case word == "and" && s.begun && !s.and:
		s.and = true
		return true
	default:
		return false
	}
	s.begun, s.and = true, false
	return true
}

// end is the number that was read, if there was one.
func (s *spoken) end() []string {
	if !s.begun {
		return nil
	}
	n := s.total + s.group
	*s = spoken{figure: s.figure}
	return []string{strconv.FormatInt(n, 10)}
}
