package conformance

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/internal/pluginv1"
)

func limitChecks() []check {
	return []check{
		{name: "limits/later_fields", promise: "fields of a later protocol are ignored", run: func(ctx context.Context, s *session) error { return sized(ctx, s, 100) }},
		{name: "limits/largest_message", promise: fmt.Sprintf("a message of %d bytes is taken", sdk.MaxMessageBytes), run: func(ctx context.Context, s *session) error { return sized(ctx, s, sdk.MaxMessageBytes) }},
		{name: "limits/too_large_message", promise: "a larger message is refused, and the plugin lives on", run: tooLarge},
		{name: "limits/at_once", promise: fmt.Sprintf("%d calls at once are answered", atOnce), run: atOnceHealth},
	}
}

// padded is a request of a size, filled with a field that no version knows.
func padded(size int) *pluginv1.HealthRequest {
	const laterField = 1000
	m := &pluginv1.HealthRequest{}
	head := protowire.AppendTag(nil, laterField, protowire.BytesType)
	fill := size - len(head)
	for protowire.SizeBytes(fill) > size-len(head) {
		fill--
	}
	m.ProtoReflect().SetUnknown(protowire.AppendBytes(head, make([]byte, fill)))
	return m
}

func sized(ctx context.Context, s *session, size int) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	m := padded(size)
	if proto.Size(m) != size {
		return fmt.Errorf("the kit made a message of %d bytes instead of %d", proto.Size(m), size)
	}
	if _, err := pluginv1.NewPluginClient(p.conn.Conn).Health(ctx, m, grpc.MaxCallSendMsgSize(size)); err != nil {
		return fmt.Errorf("a request of %d bytes: %w", size, err)
	}
	return nil
}

func tooLarge(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	m := padded(sdk.MaxMessageBytes + 1)
	_, err = pluginv1.NewPluginClient(p.conn.Conn).Health(ctx, m, grpc.MaxCallSendMsgSize(2*sdk.MaxMessageBytes))
	switch code := status.Code(err); code {
	case codes.ResourceExhausted, codes.InvalidArgument: // gRPC's own refusal, or the plugin's
	case codes.OK:
		return errors.New("it was taken; what one call can make the plugin hold in memory has no bound")
	default:
		return fmt.Errorf("the code is %s, want RESOURCE_EXHAUSTED or INVALID_ARGUMENT: %w", code, err)
	}
	if _, err := p.Health(ctx); err != nil {
		return fmt.Errorf("Health after it: %w", err)
	}
	return nil
}

func atOnceHealth(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	return together(func(int) error {
		if _, err := p.Describe(ctx); err != nil {
			return err
		}
		_, err := p.Health(ctx)
		return err
	})
}
