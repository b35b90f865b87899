package redact

import (
	"slices"

	"querent.dev/querent/sdk/wire"
)

// tagKinds are the tags of columns whose values are taken out, by the kind of their
// placeholders. Other tags say nothing about that.
var tagKinds = map[string]Kind{
	"personal": Personal, "pii": Personal, "sensitive": Personal, "confidential": Personal,
	"internal": InternalID, "internal_id": InternalID,
	"secret": Token, "credential": Token,
}

// TagOf is the tag among a column's whose values are taken out, "" for none: of
// several the most secret.
func TagOf(tags []string) string {
	for _, kind := range []Kind{Token, Personal, InternalID} {
		if i := slices.IndexFunc(tags, func(t string) bool { return tagKinds[t] == kind }); i >= 0 {
			return tags[i]
		}
	}
	return ""
}

// kindOf is what a value of a tagged column is called: what it looks like, if all of
// it does, else what the tag says.
func (r *Redactor) kindOf(tag, value string) Kind {
	kind, ok := tagKinds[tag]
	if !ok {
		kind = Personal
	}
	if kind != Personal {
		return kind
	}
	for _, s := range personal(value, r.regions) {
		if s.from == 0 && s.to == len(value) {
			return s.kind
		}
	}
	return kind
}

// Value is a cell without what the filter takes out. Tag is the column's (see
// TagOf): from the level Tagged on, such a cell is a placeholder as a whole. Null
// stays null.
func (f Filter) Value(v wire.Value, tag string) wire.Value {
	if !f.Active() || v.IsNull() {
		return v
	}
	if tag != "" && f.level >= Tagged {
		text := v.String()
		if replaced(text) {
			return v
		}
		return wire.Text(f.run.name(f.run.r.kindOf(tag, text), text))
	}
	switch v.Kind() {
	case wire.KindText:
		if text := v.String(); text != f.Text(text) {
			return wire.Text(f.Text(text))
		}
	case wire.KindJSON:
		if text := v.String(); text != string(f.JSON([]byte(text))) {
			return wire.JSON(string(f.JSON([]byte(text))))
		}
	case wire.KindInt, wire.KindDecimal, wire.KindUUID:
		if text := v.String(); text != f.Text(text) {
			return wire.Text(f.Text(text))
		}
	case wire.KindArray:
		list := slices.Clone(v.List())
		for i := range list {
			list[i] = f.Value(list[i], "")
		}
		return wire.Array(list)
	}
	return v
}

// TagRows makes the cells of tagged columns known to the run: see Tag.
func (u *Run) TagRows(columns []wire.Column, rows [][]wire.Value) {
	if u == nil {
		return
	}
	for i, c := range columns {
		if c.Tag == "" {
			continue
		}
		for _, row := range rows {
			if i < len(row) && !row[i].IsNull() {
				text := row[i].String()
				u.Tag(u.r.kindOf(c.Tag, text), text)
			}
		}
	}
}

// Preview is the first rows of a result without what the filter takes out.
func (f Filter) Preview(p wire.Preview) wire.Preview {
	if !f.Active() {
		return p
	}
	p.Columns = f.Columns(p.Columns)
	p.Rows = slices.Clone(p.Rows)
	for i, row := range p.Rows {
		p.Rows[i] = f.Row(p.Columns, row)
	}
	p.Part = f.Text(p.Part)
	return p
}

// Columns are the columns of a result as it is behind the filter: what holds
// placeholders is text.
func (f Filter) Columns(columns []wire.Column) []wire.Column {
	if f.level < Tagged || f.run == nil {
		return columns
	}
	out := slices.Clone(columns)
	for i := range out {
		if out[i].Tag != "" {
			out[i].Type = wire.Type{Kind: wire.KindText}
		}
	}
	return out
}

// Row is a row without what the filter takes out.
func (f Filter) Row(columns []wire.Column, row []wire.Value) []wire.Value {
	if !f.Active() {
		return row
	}
	out := slices.Clone(row)
	for i := range out {
		tag := ""
		if i < len(columns) {
			tag = columns[i].Tag
		}
		out[i] = f.Value(out[i], tag)
	}
	return out
}

// Previews is Preview for each of a list.
func (f Filter) Previews(list []wire.Preview) []wire.Preview {
	if !f.Active() || len(list) == 0 {
		return list
	}
	out := slices.Clone(list)
	for i := range out {
		out[i] = f.Preview(out[i])
	}
	return out
}

// Outcome is what a synthesizer may know of a run, its rows without what the filter
// takes out.
func (f Filter) Outcome(o wire.Outcome) wire.Outcome {
	o.Results = f.Previews(o.Results)
	if o.Failure != nil {
		failure := *o.Failure
		failure.Partial = f.Previews(failure.Partial)
		o.Failure = &failure
	}
	return o
}
