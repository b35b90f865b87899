package modelhttp

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// ContextFailure is the failure of a call whose context has ended, or nil.
func ContextFailure(ctx context.Context, doing string) *sdk.Error {
	deadline, limited := ctx.Deadline()
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return sdk.Errorf(reason.Cancelled, "%s: %w", doing, ctx.Err())
	case ctx.Err() != nil, limited && !time.Now().Before(deadline):
		// A connection knows the deadline too and may report it a moment earlier.
		return sdk.Errorf(reason.Timeout, "%s: no complete answer within the time limit: %w", doing, context.DeadlineExceeded)
	}
	return nil
}

// Broken is the failure of a call whose good response could not be read to its end
// for a reason that is not in the answer itself, or nil: err is the vendor's.
// Web says what to correct when the answer is a web page.
func (x *Exchange) Broken(ctx context.Context, doing, web string, err error) *sdk.Error {
	var silent *silenceError
	switch e := ContextFailure(ctx, doing); {
	case e != nil:
		return e
	case x.HTML():
		return sdk.Errorf(reason.Misconfigured, "the server sent a web page instead of an API's answer; %s", web)
	case errors.As(x.ReadErr, &silent):
		return sdk.Errorf(reason.Timeout, "%s: %w", doing, silent)
	case errors.Is(x.ReadErr, errTooLarge):
		return sdk.Errorf(reason.InvalidOutput, "%s: the answer is larger than %d bytes", doing, x.limit())
	case x.ReadErr != nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return sdk.Errorf(reason.Incomplete, "the connection ended before the answer did")
	}
	return nil
}

// NetworkFailure says what kind of failure err is, when no usable response came.
func NetworkFailure(ctx context.Context, doing string, err error) *sdk.Error {
	if e := ContextFailure(ctx, doing); e != nil {
		return e
	}
	var (
		own    *sdk.Error
		silent *silenceError
	)
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &silent):
		return sdk.Errorf(reason.Timeout, "%s: %w", doing, silent)
	}
	kind, hint := networkKind(err)
	return sdk.Errorf(kind, "%s: %w%s", doing, withoutURL(err), hint)
}

func networkKind(err error) (reason.Kind, string) {
	var (
		verify *tls.CertificateVerificationError
		record tls.RecordHeaderError
		dns    *net.DNSError
		remote *net.OpError
	)
	switch {
	case errors.As(err, &verify):
		return reason.Misconfigured, "; if the certificate is right, name its authority in the setting ca_file"
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return reason.Misconfigured, "; the server speaks http, the address says https"
	case errors.As(err, &remote) && remote.Op == "remote error" && strings.Contains(remote.Err.Error(), "certificate"):
		return reason.Misconfigured, "; the server asks for a certificate that it knows: set client_cert_file and client_key_file"
	case errors.As(err, &dns) && dns.IsNotFound:
		return reason.Unavailable, "; check the host name in the address"
	case errors.Is(err, syscall.ECONNREFUSED):
		return reason.Unavailable, "; nothing listens there: start the server or correct the address"
	}
	return reason.Unavailable, ""
}

// withoutURL drops the address that net/http puts before every error: it is long
// and stands in the configuration.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
