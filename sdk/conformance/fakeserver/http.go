// Package fakeserver is a fake model server for tests of plugins: it speaks like
// OpenAI's API or like Ollama's, records what it is asked, and misbehaves as real
// servers have been seen to do. What those send is data: see Quirks.
//
// It imports nothing outside of the standard library and the sdk.
package fakeserver

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
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

// Key is the key that the request carries, or "".
func (r Request) Key() string {
	if key := r.Header.Get("Api-Key"); key != "" {
		return key
	}
	_, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return key
}

// Server is a running fake. Its methods may be called concurrently.
type Server struct {
	URL string // of the root, without a slash at the end

	http    *httptest.Server
	closing chan struct{}
	once    sync.Once

	mu       sync.Mutex
	requests []Request
	left     chan struct{} // gets a token for each client that left a hanging answer
}

// mostLeft is how many clients may leave before anybody asks whether one did.
const mostLeft = 1024

// Handler answers a request that has been read and recorded.
type Handler func(w *Response, r Request)

// Listen runs a server with a handler of its own on a loopback address until
// Close.
func Listen(h Handler) *Server {
	s := &Server{closing: make(chan struct{}), left: make(chan struct{}, mostLeft)}
	s.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // a client that left shows when it is answered
		req := Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(), Header: r.Header.Clone(), Body: body}
		s.mu.Lock()
		s.requests = append(s.requests, req)
		s.mu.Unlock()
		h(&Response{w: w, to: w, gone: r.Context().Done(), closing: s.closing, left: s.left}, req)
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

// Left gets a value each time that a client leaves an answer that hangs.
func (s *Server) Left() <-chan struct{} { return s.left }

// Response writes an answer.
type Response struct {
	w       http.ResponseWriter
	to      io.Writer // w, or what packs the text before it
	gone    <-chan struct{}
	closing <-chan struct{}
	left    chan<- struct{}
}

// Header is the header of the answer, to be set before the first Write.
func (r *Response) Header() http.Header { return r.w.Header() }

// Status begins the answer with a status.
func (r *Response) Status(code int) { r.w.WriteHeader(code) }

// Write sends text at once, so that the client sees it before the next.
func (r *Response) Write(text string) {
	_, _ = io.WriteString(r.to, text) // a client may leave at any time
	if f, ok := r.to.(interface{ Flush() error }); ok {
		_ = f.Flush()
	}
	if f, ok := r.w.(http.Flusher); ok {
		f.Flush()
	}
}

// Cut ends the connection in the middle of the answer.
func (r *Response) Cut() { panic(http.ErrAbortHandler) }

// Reset ends the connection so that the client sees it reset by its peer.
func (r *Response) Reset() {
	conn, _, err := http.NewResponseController(r.w).Hijack()
	if err != nil {
		r.Cut()
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// Hang waits until the client leaves or the server closes, and cuts.
func (r *Response) Hang() {
	select {
	case <-r.gone:
		select {
		case r.left <- struct{}{}:
		default:
		}
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
