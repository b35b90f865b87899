package sdk

import (
	"context"

	"google.golang.org/grpc"

	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/internal/toproto"
	"querent.dev/querent/sdk/reason"
)

// modelServer is the service Model over a Model.
type modelServer struct {
	pluginv1.UnimplementedModelServer
	model Model
}

var _ pluginv1.ModelServer = (*modelServer)(nil)

func (s *modelServer) ModelInfo(ctx context.Context, m *pluginv1.ModelInfoRequest) (*pluginv1.ModelInfoResponse, error) {
	info, err := s.model.ModelInfo(ctx, m.GetModel())
	if err != nil {
		return nil, err
	}
	return modelInfoToProto(info), nil
}

func (s *modelServer) Generate(ctx context.Context, m *pluginv1.GenerateRequest) (*pluginv1.GenerateResponse, error) {
	r, err := s.model.Generate(ctx, generateRequestFromProto(m))
	if err != nil {
		return nil, err
	}
	return generateResponseToProto(r), nil
}

func (s *modelServer) GenerateStream(m *pluginv1.GenerateRequest, stream grpc.ServerStreamingServer[pluginv1.GenerateChunk]) error {
	finished := false
	err := s.model.GenerateStream(stream.Context(), generateRequestFromProto(m), func(c Chunk) error {
		chunk, err := chunkToProto(c)
		if err != nil {
			return err
		}
		finished = finished || c.Kind == ChunkFinish
		return stream.Send(chunk)
	})
	if err == nil && !finished {
		return Errorf(reason.Incomplete, "the plugin ended the stream without a finish chunk")
	}
	return err
}

func (s *modelServer) Embed(ctx context.Context, m *pluginv1.EmbedRequest) (*pluginv1.EmbedResponse, error) {
	r, err := s.model.Embed(ctx, EmbedRequest{
		RequestID: m.GetRequestId(), Model: m.GetModel(), Texts: m.GetTexts(), TraceParent: m.GetTraceparent(),
	})
	if err != nil {
		return nil, err
	}
	return embedResponseToProto(r), nil
}

func (s *modelServer) PullModel(m *pluginv1.PullModelRequest, stream grpc.ServerStreamingServer[pluginv1.PullModelProgress]) error {
	puller, ok := s.model.(Puller)
	if !ok {
		return ErrUnsupported
	}
	return puller.PullModel(stream.Context(), m.GetModel(), func(p PullProgress) error {
		return stream.Send(&pluginv1.PullModelProgress{Status: toproto.Text(p.Status), Completed: p.Completed, Total: p.Total})
	})
}
