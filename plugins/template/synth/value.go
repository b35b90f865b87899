package synth

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/sdk/wire"
)

// longCell is where a text cell of a table is cut: longer ones push the rest of
// the row off the screen, and the whole text is in the result.
const longCell = 80 // characters

// exact is a cell with its digits, but for those of a float in which the errors
// of sums show. Only texts are cut.
func (w *wording) exact(v wire.Value) string {
	switch v.Kind() {
	case wire.KindNull:
		return w.lang.Word(pack.WordNull)
	case wire.KindBool:
		if v.Bool() {
			return w.lang.Word(pack.WordTrue)
		}
		return w.lang.Word(pack.WordFalse)
	case wire.KindInt, wire.KindDecimal, wire.KindFloat:
		return v.Rounded()
	}
	text := []rune(plain(v.Rounded()))
	if len(text) > longCell {
		return string(text[:longCell]) + "…"
	}
	return string(text)
}

// readable is a cell as it stands in a sentence: numbers in the manner of the
// language.
func (w *wording) readable(v wire.Value) string {
	if v.Kind().Numeric() {
		return formatNumber(w.lang.Tag, v.Rounded())
	}
	return w.exact(v)
}

func (w *wording) count(n int64) pack.Value {
	return pack.Value{Text: formatNumber(w.lang.Tag, strconv.FormatInt(n, 10)), Number: n}
}

// formatNumber groups the digits and sets the decimal sign as the language does.
// It works on the digits: no digit is lost, whatever the precision. What is not
// plain digits (an exponent, NaN) stays as it is.
func formatNumber(lang language.Tag, digits string) string {
	whole, fraction, hasFraction := strings.Cut(digits, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || strings.Trim(fraction, "0123456789") != "" {
		return digits
	}
	p := message.NewPrinter(lang)
	out := p.Sprint(number.Decimal(n))
	if n == 0 && strings.HasPrefix(whole, "-") {
		out = "-" + out
	}
	if hasFraction {
		sample := []rune(p.Sprint(number.Decimal(1.5)))
		out += string(sample[1]) + fraction
	}
	return out
}

// plain is text on one line, without control characters and without those that
// change the direction of what follows.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
}
