package sdk

import (
	"encoding/json"

	"querent.dev/querent/sdk/internal/enum"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/internal/toproto"
	"querent.dev/querent/sdk/reason"
)

// The plugin's side of the conversions: requests come, responses go. sdk/client
// holds the other side. All are pure.

func generateRequestFromProto(m *pluginv1.GenerateRequest) GenerateRequest {
	return GenerateRequest{
		RequestID: m.GetRequestId(), Model: m.GetModel(), Messages: messagesFromProto(m.GetMessages()),
		OutputMode: OutputMode(enum.OutputMode.Name(m.GetOutputMode())),
		SchemaName: m.GetSchemaName(), Schema: rawFromProto(m.GetSchema()), MaxOutputTokens: m.GetMaxOutputTokens(),
		Temperature: m.Temperature, Seed: m.Seed, Thinking: m.Thinking,
		Stop: m.GetStop(), Options: m.GetOptions(), LoadTimeout: m.GetLoadTimeout().AsDuration(), TraceParent: m.GetTraceparent(),
	}
}

func messagesFromProto(list []*pluginv1.Message) []Message {
	out := make([]Message, len(list))
	for i, m := range list {
		out[i] = Message{Role: Role(enum.Role.Name(m.GetRole())), Content: m.GetContent()}
	}
	return out
}

// rawFromProto is nil for an absent JSON text.
func rawFromProto(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

func generateResponseToProto(r GenerateResponse) *pluginv1.GenerateResponse {
	return &pluginv1.GenerateResponse{
		Text: toproto.Text(r.Text), Thinking: toproto.Text(r.Thinking), ToolName: toproto.Text(r.ToolName),
		ToolArguments: toproto.Text(string(r.ToolArguments)), FinishReason: enum.FinishReason.Number(string(r.Finish)),
		Usage: usageToProto(r.Usage), ModelServed: toproto.Text(r.ModelServed), EffectiveContext: countToProto(r.EffectiveContext),
		Warnings: warningsToProto(r.Warnings), ProviderRequestId: toproto.Text(r.ProviderRequestID),
	}
}

func usageToProto(u Usage) *pluginv1.Usage {
	return &pluginv1.Usage{
		Input: countToProto(u.Input), Output: countToProto(u.Output), Cached: countToProto(u.Cached), Reasoning: countToProto(u.Reasoning),
	}
}

func countToProto(c Count) *int64 {
	if !c.Known {
		return nil
	}
	return &c.N
}

func warningsToProto(list []Warning) []*pluginv1.Warning {
	out := make([]*pluginv1.Warning, len(list))
	for i, w := range list {
		out[i] = &pluginv1.Warning{Setting: toproto.Text(w.Setting), Message: toproto.Text(w.Message)}
	}
	return out
}

func chunkToProto(c Chunk) (*pluginv1.GenerateChunk, error) {
	switch c.Kind {
	case ChunkText:
		return &pluginv1.GenerateChunk{Kind: &pluginv1.GenerateChunk_Text{Text: toproto.Text(c.Text)}}, nil
	case ChunkThinking:
		return &pluginv1.GenerateChunk{Kind: &pluginv1.GenerateChunk_Thinking{Thinking: toproto.Text(c.Text)}}, nil
	case ChunkTool:
		return &pluginv1.GenerateChunk{Kind: &pluginv1.GenerateChunk_Tool{Tool: toproto.Text(c.Text)}}, nil
	case ChunkUsage:
		return &pluginv1.GenerateChunk{Kind: &pluginv1.GenerateChunk_Usage{Usage: usageToProto(c.Usage)}}, nil
	case ChunkFinish:
		return &pluginv1.GenerateChunk{Kind: &pluginv1.GenerateChunk_Finish{Finish: generateResponseToProto(c.Response)}}, nil
	}
	return nil, Errorf(reason.InternalProvider, "the plugin sent a chunk of the unknown kind %q", c.Kind)
}

func modelInfoToProto(i ModelInfo) *pluginv1.ModelInfoResponse {
	modes := make([]pluginv1.OutputMode, len(i.OutputModes))
	for n, mode := range i.OutputModes {
		modes[n] = enum.OutputMode.Number(string(mode))
	}
	details := make(map[string]string, len(i.Details))
	for name, value := range i.Details {
		details[toproto.Text(name)] = toproto.Text(value)
	}
	return &pluginv1.ModelInfoResponse{
		Model: toproto.Text(i.Model), Present: i.Present, ContextLength: countToProto(i.ContextLength), OutputModes: modes,
		Thinking: i.Thinking, Tools: i.Tools, Embeddings: i.Embeddings, FixedSampling: i.FixedSampling, Details: details,
	}
}

func embedResponseToProto(r EmbedResponse) *pluginv1.EmbedResponse {
	vectors := make([]*pluginv1.Vector, len(r.Vectors))
	for i, v := range r.Vectors {
		vectors[i] = &pluginv1.Vector{Values: v}
	}
	return &pluginv1.EmbedResponse{Vectors: vectors, Usage: usageToProto(r.Usage), ModelServed: toproto.Text(r.ModelServed)}
}
