package provider_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"querent.dev/querent/plugins/internal/modeltest"
	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/plugins/openai/provider"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

func TestSettings(t *testing.T) {
	schema := modeltest.Compiled(t, (&provider.Provider{}).Describe().ConfigSchema)
	for _, tc := range []struct {
		name     string
		settings string
		schemaOK bool
		says     string // "": the settings are good
	}{
		{"a compatible server", `{"base_url":"http://127.0.0.1:8000/v1"}`, true, ""},
		{"OpenAI", `{"api_key":"k"}`, true, ""},
		{"Azure", `{"base_url":"https://x.openai.azure.com","api_key":"k","api_version":"2024-10-21","deployment":"d"}`, true, ""},
		{"everything", `{"base_url":"https://h/v1","api_key":"k","organization":"o","project":"p","headers":{"A":"b"},"proxy":"http://h:3128","request_timeout":"1m","connect_timeout":"5s","first_byte_timeout":"20s","idle_timeout":"10s","ca_file":"ca.pem","client_cert_file":"c.pem","client_key_file":"k.pem","embedding_batch":8,"models":{"m":{"context_length":8192,"token_limit":"none","temperature":"free","output":"tool","thinking":"none"}}}`, true, ""},
		{"patterns of a compatible server", `{"base_url":"http://127.0.0.1:8000/v1","models":{"m":{"output":"json_schema","enforces_patterns":true}}}`, true, ""},
		{"patterns of OpenAI", `{"api_key":"k","models":{"m":{"enforces_patterns":true}}}`, true, "compatible servers"},
		{"patterns of Azure", `{"base_url":"https://x.openai.azure.com","api_key":"k","api_version":"v","deployment":"d","models":{"m":{"enforces_patterns":true}}}`, true, "compatible servers"},
		{"patterns without a schema", `{"base_url":"http://h/v1","models":{"m":{"output":"tool","enforces_patterns":true}}}`, true, "json_schema"},
		{"no key for OpenAI", `{}`, true, "OPENAI_API_KEY"},
		{"no key for Azure", `{"base_url":"https://x.openai.azure.com","api_version":"v","deployment":"d"}`, true, "api_key"},
		{"Azure with a token of Entra", `{"base_url":"https://x.openai.azure.com","headers":{"authorization":"Bearer t"},"api_version":"2025-04-01-preview","deployment":"d"}`, true, ""},
		{"a certificate without its key", `{"api_key":"k","client_cert_file":"c.pem"}`, false, ""},
		{"deployment alone", `{"base_url":"https://x.openai.azure.com","api_key":"k","deployment":"d"}`, false, "api_version"},
		{"version alone", `{"base_url":"https://x.openai.azure.com","api_key":"k","api_version":"v"}`, false, "deployment"},
		{"Azure without an address", `{"api_key":"k","api_version":"v","deployment":"d"}`, false, "Azure"},
		{"unknown key", `{"api_kee":"k"}`, false, "api_kee"},
		{"no URL", `{"base_url":"localhost:8000"}`, false, "base_url"},
		{"credentials in the URL", `{"base_url":"http://me:hunter22@h/v1"}`, true, "api_key or headers"},
		{"query in the URL", `{"base_url":"http://h/v1?key=hunter22"}`, true, "query"},
		{"whole path", `{"base_url":"http://h/v1/chat/completions"}`, true, "chat/completions"},
		{"wrong type", `{"api_key":"k","embedding_batch":"many"}`, false, "embedding_batch"},
		{"wrong duration", `{"api_key":"k","request_timeout":"soon"}`, true, "soon"},
		{"negative duration", `{"api_key":"k","request_timeout":"-1s"}`, true, "-1s"},
		{"something behind", `{"api_key":"k"} {}`, true, "behind"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := &provider.Provider{}
			err := p.Configure(t.Context(), sdk.Configuration{Settings: json.RawMessage(tc.settings)})
			if tc.says == "" && err != nil {
				t.Fatal(err)
			}
			if p.Health(t.Context()).OK != (tc.says == "") {
				t.Errorf("health is %+v", p.Health(t.Context()))
			}
			if tc.says != "" {
				e := wantKind(t, err, reason.Misconfigured)
				if !strings.Contains(e.Message, tc.says) || strings.Contains(e.Message, "hunter22") {
					t.Errorf("message %q, want it to say %q and no secret", e.Message, tc.says)
				}
			}
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(tc.settings))
			if err != nil {
				return
			}
			if err := schema.Validate(doc); (err == nil) != tc.schemaOK {
				t.Errorf("the schema says %v", err)
			}
		})
	}
}

func TestCallsBeforeConfigureAndAfter(t *testing.T) {
	p := &provider.Provider{}
	_, err := p.Generate(t.Context(), request())
	wantKind(t, err, reason.Misconfigured)
	_, err = p.ModelInfo(t.Context(), "m")
	wantKind(t, err, reason.Misconfigured)
	_, err = p.Embed(t.Context(), sdk.EmbedRequest{Model: "m"})
	wantKind(t, err, reason.Misconfigured)
	wantKind(t, p.GenerateStream(t.Context(), request(), nil), reason.Misconfigured)
	settings := json.RawMessage(`{"api_key":"k"}`)
	if err := p.Configure(t.Context(), sdk.Configuration{Settings: settings}); err != nil {
		t.Fatal(err)
	}
	wantKind(t, p.Configure(t.Context(), sdk.Configuration{Settings: settings}), reason.Misconfigured)
}

func TestKeyIsNowhere(t *testing.T) {
	const header = "team-secret-token"
	echo := func(r openaitest.Request) openaitest.Reply {
		return openaitest.JSONError(401, "refused "+r.Header.Get("Authorization")+" and "+r.Header.Get("X-Token")+" and sk-other-abcdef123456", "", "", "")
	}
	server := openaitest.New(t, openaitest.Script{Chat: echo})
	p := open(t, server, settings{"headers": settings{"X-Token": header}})
	_, err := p.Generate(limited(t), request())
	e := wantKind(t, err, reason.AuthFailed)
	for _, form := range []string{"%v", "%+v", "%#v", "%s"} {
		for name, value := range map[string]any{"error": err, "provider": p} {
			text := fmt.Sprintf(form, value)
			for _, secret := range []string{key, header, "sk-other"} {
				if strings.Contains(text, secret) {
					t.Errorf("%s of the %s shows %s", form, name, secret)
				}
			}
		}
	}
	if !strings.Contains(e.Message, "refused Bearer [redacted]") {
		t.Errorf("message is %q", e.Message)
	}
}

func TestAzure(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Text("{}"))})
	p := open(t, server, settings{"base_url": server.URL + "/", "api_version": "2024-10-21", "deployment": "my.plan:er"})
	r := request()
	r.MaxOutputTokens = 10
	if _, err := p.Generate(limited(t), r); err != nil {
		t.Fatal(err)
	}
	got := server.Chats()[0]
	if got.Path != "/openai/deployments/my.plan:er/chat/completions" || got.Query.Get("api-version") != "2024-10-21" {
		t.Errorf("asked %s with %v", got.Path, got.Query)
	}
	if got.Header.Get("Api-Key") != key || got.Header.Get("Authorization") != "" {
		t.Errorf("headers are %v", got.Header)
	}
	if got.Object()["max_completion_tokens"] != 10.0 {
		t.Errorf("body is %s", got.Body)
	}
	if _, err := p.Embed(limited(t), sdk.EmbedRequest{Model: "m", Texts: []string{"a"}}); err != nil {
		t.Error(err)
	}
	info, err := p.ModelInfo(limited(t), "gpt-5-mini")
	if err != nil || !info.Present || info.Details["presence"] == "" {
		t.Errorf("info %+v, error %v", info, err)
	}
}

// Azure takes a token of Entra instead of a key, whose empty header it would refuse.
func TestAzureWithAToken(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Text("{}"))})
	p := open(t, server, settings{"base_url": server.URL, "api_key": "", "headers": settings{"authorization": "Bearer token-of-entra"}, "api_version": "2025-04-01-preview", "deployment": "d"})
	if _, err := p.Generate(limited(t), request()); err != nil {
		t.Fatal(err)
	}
	h := server.Chats()[0].Header
	if _, sent := h["Api-Key"]; sent || h.Get("Authorization") != "Bearer token-of-entra" {
		t.Errorf("headers are %v", h)
	}
}

func TestOwnCertificateAuthority(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte(`{"model":"m","choices":[{"message":{"content":"{}"},"finish_reason":"stop"}]}`))
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // a refused handshake is meant
	server.StartTLS()
	defer server.Close()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	ask := func(files map[string][]sdk.File) error {
		p := &provider.Provider{}
		raw := fmt.Sprintf(`{"base_url":%q}`, server.URL)
		if err := p.Configure(t.Context(), sdk.Configuration{Settings: json.RawMessage(raw), Files: files}); err != nil {
			return err
		}
		defer p.Stop(context.Background())
		_, err := p.Generate(limited(t), request())
		return err
	}
	if err := ask(map[string][]sdk.File{"ca_file": {{Name: "ca.pem", Content: ca}}}); err != nil {
		t.Errorf("with the authority: %v", err)
	}
	if e := wantKind(t, ask(nil), reason.Misconfigured); !strings.Contains(e.Message, "ca_file") {
		t.Errorf("message %q", e.Message)
	}
	wantKind(t, ask(map[string][]sdk.File{"ca_file": {{Name: "ca.pem", Content: []byte("none")}}}), reason.Misconfigured)
}

func TestSettingsAreDocumented(t *testing.T) {
	const file = "../../../docs/model-servers.md"
	schema := (&provider.Provider{}).Describe().ConfigSchema
	modeltest.CheckDocumented(t, file, "openai", schema)
	modeltest.CheckDocumented(t, file, "openai models", modeltest.PropertyOf(t, schema, "models"))
}
