package sdk

import (
	"context"
	"encoding/json"
	"time"
)

// OutputMode says how the host wants a model's output to be constrained.
type OutputMode string

// The output modes, from the strictest to none.
const (
	OutputSchema OutputMode = "schema"
	OutputJSON   OutputMode = "json"
	OutputTool   OutputMode = "tool"
	OutputText   OutputMode = "text"
)

// Role is the author of a message.
type Role string

// The roles of a conversation.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Message is a turn of a conversation.
type Message struct {
	Role    Role
	Content string
}

// GenerateRequest asks a model for a text. A nil pointer means "do not send":
// the plugin must then leave the setting out of its own request.
type GenerateRequest struct {
	RequestID  string
	Model      string
	Messages   []Message
	OutputMode OutputMode
	// SchemaName is a short identifier of the output's form; Schema is its JSON
	// Schema, empty unless OutputMode is OutputSchema or OutputTool.
	SchemaName      string
	Schema          json.RawMessage
	MaxOutputTokens int64 // 0: the plugin's default
	Temperature     *float64
	Seed            *int64
	Thinking        *bool
	Stop            []string
	Options         map[string]string // provider specific, from the agent's configuration
	// LoadTimeout is the time to load the model, apart from answering; 0 is the
	// plugin's default. Towards a model with DetailLoads the call's deadline includes
	// it: answering may take what the deadline leaves beyond it.
	LoadTimeout time.Duration
	TraceParent string // W3C trace context of the call; "" when there is none
}

// FinishReason says why a model stopped. The zero value means that it did not
// say: such a response is incomplete.
type FinishReason string

// The reasons to finish.
const (
	FinishStop   FinishReason = "stop"
	FinishLength FinishReason = "length"
	FinishTool   FinishReason = "tool"
	FinishFilter FinishReason = "filter"
)

// Count is a figure that may be unknown. Unknown is not zero.
type Count struct {
	N     int64
	Known bool
}

// Known is a known figure.
func Known(n int64) Count { return Count{N: n, Known: true} }

// Usage counts the tokens of a call.
type Usage struct {
	Input, Output, Cached, Reasoning Count
}

// Warning says that a setting was not honoured.
type Warning struct {
	Setting string
	Message string
}

// GenerateResponse is a whole answer of a model.
type GenerateResponse struct {
	Text              string
	Thinking          string // kept apart; never parsed as the answer
	ToolName          string
	ToolArguments     json.RawMessage
	Finish            FinishReason
	Usage             Usage
	ModelServed       string // the model that the server says it used
	EffectiveContext  Count  // tokens
	Warnings          []Warning
	ProviderRequestID string
}

// ChunkKind is the kind of a message of a stream.
type ChunkKind string

// The kinds of stream messages. A stream ends with ChunkFinish or an error.
const (
	ChunkText     ChunkKind = "text"
	ChunkThinking ChunkKind = "thinking"
	ChunkTool     ChunkKind = "tool"
	ChunkUsage    ChunkKind = "usage"
	ChunkFinish   ChunkKind = "finish"
)

// Chunk is a message of a stream. Text is set for text, thinking and tool
// chunks; Usage for usage; Response for finish, holding all of the response but
// the texts that were streamed before.
type Chunk struct {
	Kind     ChunkKind
	Text     string
	Usage    Usage
	Response GenerateResponse
}

// DetailLoads is the key of ModelInfo.Details under which a provider says "true"
// when it loads the model by itself, which may take minutes.
const DetailLoads = "loads"

// DetailEnforcesPatterns is the key of ModelInfo.Details under which a provider says
// "true" when the model's server enforces lengths and patterns of an output schema.
// The host then sends patterns of up to 256 KiB, which hold the names of tables.
const DetailEnforcesPatterns = "enforces_patterns"

// DetailTokenLimit is the key of ModelInfo.Details under which a provider names the
// field of its server's API that limits an answer's length, or says "none" when the
// model takes no limit.
const DetailTokenLimit = "token_limit"

// DetailStreamingUsage is the key of ModelInfo.Details under which a provider says
// "true" or "false" when it knows whether streamed answers come with their usage.
const DetailStreamingUsage = "streaming_usage"

// ModelInfo is what is known of a model. Unknown capabilities are false with
// Known unset in the counts.
type ModelInfo struct {
	Model         string
	Present       bool
	ContextLength Count // tokens
	OutputModes   []OutputMode
	Thinking      bool
	Tools         bool
	Embeddings    bool
	FixedSampling bool // the model takes no temperature
	Details       map[string]string
}

// EmbedRequest asks for a vector per text, in order.
type EmbedRequest struct {
	RequestID   string
	Model       string
	Texts       []string
	TraceParent string // W3C trace context of the call; "" when there is none
}

// EmbedResponse holds a vector per text of the request.
type EmbedResponse struct {
	Vectors     [][]float32
	Usage       Usage
	ModelServed string
}

// PullProgress reports a model's download.
type PullProgress struct {
	Status           string
	Completed, Total int64 // bytes; 0: unknown
}

// Model is a language model behind a plugin. All calls may run concurrently
// and end soon after ctx does. Failures are *Error; any other error reaches
// the host as kind internal.
type Model interface {
	// ModelInfo tells what is known of a model. An absent model is not an error.
	ModelInfo(ctx context.Context, model string) (ModelInfo, error)
	// Generate returns a whole answer, with a finish reason.
	Generate(ctx context.Context, r GenerateRequest) (GenerateResponse, error)
	// GenerateStream passes the answer on piece by piece and ends with a finish
	// chunk. It stops with send's error when send fails. send must not be called
	// concurrently.
	GenerateStream(ctx context.Context, r GenerateRequest, send func(Chunk) error) error
	// Embed returns vectors. A plugin without embeddings returns ErrUnsupported.
	Embed(ctx context.Context, r EmbedRequest) (EmbedResponse, error)
}

// Puller is implemented by a Model that can fetch a model.
type Puller interface {
	// PullModel returns when the model is there. It stops with send's error when
	// send fails. send must not be called concurrently.
	PullModel(ctx context.Context, model string, send func(PullProgress) error) error
}
