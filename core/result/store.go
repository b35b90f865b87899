package result

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"os"
	"slices"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Store reads rows to their end and closes them, also on an error. An error that
// ended the reading is returned as it is; one of the disk is INTERNAL. Nothing is
// left behind after an error.
func Store(ctx context.Context, rows datasource.Rows, columns []wire.Column, o Options) (*Result, error) {
	if o.Head <= 0 {
		o.Head = defaultHead
	}
	if o.MemoryBytes <= 0 {
		o.MemoryBytes = defaultMemoryBytes
	}
	w := &writer{
		result:  &Result{columns: slices.Clone(columns), rowCap: o.RowCap},
		options: o, blank: len(columns),
	}
	w.result.blank = slices.Repeat([]bool{true}, len(columns))
	err := w.storeAll(ctx, rows)
	if closing := rows.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, joined(err, w.result.Close())
	}
	return w.result, nil
}

// cancelCheckRows is how many rows are stored between two looks at the context:
// a fraction of a millisecond.
const cancelCheckRows = 256

// writer fills a result.
type writer struct {
	result  *Result
	options Options
	digest  hash.Hash
	spill   *bufio.Writer // nil while the rows are in memory
	row     []byte        // the encoded row, reused
	frame   []byte        // the row with its length in front, reused
	blank   int           // columns without a value so far
}

func (w *writer) storeAll(ctx context.Context, rows datasource.Rows) error {
	var err error
	if w.digest, err = newDigest(w.result.columns); err != nil {
		return reason.New(reason.Internal, reason.ReasonInternal, "encode the columns of a result: %w", err)
	}
	for rows.Next() {
		if w.result.rowCount%cancelCheckRows == 0 && ctx.Err() != nil {
			return reason.New(reason.CancelledCode, reason.ReasonCancelled,
				"store a result: stopped after %d rows: %w", w.result.rowCount, context.Cause(ctx))
		}
		if err := w.add(rows.Row()); err != nil {
			return reason.New(reason.Internal, reason.ReasonInternal, "store a result: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if w.spill != nil {
		if err := w.spill.Flush(); err != nil {
			return reason.New(reason.Internal, reason.ReasonInternal, "store a result: %w", err)
		}
	}
	w.result.cutBy = datasource.CutOf(rows)
	w.result.hash = hex.EncodeToString(w.digest.Sum(nil))
	w.result.memory = slices.Clip(w.result.memory)
	return nil
}

func (w *writer) add(row []wire.Value) error {
	if len(row) != len(w.result.columns) {
		return fmt.Errorf("row %d has %d cells where there are %d columns", w.result.rowCount+1, len(row), len(w.result.columns))
	}
	w.row, w.frame = encodeRow(w.row, w.frame, row)
	w.digest.Write(w.frame)
	if len(w.result.head) < w.options.Head {
		w.result.head = append(w.result.head, slices.Clone(row))
	}
	if w.blank > 0 {
		w.see(row)
	}
	w.result.rowCount++
	w.result.size += int64(len(w.frame))
	return w.keep()
}

// see notes which columns have a value in the row.
func (w *writer) see(row []wire.Value) {
	for i, v := range row {
		if w.result.blank[i] && !v.IsNull() {
			w.result.blank[i] = false
			w.blank--
		}
	}
}

// keep puts the frame where the rows are, which is a file from the row on that
// memory has no room for.
func (w *writer) keep() error {
	r := w.result
	if w.spill == nil && r.size <= w.options.MemoryBytes {
		r.memory = append(r.memory, w.frame...)
		return nil
	}
	if w.spill == nil {
		file, err := os.CreateTemp(w.options.Dir, "querent-result-*")
		if err != nil {
			return err
		}
		r.file = file
		// Without a name it is gone with the process, however that ends. Where
		// an open file cannot be removed, Close does.
		if err := os.Remove(file.Name()); err != nil {
			r.spilled = file.Name()
		}
		w.spill = bufio.NewWriterSize(file, spillBuffer)
		if _, err := w.spill.Write(r.memory); err != nil {
			return err
		}
		r.memory = nil
	}
	_, err := w.spill.Write(w.frame)
	return err
}

// spillBuffer is large enough that a write to the file costs nothing beside the
// encoding.
const spillBuffer = 64 << 10

// joined is err with a failed clean-up beside it. It is err alone, with its own
// type, when the clean-up went well.
func joined(err, cleanup error) error {
	if cleanup == nil {
		return err
	}
	return errors.Join(err, cleanup)
}
