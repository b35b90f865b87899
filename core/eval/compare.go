package eval

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// tolerance is how far apart two numbers may be and count as equal, relative to
// the larger when that is above one: aggregates differ in their last digits from
// engine to engine.
const tolerance = 1e-6

// cell is a value reduced to what the comparison looks at.
type cell struct {
	null   bool
	number bool
	f      float64
	text   string
}

func cellOf(v wire.Value) cell {
	switch v.Kind() {
	case wire.KindNull:
		return cell{null: true}
	case wire.KindBool:
		if v.Bool() {
			return cell{number: true, f: 1}
		}
		return cell{number: true}
	case wire.KindInt, wire.KindDecimal, wire.KindFloat:
		return cell{number: true, f: v.Float()}
	case wire.KindTimestamp, wire.KindTimestampTZ:
		return textCell(strings.Replace(v.String(), "T", " ", 1))
	}
	return textCell(v.String())
}

// fractional is a moment with a fraction of a second, whose zeros say nothing.
var fractional = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+$`)

// textCell takes text that spells a number for the number, since a column
// without a type may hold either.
func textCell(s string) cell {
	if f, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
		return cell{number: true, f: f, text: s}
	}
	if fractional.MatchString(s) {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return cell{text: strings.TrimSuffix(s, " 00:00:00")}
}

func (c cell) equal(d cell) bool {
	if c.null || d.null {
		return c.null == d.null
	}
	if c.number && d.number {
		return math.Abs(c.f-d.f) <= tolerance*max(1, math.Abs(c.f), math.Abs(d.f))
	}
	return c.number == d.number && c.text == d.text
}

func (c cell) compare(d cell) int {
	rank := func(c cell) int {
		switch {
		case c.null:
			return 0
		case c.number:
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(c), rank(d)), cmp.Compare(c.f, d.f), strings.Compare(c.text, d.text))
}

type row []cell

func rowsOf(values [][]wire.Value) []row {
	out := make([]row, len(values))
	for i, vs := range values {
		out[i] = make(row, len(vs))
		for j, v := range vs {
			out[i][j] = cellOf(v)
		}
	}
	return out
}

func (r row) equal(s row) bool {
	return slices.EqualFunc(r, s, cell.equal)
}

// sameRows compares row lists, in order or as multisets.
func sameRows(a, b []row, ordered bool) bool {
	if len(a) != len(b) {
		return false
	}
	if ordered {
		return slices.EqualFunc(a, b, row.equal)
	}
	if slices.EqualFunc(sorted(a), sorted(b), row.equal) {
		return true
	}
	// Numbers that are nearly equal may sort rows differently on both sides.
	return len(a) <= maxSearched && subset(a, b)
}

// maxSearched bounds the row lists that are compared each with each, which is
// slow.
const maxSearched = 2000

func sorted(rows []row) []row {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b row) int { return slices.CompareFunc(a, b, cell.compare) })
	return rows
}

// Status is what became of a case.
type Status string

// The statuses, a closed set. Tie counts as right.
const (
	Right       Status = "right"
	Tie         Status = "tie"
	Wrong       Status = "wrong"
	NotPortable Status = "not_portable"
	Refused     Status = "refused"
	Failed      Status = "failed"
	Skipped     Status = "skipped"
)

// Compare judges rows against a gold: the same multiset, columns by position,
// order only where the gold orders, numbers within 1e-6. Where the gold cuts at a
// limit, other rows that tie with the last one are a Tie; without an order all do.
func Compare(got [][]wire.Value, g *Gold) Status {
	rows := rowsOf(got)
	if sameRows(rows, g.rows, g.ordered) {
		return Right
	}
	agrees, exact := g.agrees(rows)
	switch {
	case !agrees:
		return Wrong
	case exact:
		return Right
	}
	return Tie
}
