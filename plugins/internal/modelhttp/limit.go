package modelhttp

import (
	"errors"
	"io"
)

const (
	// requestLimit bounds the body of a request: prompts of today's longest contexts
	// have a few megabytes.
	requestLimit = 16 << 20
	// AnswerLimit bounds the body of an answer, unpacked: the longest texts of today's
	// models are below a megabyte, and a batch of embeddings has a few.
	AnswerLimit = 16 << 20
)

var errTooLarge = errors.New("the body is larger than it may be")

// limited ends a body that is longer than it may be with errTooLarge: cut in
// silence it would look like a broken connection, which is worth another try.
type limited struct {
	io.ReadCloser
	left int64
}

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, errTooLarge
	}
	// One more than is left tells a body that just fits from a longer one.
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.ReadCloser.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n - 1, errTooLarge
	}
	return n, err
}
