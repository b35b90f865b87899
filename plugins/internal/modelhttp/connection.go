package modelhttp

import (
	"crypto/tls"
	"crypto/x509"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"time"

	"querent.dev/querent/plugins/internal/settings"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

const (
	standardConnectTimeout = 10 * time.Second
	// noProxy is the value of the setting proxy that ignores the environment, too.
	noProxy = "none"
)

// Connection is the settings of the way to a model's server, which every plugin
// that talks to one has. It is embedded in the plugin's own.
type Connection struct {
	Headers map[string]settings.Secret `json:"headers"`
	// Proxy is the address of a proxy, noProxy, or empty: the environment's.
	Proxy            settings.Secret   `json:"proxy"`
	CAFile           string            `json:"ca_file"`
	ClientCertFile   string            `json:"client_cert_file"`
	ClientKeyFile    string            `json:"client_key_file"`
	ConnectTimeout   settings.Duration `json:"connect_timeout"`
	FirstByteTimeout settings.Duration `json:"first_byte_timeout"`
	IdleTimeout      settings.Duration `json:"idle_timeout"`
	RequestTimeout   settings.Duration `json:"request_timeout"`
}

// Secrets are the values of c that must not be seen in a message.
func (c Connection) Secrets() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(c.Headers)) {
		out = append(out, string(c.Headers[name]))
	}
	if u, err := url.Parse(string(c.Proxy)); err == nil && u.User != nil {
		if password, ok := u.User.Password(); ok {
			out = append(out, password)
		}
	}
	return out
}

// Has reports whether the settings set a header, however it is spelt.
func (c Connection) Has(header string) bool {
	for name := range c.Headers {
		if textproto.CanonicalMIMEHeaderKey(name) == textproto.CanonicalMIMEHeaderKey(header) {
			return true
		}
	}
	return false
}

// Options are what the settings ask of a client. More are headers of the plugin's
// own, which those of the settings go over. Errors are of kind misconfigured.
func (c Connection) Options(files map[string][]sdk.File, more map[string]string) (Options, error) {
	o := Options{
		Headers:          map[string]string{},
		ConnectTimeout:   c.ConnectTimeout.Or(standardConnectTimeout),
		FirstByteTimeout: time.Duration(c.FirstByteTimeout),
		IdleTimeout:      time.Duration(c.IdleTimeout),
	}
	maps.Copy(o.Headers, more)
	for _, name := range slices.Sorted(maps.Keys(c.Headers)) {
		if textproto.TrimString(name) == "" || textproto.CanonicalMIMEHeaderKey(name) == "Content-Length" {
			return o, sdk.Errorf(reason.Misconfigured, "setting headers: %q cannot be set", name)
		}
		o.Headers[name] = string(c.Headers[name])
	}
	var err error
	if o.RootCAs, err = rootCAs(settings.Files(files["ca_file"])); err != nil {
		return o, err
	}
	if o.Certificates, err = c.certificates(files); err != nil {
		return o, err
	}
	o.Proxy, err = c.proxy()
	return o, err
}

func (c Connection) proxy() (func(*http.Request) (*url.URL, error), error) {
	switch c.Proxy {
	case "":
		return http.ProxyFromEnvironment, nil
	case noProxy:
		return nil, nil
	}
	u, err := url.Parse(string(c.Proxy))
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
		return nil, sdk.Errorf(reason.Misconfigured, "setting proxy must be an address such as http://proxy.example:3128 or socks5://127.0.0.1:1080, or %q", noProxy)
	}
	return http.ProxyURL(u), nil
}

// certificates is the client's own certificate, when the settings name one.
func (c Connection) certificates(files map[string][]sdk.File) ([]tls.Certificate, error) {
	cert, key := settings.Files(files["client_cert_file"]), settings.Files(files["client_key_file"])
	switch {
	case len(cert) == 0 && len(key) == 0:
		return nil, nil
	case len(cert) == 0 || len(key) == 0:
		return nil, sdk.Errorf(reason.Misconfigured, "settings client_cert_file and client_key_file belong together")
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		// The words of the error do not go on: they may be of the key's file.
		return nil, sdk.Errorf(reason.Misconfigured, "settings client_cert_file and client_key_file: the files do not hold a certificate and its unencrypted key in PEM form")
	}
	return []tls.Certificate{pair}, nil
}

func rootCAs(pem []byte) (*x509.CertPool, error) {
	if len(pem) == 0 {
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
