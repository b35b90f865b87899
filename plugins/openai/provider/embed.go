package provider

import (
	"bytes"
	"context"
	"slices"

	openai "github.com/sashabaranov/go-openai"

	"querent.dev/querent/plugins/internal/modelhttp"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// Embed implements sdk.Model. Texts go in batches of the setting embedding_batch.
func (p *Provider) Embed(ctx context.Context, r sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	c, err := p.configured.Get()
	if err != nil {
		return sdk.EmbedResponse{}, err
	}
	if r.Model == "" {
		return sdk.EmbedResponse{}, sdk.Errorf(reason.Misconfigured, "no model is named for embeddings")
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	out := sdk.EmbedResponse{Vectors: make([][]float32, 0, len(r.Texts)), Usage: sdk.Usage{Input: sdk.Known(0)}}
	for batch := range slices.Chunk(r.Texts, c.batch) {
		if err := c.embed(ctx, r.Model, batch, &out); err != nil {
			return sdk.EmbedResponse{}, err
		}
	}
	return out, nil
}

func (c *client) embed(ctx context.Context, model string, texts []string, out *sdk.EmbedResponse) error {
	var whole bytes.Buffer
	x := &modelhttp.Exchange{Wrap: capture(&whole)}
	resp, err := c.api.CreateEmbeddings(modelhttp.Watch(ctx, x), openai.EmbeddingRequest{
		Model: openai.EmbeddingModel(model), Input: texts, EncodingFormat: openai.EmbeddingEncodingFormatFloat,
	})
	var kept reply
	if err := c.decode(ctx, x, err, whole.Bytes(), &kept); err != nil {
		return err
	}
	vectors := make([][]float32, len(texts))
	for _, e := range resp.Data {
		if e.Index < 0 || e.Index >= len(texts) || vectors[e.Index] != nil {
			return sdk.Errorf(reason.InvalidOutput, "the server sent an embedding for text %d of %d", e.Index, len(texts))
		}
		vectors[e.Index] = e.Embedding
	}
	if i := slices.IndexFunc(vectors, func(v []float32) bool { return len(v) == 0 }); i >= 0 {
		return sdk.Errorf(reason.InvalidOutput, "the server sent no embedding for text %d of %d", i, len(texts))
	}
	out.Vectors = append(out.Vectors, vectors...)
	out.ModelServed = string(resp.Model)
	used := kept.Usage.sdk()
	out.Usage.Input = sdk.Count{N: out.Usage.Input.N + used.Input.N, Known: out.Usage.Input.Known && used.Input.Known}
	return nil
}
