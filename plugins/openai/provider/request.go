package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// chatBody is the body of a chat completion. The client's own type cannot carry
// it: that drops a temperature of 0, refuses settings by the model's name, and
// knows no order of the schema's keys.
type chatBody struct {
	Model               string          `json:"model"`
	Messages            []chatMessage   `json:"messages"`
	MaxTokens           int64           `json:"max_tokens,omitempty"`
	MaxCompletionTokens int64           `json:"max_completion_tokens,omitempty"`
	Temperature         *float64        `json:"temperature,omitempty"`
	TopP                *float64        `json:"top_p,omitempty"`
	PresencePenalty     *float64        `json:"presence_penalty,omitempty"`
	FrequencyPenalty    *float64        `json:"frequency_penalty,omitempty"`
	Seed                *int64          `json:"seed,omitempty"`
	Stop                []string        `json:"stop,omitempty"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
	Tools               []tool          `json:"tools,omitempty"`
	ToolChoice          *toolChoice     `json:"tool_choice,omitempty"`
	ReasoningEffort     string          `json:"reasoning_effort,omitempty"`
	Verbosity           string          `json:"verbosity,omitempty"`
	ServiceTier         string          `json:"service_tier,omitempty"`
	ChatTemplateKwargs  map[string]bool `json:"chat_template_kwargs,omitempty"`
	Stream              bool            `json:"stream,omitempty"`
	StreamOptions       *streamOptions  `json:"stream_options,omitempty"`
}

type chatMessage struct {
	Role    sdk.Role `json:"role"`
	Content string   `json:"content"`
}

type responseFormat struct {
	Type       string      `json:"type"`
	JSONSchema *jsonSchema `json:"json_schema,omitempty"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
	Strict bool            `json:"strict"`
}

type tool struct {
	Type     string       `json:"type"`
	Function toolFunction `json:"function"`
}

type toolFunction struct {
	Name       string          `json:"name"`
	Parameters json.RawMessage `json:"parameters,omitempty"`
}

type toolChoice struct {
	Type     string       `json:"type"`
	Function toolFunction `json:"function"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// chatRequest is a body that is ready to be sent, and what it says.
type chatRequest struct {
	body     []byte
	model    string
	fields   map[string]bool // the top-level keys of body
	form     outputForm
	warnings []sdk.Warning
}

// constrained reports whether the answer's text must be JSON.
func (q *chatRequest) constrained() bool { return q.form != formTool && q.form != formText }

// build writes the request in the dialect of its model. A setting that the model
// does not take is left out, with a warning.
func (c *client) build(r sdk.GenerateRequest, stream bool) (*chatRequest, error) {
	if err := checkRequest(r); err != nil {
		return nil, err
	}
	known := c.dialects.of(r.Model)
	b := builder{refused: known.refused, body: chatBody{Model: r.Model, Stream: stream}}
	for _, m := range r.Messages {
		b.body.Messages = append(b.body.Messages, chatMessage(m))
	}
	form := known.form(r.OutputMode)
	if modes := modesOf(c.models[r.Model].Output); modes != nil && form != formText && !slices.Contains(modes, r.OutputMode) {
		e := sdk.Errorf(reason.InvalidRequest, "the settings say that the server does not take output mode %s for this model (models.%s.output)", r.OutputMode, r.Model)
		e.Setting = sdk.SettingOutputMode
		return nil, e
	}
	b.output(r, form)
	b.limit(r.MaxOutputTokens, known.tokenField())
	b.sampling(r)
	b.thinking(r.Thinking, c.models[r.Model].Thinking)
	b.options(r.Options)
	if stream && !known.refused["stream_options"] {
		b.body.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	body, err := json.Marshal(b.body)
	if err != nil {
		return nil, sdk.Errorf(reason.InvalidRequest, "write the request: %w", err)
	}
	return &chatRequest{body: body, model: r.Model, fields: topKeys(body), form: form, warnings: b.warnings}, nil
}

func checkRequest(r sdk.GenerateRequest) error {
	constrained := r.OutputMode == sdk.OutputSchema || r.OutputMode == sdk.OutputTool
	switch {
	case r.Model == "":
		return sdk.Errorf(reason.Misconfigured, "no model is named; set model for the provider or the agent")
	case len(r.Messages) == 0:
		return sdk.Errorf(reason.InvalidRequest, "the request holds no message")
	case constrained && !json.Valid(r.Schema):
		return sdk.Errorf(reason.InvalidRequest, "output mode %q needs a JSON Schema, and the request holds none that can be read", r.OutputMode)
	}
	return nil
}

func topKeys(body []byte) map[string]bool {
	var fields map[string]json.RawMessage
	// The body was written a moment ago by this package, so it can be read.
	_ = json.Unmarshal(body, &fields)
	keys := make(map[string]bool, len(fields))
	for k := range fields {
		keys[k] = true
	}
	return keys
}

type builder struct {
	body     chatBody
	refused  map[string]bool
	warnings []sdk.Warning
}

func (b *builder) warn(setting, format string, args ...any) {
	b.warnings = append(b.warnings, sdk.Warning{Setting: setting, Message: fmt.Sprintf(format, args...)})
}

// takes reports whether the model takes a field, and warns when it does not.
func (b *builder) takes(field string) bool {
	if b.refused[field] {
		b.warn(field, "the model does not take it, so it was not sent")
		return false
	}
	return true
}

func (b *builder) output(r sdk.GenerateRequest, form outputForm) {
	name := r.SchemaName
	if name == "" {
		name = "output"
	}
	switch form {
	case formSchema, formLooseSchema:
		if form == formLooseSchema {
			b.warn(sdk.SettingOutputMode, "the server takes no strict schema of this form for this model; it was sent without strict")
		}
		b.body.ResponseFormat = &responseFormat{Type: "json_schema", JSONSchema: &jsonSchema{Name: name, Schema: r.Schema, Strict: form == formSchema}}
	case formJSON:
		b.body.ResponseFormat = &responseFormat{Type: "json_object"}
		b.askForJSON()
	case formTool:
		b.body.Tools = []tool{{Type: "function", Function: toolFunction{Name: name, Parameters: r.Schema}}}
		b.body.ToolChoice = &toolChoice{Type: "function", Function: toolFunction{Name: name}}
	}
}

// askForJSON makes sure of the word JSON in the prompt, without which OpenAI
// refuses json_object.
func (b *builder) askForJSON() {
	for _, m := range b.body.Messages {
		if strings.Contains(strings.ToLower(m.Content), "json") {
			return
		}
	}
	b.warn(sdk.SettingOutputMode, "the prompt did not ask for JSON, which the server insists on; a sentence was added")
	b.instruct("Answer with one JSON object and nothing else.")
}

// instruct adds to the system message, since many chat templates take only one
// and only in front.
func (b *builder) instruct(text string) {
	if first := &b.body.Messages[0]; first.Role == sdk.RoleSystem {
		first.Content += "\n\n" + text
		return
	}
	b.body.Messages = append([]chatMessage{{Role: sdk.RoleSystem, Content: text}}, b.body.Messages...)
}

func (b *builder) limit(tokens int64, field string) {
	switch {
	case tokens <= 0:
	case field == fieldMaxTokens:
		b.body.MaxTokens = tokens
	case field == fieldMaxCompletionTokens:
		b.body.MaxCompletionTokens = tokens
	default:
		b.warn(sdk.SettingMaxOutputTokens, "the model takes no limit, so none was sent")
	}
}

func (b *builder) sampling(r sdk.GenerateRequest) {
	if r.Temperature != nil && b.takes("temperature") {
		b.body.Temperature = r.Temperature
	}
	if r.Seed != nil && b.takes("seed") {
		b.body.Seed = r.Seed
	}
	if len(r.Stop) > 0 && b.takes("stop") {
		b.body.Stop = r.Stop
	}
}

func (b *builder) thinking(want *bool, how string) {
	switch {
	case want == nil:
	case how == "chat_template":
		if b.takes("chat_template_kwargs") {
			b.body.ChatTemplateKwargs = map[string]bool{"enable_thinking": *want}
		}
	default:
		b.warn(sdk.SettingThinking, "there is no common switch; use the option reasoning_effort, or models.<name>.thinking in the provider's settings")
	}
}

// options applies the agent's provider-specific settings.
func (b *builder) options(options map[string]string) {
	texts := map[string]*string{
		"reasoning_effort": &b.body.ReasoningEffort, "verbosity": &b.body.Verbosity, "service_tier": &b.body.ServiceTier,
	}
	numbers := map[string]**float64{
		"top_p": &b.body.TopP, "presence_penalty": &b.body.PresencePenalty, "frequency_penalty": &b.body.FrequencyPenalty,
	}
	for _, name := range sortedKeys(options) {
		text, number := texts[name], numbers[name]
		switch {
		case text == nil && number == nil:
			b.warn(name, "unknown option; known are %s", strings.Join(append(sortedKeys(numbers), sortedKeys(texts)...), ", "))
		case !b.takes(name):
		case text != nil:
			*text = options[name]
		default:
			v, err := strconv.ParseFloat(options[name], 64)
			if err != nil {
				b.warn(name, "%q is no number, so it was not sent", options[name])
				continue
			}
			*number = &v
		}
	}
}
