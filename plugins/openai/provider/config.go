package provider

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"time"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/plugins/internal/settings"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

//go:embed config.schema.json
var configSchema []byte

const (
	openAIURL = "https://api.openai.com/v1"
	// standardRequestTimeout outlasts a long answer of a slow reasoning model. The
	// agent's own limit normally ends a call long before.
	standardRequestTimeout = 5 * time.Minute
	// standardEmbeddingBatch keeps a request of long texts below the 300,000 tokens
	// that OpenAI takes at once.
	standardEmbeddingBatch = 256
)

// config is the settings of a provider, as config.schema.json describes them.
type config struct {
	modelhttp.Connection
	BaseURL        string                   `json:"base_url"`
	APIKey         settings.Secret          `json:"api_key"`
	Organization   string                   `json:"organization"`
	Project        string                   `json:"project"`
	APIVersion     string                   `json:"api_version"`
	Deployment     string                   `json:"deployment"`
	EmbeddingBatch int                      `json:"embedding_batch"`
	Models         map[string]modelSettings `json:"models"`
}

// modelSettings is what the operator says of a model.
type modelSettings struct {
	ContextLength int64  `json:"context_length"`
	TokenLimit    string `json:"token_limit"`
	Temperature   string `json:"temperature"`
	Output        string `json:"output"`
	Thinking      string `json:"thinking"`
	// EnforcesPatterns says that the server keeps answers to the lengths and patterns
	// of a schema, as llama.cpp and vLLM do.
	EnforcesPatterns bool `json:"enforces_patterns"`
}

func readConfig(in sdk.Configuration) (*config, error) {
	var c config
	if err := settings.Decode(in.Settings, &c); err != nil {
		return nil, err
	}
	if c.BaseURL == "" {
		c.BaseURL = openAIURL
	}
	if c.EmbeddingBatch <= 0 {
		c.EmbeddingBatch = standardEmbeddingBatch
	}
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	return &c, c.check()
}

func (c *config) check() error {
	u, err := settings.BaseURL("base_url", c.BaseURL)
	if err != nil {
		return err
	}
	switch {
	case (c.APIVersion == "") != (c.Deployment == ""):
		return sdk.Errorf(reason.Misconfigured, "settings api_version and deployment belong together: both for Azure, neither for any other server")
	case c.azure() && c.BaseURL == openAIURL:
		return sdk.Errorf(reason.Misconfigured, "setting base_url must name the Azure resource, such as https://NAME.openai.azure.com")
	case c.keyless() && (c.azure() || u.Hostname() == "api.openai.com"):
		return sdk.Errorf(reason.Misconfigured, "setting api_key is empty, and %s asks for a key; write for example api_key: ${env:OPENAI_API_KEY}", u.Hostname())
	case strings.HasSuffix(c.BaseURL, "/chat/completions"):
		return sdk.Errorf(reason.Misconfigured, "setting base_url must end before /chat/completions, which is added by itself")
	}
	return c.checkModels(u.Hostname())
}

func (c *config) checkModels(host string) error {
	for _, name := range slices.Sorted(maps.Keys(c.Models)) {
		switch m := c.Models[name]; {
		case !m.EnforcesPatterns:
		case c.azure() || host == "api.openai.com":
			return sdk.Errorf(reason.Misconfigured, "setting models.%s.enforces_patterns is for compatible servers; OpenAI does not take every pattern", name)
		case m.Output != "" && m.Output != "json_schema":
			return sdk.Errorf(reason.Misconfigured, "setting models.%s.enforces_patterns goes with output json_schema; no schema reaches the server with %s", name, m.Output)
		}
	}
	return nil
}

// azure reports whether the server is an Azure OpenAI resource.
func (c *config) azure() bool { return c.Deployment != "" }

// keyless reports whether requests would carry no credentials at all. Azure takes
// a token of Entra in the header Authorization, too.
func (c *config) keyless() bool {
	return c.APIKey == "" && !c.Has("Authorization") && !c.Has("Api-Key")
}

// secrets are the values that must never be seen in a message.
func (c *config) secrets() []string { return append(c.Secrets(), string(c.APIKey)) }

func (c *config) httpOptions(files map[string][]sdk.File) (modelhttp.Options, error) {
	own := map[string]string{}
	if c.Project != "" {
		own["OpenAI-Project"] = c.Project
	}
	return c.Options(files, own)
}

// GoString keeps the key out of %#v.
func (c *config) GoString() string { return "openai configuration of " + c.BaseURL }

// String keeps the key out of %v and %+v.
func (c *config) String() string { return c.GoString() }
