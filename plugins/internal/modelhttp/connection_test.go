package modelhttp_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/plugins/internal/fakehttp"
	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/plugins/internal/modeltest"
	"querent.dev/querent/plugins/internal/settings"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// connect makes a client of settings, as a plugin does.
func connect(t *testing.T, text string, files map[string][]sdk.File) (*http.Client, modelhttp.Connection, error) {
	t.Helper()
	var c struct{ modelhttp.Connection }
	if err := settings.Decode(json.RawMessage(text), &c); err != nil {
		return nil, c.Connection, err
	}
	o, err := c.Options(files, map[string]string{"X-Own": "own", "X-Both": "own"})
	if err != nil {
		return nil, c.Connection, err
	}
	client := modelhttp.NewClient(o)
	t.Cleanup(client.CloseIdleConnections)
	return client, c.Connection, nil
}

// get makes a call and reads its answer to the end.
func get(ctx context.Context, client *http.Client, x *modelhttp.Exchange, url string) ([]byte, error) {
	r, err := http.NewRequestWithContext(modelhttp.Watch(ctx, x), http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, modelhttp.NetworkFailure(ctx, "ask", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return body, x.Broken(ctx, "ask", "correct it", err)
	}
	return body, nil
}

func TestSettingsOfAConnection(t *testing.T) {
	for _, tc := range []struct{ name, settings, says string }{
		{"nothing", `{}`, ""},
		{"all", `{"headers":{"A":"b"},"proxy":"socks5://me:hunter22@127.0.0.1:1080","connect_timeout":"1s","first_byte_timeout":"2s","idle_timeout":"3s","request_timeout":"4s"}`, ""},
		{"no proxy", `{"proxy":"none"}`, ""},
		{"a proxy without its scheme", `{"proxy":"hunter22:3128"}`, "proxy must be an address"},
		{"a proxy of another kind", `{"proxy":"ftp://hunter22"}`, "proxy must be an address"},
		{"a header that is HTTP's own", `{"headers":{"content-length":"hunter22"}}`, "content-length"},
		{"a header without a name", `{"headers":{" ":"hunter22"}}`, "headers"},
		{"the wrong type", `{"headers":"hunter22"}`, "headers"},
		{"the wrong type of a secret", `{"proxy":["hunter22"]}`, "want a text"},
	} {
		_, _, err := connect(t, tc.settings, nil)
		if tc.says == "" {
			if err != nil {
				t.Errorf("%s: %v", tc.name, err)
			}
			continue
		}
		if e := modeltest.WantKind(t, err, reason.Misconfigured); !strings.Contains(e.Message, tc.says) || strings.Contains(e.Message, "hunter22") {
			t.Errorf("%s: %s", tc.name, e.Message)
		}
	}
}

func TestSecretsOfAConnectionAreNotPrinted(t *testing.T) {
	_, c, err := connect(t, `{"headers":{"A":"hunter22"},"proxy":"http://me:geheim77@h:1"}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Secrets(); len(got) != 2 || got[0] != "hunter22" || got[1] != "geheim77" {
		t.Errorf("the secrets are %q", got)
	}
	texts := []string{}
	for _, form := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		texts = append(texts, fmt.Sprintf(form, c), fmt.Sprintf(form, &c))
	}
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(texts, string(asJSON)) {
		for _, secret := range []string{"hunter22", "geheim77", fmt.Sprintf("%x", "hunter22")} {
			if strings.Contains(text, secret) {
				t.Errorf("%s is printed: %s", secret, text)
			}
		}
	}
}

func TestHeadersOfTheSettingsGoOverThePluginsOwn(t *testing.T) {
	server := fakehttp.Start(func(w *fakehttp.Response, _ fakehttp.Request) { w.Write("ok") })
	defer server.Close()
	client, _, err := connect(t, `{"headers":{"X-Both":"set"}}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := get(modeltest.Limited(t), client, &modelhttp.Exchange{}, server.URL); err != nil {
		t.Fatal(err)
	}
	h := server.Requests()[0].Header
	if h.Get("X-Own") != "own" || h.Get("X-Both") != "set" {
		t.Errorf("headers are %v", h)
	}
}

// A proxy sees calls to any address, with its own credentials; none is used where
// the settings say so, whatever the environment names.
func TestProxy(t *testing.T) {
	proxy := fakehttp.Start(func(w *fakehttp.Response, r fakehttp.Request) { w.Write("by proxy") })
	defer proxy.Close()
	server := fakehttp.Start(func(w *fakehttp.Response, _ fakehttp.Request) { w.Write("direct") })
	defer server.Close()
	address := strings.Replace(proxy.URL, "http://", "http://me:geheim77@", 1)
	for settings, want := range map[string]string{
		`{"proxy":"` + address + `"}`: "by proxy",
		`{"proxy":"none"}`:            "direct",
		`{}`:                          "direct",
	} {
		client, _, err := connect(t, settings, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := get(modeltest.Limited(t), client, &modelhttp.Exchange{}, server.URL)
		if err != nil || string(body) != want {
			t.Errorf("%s: %q, %v; want %q", settings, body, err, want)
		}
	}
	if got := proxy.Requests(); len(got) != 1 || !strings.HasPrefix(got[0].Header.Get("Proxy-Authorization"), "Basic ") {
		t.Errorf("the proxy was asked %+v", got)
	}
	client, _, err := connect(t, `{"proxy":"http://me:geheim77@127.0.0.1:9"}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = get(modeltest.Limited(t), client, &modelhttp.Exchange{}, server.URL)
	if e := modeltest.WantKind(t, err, reason.Unavailable); strings.Contains(e.Message, "geheim77") {
		t.Error(e.Message)
	}
}

// identity is a certificate that signs itself, and its key, in PEM form.
func identity(t *testing.T) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "querent"}, NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

func TestClientCertificate(t *testing.T) {
	cert, key := identity(t)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.TLS.PeerCertificates[0].Subject.CommonName)
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool}
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // a refused handshake is meant
	server.StartTLS()
	defer server.Close()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	ask := func(cert, key []byte) (string, error) {
		files := map[string][]sdk.File{"ca_file": {{Content: ca}}}
		for name, content := range map[string][]byte{"client_cert_file": cert, "client_key_file": key} {
			if content != nil {
				files[name] = []sdk.File{{Name: name, Content: content}}
			}
		}
		client, _, err := connect(t, `{}`, files)
		if err != nil {
			return "", err
		}
		body, err := get(modeltest.Limited(t), client, &modelhttp.Exchange{}, server.URL)
		return string(body), err
	}
	if body, err := ask(cert, key); err != nil || body != "querent" {
		t.Errorf("with the certificate: %q, %v", body, err)
	}
	_, err := ask(nil, nil)
	if e := modeltest.WantKind(t, err, reason.Misconfigured); !strings.Contains(e.Message, "client_cert_file") {
		t.Errorf("without one: %s", e.Message)
	}
	_, err = ask(cert, nil)
	modeltest.WantKind(t, err, reason.Misconfigured)
	_, err = ask(cert, []byte("hunter22"))
	if e := modeltest.WantKind(t, err, reason.Misconfigured); strings.Contains(e.Message, "hunter22") {
		t.Error(e.Message)
	}
}

func TestSilence(t *testing.T) {
	for _, tc := range []struct {
		name, settings string
		answer         func(*fakehttp.Response)
		says           string // "": the answer is read
	}{
		{"no header", `{"first_byte_timeout":"50ms"}`, func(w *fakehttp.Response) { w.Hang() }, "first_byte_timeout"},
		{"no body", `{"first_byte_timeout":"50ms","idle_timeout":"1h"}`, func(w *fakehttp.Response) { w.Status(200); w.Write(""); w.Hang() }, "first_byte_timeout"},
		{"a break", `{"first_byte_timeout":"1h","idle_timeout":"50ms"}`, func(w *fakehttp.Response) { w.Write("a"); w.Hang() }, "idle_timeout"},
		{"a slow start", `{"idle_timeout":"1ms"}`, func(w *fakehttp.Response) { w.Pause(100 * time.Millisecond); w.Write("a") }, ""},
		{"no limits", `{}`, func(w *fakehttp.Response) { w.Write("a"); w.Pause(100 * time.Millisecond); w.Write("b") }, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := fakehttp.Start(func(w *fakehttp.Response, _ fakehttp.Request) { tc.answer(w) })
			defer server.Close()
			client, _, err := connect(t, tc.settings, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, err = get(modeltest.Limited(t), client, &modelhttp.Exchange{}, server.URL)
			if tc.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if e := modeltest.WantKind(t, err, reason.Timeout); !strings.Contains(e.Message, tc.says) {
				t.Errorf("message %q does not name %s", e.Message, tc.says)
			}
		})
	}
}

// Time in which nobody reads is not the server's silence.
func TestSlowReaderIsNotSilence(t *testing.T) {
	server := fakehttp.Start(func(w *fakehttp.Response, _ fakehttp.Request) { w.Write("a"); w.Write("b") })
	defer server.Close()
	client, _, err := connect(t, `{"idle_timeout":"100ms"}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadFull(resp.Body, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	if rest, err := io.ReadAll(resp.Body); err != nil || string(rest) != "b" {
		t.Errorf("%q, %v", rest, err)
	}
}

func TestPatientCallBearsSilence(t *testing.T) {
	server := fakehttp.Start(func(w *fakehttp.Response, _ fakehttp.Request) { w.Pause(100 * time.Millisecond); w.Write("a") })
	defer server.Close()
	client, _, err := connect(t, `{"first_byte_timeout":"1ms"}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := get(modeltest.Limited(t), client, &modelhttp.Exchange{Patient: true}, server.URL); err != nil || string(body) != "a" {
		t.Errorf("%q, %v", body, err)
	}
}

func TestBodiesAreBounded(t *testing.T) {
	server := fakehttp.Start(func(w *fakehttp.Response, _ fakehttp.Request) { w.Write(strings.Repeat("a", 1000)) })
	defer server.Close()
	client, _, err := connect(t, `{}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	for limit, fits := range map[int64]bool{999: false, 1000: true, 1001: true, 1: false} {
		body, err := get(modeltest.Limited(t), client, &modelhttp.Exchange{Limit: limit}, server.URL)
		if fits {
			if err != nil || len(body) != 1000 {
				t.Errorf("%d: %d bytes, %v", limit, len(body), err)
			}
			continue
		}
		if e := modeltest.WantKind(t, err, reason.InvalidOutput); int64(len(body)) != limit || !strings.Contains(e.Message, fmt.Sprint(limit)) {
			t.Errorf("%d: %d bytes, %s", limit, len(body), e.Message)
		}
	}
	r, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(strings.Repeat("a", 16<<20+1)))
	if err != nil {
		t.Fatal(err)
	}
	asked := len(server.Requests())
	_, err = client.Do(r)
	var e *sdk.Error
	if !errors.As(err, &e) || e.Kind != reason.InvalidRequest || len(server.Requests()) != asked {
		t.Errorf("a request of more than 16 MiB: %v", err)
	}
}
