package sdk

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/reason"
)

// NewServer is a gRPC server that offers p's services as Serve does, with the
// same limits and the same treatment of errors and panics, but in the caller's
// process and without a handshake. It is for tests: hand it a listener, and a
// connection to that listener to sdk/client.
func NewServer(p Plugin) *grpc.Server {
	s := newGRPCServer(nil)
	register(s, p)
	return s
}

func newGRPCServer(opts []grpc.ServerOption) *grpc.Server {
	return grpc.NewServer(append(opts,
		grpc.MaxRecvMsgSize(MaxMessageBytes),
		grpc.MaxSendMsgSize(MaxMessageBytes),
		grpc.ChainUnaryInterceptor(guardCall),
		grpc.ChainStreamInterceptor(guardStream),
	)...)
}

func register(s grpc.ServiceRegistrar, p Plugin) {
	pluginv1.RegisterPluginServer(s, &lifecycleServer{plugin: p})
	if p.Model != nil {
		pluginv1.RegisterModelServer(s, &modelServer{model: p.Model})
	}
	if p.Planner != nil {
		pluginv1.RegisterPlannerServer(s, &plannerServer{planner: p.Planner})
	}
	if p.Synthesizer != nil {
		pluginv1.RegisterSynthesizerServer(s, &synthesizerServer{synthesizer: p.Synthesizer})
	}
}

// guardCall turns panics, errors and oversized responses of a call into the
// statuses of the protocol.
func guardCall(ctx context.Context, req any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (resp any, err error) {
	ctx, cancel := inTime(ctx)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			resp, err = nil, toStatus(ctx, panicked(info.FullMethod, p))
		}
	}()
	resp, err = handle(ctx, req)
	if err != nil {
		return nil, toStatus(ctx, err)
	}
	if err := checkSize(resp); err != nil {
		return nil, toStatus(ctx, err)
	}
	return resp, nil
}

// guardStream is guardCall for calls that answer with a stream.
func guardStream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) (err error) {
	ctx, cancel := inTime(stream.Context())
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = toStatus(ctx, panicked(info.FullMethod, p))
		}
	}()
	if err := handle(srv, guardedStream{stream, func() context.Context { return ctx }}); err != nil {
		return toStatus(ctx, err)
	}
	return nil
}

// reportTime is how much of a call's time is left for its error's way to the
// host, which stops waiting at the deadline: a busy machine takes a while.
const reportTime = 100 * time.Millisecond

// inTime is ctx with a deadline early enough for the host to hear why the time
// was not enough.
func inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, deadline.Add(-min(reportTime, time.Until(deadline)/10)))
}

// guardedStream is a stream whose context ends in time, and with a limit of size.
type guardedStream struct {
	grpc.ServerStream
	inTime func() context.Context
}

func (s guardedStream) Context() context.Context { return s.inTime() }

func (s guardedStream) SendMsg(m any) error {
	if err := checkSize(m); err != nil {
		return err
	}
	return s.ServerStream.SendMsg(m)
}

func checkSize(m any) error {
	if size := proto.Size(m.(proto.Message)); size > MaxMessageBytes {
		return Errorf(reason.InvalidOutput, "the response of %d bytes is over the limit of %d bytes", size, MaxMessageBytes)
	}
	return nil
}

func panicked(method string, value any) error {
	Logger().Error("panic in a call", "method", method, "panic", fmt.Sprint(value), "stack", string(debug.Stack()))
	return Errorf(reason.InternalProvider, "the plugin panicked in %s; the stack is in its log", method)
}
