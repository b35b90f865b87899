package modelhttp

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// Options are what a server needs beside its address. Connection.Options makes
// them of settings.
type Options struct {
	Headers          map[string]string // added to every request
	Proxy            func(*http.Request) (*url.URL, error)
	RootCAs          *x509.CertPool    // nil: the system's
	Certificates     []tls.Certificate // the client's own
	ConnectTimeout   time.Duration     // for the connection and for the TLS handshake
	FirstByteTimeout time.Duration     // for the first byte of an answer's body; 0: none
	IdleTimeout      time.Duration     // between two pieces of it; 0: none
}

// NewClient makes an HTTP client that fills the Exchange of a request's context,
// follows no redirect and has no time limit for a whole call: that ends with its
// context. CloseIdleConnections releases it.
func NewClient(o Options) *http.Client {
	dialer := &net.Dialer{Timeout: o.ConnectTimeout, KeepAlive: 30 * time.Second}
	base := &http.Transport{
		Proxy:               o.Proxy,
		DialContext:         dialer.DialContext,
		TLSHandshakeTimeout: o.ConnectTimeout,
		TLSClientConfig:     &tls.Config{RootCAs: o.RootCAs, Certificates: o.Certificates, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:   true,
		// The host bounds the calls in flight; each keeps its connection for the next.
		MaxIdleConnsPerHost: 16,
		IdleConnTimeout:     90 * time.Second,
	}
	return &http.Client{
		Transport: &transport{base: base, options: o},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			// A redirected POST becomes a GET, and the key would go to another host.
			return http.ErrUseLastResponse
		},
	}
}

type transport struct {
	base    *http.Transport
	options Options
}

// RoundTrip sends r with the configured headers and fills the Exchange of its
// context.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	x, _ := r.Context().Value(exchangeKey{}).(*Exchange)
	first, idle := t.options.FirstByteTimeout, t.options.IdleTimeout
	if x != nil && x.Patient {
		first, idle = 0, 0
	}
	ctx, w := newWatch(r.Context(), first, idle)
	r = r.Clone(ctx)
	maps.DeleteFunc(r.Header, func(_ string, values []string) bool {
		return len(values) == 1 && values[0] == "" // a vendor's client sends a key that is not set
	})
	for name, value := range t.options.Headers {
		r.Header.Set(name, value)
	}
	if x != nil && x.Send != nil {
		setBody(r, x.Send)
	}
	if r.ContentLength > requestLimit {
		w.stop()
		return nil, sdk.Errorf(reason.InvalidRequest, "the request has %d bytes, more than the %d that are sent", r.ContentLength, requestLimit)
	}
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		err = w.reason(err)
		w.stop()
		return nil, err
	}
	resp.Body = &watchedBody{ReadCloser: resp.Body, watch: w}
	if x != nil {
		x.record(resp, time.Now())
	}
	return resp, nil
}

// CloseIdleConnections lets http.Client.CloseIdleConnections through.
func (t *transport) CloseIdleConnections() { t.base.CloseIdleConnections() }

func setBody(r *http.Request, body []byte) {
	if r.Body != nil {
		r.Body.Close()
	}
	r.ContentLength = int64(len(body))
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
}
