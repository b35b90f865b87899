package provider

import (
	"encoding/json"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// answer is a model's answer as far as it has come.
type answer struct {
	text, thinking, refusal, toolName, toolArguments strings.Builder

	finish string
	model  string
	usage  sdk.Usage
}

// wholeAnswer reads an answer that came in one piece.
func (c *client) wholeAnswer(resp openai.ChatCompletionResponse, body []byte, x *modelhttp.Exchange) (*answer, *sdk.Error) {
	l := readLost(body)
	if isError(l.Error) {
		return nil, c.inBand(body, x)
	}
	a := &answer{model: resp.Model, usage: l.Usage.sdk()}
	if len(resp.Choices) == 0 {
		return a, nil
	}
	choice := resp.Choices[0]
	m := choice.Message
	a.finish = string(choice.FinishReason)
	a.text.WriteString(m.Content)
	for _, part := range m.MultiContent {
		a.text.WriteString(part.Text)
	}
	a.refusal.WriteString(m.Refusal)
	a.thinking.WriteString(m.ReasoningContent)
	if m.ReasoningContent == "" && len(l.Choices) > 0 {
		a.thinking.WriteString(l.Choices[0].Message.Reasoning)
	}
	if len(m.ToolCalls) > 0 {
		a.toolName.WriteString(m.ToolCalls[0].Function.Name)
		a.toolArguments.WriteString(m.ToolCalls[0].Function.Arguments)
	}
	return a, nil
}

// finishes maps what servers say to why the model stopped. Anything else is no
// reason to trust the answer.
var finishes = map[string]sdk.FinishReason{
	"stop": sdk.FinishStop, "eos": sdk.FinishStop, "end_turn": sdk.FinishStop, "stop_sequence": sdk.FinishStop, "STOP": sdk.FinishStop,
	"length": sdk.FinishLength, "max_tokens": sdk.FinishLength, "model_length": sdk.FinishLength, "MAX_TOKENS": sdk.FinishLength,
	"tool_calls": sdk.FinishTool, "function_call": sdk.FinishTool, "tool_use": sdk.FinishTool,
	"content_filter": sdk.FinishFilter, "SAFETY": sdk.FinishFilter,
}

// conclude makes the response of a whole answer, or says why it is none.
func (a *answer) conclude(q *chatRequest, x *modelhttp.Exchange) (sdk.GenerateResponse, *sdk.Error) {
	if e := a.fault(); e != nil {
		e.Status, e.ProviderRequestID = x.Status, x.RequestID
		return sdk.GenerateResponse{}, e
	}
	out := sdk.GenerateResponse{
		Text: a.text.String(), Thinking: a.thinking.String(), Finish: finishes[a.finish], Usage: a.usage,
		ModelServed: a.model, Warnings: q.warnings, ProviderRequestID: x.RequestID,
	}
	arguments := a.toolArguments.String()
	switch {
	case q.mode == sdk.OutputTool && json.Valid([]byte(arguments)):
		out.ToolName, out.ToolArguments = a.toolName.String(), json.RawMessage(arguments)
	case q.mode == sdk.OutputTool && arguments != "" && out.Finish != sdk.FinishLength:
		return sdk.GenerateResponse{}, sdk.Errorf(reason.InvalidOutput, "the arguments of the model's tool call are no JSON")
	case q.mode != sdk.OutputTool:
		if arguments != "" { // a tool has stood in for the schema
			out.Text = arguments
		}
		if out.Finish == sdk.FinishTool {
			out.Finish = sdk.FinishStop
		}
	}
	return out, nil
}

// fault says why the answer cannot be used, or is nil.
func (a *answer) fault() *sdk.Error {
	finish, known := finishes[a.finish]
	switch {
	case a.refusal.Len() > 0:
		return sdk.Errorf(reason.RefusedByModel, "the model declined to answer")
	case finish == sdk.FinishFilter:
		return sdk.Errorf(reason.ContentFiltered, "the provider's content filter stopped the answer")
	case a.finish == "" || a.finish == "null":
		return sdk.Errorf(reason.Incomplete, "the answer ended without a finish reason")
	case a.finish == "insufficient_system_resource": // DeepSeek
		return sdk.Errorf(reason.Overloaded, "the server ran out of resources while answering")
	case !known:
		return sdk.Errorf(reason.Incomplete, "the answer ended with the unknown finish reason %q", a.finish)
	}
	return nil
}
