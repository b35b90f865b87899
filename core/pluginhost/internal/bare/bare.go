// Package bare is a go-plugin program with nothing around it: that against which
// the cost of a plugin's call is measured.
package bare

import (
	"context"
	"encoding/binary"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// Name is that of the program's one plugin.
const Name = "bare"

const (
	service = "bare.Bare"
	method  = "Call"
)

// Handshake is the program's.
var Handshake = plugin.HandshakeConfig{ProtocolVersion: 1, MagicCookieKey: "BARE_PLUGIN", MagicCookieValue: "bare"}

// Plugins is the program's plugin, for both sides.
func Plugins() plugin.PluginSet { return plugin.PluginSet{Name: bare{}} }

type bare struct{ plugin.NetRPCUnsupportedPlugin }

// GRPCServer registers the call as generated code would.
func (bare) GRPCServer(_ *plugin.GRPCBroker, s *grpc.Server) error {
	s.RegisterService(&grpc.ServiceDesc{
		ServiceName: service, HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{MethodName: method, Handler: answer}},
	}, nil)
	return nil
}

// answer returns as many bytes as the request's first four say.
func answer(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	var in wrapperspb.BytesValue
	if err := decode(&in); err != nil {
		return nil, err
	}
	return wrapperspb.Bytes(make([]byte, binary.BigEndian.Uint32(in.Value))), nil
}

// GRPCClient is a Caller.
func (bare) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return Caller(func(ctx context.Context, request, response int) (int, error) {
		in := make([]byte, request)
		binary.BigEndian.PutUint32(in, uint32(response))
		var out wrapperspb.BytesValue
		err := conn.Invoke(ctx, "/"+service+"/"+method, wrapperspb.Bytes(in), &out)
		return len(out.Value), err
	}), nil
}

// Caller makes a call with a request and a response of so many bytes, and returns
// how many came.
type Caller func(ctx context.Context, request, response int) (int, error)
