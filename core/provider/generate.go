package provider

import (
	"context"
	"errors"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// generate asks the link's model for one JSON object and returns its text.
func (a *Agent) generate(ctx context.Context, l link, id string, p Prompt, call *Call) (string, error) {
	res, err := l.Services.Model.Generate(ctx, a.request(ctx, l, id, p))
	return a.object(l, res, err, call)
}

// request is a prompt as the link's model is sent it.
func (a *Agent) request(ctx context.Context, l link, id string, p Prompt) sdk.GenerateRequest {
	schema := p.Schema
	if told, _ := l.told(); told.enforces && len(p.Enforced) > 0 {
		schema = p.Enforced
	}
	return sdk.GenerateRequest{
		RequestID: id, Model: l.model, Messages: p.Messages,
		OutputMode: sdk.OutputSchema, SchemaName: p.SchemaName, Schema: schema,
		MaxOutputTokens: a.settings.MaxOutputTokens, Temperature: a.settings.Temperature,
		Seed: a.settings.Seed, Thinking: a.settings.Thinking, Options: l.options,
		LoadTimeout: a.loadTime(ctx),
	}
}

// object is the text of the JSON object in what a model answered.
func (a *Agent) object(l link, res sdk.GenerateResponse, err error, call *Call) (string, error) {
	call.Usage, call.Warnings = res.Usage, res.Warnings
	call.Model = firstOf(res.ModelServed, l.model)
	if err != nil {
		return "", err
	}
	if err := checkFinish(res.Finish); err != nil {
		return "", err
	}
	text := res.Text
	if text == "" {
		text = string(res.ToolArguments)
	}
	object, err := extractObject(text)
	if err != nil {
		return "", l.invalidOutput(err)
	}
	return object, nil
}

// checkFinish refuses an answer that the model did not end by itself.
func checkFinish(f sdk.FinishReason) error {
	switch f {
	case sdk.FinishStop, sdk.FinishTool:
		return nil
	case sdk.FinishLength:
		return sdk.Errorf(reason.OutputTruncated, "the answer was cut at the limit of output tokens")
	case sdk.FinishFilter:
		return sdk.Errorf(reason.ContentFiltered, "the content filter ended the answer")
	}
	return sdk.Errorf(reason.Incomplete, "the answer came without a known finish reason (%q)", f)
}

var errNoObject = errors.New("the answer holds no JSON object")
