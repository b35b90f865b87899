package client_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/client"
	"querent.dev/querent/sdk/reason"
)

func sdkError(t *testing.T, err error) *sdk.Error {
	t.Helper()
	var e *sdk.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *sdk.Error", err)
	}
	if strings.Contains(err.Error(), "rpc error") || strings.Contains(err.Error(), "code =") {
		t.Errorf("the transport shows: %v", err)
	}
	return e
}

func TestEveryKindCrosses(t *testing.T) {
	f := &fake{}
	c, _ := serve(t, f.plugin())
	for _, kind := range reason.Kinds() {
		want := sdk.Errorf(kind, "it is %s", kind)
		want.RetryAfter, want.OutputSent, want.Status, want.ProviderRequestID = 1500*time.Millisecond, true, 429, "req-1"
		want.Setting = sdk.SettingOutputMode
		f.err = fmt.Errorf("wrapped: %w", want)
		_, err := c.Model().Generate(bounded(t), sdk.GenerateRequest{})
		same(t, string(kind), sdkError(t, err), want)
	}
}

func TestPlainErrors(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		kind reason.Kind
		says string
	}{
		"unknown kind":   {sdk.Errorf("no such kind", "x"), reason.InternalProvider, "x"},
		"plain":          {errors.New("plain"), reason.InternalProvider, "plain"},
		"a dead context": {context.DeadlineExceeded, reason.InternalProvider, "deadline"}, // not this call's
		"long":           {errors.New(strings.Repeat("long\xff ", 10000)), reason.InternalProvider, "… (cut)"},
		"unsupported":    {fmt.Errorf("embeddings: %w", sdk.ErrUnsupported), reason.InvalidRequest, "not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := serve(t, (&fake{err: c.err}).plugin())
			_, err := client.Model().Generate(bounded(t), sdk.GenerateRequest{})
			e := sdkError(t, err)
			if e.Kind != c.kind || !strings.Contains(e.Message, c.says) || len(e.Message) > 8<<10 {
				t.Errorf("got %v", e)
			}
			if errors.Is(err, sdk.ErrUnsupported) != errors.Is(c.err, sdk.ErrUnsupported) {
				t.Errorf("is it unsupported? %v", err)
			}
		})
	}
}

func TestMissingServices(t *testing.T) {
	c, _ := serve(t, sdk.Plugin{Lifecycle: &fake{}})
	_, err := c.Model().ModelInfo(bounded(t), "m")
	_, planErr := c.Planner().Plan(bounded(t), sdk.PlanRequest{})
	_, synthesizeErr := c.Synthesizer().Synthesize(bounded(t), sdk.SynthesizeRequest{})
	streamErr := c.Model().GenerateStream(bounded(t), sdk.GenerateRequest{}, func(sdk.Chunk) error { return nil })
	for _, err := range []error{err, planErr, synthesizeErr, streamErr} {
		sdkError(t, err)
		if !errors.Is(err, sdk.ErrUnsupported) {
			t.Errorf("got %v", err)
		}
	}
	if d, err := c.Describe(bounded(t)); err != nil || len(d.Services) != 0 {
		t.Errorf("services %v, %v", d.Services, err)
	}
}

func TestPanicsAndSizes(t *testing.T) {
	big := strings.Repeat("x", sdk.MaxMessageBytes+1)
	for name, c := range map[string]struct {
		fake fake
		kind reason.Kind
		says string
	}{
		"panic":         {fake{panics: "s3cret"}, reason.InternalProvider, "panicked in /querent.plugin.v1.Model/Generate"},
		"big answer":    {fake{answer: sdk.GenerateResponse{Text: big}, chunks: []sdk.Chunk{{Kind: sdk.ChunkText, Text: big}}}, reason.InvalidOutput, "over the limit of 16777216 bytes"},
		"unknown chunk": {fake{chunks: []sdk.Chunk{{Kind: "smell"}}}, reason.InternalProvider, `"smell"`},
		"no finish":     {fake{chunks: []sdk.Chunk{{Kind: sdk.ChunkText, Text: "x"}}}, reason.Incomplete, "finish"},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := serve(t, c.fake.plugin())
			if c.fake.chunks == nil || c.fake.answer.Text != "" {
				_, err := client.Model().Generate(bounded(t), sdk.GenerateRequest{})
				checkError(t, err, c.kind, c.says)
			}
			err := client.Model().GenerateStream(bounded(t), sdk.GenerateRequest{}, func(sdk.Chunk) error { return nil })
			checkError(t, err, c.kind, c.says)
		})
	}
	client, _ := serve(t, (&fake{}).plugin())
	request := sdk.GenerateRequest{Messages: []sdk.Message{{Content: big}}}
	_, err := client.Model().Generate(bounded(t), request)
	checkError(t, err, reason.InvalidRequest, "over the limit of 16777216 bytes")
	err = client.Model().GenerateStream(bounded(t), request, func(sdk.Chunk) error { return nil })
	checkError(t, err, reason.InvalidRequest, "over the limit of 16777216 bytes")
}

func checkError(t *testing.T, err error, kind reason.Kind, says string) {
	t.Helper()
	e := sdkError(t, err)
	if e.Kind != kind || !strings.Contains(e.Message, says) || strings.Contains(e.Message, "s3cret") {
		t.Errorf("got %v, want %s with %q", e, kind, says)
	}
}

func TestPlanOrRefusal(t *testing.T) {
	both := filled[sdk.PlanResponse]()
	for _, planned := range []sdk.PlanResponse{{}, both} {
		c, _ := serve(t, (&fake{planned: planned}).plugin())
		_, err := c.Planner().Plan(bounded(t), sdk.PlanRequest{})
		checkError(t, err, reason.InvalidOutput, "either a plan or a refusal")
	}
}

// brokenConn is a connection on which every call ends as it says.
type brokenConn struct{ err error }

func (c brokenConn) Invoke(context.Context, string, any, any, ...grpc.CallOption) error { return c.err }

func (c brokenConn) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, c.err
}

// TestForeignStatuses reads statuses without details, as gRPC itself and plugins
// in other languages make them.
func TestForeignStatuses(t *testing.T) {
	for code, kind := range map[codes.Code]reason.Kind{
		codes.Unauthenticated: reason.AuthFailed, codes.PermissionDenied: reason.PermissionDenied, codes.NotFound: reason.ModelNotFound,
		codes.InvalidArgument: reason.InvalidRequest, codes.ResourceExhausted: reason.InvalidRequest, codes.Unavailable: reason.Unavailable,
		codes.DeadlineExceeded: reason.Timeout, codes.Canceled: reason.Unavailable, codes.Internal: reason.InternalProvider,
		codes.Unknown: reason.InternalProvider, codes.Code(99): reason.InternalProvider,
	} {
		c := client.New(brokenConn{status.Error(code, "because")})
		_, err := c.Model().Generate(t.Context(), sdk.GenerateRequest{})
		checkError(t, err, kind, "because")
		if errors.Is(err, client.ErrConnectionLost) != (kind == reason.Unavailable) {
			t.Errorf("%s: is the connection lost? %v", code, err)
		}
		checkError(t, c.Model().GenerateStream(t.Context(), sdk.GenerateRequest{}, nil), kind, "because")
		checkError(t, c.Model().(sdk.Puller).PullModel(t.Context(), "m", nil), kind, "because")
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := client.New(brokenConn{status.Error(codes.Canceled, "x")}).Model().Generate(cancelled, sdk.GenerateRequest{})
	checkError(t, err, reason.Cancelled, "Generate")
	_, err = client.New(brokenConn{errors.New("no status")}).Model().Generate(t.Context(), sdk.GenerateRequest{})
	checkError(t, err, reason.InternalProvider, "no status")
}

func TestServerStops(t *testing.T) {
	started := make(chan struct{})
	blocker := &blocking{started: started}
	c, server := serve(t, sdk.Plugin{Lifecycle: &fake{}, Model: blocker})
	failed := make(chan error, 1)
	go func() {
		failed <- c.Model().GenerateStream(bounded(t), sdk.GenerateRequest{}, func(sdk.Chunk) error { return nil })
	}()
	<-started
	server.Stop()
	err := <-failed
	e := sdkError(t, err)
	if e.Kind != reason.Unavailable || !errors.Is(err, client.ErrConnectionLost) {
		t.Errorf("got %v", err)
	}
}

// waiting is a Model whose calls say what they waited for when their time is up.
type waiting struct{ fake }

var errWaited = sdk.Errorf(reason.Timeout, "the moon has not risen")

func (*waiting) Generate(ctx context.Context, _ sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	<-ctx.Done()
	return sdk.GenerateResponse{}, errWaited
}

func (*waiting) GenerateStream(ctx context.Context, _ sdk.GenerateRequest, _ func(sdk.Chunk) error) error {
	<-ctx.Done()
	return errWaited
}

// TestTimeoutSaysWhy lets a deadline pass: what the plugin says of it arrives.
func TestTimeoutSaysWhy(t *testing.T) {
	c, _ := serve(t, sdk.Plugin{Lifecycle: &fake{}, Model: &waiting{}})
	soon := func() context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	_, err := c.Model().Generate(soon(), sdk.GenerateRequest{})
	checkError(t, err, reason.Timeout, "the moon")
	err = c.Model().GenerateStream(soon(), sdk.GenerateRequest{}, func(sdk.Chunk) error { return nil })
	checkError(t, err, reason.Timeout, "the moon")
}

// blocking is a Model whose stream passes one text on and then waits.
type blocking struct {
	fake
	started chan struct{}
}

func (b *blocking) GenerateStream(ctx context.Context, _ sdk.GenerateRequest, send func(sdk.Chunk) error) error {
	if err := send(sdk.Chunk{Kind: sdk.ChunkText, Text: "x"}); err != nil {
		return err
	}
	close(b.started)
	<-ctx.Done()
	return ctx.Err()
}
