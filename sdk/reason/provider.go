package reason

import "strings"

// Kind is the kind of a provider's failure, a closed set.
type Kind string

// The kinds of provider failure.
const (
	AuthFailed       Kind = "auth_failed"
	PermissionDenied Kind = "permission_denied"
	ModelNotFound    Kind = "model_not_found"
	Misconfigured    Kind = "misconfigured"
	InvalidRequest   Kind = "invalid_request"
	RateLimited      Kind = "rate_limited"
	QuotaExhausted   Kind = "quota_exhausted"
	Overloaded       Kind = "overloaded"
	Unavailable      Kind = "unavailable"
	Timeout          Kind = "timeout"
	Cancelled        Kind = "cancelled"
	ContextOverflow  Kind = "context_overflow"
	PromptTruncated  Kind = "prompt_truncated"
	OutputTruncated  Kind = "output_truncated"
	Incomplete       Kind = "incomplete"
	ContentFiltered  Kind = "content_filtered"
	RefusedByModel   Kind = "refused"
	InvalidOutput    Kind = "invalid_output"
	InternalProvider Kind = "internal"
)

type providerKind struct {
	kind      Kind
	retryable bool
	safe      string
	next      string
}

var providerKinds = []providerKind{
	{AuthFailed, false, "The provider refused the key that it was given.", "Correct the provider's key in the configuration."},
	{PermissionDenied, false, "The provider's key may not use this model.", "Choose another model, or ask for the right at the provider."},
	{ModelNotFound, false, "The provider does not have the model.", "Pull the model, or correct its name in the configuration."},
	{Misconfigured, false, "The provider is not set up correctly.", "Correct the provider's settings; querent config validate shows where."},
	{InvalidRequest, false, "The provider did not accept the request.", "Report this with the trace id."},
	{RateLimited, true, "The provider is limiting how often it may be asked.", "Wait a little, then ask again."},
	{QuotaExhausted, false, "The provider's quota is used up.", "Raise the quota, or switch to another provider."},
	{Overloaded, true, "The provider has too much to do.", "Wait a little, then ask again."},
	{Unavailable, true, "The provider cannot be reached.", "Check that the provider is running, or switch to another."},
	{Timeout, true, "The provider did not answer within its time limit.", "Ask again, raise the agent's timeout, or switch to a faster model."},
	{Cancelled, false, "The call to the provider was cancelled.", "Ask again when you are ready."},
	{ContextOverflow, false, "The question and the schema are too long for the model.", "Use a model with a longer context."},
	{PromptTruncated, false, "The model server cut the prompt, so its answer cannot be trusted.", "Raise the model's context length."},
	{OutputTruncated, true, "The model's answer was cut off at its length limit.", "Raise the agent's max_output_tokens."},
	{Incomplete, true, "The model's answer broke off before its end.", "Ask again."},
	{ContentFiltered, false, "The provider's content filter stopped the answer.", "Ask in other words."},
	{RefusedByModel, false, "The model declined to answer.", "Ask in other words, or switch to another model."},
	{InvalidOutput, true, "The model's answer does not have the required form.", "Ask again, or switch to another model."},
	{InternalProvider, false, "The provider plugin failed.", "See the log under the trace id."},
}

// Kinds lists every kind of provider failure.
func Kinds() []Kind {
	out := make([]Kind, len(providerKinds))
	for i, k := range providerKinds {
		out[i] = k.kind
	}
	return out
}

// ProviderCode is PROVIDER_<KIND>.
func ProviderCode(k Kind) Code { return Code("PROVIDER_" + strings.ToUpper(string(k))) }

// Provider makes the error of a run that a provider's failure of kind k becomes.
func Provider(k Kind, format string, args ...any) *Error {
	if _, ok := Lookup(ProviderCode(k), Reason(k)); !ok {
		k = InternalProvider
	}
	return New(ProviderCode(k), Reason(k), format, args...)
}

func providerRows() []Row {
	out := make([]Row, len(providerKinds))
	for i, k := range providerKinds {
		out[i] = Row{ProviderCode(k.kind), Reason(k.kind), StageProvider, k.retryable, ExitProvider, WordedByTemplate, k.safe, k.next}
	}
	return out
}
