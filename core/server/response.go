package server

import (
	"net/http"
	"time"
)

// response is a ResponseWriter of which each write has a deadline of its own, and
// which knows whether the answer has begun.
type response struct {
	http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration // of a write
	status  int           // 0: not begun
}

func newResponse(w http.ResponseWriter, limit time.Duration) *response {
	return &response{ResponseWriter: w, control: http.NewResponseController(w), limit: limit}
}

// WriteHeader implements http.ResponseWriter.
func (r *response) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.within()
	r.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. It fails when the client does not take
// what it is sent within the limit.
func (r *response) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	r.within()
	return r.ResponseWriter.Write(p)
}

// FlushError sends what was written.
func (r *response) FlushError() error {
	r.within()
	return r.control.Flush()
}

// Writers that know no deadlines, such as those of tests, do without.
func (r *response) within() { _ = r.control.SetWriteDeadline(time.Now().Add(r.limit)) }

func (r *response) readWithin(limit time.Duration) {
	_ = r.control.SetReadDeadline(time.Now().Add(limit))
}

// readFreely ends the limit of readWithin: what is read from now on is whether the
// client is still there.
func (r *response) readFreely() { _ = r.control.SetReadDeadline(time.Time{}) }
