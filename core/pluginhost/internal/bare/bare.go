// Package bare is a go-plugin program with nothing around it: that against which
// the cost of a plugin's call is measured.
package bare

import (
	"context"
	"encoding/binary"
	"io"
	"strconv"
	"time"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// Name is that of the program's one plugin.
const Name = "bare"

const (
	service = "bare.Bare"
	method  = "Call"
	stream  = "Stream"
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
		Streams: []grpc.StreamDesc{{StreamName: stream, Handler: tokens, ServerStreams: true}},
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

// tokens sends as many tokens, at such an interval, as the request's first eight
// bytes say. A token is the time at which it was sent.
func tokens(_ any, s grpc.ServerStream) error {
	var in wrapperspb.BytesValue
	if err := s.RecvMsg(&in); err != nil {
		return err
	}
	return Tokens(int(binary.BigEndian.Uint32(in.Value)), time.Duration(binary.BigEndian.Uint32(in.Value[4:]))*time.Microsecond, func(text string) error {
		return s.SendMsg(wrapperspb.Bytes([]byte(text)))
	})
}

// Tokens sends so many tokens at an interval: the times at which they are sent.
func Tokens(count int, every time.Duration, send func(string) error) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for range count {
		now := <-tick.C
		if err := send(strconv.FormatInt(now.UnixNano(), 10)); err != nil {
			return err
		}
	}
	return nil
}

// Age is how long ago a token was sent.
func Age(token string) (time.Duration, error) {
	sent, err := strconv.ParseInt(token, 10, 64)
	return time.Since(time.Unix(0, sent)), err
}

// GRPCClient is a *Client.
func (bare) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return &Client{conn}, nil
}

// Client makes the program's calls.
type Client struct{ conn *grpc.ClientConn }

// Call makes a call with a request and a response of so many bytes, and returns how
// many came.
func (c *Client) Call(ctx context.Context, request, response int) (int, error) {
	in := make([]byte, request)
	binary.BigEndian.PutUint32(in, uint32(response))
	var out wrapperspb.BytesValue
	err := c.conn.Invoke(ctx, "/"+service+"/"+method, wrapperspb.Bytes(in), &out)
	return len(out.Value), err
}

// Stream asks for so many tokens and hands each to got.
func (c *Client) Stream(ctx context.Context, count int, every time.Duration, got func(token string)) error {
	s, err := c.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, "/"+service+"/"+stream)
	if err != nil {
		return err
	}
	in := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(count)), uint32(every.Microseconds()))
	if err := s.SendMsg(wrapperspb.Bytes(in)); err != nil {
		return err
	}
	if err := s.CloseSend(); err != nil {
		return err
	}
	for {
		var out wrapperspb.BytesValue
		if err := s.RecvMsg(&out); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		got(string(out.Value))
	}
}
