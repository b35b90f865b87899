package client

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/internal/toproto"
	"querent.dev/querent/sdk/reason"
)

type model struct{ rpc pluginv1.ModelClient }

var (
	_ sdk.Model  = model{}
	_ sdk.Puller = model{}
)

func (c model) ModelInfo(ctx context.Context, name string) (sdk.ModelInfo, error) {
	m, err := call(ctx, "ModelInfo", c.rpc.ModelInfo, &pluginv1.ModelInfoRequest{Model: toproto.Text(name)})
	if err != nil {
		return sdk.ModelInfo{}, err
	}
	return modelInfo(m), nil
}

func (c model) Generate(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	m, err := call(ctx, "Generate", c.rpc.Generate, generateRequest(ctx, r))
	if err != nil {
		return sdk.GenerateResponse{}, err
	}
	return generateResponse(m), nil
}

func (c model) GenerateStream(ctx context.Context, r sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	const what = "GenerateStream"
	request := generateRequest(ctx, r)
	if err := checkSize(what, request); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the stream on every way out
	stream, err := c.rpc.GenerateStream(ctx, request, grpc.MaxCallRecvMsgSize(sdk.MaxMessageBytes))
	if err != nil {
		return fromStatus(ctx, what, err)
	}
	return receive(ctx, what, stream, send)
}

// receive passes chunks on until the stream ends.
func receive(ctx context.Context, what string, stream grpc.ServerStreamingClient[pluginv1.GenerateChunk], send func(sdk.Chunk) error) error {
	sent, finished := false, false
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			if finished {
				return nil
			}
			e := sdk.Errorf(reason.Incomplete, "%s ended without its finish", what)
			e.OutputSent = sent
			return e
		}
		if err != nil {
			return withOutput(fromStatus(ctx, what, err), sent)
		}
		c, ok := chunk(m)
		if !ok {
			continue // a kind of a later protocol
		}
		if err := send(c); err != nil {
			return err
		}
		sent = sent || c.Text != ""
		finished = finished || c.Kind == sdk.ChunkFinish
	}
}

// withOutput notes that part of the output was passed on before err.
func withOutput(err error, sent bool) error {
	var e *sdk.Error
	if sent && errors.As(err, &e) {
		e.OutputSent = true
	}
	return err
}

func (c model) Embed(ctx context.Context, r sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	m, err := call(ctx, "Embed", c.rpc.Embed, &pluginv1.EmbedRequest{
		RequestId: toproto.Text(r.RequestID), Model: toproto.Text(r.Model), Texts: toproto.Texts(r.Texts),
		Deadline: deadline(ctx), Traceparent: toproto.Text(r.TraceParent),
	})
	if err != nil {
		return sdk.EmbedResponse{}, err
	}
	vectors := make([][]float32, len(m.GetVectors()))
	for i, v := range m.GetVectors() {
		vectors[i] = v.GetValues()
	}
	return sdk.EmbedResponse{Vectors: vectors, Usage: usage(m.GetUsage()), ModelServed: m.GetModelServed()}, nil
}

func (c model) PullModel(ctx context.Context, name string, send func(sdk.PullProgress) error) error {
	const what = "PullModel"
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the stream on every way out
	stream, err := c.rpc.PullModel(ctx, &pluginv1.PullModelRequest{Model: toproto.Text(name)})
	if err != nil {
		return fromStatus(ctx, what, err)
	}
	for {
		m, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fromStatus(ctx, what, err)
		}
		if err := send(sdk.PullProgress{Status: m.GetStatus(), Completed: m.GetCompleted(), Total: m.GetTotal()}); err != nil {
			return err
		}
	}
}
