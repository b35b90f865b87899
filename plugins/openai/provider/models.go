package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
)

// ModelInfo implements sdk.Model. OpenAI's API says little of a model; what the
// server does not say and the settings do not either stays unknown. A deployment
// of Azure is not looked for: it shows when it is used.
func (p *Provider) ModelInfo(ctx context.Context, model string) (sdk.ModelInfo, error) {
	c, err := p.configured.Get()
	if err != nil {
		return sdk.ModelInfo{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	info := c.configuredInfo(model)
	if c.azure {
		info.Present = true
		detail(&info, "presence", "not checked: a deployment shows when it is used")
	} else {
		listed, err := c.findModel(ctx, model)
		if err != nil {
			return info, err
		}
		if listed == nil {
			return sdk.ModelInfo{Model: model}, nil
		}
		listed.describe(&info)
	}
	c.limit(&info)
	return info, nil
}

func detail(info *sdk.ModelInfo, key, value string) {
	if info.Details == nil {
		info.Details = map[string]string{}
	}
	info.Details[key] = value
}

// configuredInfo is what the settings and earlier answers say.
func (c *client) configuredInfo(model string) sdk.ModelInfo {
	known := c.dialects.of(model)
	set := c.models[model]
	info := sdk.ModelInfo{Model: model, FixedSampling: known.refused["temperature"], OutputModes: modesOf(set.Output)}
	if set.ContextLength > 0 {
		info.ContextLength = sdk.Known(set.ContextLength)
	}
	if set.EnforcesPatterns && !known.refuses(sdk.OutputSchema) {
		detail(&info, sdk.DetailEnforcesPatterns, "true")
	}
	limit := known.tokenField()
	if limit == "" {
		limit = "none"
	}
	detail(&info, sdk.DetailTokenLimit, limit)
	if known.streamsUsage != "" {
		detail(&info, sdk.DetailStreamingUsage, known.streamsUsage)
	}
	return info
}

// limit takes out of what info says what the server has refused. What it takes is
// not known until it is asked; so modes are told only where there is more to say
// than that all may work.
func (c *client) limit(info *sdk.ModelInfo) {
	known := c.dialects.of(info.Model)
	modes := info.OutputModes
	if modes == nil {
		modes = modesOf("json_schema")
	}
	left := slices.DeleteFunc(slices.Clone(modes), func(m sdk.OutputMode) bool { return m != sdk.OutputText && known.refuses(m) })
	if info.OutputModes != nil || len(left) < len(modes) {
		info.OutputModes = left
	}
	info.Tools = slices.Contains(info.OutputModes, sdk.OutputTool)
}

// listedModel is an entry of the list of models, with the fields that compatible
// servers add and the vendor's type drops.
type listedModel struct {
	ID            string `json:"id"`
	OwnedBy       string `json:"owned_by"`
	ContextLength int64  `json:"context_length"`        // OpenRouter, Together
	MaxModelLen   int64  `json:"max_model_len"`         // vLLM
	Loaded        int64  `json:"loaded_context_length"` // LM Studio
	ContextWindow int64  `json:"context_window"`        // Groq
	MaxContext    int64  `json:"max_context_length"`    // Mistral; LM Studio, where the loaded one counts
	Meta          struct {
		ContextSize int64 `json:"n_ctx"` // llama.cpp
	} `json:"meta"`
	// Parameters are the fields of a request that some server of the model takes.
	Parameters []string `json:"supported_parameters"` // OpenRouter
}

func (m listedModel) contextLength() int64 {
	for _, n := range []int64{m.Loaded, m.Meta.ContextSize, m.MaxModelLen, m.ContextLength, m.ContextWindow, m.MaxContext} {
		if n > 0 {
			return n
		}
	}
	return 0
}

// describe adds to info what the server says of a model, where the settings do not.
func (m listedModel) describe(info *sdk.ModelInfo) {
	info.Present = true
	if n := m.contextLength(); !info.ContextLength.Known && n > 0 {
		info.ContextLength = sdk.Known(n)
	}
	if m.OwnedBy != "" {
		detail(info, "owned_by", m.OwnedBy)
	}
	if len(m.Parameters) == 0 {
		return
	}
	takes := func(field string) bool { return slices.Contains(m.Parameters, field) }
	info.FixedSampling = info.FixedSampling || !takes("temperature")
	info.Thinking = takes("reasoning")
	if info.OutputModes != nil {
		return
	}
	for _, mode := range []struct {
		field string
		mode  sdk.OutputMode
	}{{"structured_outputs", sdk.OutputSchema}, {"response_format", sdk.OutputJSON}, {"tool_choice", sdk.OutputTool}} {
		if takes(mode.field) {
			info.OutputModes = append(info.OutputModes, mode.mode)
		}
	}
	info.OutputModes = append(info.OutputModes, sdk.OutputText)
}

// findModel asks for the model by its name, and searches the list where a server
// has no such call or the name would break the path. It is nil without an error
// when the server does not have the model.
func (c *client) findModel(ctx context.Context, model string) (*listedModel, error) {
	if !strings.Contains(model, "/") {
		var found listedModel
		x, err := c.getModel(ctx, model, &found)
		switch {
		case err == nil && !x.Failed() && found.ID != "":
			return &found, nil
		case x.Status == http.StatusNotFound && saysModel.Match(x.ErrorBody):
			return nil, nil
		case x.Status != http.StatusNotFound && x.Status != http.StatusMethodNotAllowed && err != nil:
			return nil, err
		}
	}
	var list struct {
		Data []listedModel `json:"data"`
	}
	if err := c.listModels(ctx, &list); err != nil {
		return nil, err
	}
	for _, m := range list.Data {
		if m.ID == model {
			return &m, nil
		}
	}
	return nil, nil
}

func (c *client) getModel(ctx context.Context, model string, into any) (*modelhttp.Exchange, error) {
	var whole bytes.Buffer
	x := &modelhttp.Exchange{Wrap: capture(&whole)}
	_, err := c.api.GetModel(modelhttp.Watch(ctx, x), url.PathEscape(model))
	return x, c.decode(ctx, x, err, whole.Bytes(), into)
}

func (c *client) listModels(ctx context.Context, into any) error {
	var whole bytes.Buffer
	x := &modelhttp.Exchange{Wrap: capture(&whole)}
	_, err := c.api.ListModels(modelhttp.Watch(ctx, x))
	return c.decode(ctx, x, err, whole.Bytes(), into)
}

// decode reads the captured body of a call that the vendor's client ended with
// err, or says what went wrong.
func (c *client) decode(ctx context.Context, x *modelhttp.Exchange, err error, body []byte, into any) error {
	if x.Failed() {
		f := readFailure(x.ErrorBody)
		f.status = x.Status
		return c.serverFailure(f, x)
	}
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	if err != nil {
		return c.unreadable(ctx, x, err)
	}
	if errorOf(body) != nil {
		return c.inBand(body, x)
	}
	return nil
}
