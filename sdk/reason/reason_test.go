package reason_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"querent.dev/querent/sdk/reason"
)

// The pairs of codes and reasons are a contract with programs: this list grows
// and is never edited.
const contract = `INVALID_STATE invalid_state 1
PLANNING_FAILURE planning_failed 4
PLAN_INVALID plan_invalid 4
POLICY_DENIED not_permitted 3
CALLER_AUTH_REQUIRED auth_context_required 3
UNMAPPED no_datasource 4
UNMAPPED unsupported_datasource 4
UNMAPPED restricted_datasource 3
AMBIGUOUS needs_clarification 4
NOT_UNDERSTOOD words_not_understood 4
COST_LIMIT too_expensive 4
BUDGET_EXCEEDED budget_exceeded 4
DATASOURCE_UNREACHABLE unavailable 6
DATASOURCE_AUTH_FAILED auth_failed 6
SCHEMA_CHANGED schema_changed 6
QUERY_TIMEOUT timeout 6
EXECUTION_FAILED execution_failed 6
AGGREGATOR_FAILED aggregator_failed 1
RUN_TIMEOUT timeout 1
CANCELLED cancelled 130
INTERNAL internal 1
PROVIDER_AUTH_FAILED auth_failed 5
PROVIDER_PERMISSION_DENIED permission_denied 5
PROVIDER_MODEL_NOT_FOUND model_not_found 5
PROVIDER_MISCONFIGURED misconfigured 5
PROVIDER_INVALID_REQUEST invalid_request 5
PROVIDER_RATE_LIMITED rate_limited 5
PROVIDER_QUOTA_EXHAUSTED quota_exhausted 5
PROVIDER_OVERLOADED overloaded 5
PROVIDER_UNAVAILABLE unavailable 5
PROVIDER_TIMEOUT timeout 5
PROVIDER_CANCELLED cancelled 5
PROVIDER_CONTEXT_OVERFLOW context_overflow 5
PROVIDER_PROMPT_TRUNCATED prompt_truncated 5
PROVIDER_OUTPUT_TRUNCATED output_truncated 5
PROVIDER_INCOMPLETE incomplete 5
PROVIDER_CONTENT_FILTERED content_filtered 5
PROVIDER_REFUSED refused 5
PROVIDER_INVALID_OUTPUT invalid_output 5
PROVIDER_INTERNAL internal 5`

func TestTheTableKeepsItsContract(t *testing.T) {
	var have []string
	for _, r := range reason.Rows() {
		have = append(have, fmt.Sprintf("%s %s %d", r.Code, r.Reason, r.Exit))
	}
	if got := strings.Join(have, "\n"); got != contract {
		t.Errorf("the table is now\n%s", got)
	}
}

func TestEveryRowIsComplete(t *testing.T) {
	for _, r := range reason.Rows() {
		if r.SafeMessage == "" || r.NextAction == "" || r.Stage == "" || r.Wording == "" {
			t.Errorf("%s/%s lacks a field: %+v", r.Code, r.Reason, r)
		}
		if r.Reason == reason.ReasonAuthFailed && r.Wording != reason.WordedByTemplate {
			t.Errorf("%s: an actionable reason is worded by templates", r.Code)
		}
	}
}

func TestErrorsAreFoundThroughWrapping(t *testing.T) {
	err := fmt.Errorf("asking: %w", reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable, "open x.db: %w", io.ErrUnexpectedEOF))
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("the cause is lost")
	}
	if !errors.Is(err, &reason.Error{Code: reason.DatasourceUnreachable}) || errors.Is(err, &reason.Error{Code: reason.Internal}) {
		t.Error("Is does not go by code")
	}
	if got := reason.ExitCode(err); got != reason.ExitDatasource {
		t.Errorf("exit code %d", got)
	}
	if e := reason.From(err); strings.Contains(e.SafeMessage, "x.db") || !e.Retryable {
		t.Errorf("safe message %q, retryable %v", e.SafeMessage, e.Retryable)
	}
}

func TestAnyOtherErrorIsInternal(t *testing.T) {
	e := reason.From(io.EOF)
	if e.Code != reason.Internal || !errors.Is(e, io.EOF) || reason.ExitCode(io.EOF) != reason.ExitInternal {
		t.Errorf("got %v", e)
	}
	if reason.From(nil) != nil || reason.ExitCode(nil) != reason.ExitAnswered {
		t.Error("nil is not an error")
	}
}

func TestAnUnknownProviderKindIsInternal(t *testing.T) {
	if e := reason.Provider("made_up", "x"); e.Code != "PROVIDER_INTERNAL" {
		t.Errorf("got %s", e.Code)
	}
	for _, k := range reason.Kinds() {
		if e := reason.Provider(k, "x"); e.Reason != reason.Reason(k) {
			t.Errorf("%s became %s", k, e.Reason)
		}
	}
}
