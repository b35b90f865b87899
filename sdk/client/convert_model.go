package client

import (
	"context"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/internal/enum"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/internal/toproto"
)

// The host's side of the conversions: requests go, responses come. Package sdk
// holds the other side. All are pure but for the deadline, which is ctx's.

func generateRequest(ctx context.Context, r sdk.GenerateRequest) *pluginv1.GenerateRequest {
	m := &pluginv1.GenerateRequest{
		RequestId: toproto.Text(r.RequestID), Model: toproto.Text(r.Model), OutputMode: enum.OutputMode.Number(string(r.OutputMode)),
		SchemaName: toproto.Text(r.SchemaName), Schema: toproto.Text(string(r.Schema)), MaxOutputTokens: r.MaxOutputTokens,
		Temperature: r.Temperature, Seed: r.Seed, Thinking: r.Thinking, Stop: toproto.Texts(r.Stop),
		Options: make(map[string]string, len(r.Options)), Deadline: deadline(ctx), Traceparent: toproto.Text(r.TraceParent),
	}
	for _, message := range r.Messages {
		m.Messages = append(m.Messages, &pluginv1.Message{
			Role: enum.Role.Number(string(message.Role)), Content: toproto.Text(message.Content),
		})
	}
	for name, value := range r.Options {
		m.Options[toproto.Text(name)] = toproto.Text(value)
	}
	if r.LoadTimeout > 0 {
		m.LoadTimeout = durationpb.New(r.LoadTimeout)
	}
	return m
}

func deadline(ctx context.Context) *timestamppb.Timestamp {
	if t, ok := ctx.Deadline(); ok {
		return timestamppb.New(t)
	}
	return nil
}

func generateResponse(m *pluginv1.GenerateResponse) sdk.GenerateResponse {
	r := sdk.GenerateResponse{
		Text: m.GetText(), Thinking: m.GetThinking(), ToolName: m.GetToolName(), ToolArguments: raw(m.GetToolArguments()),
		Finish: sdk.FinishReason(enum.FinishReason.Name(m.GetFinishReason())), Usage: usage(m.GetUsage()),
		ModelServed: m.GetModelServed(), ProviderRequestID: m.GetProviderRequestId(),
	}
	if m != nil {
		r.EffectiveContext = count(m.EffectiveContext)
	}
	for _, w := range m.GetWarnings() {
		r.Warnings = append(r.Warnings, sdk.Warning{Setting: w.GetSetting(), Message: w.GetMessage()})
	}
	return r
}

func usage(m *pluginv1.Usage) sdk.Usage {
	if m == nil {
		return sdk.Usage{}
	}
	return sdk.Usage{Input: count(m.Input), Output: count(m.Output), Cached: count(m.Cached), Reasoning: count(m.Reasoning)}
}

func count(n *int64) sdk.Count {
	if n == nil {
		return sdk.Count{}
	}
	return sdk.Known(*n)
}

// chunk is false for a kind that this side does not know.
func chunk(m *pluginv1.GenerateChunk) (sdk.Chunk, bool) {
	switch k := m.GetKind().(type) {
	case *pluginv1.GenerateChunk_Text:
		return sdk.Chunk{Kind: sdk.ChunkText, Text: k.Text}, true
	case *pluginv1.GenerateChunk_Thinking:
		return sdk.Chunk{Kind: sdk.ChunkThinking, Text: k.Thinking}, true
	case *pluginv1.GenerateChunk_Tool:
		return sdk.Chunk{Kind: sdk.ChunkTool, Text: k.Tool}, true
	case *pluginv1.GenerateChunk_Usage:
		return sdk.Chunk{Kind: sdk.ChunkUsage, Usage: usage(k.Usage)}, true
	case *pluginv1.GenerateChunk_Finish:
		return sdk.Chunk{Kind: sdk.ChunkFinish, Response: generateResponse(k.Finish)}, true
	}
	return sdk.Chunk{}, false
}

func modelInfo(m *pluginv1.ModelInfoResponse) sdk.ModelInfo {
	i := sdk.ModelInfo{
		Model: m.GetModel(), Present: m.GetPresent(), ContextLength: count(m.ContextLength), Thinking: m.GetThinking(),
		Tools: m.GetTools(), Embeddings: m.GetEmbeddings(), FixedSampling: m.GetFixedSampling(), Details: m.GetDetails(),
	}
	for _, mode := range m.GetOutputModes() {
		if name := enum.OutputMode.Name(mode); name != "" {
			i.OutputModes = append(i.OutputModes, sdk.OutputMode(name))
		}
	}
	return i
}
