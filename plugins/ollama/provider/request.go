package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// chatRequest is a request that is ready to be sent, and what it says.
type chatRequest struct {
	api.ChatRequest
	key       loadKey
	estimated int64 // tokens of the prompt, an upper guess
	mode      sdk.OutputMode
	warnings  []sdk.Warning
}

// constrained reports whether the answer must be JSON.
func (q *chatRequest) constrained() bool {
	return q.mode == sdk.OutputSchema || q.mode == sdk.OutputJSON
}

func checkRequest(r sdk.GenerateRequest) error {
	fromUser := func(m sdk.Message) bool { return m.Role == sdk.RoleUser }
	switch {
	case r.Model == "":
		return sdk.Errorf(reason.Misconfigured, "no model is named; set model for the provider or the agent")
	case !slices.ContainsFunc(r.Messages, fromUser):
		// The server would only load the model, and say that all is well.
		return sdk.Errorf(reason.InvalidRequest, "the request holds no message of the user")
	case r.OutputMode == sdk.OutputSchema || r.OutputMode == sdk.OutputTool:
		err := checkSchema(r.Schema)
		var e *sdk.Error
		if errors.As(err, &e) {
			e.Setting = sdk.SettingOutputMode
		}
		return err
	}
	return nil
}

// build writes the request for a model of which f is known.
func (c *client) build(r sdk.GenerateRequest, f facts) (*chatRequest, error) {
	b := builder{cfg: c.cfg, req: chatRequest{mode: r.OutputMode}}
	b.req.Model = r.Model
	yes, no := true, false
	b.req.Stream, b.req.Truncate, b.req.Shift = &yes, &no, &no
	b.req.KeepAlive = c.cfg.sentKeepAlive()
	messages := slices.Clone(r.Messages)
	if err := b.output(r, &messages); err != nil {
		return nil, err
	}
	for _, m := range messages {
		b.req.Messages = append(b.req.Messages, api.Message{Role: string(m.Role), Content: m.Content})
	}
	b.think(r, f)
	b.options(r)
	b.req.estimated = estimate(messages)
	b.contextLength(c, f)
	return &b.req, nil
}

type builder struct {
	cfg *config
	req chatRequest
}

func (b *builder) warn(setting, format string, args ...any) {
	b.req.warnings = append(b.req.warnings, sdk.Warning{Setting: setting, Message: fmt.Sprintf(format, args...)})
}

func (b *builder) output(r sdk.GenerateRequest, messages *[]sdk.Message) error {
	switch r.OutputMode {
	case sdk.OutputSchema:
		b.req.Format = r.Schema
	case sdk.OutputJSON:
		b.req.Format = json.RawMessage(`"json"`)
		b.askForJSON(messages)
	case sdk.OutputTool:
		return b.tool(r)
	}
	return nil
}

// askForJSON makes sure that the prompt asks for what the grammar enforces: a
// model that does not mean to write JSON writes white space for ever.
func (b *builder) askForJSON(messages *[]sdk.Message) {
	for _, m := range *messages {
		if strings.Contains(strings.ToLower(m.Content), "json") {
			return
		}
	}
	const ask = "Answer with one JSON object and nothing else."
	b.warn(sdk.SettingOutputMode, "the prompt did not ask for JSON; a sentence was added")
	if first := &(*messages)[0]; first.Role == sdk.RoleSystem {
		first.Content += "\n\n" + ask
		return
	}
	*messages = append([]sdk.Message{{Role: sdk.RoleSystem, Content: ask}}, *messages...)
}

func (b *builder) tool(r sdk.GenerateRequest) error {
	name := r.SchemaName
	if name == "" {
		name = "output"
	}
	tool := api.Tool{Type: "function", Function: api.ToolFunction{Name: name}}
	if err := json.Unmarshal(r.Schema, &tool.Function.Parameters); err != nil {
		return sdk.Errorf(reason.InvalidRequest, "the schema cannot be put into a tool: %w", err)
	}
	b.req.Tools = api.Tools{tool}
	b.warn(sdk.SettingOutputMode, "the server shows a tool to the model and enforces nothing; lengths and patterns of the schema are not shown either")
	return nil
}

// think switches thinking where the model has the switch. Where it has not, the
// server would refuse, or stop minding the output's form.
func (b *builder) think(r sdk.GenerateRequest, f facts) {
	var value any
	if r.Thinking != nil {
		value = *r.Thinking
	}
	if level, ok := r.Options["think"]; ok {
		value = level
	}
	switch {
	case value == nil:
	case f.switchless, len(f.capabilities) > 0 && !f.can(model.CapabilityThinking):
		if value != false {
			b.warn(sdk.SettingThinking, "the model does not think, so it was not asked to")
		}
	default:
		b.req.Think = &api.ThinkValue{Value: value}
	}
}

// numbers are the options that are passed on to the server.
var numbers = []string{"min_p", "num_ctx", "presence_penalty", "frequency_penalty", "repeat_last_n", "repeat_penalty", "top_k", "top_p"}

// options sets what the server calls options. A temperature of 0 is sent; what is
// not set is left to the model.
func (b *builder) options(r sdk.GenerateRequest) {
	o := map[string]any{"num_predict": b.cfg.NumPredict}
	b.req.Options = o
	if r.MaxOutputTokens > 0 {
		o["num_predict"] = r.MaxOutputTokens
	}
	if r.Temperature != nil {
		o["temperature"] = *r.Temperature
	}
	if r.Seed != nil {
		o["seed"] = *r.Seed
	}
	if len(r.Stop) > 0 {
		o["stop"] = r.Stop
	}
	for _, name := range slices.Sorted(maps.Keys(r.Options)) {
		if name == "think" {
			continue
		}
		if !slices.Contains(numbers, name) {
			b.warn(name, "unknown option; known are think, %s", strings.Join(numbers, ", "))
			continue
		}
		// The server takes a whole number for some options and refuses 40.0.
		var v json.Number
		if _, err := strconv.ParseFloat(r.Options[name], 64); err != nil || json.Unmarshal([]byte(r.Options[name]), &v) != nil {
			b.warn(name, "%q is no number, so it was not sent", r.Options[name])
			continue
		}
		o[name] = v
	}
}

// contextLength sets num_ctx: the option, else the setting, else what prompt and
// answer need.
func (b *builder) contextLength(c *client, f facts) {
	b.req.key = loadKey{model: b.req.Model, numCtx: b.cfg.NumCtx}
	if v, ok := b.req.Options["num_ctx"].(json.Number); ok {
		n, err := v.Int64()
		if err == nil && n > 0 {
			b.req.key.numCtx = n
		} else {
			b.warn("num_ctx", "%q is no whole number above 0, so it was not sent", v)
		}
	}
	if b.req.key.numCtx == 0 {
		predict, _ := b.req.Options["num_predict"].(int64)
		b.req.key.numCtx = c.contexts.size(b.req.Model, b.req.estimated+predict, f.contextLength)
	}
	b.req.Options["num_ctx"] = b.req.key.numCtx
}
