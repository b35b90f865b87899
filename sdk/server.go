package sdk

import (
	"context"
	"fmt"
	"runtime/debug"

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
	defer func() {
		if p := recover(); p != nil {
			err = toStatus(stream.Context(), panicked(info.FullMethod, p))
		}
	}()
	if err := handle(srv, sizedStream{stream}); err != nil {
		return toStatus(stream.Context(), err)
	}
	return nil
}

type sizedStream struct{ grpc.ServerStream }

func (s sizedStream) SendMsg(m any) error {
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
