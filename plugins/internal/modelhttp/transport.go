package modelhttp

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"maps"
	"net"
	"net/http"
	"net/textproto"
	"slices"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// Options are what a server needs beside its address.
type Options struct {
	Headers        map[string]string // added to every request
	CACerts        []byte            // PEM; trusted beside the system's own
	ConnectTimeout time.Duration     // for the connection and for the TLS handshake
}

// NewClient makes an HTTP client that fills the Exchange of a request's context,
// uses the proxy of the environment, follows no redirect and has no time limit
// of its own: a call ends with its context. CloseIdleConnections releases it.
func NewClient(o Options) (*http.Client, error) {
	roots, err := rootCAs(o.CACerts)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(o.Headers)) {
		if textproto.TrimString(name) == "" || textproto.CanonicalMIMEHeaderKey(name) == "Content-Length" {
			return nil, sdk.Errorf(reason.Misconfigured, "setting headers: %q cannot be set", name)
		}
	}
	dialer := &net.Dialer{Timeout: o.ConnectTimeout, KeepAlive: 30 * time.Second}
	base := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		TLSHandshakeTimeout: o.ConnectTimeout,
		TLSClientConfig:     &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:   true,
		// The host bounds the calls in flight; each keeps its connection for the next.
		MaxIdleConnsPerHost: 16,
		IdleConnTimeout:     90 * time.Second,
	}
	return &http.Client{
		Transport: &transport{base: base, headers: o.Headers},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			// A redirected POST becomes a GET, and the key would go to another host.
			return http.ErrUseLastResponse
		},
	}, nil
}

func rootCAs(pem []byte) (*x509.CertPool, error) {
	if len(bytes.TrimSpace(pem)) == 0 {
		return nil, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, sdk.Errorf(reason.Misconfigured, "setting ca_file: the file holds no certificate in PEM form")
	}
	return pool, nil
}

type transport struct {
	base    *http.Transport
	headers map[string]string
}

// RoundTrip sends r with the configured headers and fills the Exchange of its
// context.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	x, _ := r.Context().Value(exchangeKey{}).(*Exchange)
	r = r.Clone(r.Context())
	for name, value := range t.headers {
		r.Header.Set(name, value)
	}
	if x != nil && x.Send != nil {
		setBody(r, x.Send)
	}
	resp, err := t.base.RoundTrip(r)
	if err != nil || x == nil {
		return resp, err
	}
	x.record(resp, time.Now())
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
