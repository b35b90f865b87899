package provider

import (
	"context"
	"slices"

	"querent.dev/querent/core/redact"
	"querent.dev/querent/sdk"
)

// redacted is a model to which nothing is sent that settings.redaction takes out of
// prompts: it sees placeholders, and what it writes of them is put back. Of a plan
// only text literals are, so that no value becomes part of the plan's language. What
// is taken out is in the run of the call's context; without one, nothing is.
type redacted struct{ sdk.Model }

var _ sdk.Model = redacted{}

// planSchema is the name of the schema of plans; see core/nodes/astplanner.
const planSchema = "query_plan"

// copyThem is told to a model that sees placeholders.
const copyThem = "\nA text in brackets such as [email:1] stands for a value that is not shown to you. Where you need the value, write it exactly as it stands, brackets included."

// clean is the request without what is taken out, and the run that puts it back: nil
// where nothing was.
func clean(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateRequest, *redact.Run) {
	run := redact.From(ctx)
	filter := run.At(redact.Prompts)
	if !filter.Active() {
		return r, nil
	}
	holds := false
	r.Messages = slices.Clone(r.Messages)
	for i, m := range r.Messages {
		r.Messages[i].Content = filter.Text(m.Content)
		holds = holds || redact.Holds(r.Messages[i].Content)
	}
	if !holds {
		return r, nil
	}
	if r.Messages[0].Role == sdk.RoleSystem {
		r.Messages[0].Content += copyThem
	}
	return r, run
}

// Generate implements sdk.Model.
func (m redacted) Generate(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	r, run := clean(ctx, r)
	res, err := m.Model.Generate(ctx, r)
	if run != nil {
		isPlan := r.SchemaName == planSchema
		res.Text = run.Restore(res.Text, isPlan)
		res.ToolArguments = []byte(run.Restore(string(res.ToolArguments), isPlan))
	}
	return res, err
}

// GenerateStream implements sdk.Model.
func (m redacted) GenerateStream(ctx context.Context, r sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	r, run := clean(ctx, r)
	if run == nil {
		return m.Model.GenerateStream(ctx, r, send)
	}
	isPlan := r.SchemaName == planSchema
	text, tool := run.Restorer(isPlan), run.Restorer(isPlan)
	return m.Model.GenerateStream(ctx, r, func(c sdk.Chunk) error {
		switch c.Kind {
		case sdk.ChunkText:
			c.Text = text.Write(c.Text)
		case sdk.ChunkTool:
			c.Text = tool.Write(c.Text)
		case sdk.ChunkFinish:
			if err := rest(send, sdk.ChunkText, text); err != nil {
				return err
			}
			if err := rest(send, sdk.ChunkTool, tool); err != nil {
				return err
			}
		}
		return send(c)
	})
}

// rest sends what was held back of a text.
func rest(send func(sdk.Chunk) error, kind sdk.ChunkKind, held *redact.Restorer) error {
	if text := held.Flush(); text != "" {
		return send(sdk.Chunk{Kind: kind, Text: text})
	}
	return nil
}

// Embed implements sdk.Model.
func (m redacted) Embed(ctx context.Context, r sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	filter := redact.From(ctx).At(redact.Prompts)
	r.Texts = slices.Clone(r.Texts)
	for i := range r.Texts {
		r.Texts[i] = filter.Text(r.Texts[i])
	}
	return m.Model.Embed(ctx, r)
}
