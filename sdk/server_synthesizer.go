package sdk

import (
	"context"

	"querent.dev/querent/sdk/internal/enum"
	"querent.dev/querent/sdk/internal/fromproto"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/internal/toproto"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// synthesizerServer is the service Synthesizer over a Synthesizer.
type synthesizerServer struct {
	pluginv1.UnimplementedSynthesizerServer
	synthesizer Synthesizer
}

var _ pluginv1.SynthesizerServer = (*synthesizerServer)(nil)

func (s *synthesizerServer) Synthesize(ctx context.Context, m *pluginv1.SynthesizeRequest) (*pluginv1.SynthesizeResponse, error) {
	outcome, err := fromproto.Outcome(m.GetOutcome())
	if err != nil {
		return nil, Errorf(reason.InvalidRequest, "reading the outcome to word: %w", err)
	}
	r, err := s.synthesizer.Synthesize(ctx, SynthesizeRequest{
		RequestID: m.GetRequestId(), Outcome: outcome, Form: wire.FormatType(enum.FormatType.Name(m.GetForm())),
		Language: m.GetLanguage(), TraceParent: m.GetTraceparent(),
	})
	if err != nil {
		return nil, err
	}
	return &pluginv1.SynthesizeResponse{
		Summary: toproto.Text(r.Response.Summary), FormatType: enum.FormatType.Number(string(r.Response.FormatType)),
		Content: toproto.Text(r.Response.Content), Warnings: toproto.Texts(r.Response.Warnings), TemplateIds: toproto.Texts(r.TemplateIDs),
	}, nil
}
