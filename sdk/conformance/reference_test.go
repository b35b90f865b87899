package conformance_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// reference is a small plugin that keeps every contract: a client of OpenAI's API
// that knows none of its servers' quirks, a planner that counts rows and a
// synthesizer. Each test of a broken plugin overrides one thing.
type reference struct {
	settings struct {
		BaseURL string `json:"base_url"`
		APIKey  string `json:"api_key"`
	}
	// body, when it is not nil, changes what is sent to the server.
	body func(map[string]any)
	// detached calls go on when nobody waits for them any more.
	detached bool

	configured atomic.Bool
}

var (
	_ sdk.Lifecycle   = (*reference)(nil)
	_ sdk.Model       = (*reference)(nil)
	_ sdk.Planner     = (*reference)(nil)
	_ sdk.Synthesizer = (*reference)(nil)
)

func (r *reference) plugin() sdk.Plugin {
	return sdk.Plugin{Lifecycle: r, Model: r, Planner: r, Synthesizer: r}
}

func (r *reference) Describe() sdk.Description {
	return sdk.Description{Name: "reference", Version: "1.0.0", ConfigSchema: json.RawMessage(
		`{"type":"object","properties":{"base_url":{"type":"string"},"api_key":{"type":"string"}},"additionalProperties":false}`)}
}

func (r *reference) Configure(_ context.Context, c sdk.Configuration) error {
	if err := json.Unmarshal(c.Settings, &r.settings); err != nil {
		return sdk.Errorf(reason.Misconfigured, "reading the settings: %w", err)
	}
	r.configured.Store(true)
	return nil
}

func (r *reference) Health(context.Context) sdk.HealthState { return sdk.HealthState{OK: true} }

func (r *reference) Stop(context.Context) error { return nil }

// do asks the server, and returns its answer if that is a success.
func (r *reference) do(ctx context.Context, method, path string, body any) (io.ReadCloser, error) {
	if !r.configured.Load() {
		return nil, sdk.Errorf(reason.Misconfigured, "the plugin is not configured")
	}
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	if r.detached {
		ctx = context.WithoutCancel(ctx)
	}
	request, err := http.NewRequestWithContext(ctx, method, r.settings.BaseURL+path, bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+r.settings.APIKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, sdk.Errorf(reason.Unavailable, "the server cannot be reached")
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		kinds := map[int]reason.Kind{404: reason.ModelNotFound, 429: reason.RateLimited, 503: reason.Overloaded}
		kind := reason.Unavailable
		if k, ok := kinds[response.StatusCode]; ok {
			kind = k
		}
		return nil, sdk.Errorf(kind, "the server answered with status %d", response.StatusCode)
	}
	return response.Body, nil
}

func (r *reference) request(g sdk.GenerateRequest, stream bool) (map[string]any, error) {
	if g.Model == "" || len(g.Messages) == 0 {
		return nil, sdk.Errorf(reason.InvalidRequest, "the request names no model or holds no message")
	}
	messages := make([]map[string]string, len(g.Messages))
	for i, m := range g.Messages {
		messages[i] = map[string]string{"role": string(m.Role), "content": m.Content}
	}
	body := map[string]any{"model": g.Model, "messages": messages}
	if stream {
		body["stream"], body["stream_options"] = true, map[string]bool{"include_usage": true}
	}
	if g.Temperature != nil {
		body["temperature"] = *g.Temperature
	}
	if g.Seed != nil {
		body["seed"] = *g.Seed
	}
	if len(g.Stop) > 0 {
		body["stop"] = g.Stop
	}
	if g.MaxOutputTokens > 0 {
		body["max_tokens"] = g.MaxOutputTokens
	}
	if g.OutputMode == sdk.OutputSchema {
		body["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": g.SchemaName, "schema": g.Schema}}
	}
	if r.body != nil {
		r.body(body)
	}
	return body, nil
}

// piece is a message of an answer, whole or in part.
type piece struct {
	Content   string `json:"content"`
	Reasoning string `json:"reasoning_content"`
}

type completion struct {
	Choices []struct {
		Message, Delta piece
		Finish         string `json:"finish_reason"`
	}
	Usage *struct {
		Input  int64 `json:"prompt_tokens"`
		Output int64 `json:"completion_tokens"`
	}
}

func (c completion) into(out *sdk.GenerateResponse) {
	if c.Usage != nil {
		out.Usage = sdk.Usage{Input: sdk.Known(c.Usage.Input), Output: sdk.Known(c.Usage.Output)}
	}
	if len(c.Choices) > 0 && c.Choices[0].Finish != "" {
		out.Finish = sdk.FinishReason(c.Choices[0].Finish)
	}
}

func (r *reference) Generate(ctx context.Context, g sdk.GenerateRequest) (out sdk.GenerateResponse, err error) {
	request, err := r.request(g, false)
	if err != nil {
		return out, err
	}
	body, err := r.do(ctx, http.MethodPost, "/chat/completions", request)
	if err != nil {
		return out, err
	}
	defer body.Close()
	var c completion
	if err := json.NewDecoder(body).Decode(&c); err != nil {
		return out, sdk.Errorf(reason.Incomplete, "the answer cannot be read")
	}
	c.into(&out)
	if out.Finish == "" {
		return out, sdk.Errorf(reason.Incomplete, "there is no finish reason")
	}
	out.Text, out.Thinking = c.Choices[0].Message.Content, c.Choices[0].Message.Reasoning
	return out, nil
}

func (r *reference) GenerateStream(ctx context.Context, g sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	request, err := r.request(g, true)
	if err != nil {
		return err
	}
	body, err := r.do(ctx, http.MethodPost, "/chat/completions", request)
	if err != nil {
		return err
	}
	defer body.Close()
	var out sdk.GenerateResponse
	for lines := bufio.NewScanner(body); lines.Scan(); {
		var c completion
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); !ok || json.Unmarshal([]byte(data), &c) != nil {
			continue
		}
		c.into(&out)
		if len(c.Choices) == 0 || c.Choices[0].Delta.Content == "" {
			continue
		}
		if err := send(sdk.Chunk{Kind: sdk.ChunkText, Text: c.Choices[0].Delta.Content}); err != nil {
			return err
		}
	}
	if out.Finish == "" {
		return errors.Join(ctx.Err(), sdk.Errorf(reason.Incomplete, "there is no finish reason"))
	}
	return send(sdk.Chunk{Kind: sdk.ChunkFinish, Response: out})
}

func (r *reference) ModelInfo(ctx context.Context, model string) (sdk.ModelInfo, error) {
	body, err := r.do(ctx, http.MethodGet, "/models/"+model, nil)
	if errors.Is(err, &sdk.Error{Kind: reason.ModelNotFound}) {
		return sdk.ModelInfo{Model: model}, nil
	}
	if err != nil {
		return sdk.ModelInfo{}, err
	}
	return sdk.ModelInfo{Model: model, Present: true}, body.Close()
}

func (r *reference) Embed(ctx context.Context, e sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	body, err := r.do(ctx, http.MethodPost, "/embeddings", map[string]any{"model": e.Model, "input": e.Texts})
	if err != nil {
		return sdk.EmbedResponse{}, err
	}
	defer body.Close()
	var answer struct {
		Data []struct {
			Index     int
			Embedding []float32
		}
	}
	if err := json.NewDecoder(body).Decode(&answer); err != nil {
		return sdk.EmbedResponse{}, err
	}
	out := sdk.EmbedResponse{Vectors: make([][]float32, len(answer.Data))}
	for _, d := range answer.Data {
		out.Vectors[d.Index] = d.Embedding
	}
	return out, nil
}

func (r *reference) Plan(_ context.Context, p sdk.PlanRequest) (sdk.PlanResponse, error) {
	for _, table := range p.Catalog.Tables {
		if p.Question == "How many "+table.Name+"?" {
			plan := &wire.Plan{Clauses: wire.Clauses{From: table.Name, Select: []string{"count(*) as n"}}}
			return sdk.PlanResponse{Plan: plan, Reading: "the number of " + table.Name}, nil
		}
	}
	return sdk.PlanResponse{Refusal: &sdk.Refusal{Reason: string(reason.ReasonWordsNotUnderstood)}}, nil
}

func (r *reference) Synthesize(_ context.Context, s sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
	summary := "The run ended: " + string(s.Outcome.Kind) + "."
	if results := s.Outcome.Results; len(results) > 0 {
		summary = strconv.FormatInt(results[0].RowCount, 10) + " rows, the first of which begins with " + results[0].Rows[0][0].String() + "."
	}
	return sdk.SynthesizeResponse{Response: wire.AggregatedResponse{Summary: summary, FormatType: wire.FormatText}}, nil
}
