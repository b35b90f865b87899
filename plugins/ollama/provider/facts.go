package provider

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// factsAge is how long what the server said of a model is believed: a model can
// be replaced under its name.
const factsAge = 5 * time.Minute

// facts is what the server says of a model.
type facts struct {
	contextLength int64 // tokens; 0: unknown
	capabilities  []model.Capability
	remote        bool // another server runs it
	switchless    bool // the server has refused to switch its thinking
	details       map[string]string
}

// can reports whether the model has a capability; servers before 0.6 say of none.
func (f facts) can(c model.Capability) bool { return slices.Contains(f.capabilities, c) }

// factCache remembers facts per model. The zero value is ready.
type factCache struct {
	mu      sync.Mutex
	byModel map[string]agedFacts
}

type agedFacts struct {
	facts
	at time.Time
}

func (c *factCache) get(model string) (facts, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, ok := c.byModel[model]
	return f.facts, ok && time.Since(f.at) < factsAge
}

// put remembers f, and is all that is known then.
func (c *factCache) put(model string, f facts) facts {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byModel == nil {
		c.byModel = map[string]agedFacts{}
	}
	f.switchless = f.switchless || c.byModel[model].switchless
	c.byModel[model] = agedFacts{f, time.Now()}
	return f
}

// refuseThinking remembers that a model has no switch for its thinking.
func (c *factCache) refuseThinking(model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.byModel[model]
	known.switchless = true
	c.byModel[model] = known
}

// factsOf is what is known of a model, asking the server when it was not asked of
// late: nothing, when it does not tell such things. It is an *sdk.Error of kind
// model_not_found for an absent one.
func (c *client) factsOf(ctx context.Context, model string) (facts, error) {
	if f, ok := c.facts.get(model); ok {
		return f, nil
	}
	f, err := c.show(ctx, model)
	if lacksCall(err) {
		return c.facts.put(model, facts{}), nil
	}
	return f, err
}

// lacksCall reports whether err says that the server has no such call: servers
// and gates that offer Ollama's chat need not offer the rest of its API.
func lacksCall(err error) bool {
	e, ok := err.(*sdk.Error)
	return ok && e.Kind == reason.Misconfigured &&
		(e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed)
}

func (c *client) show(ctx context.Context, model string) (facts, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	x := &modelhttp.Exchange{}
	resp, err := c.api.Show(modelhttp.Watch(ctx, x), &api.ShowRequest{Model: model})
	if err != nil || x.Failed() {
		return facts{}, c.failure(ctx, "ask for the model", model, x, err)
	}
	f := readFacts(resp)
	return c.facts.put(model, f), nil
}

func readFacts(resp *api.ShowResponse) facts {
	f := facts{capabilities: resp.Capabilities, remote: resp.RemoteHost != "", details: map[string]string{
		sdk.DetailTokenLimit: "num_predict", sdk.DetailStreamingUsage: "true",
	}}
	architecture, _ := resp.ModelInfo["general.architecture"].(string)
	if n, ok := resp.ModelInfo[architecture+".context_length"].(float64); ok && n > 0 {
		f.contextLength = int64(n)
	}
	for name, value := range map[string]string{
		"architecture": architecture, "family": resp.Details.Family,
		"parameter_size": resp.Details.ParameterSize, "quantization": resp.Details.QuantizationLevel,
	} {
		if value != "" {
			f.details[name] = value
		}
	}
	if !f.remote {
		f.details[sdk.DetailLoads] = "true"
		// Servers that tell what a model can are of 0.6 or later, which constrain the
		// output; what another server does with a schema is not known.
		if f.can(model.CapabilityCompletion) {
			f.details[sdk.DetailEnforcesPatterns] = "true"
		}
	}
	return f
}

// ModelInfo implements sdk.Model.
func (p *Provider) ModelInfo(ctx context.Context, name string) (sdk.ModelInfo, error) {
	c, err := p.configured.Get()
	if err != nil {
		return sdk.ModelInfo{}, err
	}
	f, err := c.show(ctx, name)
	if isAbsent(err) {
		return sdk.ModelInfo{Model: name}, nil
	}
	if err != nil {
		return sdk.ModelInfo{}, err
	}
	info := sdk.ModelInfo{
		Model: name, Present: true, Details: f.details, Thinking: f.can(model.CapabilityThinking),
		Tools: f.can(model.CapabilityTools), Embeddings: f.can(model.CapabilityEmbedding),
	}
	if f.contextLength > 0 {
		info.ContextLength = sdk.Known(f.contextLength)
	}
	if f.can(model.CapabilityCompletion) {
		info.OutputModes = []sdk.OutputMode{sdk.OutputSchema, sdk.OutputJSON, sdk.OutputText}
		if info.Tools {
			info.OutputModes = append(info.OutputModes, sdk.OutputTool)
		}
	}
	return info, nil
}

func isAbsent(err error) bool {
	e, ok := err.(*sdk.Error)
	return ok && e.Status == http.StatusNotFound && e.Kind == reason.ModelNotFound
}
