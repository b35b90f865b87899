package wire

import (
	"strings"
	"time"
)

// The forms below are those of nearly every cell of a large result. They are told
// without a regular expression and without a time.Time; Parse reads what they do
// not know.

// isDecimal reports whether s is digits with at most one point and a sign.
func isDecimal(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	digits, points := 0, 0
	for i := range len(s) {
		switch {
		case s[i] >= '0' && s[i] <= '9':
			digits++
		case s[i] == '.':
			points++
		default:
			return false
		}
	}
	return digits > 0 && points <= 1
}

// isCanonicalDecimal reports whether a decimal that is not below one in size begins
// and ends as Decimal writes it.
func isCanonicalDecimal(s string) bool {
	first := strings.TrimPrefix(s, "-")[0]
	return first >= '1' && first <= '9' && s[len(s)-1] != '.'
}

const (
	dayLength   = len("2006-01-02")
	clockLength = len("15:04:05")
)

// isDay reports whether s is a day of the calendar in its canonical text.
func isDay(s string) bool {
	if len(s) != dayLength || s[4] != '-' || s[7] != '-' {
		return false
	}
	year, ok1 := number(s[:4])
	month, ok2 := number(s[5:7])
	day, ok3 := number(s[8:])
	if !ok1 || !ok2 || !ok3 || month < 1 || month > 12 || day < 1 {
		return false
	}
	const inEveryMonth = 28
	return day <= inEveryMonth || day <= time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// plainTimestamp is the canonical text of a day and a time with whole seconds or up
// to nine digits behind the point.
func plainTimestamp(s string) (string, bool) {
	if len(s) < dayLength+1+clockLength || s[dayLength] != ' ' && s[dayLength] != 'T' || !isDay(s[:dayLength]) {
		return "", false
	}
	clock, fraction, pointed := strings.Cut(s[dayLength+1:], ".")
	if !isClock(clock) || pointed && !isFraction(fraction) {
		return "", false
	}
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		return s[:dayLength] + "T" + clock + "." + fraction, true
	}
	return s[:dayLength] + "T" + clock, true
}

func isClock(s string) bool {
	if len(s) != clockLength || s[2] != ':' || s[5] != ':' {
		return false
	}
	hour, ok1 := number(s[:2])
	minute, ok2 := number(s[3:5])
	second, ok3 := number(s[6:])
	return ok1 && ok2 && ok3 && hour < 24 && minute < 60 && second < 60
}

func isFraction(s string) bool {
	_, ok := number(s)
	return ok && s != "" && len(s) <= 9
}

// number reads digits alone.
func number(s string) (int, bool) {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}
