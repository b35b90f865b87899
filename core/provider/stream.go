package provider

import (
	"context"
	"errors"
	"strings"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// Piece is what a model has added to an answer that it is writing, or the news
// that it failed, and that what it wrote before does not count. Nothing in it has
// been checked.
type Piece struct {
	Provider config.ProviderName
	Field    string // FieldSummary or FieldContent
	Text     string
	Failed   *reason.Error
}

// streamed is Generate with the words passed on as they come. A model that cannot
// stream is asked for the whole.
func (t *turn) streamed(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	in := &incoming{fields: fieldReader{emit: func(field, text string) {
		t.passed = true
		t.stream(Piece{Provider: t.name, Field: field, Text: text})
	}}}
	err := t.Services.Model.GenerateStream(ctx, r, in.take)
	if errors.Is(err, sdk.ErrUnsupported) && in.size() == 0 {
		return t.Services.Model.Generate(ctx, r)
	}
	return in.response(), err
}

// incoming puts a streamed response together.
type incoming struct {
	fields     fieldReader
	text, tool strings.Builder
	usage      *sdk.Usage
	finish     sdk.GenerateResponse // zero until it comes
}

func (in *incoming) size() int { return in.text.Len() + in.tool.Len() }

func (in *incoming) take(c sdk.Chunk) error {
	switch c.Kind {
	case sdk.ChunkText:
		in.text.WriteString(c.Text)
		in.fields.write(c.Text)
	case sdk.ChunkTool:
		in.tool.WriteString(c.Text)
		if in.text.Len() == 0 {
			in.fields.write(c.Text)
		}
	case sdk.ChunkUsage:
		in.usage = &c.Usage
	case sdk.ChunkFinish:
		in.finish = c.Response
	}
	if in.size() > maxOutput {
		return sdk.Errorf(reason.InvalidOutput, "the answer has more than %d bytes", maxOutput)
	}
	return nil
}

// response is what Generate would have returned.
func (in *incoming) response() sdk.GenerateResponse {
	res := in.finish
	res.Text, res.ToolArguments = in.text.String(), []byte(in.tool.String())
	if in.usage != nil && res.Usage == (sdk.Usage{}) {
		res.Usage = *in.usage
	}
	return res
}
