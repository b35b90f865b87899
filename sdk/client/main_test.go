package client_test

import (
	"context"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/client"
)

// serve runs p in this process, behind real gRPC, and returns its client.
func serve(t *testing.T, p sdk.Plugin) (*client.Client, *grpc.Server) {
	t.Helper()
	listener := bufconn.Listen(1 << 20)
	server := sdk.NewServer(p)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // ends with Stop
	}()
	conn, err := grpc.NewClient("passthrough:plugin", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close()
		server.Stop()
		<-done
	})
	return client.New(conn), server
}

// bounded is a context that ends should anything hang.
func bounded(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// fake is a plugin that records what it gets and returns what it is told to.
type fake struct {
	description   sdk.Description
	configuration sdk.Configuration
	health        sdk.HealthState
	info          sdk.ModelInfo
	generate      sdk.GenerateRequest
	answer        sdk.GenerateResponse
	chunks        []sdk.Chunk
	embed         sdk.EmbedRequest
	vectors       sdk.EmbedResponse
	progress      []sdk.PullProgress
	plan          sdk.PlanRequest
	planned       sdk.PlanResponse
	synthesize    sdk.SynthesizeRequest
	text          sdk.SynthesizeResponse
	deadline      time.Time
	err           error
	panics        any
}

func (f *fake) plugin() sdk.Plugin {
	return sdk.Plugin{Lifecycle: f, Model: f, Planner: f, Synthesizer: f}
}

func (f *fake) Describe() sdk.Description { return f.description }

func (f *fake) Configure(_ context.Context, c sdk.Configuration) error {
	f.configuration = c
	return f.err
}

func (f *fake) Health(context.Context) sdk.HealthState { return f.health }

func (f *fake) Stop(context.Context) error { return f.err }

func (f *fake) ModelInfo(_ context.Context, name string) (sdk.ModelInfo, error) {
	return f.info, f.err
}

func (f *fake) Generate(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	if f.panics != nil {
		panic(f.panics)
	}
	f.generate = r
	f.deadline, _ = ctx.Deadline()
	return f.answer, f.err
}

func (f *fake) GenerateStream(_ context.Context, r sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	f.generate = r
	for _, c := range f.chunks {
		if err := send(c); err != nil {
			return err
		}
	}
	if f.panics != nil {
		panic(f.panics)
	}
	return f.err
}

func (f *fake) Embed(_ context.Context, r sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	f.embed = r
	return f.vectors, f.err
}

func (f *fake) PullModel(_ context.Context, _ string, send func(sdk.PullProgress) error) error {
	for _, p := range f.progress {
		if err := send(p); err != nil {
			return err
		}
	}
	return f.err
}

func (f *fake) Plan(_ context.Context, r sdk.PlanRequest) (sdk.PlanResponse, error) {
	f.plan = r
	return f.planned, f.err
}

func (f *fake) Synthesize(_ context.Context, r sdk.SynthesizeRequest) (sdk.SynthesizeResponse, error) {
	f.synthesize = r
	return f.text, f.err
}
