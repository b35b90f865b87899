package provider

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/plugins/internal/settings"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

//go:embed config.schema.json
var configSchema []byte

const (
	standardURL = "http://127.0.0.1:11434"
	// standardNumPredict holds several times the largest plan seen, with its white
	// space. Some limit must be set: a model that loops would else answer for hours.
	standardNumPredict = 2048
	// standardLoadTimeout is for tens of gigabytes from a slow disk.
	standardLoadTimeout = 5 * time.Minute
	// standardRequestTimeout outlasts a long answer without a graphics card. The
	// agent's own limit normally ends a call long before.
	standardRequestTimeout = 10 * time.Minute
	// standardEmbeddingBatch is small, since the server works on texts one after the
	// other: more would only make the answer long.
	standardEmbeddingBatch = 64
	// standardMaxParallel is above what a server works on at once by default (1),
	// and keeps the client's buffers of 8 MB a call at 32 MB.
	standardMaxParallel = 4
	// serverKeepAlive is how long a server keeps a model that nothing else is said of.
	serverKeepAlive = 5 * time.Minute
)

// config is the settings of a provider, as config.schema.json describes them.
type config struct {
	modelhttp.Connection
	URL            string            `json:"url"`
	APIKey         settings.Secret   `json:"api_key"`
	KeepAlive      *keepAlive        `json:"keep_alive"`
	NumCtx         int64             `json:"num_ctx"`
	NumPredict     int64             `json:"num_predict"`
	LoadTimeout    settings.Duration `json:"load_timeout"`
	MaxParallel    int               `json:"max_parallel"`
	EmbeddingBatch int               `json:"embedding_batch"`

	base *url.URL
}

// keepAlive is how long a model stays in memory: negative is for ever.
type keepAlive time.Duration

// UnmarshalJSON reads a string such as "10m", "0" or "-1".
func (k *keepAlive) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return fmt.Errorf("keep_alive is a string such as \"10m\", not %s", b)
	}
	if text == "-1" {
		*k = -1
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("keep_alive %q is no duration; write \"10m\", \"-1\" for ever or \"0\" for not at all", text)
	}
	*k = keepAlive(d)
	return nil
}

func readConfig(in sdk.Configuration) (*config, error) {
	var c config
	if err := settings.Decode(in.Settings, &c); err != nil {
		return nil, err
	}
	if c.URL == "" {
		c.URL = standardURL
	}
	if c.NumPredict <= 0 {
		c.NumPredict = standardNumPredict
	}
	if c.MaxParallel <= 0 {
		c.MaxParallel = standardMaxParallel
	}
	if c.EmbeddingBatch <= 0 {
		c.EmbeddingBatch = standardEmbeddingBatch
	}
	return &c, c.check()
}

func (c *config) check() (err error) {
	if c.base, err = settings.BaseURL("url", c.URL); err != nil {
		return err
	}
	path := strings.TrimRight(c.base.Path, "/")
	switch {
	case c.base.Hostname() == "ollama.com":
		// The vendor's client signs calls to that host with a key of the home folder.
		return sdk.Errorf(reason.Misconfigured, "setting url: ollama.com cannot be called directly, since a plugin reads no key from the home folder; call a server of your own that is signed in")
	case strings.HasSuffix(path, "/api") || strings.HasSuffix(path, "/v1"):
		return sdk.Errorf(reason.Misconfigured, "setting url must be the server's root, without %s", path[strings.LastIndexByte(path, '/'):])
	case c.NumCtx != 0 && c.NumCtx <= c.NumPredict:
		return sdk.Errorf(reason.Misconfigured, "setting num_ctx (%d) leaves no room for a prompt beside num_predict (%d)", c.NumCtx, c.NumPredict)
	}
	return nil
}

// secrets are the values that must never be seen in a message.
func (c *config) secrets() []string { return append(c.Secrets(), string(c.APIKey)) }

func (c *config) httpOptions(files map[string][]sdk.File) (modelhttp.Options, error) {
	own := map[string]string{}
	if c.APIKey != "" {
		own["Authorization"] = "Bearer " + string(c.APIKey)
	}
	return c.Options(files, own)
}

// sentKeepAlive is keep_alive as the server takes it, or nil when it is
// not set.
func (c *config) sentKeepAlive() *api.Duration {
	if c.KeepAlive == nil {
		return nil
	}
	return &api.Duration{Duration: time.Duration(*c.KeepAlive)}
}

// staysLoaded is how long a model is surely in memory after a call: somewhat less
// than it was told, since the server's clock started earlier.
func (c *config) staysLoaded() time.Duration {
	const forEver = 24 * time.Hour // a server restarts more often than that
	d := serverKeepAlive
	if c.KeepAlive != nil {
		d = time.Duration(*c.KeepAlive)
	}
	if d < 0 {
		return forEver
	}
	return d * 9 / 10
}

// GoString keeps the key out of %#v.
func (c *config) GoString() string { return "ollama configuration of " + c.URL }

// String keeps the key out of %v and %+v.
func (c *config) String() string { return c.GoString() }
