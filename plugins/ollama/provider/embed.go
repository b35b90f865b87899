package provider

import (
	"context"
	"slices"

	"github.com/ollama/ollama/api"

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
	out := sdk.EmbedResponse{Vectors: make([][]float32, 0, len(r.Texts)), Usage: sdk.Usage{Input: sdk.Known(0)}}
	for batch := range slices.Chunk(r.Texts, c.cfg.EmbeddingBatch) {
		if err := c.embed(ctx, r.Model, batch, &out); err != nil {
			return sdk.EmbedResponse{}, err
		}
	}
	return out, nil
}

func (c *client) embed(ctx context.Context, model string, texts []string, out *sdk.EmbedResponse) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	release, err := c.slot(ctx)
	if err != nil {
		return err
	}
	defer release()
	no := false
	req := &api.EmbedRequest{Model: model, Input: texts, Truncate: &no, KeepAlive: c.cfg.sentKeepAlive()}
	x := &modelhttp.Exchange{}
	resp, err := c.api.Embed(modelhttp.Watch(ctx, x), req)
	if err != nil || x.Failed() {
		return c.failure(ctx, "ask for embeddings", model, x, err)
	}
	empty := func(v []float32) bool { return len(v) == 0 }
	if len(resp.Embeddings) != len(texts) || slices.ContainsFunc(resp.Embeddings, empty) {
		return sdk.Errorf(reason.InvalidOutput, "the server sent %d embeddings for %d texts, or empty ones", len(resp.Embeddings), len(texts))
	}
	out.Vectors = append(out.Vectors, resp.Embeddings...)
	out.ModelServed = resp.Model
	used := count(resp.PromptEvalCount)
	out.Usage.Input = sdk.Count{N: out.Usage.Input.N + used.N, Known: out.Usage.Input.Known && used.Known}
	return nil
}
