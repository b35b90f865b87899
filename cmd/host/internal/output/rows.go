// Package output writes answers for people and for programs: text with a table,
// whole results as a table or as CSV, and the JSON envelope. Nothing that a cell
// holds can move the cursor, change colours or break a line of a terminal.
package output

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/sdk/wire"
)

// Rows opens the whole rows of an answer's i-th result. Nil readers, and nil
// Rows, stand for results of which only the preview is there.
type Rows func(i int) (answer.RowReader, error)

// open is the whole of the i-th result, or its preview.
func (r Rows) open(a wire.Answer, i int) (answer.RowReader, error) {
	if r != nil {
		reader, err := r(i)
		if err != nil {
			return nil, fmt.Errorf("read result %d: %w", i+1, err)
		}
		if reader != nil {
			return reader, nil
		}
	}
	return &list{rows: a.Results[i].Rows}, nil
}

// list is a reader of rows in memory.
type list struct {
	rows [][]wire.Value
	at   int
}

func (l *list) Next() bool        { l.at++; return l.at <= len(l.rows) }
func (l *list) Row() []wire.Value { return l.rows[l.at-1] }
func (l *list) Err() error        { return nil }
func (l *list) Close() error      { return nil }

// CSV writes the rows of every result: a header, then a line a row that ends with
// a line feed, and quotes where they are needed. Cells come out byte for byte,
// with the line breaks that they hold. Null is an empty field, the empty text is
// "". A second result follows after an empty line.
func CSV(w io.Writer, a wire.Answer, rows Rows) error {
	out := bufio.NewWriter(w)
	for i, result := range a.Results {
		if i > 0 {
			_ = out.WriteByte('\n') // Flush reports it
		}
		if err := writeCSV(out, a, i, result.Columns, rows); err != nil {
			return fmt.Errorf("write CSV: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

func writeCSV(out *bufio.Writer, a wire.Answer, i int, columns []wire.Column, rows Rows) error {
	record := make([]string, len(columns))
	for c, column := range columns {
		record[c] = csvField(column.Name)
	}
	if err := writeRecord(out, record); err != nil {
		return err
	}
	return each(a, i, rows, func(row []wire.Value) error {
		for c := range record {
			record[c] = ""
			if !row[c].IsNull() {
				record[c] = csvField(row[c].String())
			}
		}
		return writeRecord(out, record)
	})
}

func writeRecord(out *bufio.Writer, fields []string) error {
	for i, field := range fields {
		if i > 0 {
			_ = out.WriteByte(',') // the last write reports it
		}
		_, _ = out.WriteString(field)
	}
	return out.WriteByte('\n')
}

// csvField is text as a field that is no null. encoding/csv would leave the empty
// text bare, as null is. A bare "\." ends the data for some readers.
func csvField(text string) string {
	bare := text != "" && text != `\.` && !strings.ContainsAny(text, ",\"\r\n") && strings.TrimSpace(text) == text
	if bare {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

// each calls do with every row of the i-th result. The row is reused.
func each(a wire.Answer, i int, rows Rows, do func([]wire.Value) error) (err error) {
	reader, err := rows.open(a, i)
	if err != nil {
		return err
	}
	defer func() {
		if closing := reader.Close(); err == nil {
			err = closing
		}
	}()
	for reader.Next() {
		if err := do(reader.Row()); err != nil {
			return err
		}
	}
	return reader.Err()
}
