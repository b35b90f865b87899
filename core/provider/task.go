// Package provider binds agents to providers: a node asks its agent, and the
// agent asks the provider that the configuration names, falls back when it must,
// and turns every failure into a reason.Error. A node never knows whether a
// model or a deterministic service answered.
package provider

import (
	"encoding/json"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/wire"
)

// The requests of the plugin protocol, under the names by which the rest of the
// engine knows them: nothing else in core imports the sdk.
type (
	// PlanRequest is what a Planner is asked.
	PlanRequest = sdk.PlanRequest
	// PlanResponse is a plan or a refusal.
	PlanResponse = sdk.PlanResponse
	// SynthesizeRequest is what a Synthesizer is asked.
	SynthesizeRequest = sdk.SynthesizeRequest
)

// Prompt is what the host sends to a model: messages and the JSON Schema that
// its output must satisfy.
type Prompt struct {
	Messages   []sdk.Message
	SchemaName string
	Schema     json.RawMessage
	// Enforced is a narrower form of Schema, with lengths and patterns. It goes in
	// the place of Schema to a model whose provider says that its server enforces
	// them: others refuse such keywords, or show a long pattern to the model. None
	// sends Schema to all.
	Enforced json.RawMessage
}

// NewPrompt is a prompt of the host's rules and one turn of the user.
func NewPrompt(rules, turn, schemaName string, schema json.RawMessage) Prompt {
	return Prompt{
		Messages:   []sdk.Message{{Role: sdk.RoleSystem, Content: rules}, {Role: sdk.RoleUser, Content: turn}},
		SchemaName: schemaName,
		Schema:     schema,
	}
}

// PlanTask is a question to plan. A provider with a Planner gets Request; one
// with a Model gets the prompt, which is written only then.
type PlanTask struct {
	Request PlanRequest
	// Prompt writes the prompt for a provider that may be sent data. It must
	// leave value hits out when data.Values is false.
	Prompt func(data config.Data) (Prompt, error)
}

// PlanOutcome is a proposed plan, or a refusal, with the calls that led to it.
type PlanOutcome struct {
	Response PlanResponse
	Call     Call
	// Deterministic is set when a Planner answered: what it is asked again it answers
	// alike.
	Deterministic bool
	// Others is set beside Deterministic when a later attempt asks others: the Planner
	// was asked before the chain.
	Others bool
}

// SynthesisTask is an outcome to word.
type SynthesisTask struct {
	Request SynthesizeRequest
	// Prompt writes the prompt for a model; nil keeps models out.
	Prompt func() (Prompt, error)
	// HasRows is set when the prompt would hold cells of the database, which
	// only a provider with data.rows may be sent.
	HasRows bool
	// Stream gets a model's words while it writes them, one piece at a time and
	// before Synthesize returns. Nil asks for the whole at once.
	Stream func(Piece)
	// Shown reports whether the reader has seen something of what was streamed since
	// the last piece that says Failed. While it has, the model is not asked again and
	// no other model is: the reader would see two answers. Nil takes every piece for
	// seen.
	Shown func() bool
	// Check says what is wrong with an answer of the right form, in words for the
	// model, which is asked to correct it once. Nil checks nothing.
	Check func(wire.AggregatedResponse) error
}

// SynthesisOutcome is the text and who wrote it.
type SynthesisOutcome struct {
	Response    wire.AggregatedResponse
	TemplateIDs []string
	Call        Call
}
