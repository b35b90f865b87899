package provider_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"querent.dev/querent/plugins/internal/modeltest"
	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/plugins/ollama/provider"
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
		{"nothing", `{}`, true, ""},
		{"the usual", `{"url":"http://127.0.0.1:11434","keep_alive":"10m"}`, true, ""},
		{"everything", `{"url":"https://h/ollama/","api_key":"k","headers":{"A":"b"},"keep_alive":"-1","num_ctx":8192,"num_predict":512,"load_timeout":"1m","request_timeout":"1m","connect_timeout":"5s","first_byte_timeout":"1m","idle_timeout":"1m","max_parallel":8,"embedding_batch":8,"proxy":"none","ca_file":"ca.pem","client_cert_file":"c.pem","client_key_file":"k.pem"}`, true, ""},
		{"unknown key", `{"base_url":"http://h"}`, false, "base_url"},
		{"no scheme", `{"url":"127.0.0.1:11434"}`, false, "url"},
		{"with /api", `{"url":"http://h:11434/api/"}`, true, "/api"},
		{"with /v1", `{"url":"http://h:11434/v1"}`, true, "/v1"},
		{"the vendor's cloud", `{"url":"https://ollama.com"}`, true, "home folder"},
		{"credentials", `{"url":"http://me:hunter22@h"}`, true, "api_key"},
		{"keep_alive in words", `{"keep_alive":"long"}`, true, "long"},
		{"keep_alive as a number", `{"keep_alive":10}`, false, "string"},
		{"no room for a prompt", `{"num_ctx":2048,"num_predict":2048}`, true, "num_ctx"},
		{"no room for a prompt by default", `{"num_ctx":1024}`, true, "num_predict"},
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
				t.Fatal(err)
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
	wantKind(t, p.PullModel(t.Context(), "m", nil), reason.Misconfigured)
	if err := p.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if err := p.Configure(t.Context(), sdk.Configuration{}); err != nil {
		t.Fatal(err)
	}
	wantKind(t, p.Configure(t.Context(), sdk.Configuration{}), reason.Misconfigured)
}

func TestServerUnderAPath(t *testing.T) {
	// A gate may put the server under a path, which the calls must keep.
	server := ollamatest.New(t, ollamatest.Script{})
	p := open(t, server, settings{"url": server.URL + "/gate/"})
	_, err := p.ModelInfo(limited(t), "m")
	wantKind(t, err, reason.Misconfigured)
	if n := len(server.To("/gate/api/show")); n != 1 {
		t.Errorf("asked %v", server.Requests())
	}
}

func TestSettingsAreDocumented(t *testing.T) {
	modeltest.CheckDocumented(t, "../../../docs/model-servers.md", "ollama", (&provider.Provider{}).Describe().ConfigSchema)
}
