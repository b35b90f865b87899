package result

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// reader reads a result's rows in order.
type reader struct {
	result *Result
	source *bufio.Reader
	frame  []byte
	row    []wire.Value
	left   int64 // rows still to come
	err    error
}

var (
	_ datasource.Rows      = (*reader)(nil)
	_ datasource.CutTeller = (*reader)(nil)
)

// readBuffer is as large as the writer's, for the same reason.
const readBuffer = spillBuffer

func newReader(r *Result) *reader {
	size := int(min(readBuffer, max(r.size, 1)))
	return &reader{
		result: r, left: r.rowCount, row: make([]wire.Value, len(r.columns)),
		source: bufio.NewReaderSize(&section{result: r}, size),
	}
}

// Next implements datasource.Rows.
func (r *reader) Next() bool {
	if r.left == 0 || r.err != nil {
		return false
	}
	if err := r.read(); err != nil {
		r.err = reason.New(reason.Internal, reason.ReasonInternal,
			"read row %d of a stored result: %w", r.result.rowCount-r.left+1, err)
		return false
	}
	r.left--
	return true
}

func (r *reader) read() error {
	length, err := binary.ReadUvarint(r.source)
	if err != nil {
		return err
	}
	if length > uint64(r.result.size) {
		return fmt.Errorf("a row of %d bytes in a result of %d", length, r.result.size)
	}
	if uint64(cap(r.frame)) < length {
		r.frame = make([]byte, length)
	}
	r.frame = r.frame[:length]
	if _, err := io.ReadFull(r.source, r.frame); err != nil {
		return err
	}
	rest := string(r.frame) // the one copy of the row, which its texts share
	for i := range r.row {
		if r.row[i], rest, err = wire.DecodeBinary(rest); err != nil {
			return err
		}
	}
	return nil
}

// Row implements datasource.Rows.
func (r *reader) Row() []wire.Value { return r.row }

// Err implements datasource.Rows.
func (r *reader) Err() error { return r.err }

// Truncated implements datasource.Rows.
func (r *reader) Truncated() bool { return r.result.Truncated() }

// CutBy implements datasource.CutTeller.
func (r *reader) CutBy() datasource.Cut { return r.result.cutBy }

// Close implements datasource.Rows. It ends the reading, not the result.
func (r *reader) Close() error {
	r.left = 0
	return nil
}

// section is the stored bytes as a stream.
type section struct {
	result *Result
	at     int64
}

// Read implements io.Reader.
func (s *section) Read(b []byte) (int, error) {
	left := s.result.size - s.at
	if left == 0 {
		return 0, io.EOF
	}
	n, err := s.result.readAt(b[:min(int64(len(b)), left)], s.at)
	s.at += int64(n)
	return n, err
}
