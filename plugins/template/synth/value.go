package synth

import (
	"strconv"
	"strings"
	"unicode"

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
		return pack.FormatNumber(w.lang.Tag, v.Rounded())
	}
	return w.exact(v)
}

func (w *wording) count(n int64) pack.Value {
	return pack.Value{Text: pack.FormatNumber(w.lang.Tag, strconv.FormatInt(n, 10)), Number: n}
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
