// Package result keeps the rows of a query behind a reference: a few in memory
// for the preview, all of them in a compact form that moves to a file when it
// grows, so that a run never holds a whole result.
package result

import (
	"os"
	"sync"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/sdk/wire"
)

// Options say where rows are kept. The zero Options are usable.
type Options struct {
	// Dir is the folder of spilled rows; "" is the system's folder for
	// temporary files.
	Dir string
	// Head is the number of first rows that Head can give; 0 means 20.
	Head int
	// MemoryBytes is how much is kept in memory before a file is made; 0 means
	// 1 MiB.
	MemoryBytes int64
	// RowCap is the row limit under which the query ran, 0 if there was none. It
	// is passed on for the notes of a result that was cut.
	RowCap int64
}

const (
	defaultHead        = 20      // as many as a preview shows
	defaultMemoryBytes = 1 << 20 // holds nearly every answer that people read
)

// Result is a stored result. It may be read from several goroutines at once.
// Close must be called when no one needs it any more.
type Result struct {
	columns  []wire.Column
	head     [][]wire.Value
	rowCount int64
	cutBy    datasource.Cut
	blank    []bool // by column: no row has a value in it
	rowCap   int64
	hash     string
	size     int64

	memory []byte // all rows, when file is nil

	mu      sync.RWMutex // held for reading around each use of file
	file    *os.File
	spilled string // the file's name while it has one
	closed  bool
}

// Columns are the headers and types of the rows.
func (r *Result) Columns() []wire.Column { return r.columns }

// RowCount is the number of rows that were stored: all of them, or "at least"
// that many when Truncated.
func (r *Result) RowCount() int64 { return r.rowCount }

// Blank lists the columns, by their places, that have no value in any row. A result
// without rows has none.
func (r *Result) Blank() []int {
	var out []int
	for i, blank := range r.blank {
		if blank && r.rowCount > 0 {
			out = append(out, i)
		}
	}
	return out
}

// Truncated reports whether a limit cut the result.
func (r *Result) Truncated() bool { return r.cutBy != datasource.CutNone }

// CutBy is the limit that cut the result, CutNone when none did.
func (r *Result) CutBy() datasource.Cut { return r.cutBy }

// RowCap is the row limit under which the query ran; 0 means none.
func (r *Result) RowCap() int64 { return r.rowCap }

// Hash is the SHA-256 of columns and rows in their canonical form, in hex: the
// same rows in the same order have the same hash.
func (r *Result) Hash() string { return r.hash }

// Head is the first n rows, or fewer when there are fewer or Options.Head was
// less. The rows must not be changed.
func (r *Result) Head(n int) [][]wire.Value { return r.head[:max(0, min(n, len(r.head)))] }

// Reader reads the rows from the first. Readers are independent of each other,
// each for one goroutine. One that is used after the result was closed reports
// os.ErrClosed.
func (r *Result) Reader() datasource.Rows { return newReader(r) }

// Close frees the memory and removes the file. It may be called twice.
func (r *Result) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed, r.memory = true, nil
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	if r.spilled != "" {
		err = joined(err, os.Remove(r.spilled))
	}
	return err
}

// readAt reads stored bytes, from memory or from the file.
func (r *Result) readAt(b []byte, at int64) (int, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.closed {
		return 0, os.ErrClosed
	}
	if r.file == nil {
		return copy(b, r.memory[at:]), nil
	}
	return r.file.ReadAt(b, at)
}
