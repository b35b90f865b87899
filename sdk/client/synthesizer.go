package client

import (
	"context"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/internal/enum"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/internal/toproto"
	"querent.dev/querent/sdk/wire"
)

type synthesizer struct{ rpc pluginv1.SynthesizerClient }

var _ sdk.Synthesizer = synthesizer{}

func (c synthesizer) Synthesize(ctx context.Context, r sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
	m, err := call(ctx, "Synthesize", c.rpc.Synthesize, &pluginv1.SynthesizeRequest{
		RequestId: toproto.Text(r.RequestID), Outcome: toproto.Outcome(r.Outcome), Form: enum.FormatType.Number(string(r.Form)),
		Language: toproto.Text(r.Language), Deadline: deadline(ctx), Traceparent: toproto.Text(r.TraceParent),
	})
	if err != nil {
		return sdk.SynthesizeResponse{}, err
	}
	return sdk.SynthesizeResponse{
		Response: wire.AggregatedResponse{
			Summary: m.GetSummary(), FormatType: wire.FormatType(enum.FormatType.Name(m.GetFormatType())),
			Content: m.GetContent(), Warnings: append([]string{}, m.GetWarnings()...), // [] in JSON, never null
		},
		TemplateIDs: m.GetTemplateIds(),
	}, nil
}
