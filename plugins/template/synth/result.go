package synth

import (
	"strings"

	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/sdk/wire"
)

// shapeOf is the shape of a result as its reader sees it.
func shapeOf(p wire.Preview) pack.Shape {
	switch {
	case p.RowCount == 0 && p.Truncated:
		// There are rows, the first of which was too large to be read.
		return pack.ShapeTable
	case p.RowCount == 0:
		return pack.ShapeEmpty
	case p.RowCount == 1 && len(p.Columns) == 1:
		return pack.ShapeScalar
	case p.RowCount == 1:
		return pack.ShapeRow
	case len(p.Columns) == 1:
		return pack.ShapeList
	}
	return pack.ShapeTable
}

// result is the part of an answer that words one result.
func (w *wording) result(p wire.Preview) part {
	shape := shapeOf(p)
	if (shape == pack.ShapeScalar || shape == pack.ShapeRow) && len(p.Rows) != 1 {
		// The row did not fit the preview, so nothing can be said of its cells.
		shape = pack.ShapeTable
	}
	v := w.common()
	v[pack.RowCount] = w.count(p.RowCount)
	v[pack.ShownRows] = w.count(int64(len(p.Rows)))
	if more := p.RowCount - int64(len(p.Rows)); more > 0 {
		v[pack.MoreRows] = w.count(more)
	}
	if p.Truncated {
		v[pack.Truncated] = pack.Value{Text: "true"}
		if p.RowCap > 0 {
			v[pack.RowLimit] = w.count(p.RowCap)
		}
	}
	names := make([]string, len(p.Columns))
	for i, c := range p.Columns {
		names[i] = plain(c.Name)
	}
	v[pack.Columns] = pack.Value{Text: w.sentenceList(names)}
	if len(names) == 1 {
		v[pack.Column] = pack.Value{Text: names[0]}
	}
	if shape == pack.ShapeScalar {
		v[pack.Cell] = pack.Value{Text: w.readable(p.Rows[0][0]), Cell: p.Rows[0][0]}
	}
	form := w.formFor(shape)
	v[pack.Body] = pack.Value{Text: w.body(p, shape, form, v)}
	return part{shape: shape, form: form, values: v}
}

// formFor is the form that was asked for, where the shape leaves a choice.
func (w *wording) formFor(shape pack.Shape) wire.FormatType {
	if shape == pack.ShapeRow || shape == pack.ShapeList || shape == pack.ShapeTable {
		return w.form
	}
	return ""
}

// common are the values of every part.
func (w *wording) common() pack.Values {
	o := w.outcome
	v := pack.Values{
		pack.Question:  {Text: plain(o.Question)},
		pack.DataNotes: {Text: strings.Join(o.DataNotes, " ")},
	}
	if o.Datasource != "" {
		v[pack.Datasource] = pack.Value{Text: plain(o.Datasource)}
	}
	if o.Verified != nil {
		v[pack.VerifiedID] = pack.Value{Text: plain(o.Verified.ID)}
		v[pack.VerifiedDescription] = pack.Value{Text: plain(o.Verified.Description)}
	}
	var parts []string
	for _, u := range o.Unmapped {
		parts = append(parts, plain(u.Part)+" ("+string(u.Reason)+")")
	}
	v[pack.Unmapped] = pack.Value{Text: strings.Join(parts, "; ")}
	return v
}

// sentenceList joins names as a sentence does: a, b and c.
func (w *wording) sentenceList(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " " + w.lang.Word(pack.WordAnd) + " " + names[last]
}
