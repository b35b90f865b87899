package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
)

// ModelInfo implements sdk.Model. OpenAI's API says little of a model; what the
// server does not say and the settings do not either stays unknown. A deployment
// of Azure is not looked for: it shows when it is used.
func (p *Provider) ModelInfo(ctx context.Context, model string) (sdk.ModelInfo, error) {
	c, err := p.client()
	if err != nil {
		return sdk.ModelInfo{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	info := c.configuredInfo(model)
	if c.azure {
		info.Present = true
		detail(&info, "presence", "not checked: a deployment shows when it is used")
		return info, nil
	}
	listed, err := c.findModel(ctx, model)
	if err != nil || listed == nil {
		return info, err
	}
	info.Present = true
	if n := listed.contextLength(); !info.ContextLength.Known && n > 0 {
		info.ContextLength = sdk.Known(n)
	}
	if listed.OwnedBy != "" {
		detail(&info, "owned_by", listed.OwnedBy)
	}
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
	info := sdk.ModelInfo{Model: model, FixedSampling: known.refused["temperature"]}
	if set.ContextLength > 0 {
		info.ContextLength = sdk.Known(set.ContextLength)
	}
	if form := known.form(sdk.OutputSchema); set.EnforcesPatterns && (form == formSchema || form == formLooseSchema) {
		detail(&info, sdk.DetailEnforcesPatterns, "true")
	}
	switch set.Output {
	case "json_schema":
		info.OutputModes = []sdk.OutputMode{sdk.OutputSchema, sdk.OutputJSON, sdk.OutputText}
	case "json_object":
		info.OutputModes = []sdk.OutputMode{sdk.OutputJSON, sdk.OutputText}
	case "tool":
		info.OutputModes, info.Tools = []sdk.OutputMode{sdk.OutputTool, sdk.OutputText}, true
	case "text":
		info.OutputModes = []sdk.OutputMode{sdk.OutputText}
	}
	return info
}

// listedModel is an entry of the list of models, with the fields that compatible
// servers add and the vendor's type drops.
type listedModel struct {
	ID            string `json:"id"`
	OwnedBy       string `json:"owned_by"`
	ContextLength int64  `json:"context_length"`        // OpenRouter
	MaxModelLen   int64  `json:"max_model_len"`         // vLLM
	Loaded        int64  `json:"loaded_context_length"` // LM Studio
}

func (m listedModel) contextLength() int64 { return max(m.ContextLength, m.MaxModelLen, m.Loaded) }

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
	if isError(readLost(body).Error) {
		return c.inBand(body, x)
	}
	return nil
}
