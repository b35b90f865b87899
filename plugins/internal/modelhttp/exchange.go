// Package modelhttp is the HTTP below the vendors' clients: it remembers of every
// exchange what those clients drop (status, content type, Retry-After, the
// server's request id, a capped error body, how reading ended), sends bodies that
// they cannot express, and says what kind of failure a network error is.
package modelhttp

import (
	"bytes"
	"context"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
)

const (
	// errorBodyLimit bounds what is read of an error's body. Servers explain
	// themselves in a few hundred bytes; a proxy's page may be of any length.
	errorBodyLimit = 64 << 10
)

// Exchange is one HTTP exchange of a call. The call that made it owns it; it is
// filled by the transport while the vendor's client waits, and read after.
type Exchange struct {
	// Send replaces the body of the request, when it is not nil.
	Send []byte
	// Wrap replaces the body of a response with a status below 300.
	Wrap func(*http.Response) io.ReadCloser
	// Patient is for calls that take long before they say anything, and have a limit of
	// their own: those of silence do not hold.
	Patient bool
	// Limit is the most bytes of such a body; 0 is AnswerLimit.
	Limit int64

	Status     int // 0: no response came
	MediaType  string
	RetryAfter time.Duration // 0: not said
	RequestID  string
	ErrorBody  []byte // of a response with another status than 2xx, capped
	// ReadErr is what ended the reading of a good response, if not its end.
	ReadErr error
}

type exchangeKey struct{}

// Watch makes ctx carry x, so that the transport fills x. A context is good for
// one exchange.
func Watch(ctx context.Context, x *Exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// Failed reports whether a response came that is no success. Redirects count:
// they are never followed.
func (x *Exchange) Failed() bool { return x.Status >= 300 }

// HTML reports whether a web page came instead of an answer.
func (x *Exchange) HTML() bool {
	return x.MediaType == "text/html" || x.MediaType == "application/xhtml+xml"
}

// Said is what the server said in the body of an error, for a message, of which
// text is what counts.
func (x *Exchange) Said(r Redactor, text string) string {
	switch {
	case x.HTML():
		return "it sent a web page instead of an API's answer"
	case strings.TrimSpace(text) == "":
		return "it said nothing more"
	}
	return "it said: " + r.Excerpt(text)
}

func (x *Exchange) limit() int64 {
	if x.Limit > 0 {
		return x.Limit
	}
	return AnswerLimit
}

func (x *Exchange) record(resp *http.Response, now time.Time) {
	x.Status = resp.StatusCode
	x.MediaType, _, _ = mime.ParseMediaType(resp.Header.Get("Content-Type"))
	x.RetryAfter = RetryAfter(resp.Header, now)
	x.RequestID = requestID(resp.Header)
	if !x.Failed() {
		resp.Body = &limited{resp.Body, x.limit()}
		if x.Wrap != nil {
			resp.Body = x.Wrap(resp)
		}
		resp.Body = &notedBody{resp.Body, x}
		return
	}
	x.ErrorBody, _ = io.ReadAll(io.LimitReader(resp.Body, errorBodyLimit))
	resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(x.ErrorBody))
}

// requestID is the server's own id of the call: of OpenAI and most compatible
// servers, of Azure, of Cloudflare in front of either.
func requestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Apim-Request-Id", "Cf-Ray"} {
		if id := h.Get(name); id != "" {
			return id
		}
	}
	return ""
}

// notedBody keeps the error that ended reading, which some clients swallow.
type notedBody struct {
	io.ReadCloser
	x *Exchange
}

// Read implements io.Reader.
func (b *notedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		b.x.ReadErr = err
	}
	return n, err
}
