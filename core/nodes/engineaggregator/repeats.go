package engineaggregator

import (
	"fmt"
	"slices"

	"golang.org/x/text/language"

	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// repeats is what of a result stands in several of its rows though it was one before
// results were joined: who adds it up counts it several times. The zero value is that
// of a result in which nothing does.
type repeats struct {
	columns []bool // by column; nil: none
	rows    bool   // rows of both sides of a join
}

func (r repeats) column(at int) bool { return at < len(r.columns) && r.columns[at] }

// repeated is what repeats in the output of a step that was carried out. Rows that
// were put together by their keys stand once.
func repeated(s Step, in []table, out *stream) repeats {
	switch s.Op {
	case Join, LeftJoin:
		return out.joined.repeats(in[0].repeats, in[1:])
	case Filter, Sort, Limit:
		return in[0].repeats
	case Project:
		_, at, err := in[0].items(s.Columns)
		if err != nil {
			return repeats{}
		}
		return in[0].repeats.of(at)
	case Union:
		return united(in)
	}
	return repeats{}
}

// of are the repeats of the columns at these places.
func (r repeats) of(at []int) repeats {
	out := repeats{columns: make([]bool, len(at)), rows: r.rows}
	for i, from := range at {
		out.columns[i] = r.column(from)
	}
	return out
}

func united(in []table) repeats {
	out := repeats{columns: make([]bool, len(in[0].columns))}
	for _, t := range in {
		own := t.repeats.of(alignment(in[0].columns, t.columns))
		out.rows = out.rows || own.rows
		for i, repeats := range own.columns {
			out.columns[i] = out.columns[i] || repeats
		}
	}
	return out
}

// repeats is what repeats behind a chain of joins, of which j is the last. First are
// the repeats of the first input, further the inputs that were joined to it.
func (j *joining) repeats(first repeats, further []table) repeats {
	last := further[len(further)-1].repeats
	left := first
	if before := j.rows.joined; before != nil {
		left = before.repeats(first, further[:len(further)-1])
	}
	out := repeats{rows: left.rows || last.rows || j.leftRepeats && j.heldRepeats}
	for i := range j.width - len(j.kept) {
		out.columns = append(out.columns, left.column(i) || j.leftRepeats)
	}
	for _, i := range j.kept {
		out.columns = append(out.columns, last.column(i) || j.heldRepeats)
	}
	return out
}

// count looks whether a step that aggregates counts rows more than once.
func (w *work) count(s Step, t table) error {
	if s.Op != Summarize {
		return nil
	}
	for _, m := range s.Measure {
		twice := t.repeats.rows
		if m.Column != countStar {
			at, err := t.column(m.Column)
			if err != nil {
				return err
			}
			twice = t.repeats.column(at)
		}
		if !twice || !slices.Contains([]string{funcCount, funcSum, funcAvg}, m.Func) {
			continue
		}
		if w.node.RefuseFanOut {
			return failed(s, "%s(%s) would count rows more than once, since results were joined by columns that are not unique", m.Func, m.Column)
		}
		w.notes = append(w.notes, fanOut(m, w.language))
	}
	return nil
}

// fanOut is the note of an aggregate that may count rows more than once, in Korean,
// or in English for any other language.
func fanOut(m Measure, tag string) wire.Note {
	call := m.Func + "(" + m.Column + ")"
	text := "The %s may count rows more than once, since results were joined by columns that are not unique."
	if base, _ := language.Make(tag).Base(); base.String() == "ko" {
		text = "%s: 고유하지 않은 열로 결과가 결합되어 같은 행을 두 번 이상 셀 수 있습니다."
	}
	return wire.Note{Code: reason.JoinFanOut, Message: fmt.Sprintf(text, call), Detail: map[string]string{"aggregate": call}}
}
