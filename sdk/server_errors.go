package sdk

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"querent.dev/querent/sdk/internal/enum"
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/internal/toproto"
	"querent.dev/querent/sdk/reason"
)

// maxErrorMessage bounds the message of an error on the wire, in bytes: it
// travels in a header, and servers answer with whole web pages.
const maxErrorMessage = 2 << 10

// statusCodes are the gRPC codes nearest to the kinds, for readers that know
// gRPC only. The kind itself travels in the details.
var statusCodes = map[reason.Kind]codes.Code{
	reason.AuthFailed:       codes.Unauthenticated,
	reason.PermissionDenied: codes.PermissionDenied,
	reason.ModelNotFound:    codes.NotFound,
	reason.Misconfigured:    codes.FailedPrecondition,
	reason.InvalidRequest:   codes.InvalidArgument,
	reason.RateLimited:      codes.ResourceExhausted,
	reason.QuotaExhausted:   codes.ResourceExhausted,
	reason.Overloaded:       codes.ResourceExhausted,
	reason.Unavailable:      codes.Unavailable,
	reason.Timeout:          codes.DeadlineExceeded,
	reason.Cancelled:        codes.Canceled,
	reason.ContextOverflow:  codes.InvalidArgument,
	reason.PromptTruncated:  codes.OutOfRange,
	reason.OutputTruncated:  codes.OutOfRange,
	reason.Incomplete:       codes.Aborted,
	reason.ContentFiltered:  codes.FailedPrecondition,
	reason.RefusedByModel:   codes.FailedPrecondition,
	reason.InvalidOutput:    codes.DataLoss,
	reason.InternalProvider: codes.Internal,
}

// toStatus is err as it crosses the wire.
func toStatus(ctx context.Context, err error) error {
	if errors.Is(err, ErrUnsupported) {
		return status.Error(codes.Unimplemented, cut(err.Error()))
	}
	e := asError(ctx, err)
	code, known := statusCodes[e.Kind]
	if !known {
		code = codes.Internal
	}
	detail := &pluginv1.ErrorDetail{
		Kind:              enum.ErrorKind.Number(string(e.Kind)),
		OutputSent:        e.OutputSent,
		HttpStatus:        int32(e.Status),
		ProviderRequestId: toproto.Text(e.ProviderRequestID),
		Setting:           toproto.Text(e.Setting),
	}
	if e.RetryAfter > 0 {
		detail.RetryAfter = durationpb.New(e.RetryAfter)
	}
	s, detailErr := status.New(code, cut(e.Message)).WithDetails(detail)
	if detailErr != nil {
		return status.Error(code, cut(e.Message))
	}
	return s.Err()
}

// asError finds the Error in err, or makes one: what ends with the call's
// context is its timeout or its cancellation, everything else is internal.
func asError(ctx context.Context, err error) *Error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
		return Errorf(reason.Timeout, "the call's deadline passed: %w", err)
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return Errorf(reason.Cancelled, "the call was cancelled: %w", err)
	}
	return Errorf(reason.InternalProvider, "%w", err)
}

func cut(message string) string {
	if len(message) > maxErrorMessage {
		message = message[:maxErrorMessage] + " … (cut)"
	}
	return toproto.Text(message)
}
