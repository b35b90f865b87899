package client

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/internal/enum"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/reason"
)

// ErrConnectionLost is wrapped by the error of a call whose connection broke, or
// for which there was none. The call may have run or not.
var ErrConnectionLost = errors.New("the connection to the plugin is lost")

// kinds are those of statuses without details, which gRPC itself or a plugin in
// another language made. What is missing is internal.
var kinds = map[codes.Code]reason.Kind{
	codes.Unauthenticated:   reason.AuthFailed,
	codes.PermissionDenied:  reason.PermissionDenied,
	codes.NotFound:          reason.ModelNotFound,
	codes.InvalidArgument:   reason.InvalidRequest,
	codes.ResourceExhausted: reason.InvalidRequest, // gRPC's own: a message over a limit
	codes.Unavailable:       reason.Unavailable,
	codes.DeadlineExceeded:  reason.Timeout,
	codes.Canceled:          reason.Unavailable, // the connection was closed, or the caller's context ended: see fromStatus
}

// responseLimit ends gRPC's own message about a message over our limit. It can only
// be a response: no request of that size is sent.
var responseLimit = fmt.Sprintf(" vs. %d)", sdk.MaxMessageBytes)

// fromStatus is the error of the call named what.
func fromStatus(ctx context.Context, what string, err error) error {
	s, isStatus := status.FromError(err)
	if !isStatus {
		return contextError(ctx, what, err)
	}
	if detail := detailOf(s); detail != nil {
		return fromDetail(s, detail)
	}
	if s.Code() == codes.Unimplemented {
		return sdk.Errorf(reason.InvalidRequest, "%s: %w", what, sdk.ErrUnsupported)
	}
	if ctx.Err() != nil {
		return contextError(ctx, what, ctx.Err())
	}
	if s.Code() == codes.ResourceExhausted && strings.HasSuffix(s.Message(), responseLimit) {
		return sdk.Errorf(reason.InvalidOutput, "%s: the plugin's answer is over the limit of %d bytes", what, sdk.MaxMessageBytes)
	}
	kind, known := kinds[s.Code()]
	if !known {
		kind = reason.InternalProvider
	}
	if kind == reason.Unavailable {
		return sdk.Errorf(kind, "%s: %w: %s", what, ErrConnectionLost, s.Message())
	}
	return sdk.Errorf(kind, "%s: %s", what, s.Message())
}

func contextError(ctx context.Context, what string, err error) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded):
		return sdk.Errorf(reason.Timeout, "%s did not end within its deadline: %w", what, context.DeadlineExceeded)
	case errors.Is(err, context.Canceled) || errors.Is(ctx.Err(), context.Canceled):
		return sdk.Errorf(reason.Cancelled, "%s was cancelled: %w", what, context.Canceled)
	}
	return sdk.Errorf(reason.InternalProvider, "%s: %w", what, err)
}

func detailOf(s *status.Status) *pluginv1.ErrorDetail {
	for _, d := range s.Details() {
		if detail, ok := d.(*pluginv1.ErrorDetail); ok {
			return detail
		}
	}
	return nil
}

func fromDetail(s *status.Status, d *pluginv1.ErrorDetail) *sdk.Error {
	kind := reason.Kind(enum.ErrorKind.Name(d.GetKind()))
	if kind == "" {
		kind = reason.InternalProvider
	}
	e := sdk.Errorf(kind, "%s", s.Message())
	e.RetryAfter = d.GetRetryAfter().AsDuration()
	e.OutputSent = d.GetOutputSent()
	e.Status = int(d.GetHttpStatus())
	e.ProviderRequestID = d.GetProviderRequestId()
	e.Setting = d.GetSetting()
	return e
}
