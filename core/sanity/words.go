package sanity

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// words are the sentences of the notes in a language.
type words struct {
	missing   string // of a table, a column and a value
	otherCase string // of how the value is written
	near      string // of values
	blank     string // of a column
	blankCut  string // of a column, where not all rows were read
	or        string // before the last of several values
}

var (
	english = words{
		missing:   "There is no %[1]s with %[2]s %[3]s.",
		otherCase: "It is written %s.",
		near:      "Did you mean %s?",
		blank:     "The column %s has no value in any row.",
		blankCut:  "The column %s has no value in any of the rows that were read.",
		or:        " or ",
	}
	korean = words{
		missing:   "%[1]s에 %[2]s 값이 %[3]s인 행이 없습니다.",
		otherCase: "다음과 같이 적혀 있습니다: %s.",
		near:      "비슷한 값: %s.",
		blank:     "%s 열은 모든 행에서 값이 비어 있습니다.",
		blankCut:  "%s 열은 읽은 모든 행에서 값이 비어 있습니다.",
		or:        ", ",
	}
)

// wordsFor are the words of a BCP 47 language.
func wordsFor(tag string) words {
	if base, _ := language.Make(tag).Base(); base.String() == "ko" {
		return korean
	}
	return english
}

// notFound says that the column has no such value, and what it has instead.
func (w words) notFound(d demand, near []string, cat *schema.Catalog) wire.Note {
	table := cat.PlanName(d.column.Table)
	text := fmt.Sprintf(w.missing, clip(table), clip(d.column.Name), shown(d.value))
	detail := map[string]string{"table": table, "column": d.column.Name, "value": clip(d.value)}
	switch {
	case len(near) == 0:
	case strings.EqualFold(near[0], d.value):
		text += " " + fmt.Sprintf(w.otherCase, shown(near[0]))
	default:
		text += " " + fmt.Sprintf(w.near, w.either(near))
	}
	if len(near) > 0 {
		detail["suggestion"] = clip(near[0])
	}
	return wire.Note{Code: reason.ValueNotFound, Message: text, Detail: detail}
}

func (w words) either(values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = shown(v)
	}
	last := len(out) - 1
	if last == 0 {
		return out[0]
	}
	return strings.Join(out[:last], ", ") + w.or + out[last]
}

// noValue says that the column of the result has no value.
func (w words) noValue(label string, cut bool) wire.Note {
	text := w.blank
	if cut {
		text = w.blankCut
	}
	return wire.Note{
		Code: reason.AllNullColumn, Message: fmt.Sprintf(text, shown(label)),
		Detail: map[string]string{"column": clip(label)},
	}
}

// maxShown bounds what a note repeats, in characters: enough to recognise a value,
// too little to flood a prompt.
const maxShown = 60

func shown(s string) string { return "'" + clip(s) + "'" }

// clip makes a text one short line.
func clip(s string) string {
	runes := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			return '\ufffd'
		}
		return r
	}, s))
	if len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return string(runes)
}
