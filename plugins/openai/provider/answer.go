package provider

import (
	"encoding/json"
	"strings"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// answer is a model's answer as far as it has come.
type answer struct {
	text, thinking, refusal, toolArguments strings.Builder

	toolName, toolID string
	finish           string
	model            string
	usage            sdk.Usage
	usageTold        bool
}

// takeHead takes in what an event says beside the answer's text.
func (a *answer) takeHead(r reply) {
	if r.Usage != nil {
		a.usage, a.usageTold = r.Usage.sdk(), true
	}
	if r.Model != "" {
		a.model = r.Model
	}
}

// tool takes in a piece of the first tool call and is its arguments; no second
// call was asked for. Some servers number no call, some repeat the name in every piece.
func (a *answer) tool(call toolCall) string {
	switch {
	case call.Index != nil && *call.Index != 0,
		call.ID != "" && a.toolID != "" && call.ID != a.toolID:
		return ""
	case a.toolID == "":
		a.toolID = call.ID
	}
	if a.toolName == "" {
		a.toolName = call.Function.Name
	}
	a.toolArguments.WriteString(string(call.Function.Arguments))
	return string(call.Function.Arguments)
}

// wholeAnswer reads an answer that came in one piece.
func (c *client) wholeAnswer(r reply, body []byte, x *modelhttp.Exchange) (*answer, *sdk.Error) {
	if isError(r.Error) {
		return nil, c.inBand(body, x)
	}
	a := &answer{}
	a.takeHead(r)
	if len(r.Choices) == 0 {
		return a, nil
	}
	choice := r.Choices[0]
	if isError(choice.Error) {
		return nil, c.inBand(choice.Error, x)
	}
	a.finish = choice.FinishReason
	a.text.WriteString(choice.Message.Content.text)
	a.refusal.WriteString(choice.Message.Refusal)
	a.thinking.WriteString(choice.Message.thinking())
	for _, call := range choice.Message.ToolCalls[:min(1, len(choice.Message.ToolCalls))] {
		a.tool(call)
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
	e := a.fault()
	if e == nil {
		e = a.toolFault(q)
	}
	if e != nil {
		e.Status, e.ProviderRequestID = x.Status, x.RequestID
		return sdk.GenerateResponse{}, e
	}
	out := sdk.GenerateResponse{
		Text: a.text.String(), Thinking: a.thinking.String(), Finish: finishes[a.finish], Usage: a.usage,
		ModelServed: a.model, Warnings: q.warnings, ProviderRequestID: x.RequestID,
	}
	if arguments := a.toolArguments.String(); json.Valid([]byte(arguments)) {
		out.ToolName, out.ToolArguments = a.toolName, json.RawMessage(arguments)
		if out.Finish == sdk.FinishStop { // of several servers, when a tool was forced
			out.Finish = sdk.FinishTool
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

// toolFault says what is wrong with a tool call that ended well, or is nil.
func (a *answer) toolFault(q *chatRequest) *sdk.Error {
	arguments := a.toolArguments.String()
	switch {
	case q.form != formTool && (arguments != "" || a.toolName != ""):
		return sdk.Errorf(reason.InvalidOutput, "the model called a tool that it was not offered")
	case arguments != "" && finishes[a.finish] != sdk.FinishLength && !json.Valid([]byte(arguments)):
		return sdk.Errorf(reason.InvalidOutput, "the arguments of the model's tool call are no JSON")
	}
	return nil
}
