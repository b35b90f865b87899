// Package overhead holds the two plugins between which the host's overhead is
// measured: a bare go-plugin program, and an instant provider of our own.
package overhead

import (
	"context"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// EchoMethod is the one call of the bare program: it returns as many bytes as
// the first four of its request say, in big endian.
const EchoMethod = "/overhead.Echo/Echo"

// Handshake is the bare program's.
var Handshake = plugin.HandshakeConfig{ProtocolVersion: 1, MagicCookieKey: "OVERHEAD", MagicCookieValue: "raw"}

// Echo is the bare program's plugin on both sides.
type Echo struct{ plugin.NetRPCUnsupportedPlugin }

var _ plugin.GRPCPlugin = Echo{}

// GRPCServer registers the call by hand, as generated code would.
func (Echo) GRPCServer(_ *plugin.GRPCBroker, s *grpc.Server) error {
	s.RegisterService(&grpc.ServiceDesc{
		ServiceName: "overhead.Echo",
		HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{MethodName: "Echo", Handler: func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			var in wrapperspb.BytesValue
			if err := decode(&in); err != nil {
				return nil, err
			}
			n := int(in.Value[0])<<24 | int(in.Value[1])<<16 | int(in.Value[2])<<8 | int(in.Value[3])
			return wrapperspb.Bytes(make([]byte, n)), nil
		}}},
	}, nil)
	return nil
}

// GRPCClient hands out the connection.
func (Echo) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, c *grpc.ClientConn) (any, error) {
	return c, nil
}
