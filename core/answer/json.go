package answer

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"

	"querent.dev/querent/sdk/wire"
)

//go:embed answer.schema.json
var schema []byte

// Schema is the published JSON Schema of what WriteJSON writes.
func Schema() []byte { return bytes.Clone(schema) }

// RowReader reads the rows of a whole result once, from the first.
type RowReader interface {
	Next() bool
	// Row is the current row; the slice may be reused by Next.
	Row() []wire.Value
	Err() error
	Close() error
}

// WriteJSON writes a as strict JSON: keys in the order of wire.Answer, no HTML
// escapes, integers and decimals exact, a newline at the end. Rows opens the
// whole result behind the i-th of a.Results, which is then streamed in place of
// the preview's rows; a nil Rows, or a nil reader of it, leaves the preview.
func WriteJSON(w io.Writer, a wire.Answer, rows func(i int) (RowReader, error)) error {
	out := newWriter(w)
	out.field("outcome", a.Outcome)
	out.field("question", a.Question)
	out.field("language", a.Language)
	out.field("summary", a.Summary)
	out.field("format_type", a.FormatType)
	out.field("content", a.Content)
	out.field("warnings", orEmpty(a.Warnings))
	out.field("truncated", a.Truncated)
	out.field("notes", orEmpty(a.Notes))
	out.results(a.Results, rows)
	if a.Chart != nil {
		out.field("chart", a.Chart)
	}
	out.field("queries", orEmpty(a.Queries))
	if a.Verified != nil {
		out.field("verified", a.Verified)
	}
	if len(a.Unmapped) > 0 {
		out.field("unmapped", a.Unmapped)
	}
	if a.Failure != nil {
		out.field("failure", a.Failure)
	}
	out.field("synthesized_by", a.SynthesizedBy)
	if len(a.TemplateIDs) > 0 {
		out.field("template_ids", a.TemplateIDs)
	}
	if a.FallbackReason != "" {
		out.field("fallback_reason", a.FallbackReason)
	}
	out.raw("}\n")
	if out.err == nil {
		out.err = out.w.Flush()
	}
	if out.err != nil {
		return fmt.Errorf("write the answer as JSON: %w", out.err)
	}
	return nil
}

// writer writes the fields of one object; the first error ends all writing.
type writer struct {
	w     *bufio.Writer
	text  *bytes.Buffer // of one value
	json  *json.Encoder // into text
	begun bool
	err   error
}

func newWriter(w io.Writer) *writer {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	return &writer{w: bufio.NewWriter(w), text: &text, json: e}
}

func (o *writer) raw(text string) {
	if o.err == nil {
		_, o.err = o.w.WriteString(text)
	}
}

func (o *writer) key(name string) {
	if o.begun {
		o.raw(",")
	} else {
		o.raw("{")
	}
	o.begun = true
	o.raw(`"` + name + `":`) // no name needs escapes
}

func (o *writer) field(name string, v any) {
	o.key(name)
	o.value(v)
}

func (o *writer) value(v any) {
	if o.err != nil {
		return
	}
	o.text.Reset()
	if o.err = o.json.Encode(v); o.err == nil {
		_, o.err = o.w.Write(bytes.TrimSuffix(o.text.Bytes(), []byte("\n")))
	}
}

func (o *writer) results(list []wire.Preview, rows func(int) (RowReader, error)) {
	o.key("results")
	o.raw("[")
	for i, p := range list {
		if i > 0 {
			o.raw(",")
		}
		o.result(p, i, rows)
	}
	o.raw("]")
}

// result writes a preview, with the whole rows where a reader has them. The
// count and the flags are those of the rows that were written.
func (o *writer) result(p wire.Preview, i int, rows func(int) (RowReader, error)) {
	var reader RowReader
	if rows != nil && o.err == nil {
		reader, o.err = rows(i)
	}
	in := &writer{w: o.w, text: o.text, json: o.json, err: o.err}
	if p.SubQuery != "" {
		in.field("sub_query", p.SubQuery)
	}
	if p.Part != "" {
		in.field("part", p.Part)
	}
	in.field("columns", orEmpty(p.Columns))
	if reader == nil {
		in.key("rows")
		in.value(orEmpty(p.Rows))
	} else {
		p.RowCount = in.stream(reader)
		p.Partial = p.Truncated
	}
	in.field("row_count", p.RowCount)
	in.field("partial", p.Partial)
	in.field("truncated", p.Truncated)
	if p.RowCap != 0 {
		in.field("row_cap", p.RowCap)
	}
	in.raw("}")
	o.err = in.err
}

// stream writes and closes reader, and counts its rows.
func (o *writer) stream(reader RowReader) (count int64) {
	o.key("rows")
	o.raw("[")
	for o.err == nil && reader.Next() {
		if count > 0 {
			o.raw(",")
		}
		o.value(reader.Row())
		count++
	}
	o.raw("]")
	for _, err := range []error{reader.Err(), reader.Close()} {
		if o.err == nil {
			o.err = err
		}
	}
	return count
}
