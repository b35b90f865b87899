// Package fakehttp is the common part of the fake model servers: a loopback HTTP
// server that records what it is asked and can misbehave on purpose.
package fakehttp

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"time"
)

// Request is a request as it came in.
type Request struct {
	Method string
	Path   string
	Query  url.Values
	Header http.Header
	Body   []byte
}

// Object is the body as a JSON object, or nil when it is none.
func (r Request) Object() map[string]any {
	var v map[string]any
	if json.Unmarshal(r.Body, &v) != nil {
		return nil
	}
	return v
}

// Texts is the content of the messages of a chat request, in order.
func (r Request) Texts() []string {
	var body struct {
		Messages []struct{ Content string }
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return nil
	}
	texts := make([]string, len(body.Messages))
	for i, m := range body.Messages {
		texts[i] = m.Content
	}
	return texts
}

// Server is a running fake. Its methods may be called concurrently.
type Server struct {
	URL string // of the root, without a slash at the end

	http    *httptest.Server
	closing chan struct{}
	once    sync.Once

	mu       sync.Mutex
	requests []Request
}

// Handler answers a request that has been read and recorded.
type Handler func(w *Response, r Request)

// Always makes a script that answers every call the same.
func Always[Reply any](r Reply) func(Request) Reply { return func(Request) Reply { return r } }

// Queue makes a script that answers with one reply after the other, and then with
// spent.
func Queue[Reply any](spent Reply, replies ...Reply) func(Request) Reply {
	next := make(chan Reply, len(replies))
	for _, r := range replies {
		next <- r
	}
	return func(Request) Reply {
		select {
		case r := <-next:
			return r
		default:
			return spent
		}
	}
}

// Start runs a server on a loopback address until Close.
func Start(h Handler) *Server {
	s := &Server{closing: make(chan struct{})}
	s.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		req := Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(), Header: r.Header.Clone(), Body: body}
		s.mu.Lock()
		s.requests = append(s.requests, req)
		s.mu.Unlock()
		h(&Response{w: w, gone: r.Context().Done(), closing: s.closing}, req)
	}))
	s.URL = s.http.URL
	return s
}

// Close lets hanging answers go and ends the server. It may be called twice.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.closing)
		s.http.CloseClientConnections()
		s.http.Close()
	})
}

// Requests is a copy of all that was asked, in order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// To is the requests that went to path.
func (s *Server) To(path string) []Request {
	var out []Request
	for _, r := range s.Requests() {
		if r.Path == path {
			out = append(out, r)
		}
	}
	return out
}

// Response writes an answer.
type Response struct {
	w       http.ResponseWriter
	gone    <-chan struct{}
	closing <-chan struct{}
}

// Header is the header of the answer, to be set before the first Write.
func (r *Response) Header() http.Header { return r.w.Header() }

// Status begins the answer with a status.
func (r *Response) Status(code int) { r.w.WriteHeader(code) }

// Write sends text at once, so that the client sees it before the next.
func (r *Response) Write(text string) {
	io.WriteString(r.w, text)
	if f, ok := r.w.(http.Flusher); ok {
		f.Flush()
	}
}

// Cut ends the connection in the middle of the answer.
func (r *Response) Cut() { panic(http.ErrAbortHandler) }

// Hang waits until the client leaves or the server closes, and cuts.
func (r *Response) Hang() {
	select {
	case <-r.gone:
	case <-r.closing:
	}
	r.Cut()
}

// Pause waits for d, or cuts when the client leaves or the server closes before.
func (r *Response) Pause(d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.gone:
		r.Cut()
	case <-r.closing:
		r.Cut()
	}
}
