//go:build unix

package main

import (
	"bytes"
	"fmt"
	"net"
	"strconv"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"

	"querent.dev/querent/sdk"
)

// tooMuch is the size, and the name of the model, of an answer that is over the
// protocol's limit.
const tooMuch = 20 << 20

// unlimited passes every call on to a server of the protocol, but answers without
// that server's limit of size.
func unlimited() *grpc.Server {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() { panic(sdk.NewServer(sdk.Plugin{Lifecycle: &lifecycle{}, Model: &model{}}).Serve(listener)) }()
	limited, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		panic(err)
	}
	return grpc.NewServer(grpc.ForceServerCodecV2(asIs{}), grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		var request, response []byte
		if err := stream.RecvMsg(&request); err != nil {
			return err
		}
		if bytes.Contains(request, []byte(strconv.Itoa(tooMuch))) {
			text := bytes.Repeat([]byte("x"), tooMuch)
			response = protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), text)
			return stream.SendMsg(&response)
		}
		method, _ := grpc.MethodFromServerStream(stream)
		if err := limited.Invoke(stream.Context(), method, &request, &response, grpc.ForceCodecV2(asIs{})); err != nil {
			return err
		}
		return stream.SendMsg(&response)
	}))
}

// asIs leaves messages as the bytes that they are.
type asIs struct{}

func (asIs) Marshal(v any) (mem.BufferSlice, error) {
	text, ok := v.(*[]byte)
	if !ok {
		return nil, fmt.Errorf("not bytes: %T", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(*text)}, nil
}

func (asIs) Unmarshal(data mem.BufferSlice, v any) error {
	text, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("not bytes: %T", v)
	}
	*text = data.Materialize()
	return nil
}

func (asIs) Name() string { return "as is" }
