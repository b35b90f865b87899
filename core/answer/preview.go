package answer

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"querent.dev/querent/sdk/wire"
)

// Limits bound a preview. A zero field is no limit.
type Limits struct {
	Rows  int // rows
	Chars int // characters of the preview as JSON
}

// fewColumns is how many columns projection leaves: as many as a reader takes in.
const fewColumns = 8

// cellLengths are the lengths to which text cells are cut, in characters, until
// the preview fits: from a sentence to a word.
var cellLengths = []int{400, 200, 100, 50, 24}

// Preview is the part of a result that a synthesizer sees: the first rows, made
// to fit the character limit by leaving out columns, then by cutting long texts,
// then by leaving out rows. Numbers, dates and identifiers are never cut. Any cut
// sets Partial, as do rows that p lacks itself. p is not changed.
func Preview(p wire.Preview, l Limits) wire.Preview {
	out := p
	out.Rows, out.Columns = orEmpty(slices.Clone(p.Rows)), orEmpty(p.Columns)
	if l.Rows > 0 && len(out.Rows) > l.Rows {
		out.Rows = out.Rows[:l.Rows]
	}
	out.Partial = p.Partial || p.Truncated || int64(len(out.Rows)) < p.RowCount
	fits := func() bool { return l.Chars <= 0 || atMost(out) <= l.Chars || size(out) <= l.Chars }
	if fits() {
		return out
	}
	out.Partial = true
	for _, project := range []func(*wire.Preview){dropEmptyColumns, keepFewColumns} {
		if project(&out); fits() {
			return out
		}
	}
	for _, length := range cellLengths {
		if cutCells(&out, length); fits() {
			return out
		}
	}
	for !fits() && len(out.Rows) > 0 {
		out.Rows = out.Rows[:len(out.Rows)-1]
	}
	for !fits() && len(out.Columns) > 0 {
		out.Columns = out.Columns[:len(out.Columns)-1]
	}
	return out
}

func previews(list []wire.Preview, l Limits) []wire.Preview {
	out := make([]wire.Preview, len(list))
	for i, p := range list {
		out[i] = Preview(p, Limits{Rows: l.Rows, Chars: l.Chars / max(1, len(list))})
	}
	return out
}

// size is the number of characters of the preview as it stands in a prompt.
func size(p wire.Preview) int {
	text, err := json.Marshal(p)
	if err != nil {
		// Previews hold strings and cells, which always encode.
		panic("answer: preview does not encode: " + err.Error())
	}
	return utf8.RuneCount(text)
}

// atMost is a number of characters that size does not exceed. Most previews are so
// small that it tells enough, and their rows need not be written for it.
func atMost(p wire.Preview) int {
	rows := p.Rows
	p.Rows = nil
	n := size(p)
	for _, row := range rows {
		n += len("[],")
		for _, v := range row {
			n += cellAtMost(v) + len(",")
		}
	}
	return n
}

// cellAtMost is a number of characters that a cell does not exceed as JSON.
func cellAtMost(v wire.Value) int {
	const escape = len(`\u003c`) // of one byte
	switch v.Kind() {
	case wire.KindNull, wire.KindBool:
		return len("false")
	case wire.KindInt:
		return len(`"-9223372036854775808"`)
	case wire.KindArray:
		n := len("[]")
		for _, e := range v.List() {
			n += cellAtMost(e) + len(",")
		}
		return n
	}
	text := v.String()
	n := len(text) + len(`""`)
	for i := range len(text) {
		if b := text[i]; b < ' ' || b >= utf8.RuneSelf || b == '"' || b == '\\' || b == '<' || b == '>' || b == '&' {
			n += escape - 1
		}
	}
	return n
}

// dropEmptyColumns leaves out columns in which no shown row has a value.
func dropEmptyColumns(p *wire.Preview) {
	keep := func(c int) bool {
		return slices.ContainsFunc(p.Rows, func(row []wire.Value) bool { return !row[c].IsNull() })
	}
	project(p, keep)
}

// keepFewColumns leaves out the columns after the first few.
func keepFewColumns(p *wire.Preview) { project(p, func(c int) bool { return c < fewColumns }) }

func project(p *wire.Preview, keep func(column int) bool) {
	var columns []wire.Column
	var kept []int
	for c, column := range p.Columns {
		if keep(c) {
			columns, kept = append(columns, column), append(kept, c)
		}
	}
	if len(kept) == 0 || len(kept) == len(p.Columns) {
		return
	}
	p.Columns = columns
	for i, row := range p.Rows {
		narrow := make([]wire.Value, len(kept))
		for j, c := range kept {
			narrow[j] = row[c]
		}
		p.Rows[i] = narrow
	}
}

// cutCells cuts texts, documents, lists and binary cells to length characters.
func cutCells(p *wire.Preview, length int) {
	for i, row := range p.Rows {
		cut := slices.Clone(row)
		for c, v := range row {
			switch v.Kind() {
			case wire.KindText, wire.KindJSON, wire.KindBytes, wire.KindArray:
				if text := []rune(v.String()); len(text) > length {
					cut[c] = wire.Text(string(text[:length]) + "…")
				}
			}
		}
		p.Rows[i] = cut
	}
}
