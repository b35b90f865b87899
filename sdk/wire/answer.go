package wire

import "querent.dev/querent/sdk/reason"

// OutcomeKind says how a run ended.
type OutcomeKind string

// The outcomes, a closed set.
const (
	Answered           OutcomeKind = "answered"
	Partial            OutcomeKind = "partial"
	NeedsClarification OutcomeKind = "needs_clarification"
	CannotAnswer       OutcomeKind = "cannot_answer"
	Refused            OutcomeKind = "refused"
	Failed             OutcomeKind = "failed"
	Cancelled          OutcomeKind = "cancelled"
)

// OutcomeKinds lists every outcome.
func OutcomeKinds() []OutcomeKind {
	return []OutcomeKind{Answered, Partial, NeedsClarification, CannotAnswer, Refused, Failed, Cancelled}
}

// FormatType is the form of an answer's content.
type FormatType string

// The forms of content, a closed set.
const (
	FormatTable FormatType = "table"
	FormatList  FormatType = "list"
	FormatText  FormatType = "text"
)

// Column is a column of a result.
type Column struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
	// Tag is set by the host where the column shows values of a column with a tag by
	// which they are taken out on some ways out. It does not leave the host.
	Tag string `json:"-"`
}

// Preview is the first rows of a result with what is known of the whole.
type Preview struct {
	SubQuery string `json:"sub_query,omitempty"`
	// Part is the part of the question that the result answers, in plain words, "" for
	// the whole of it.
	Part    string    `json:"part,omitempty"`
	Columns []Column  `json:"columns"`
	Rows    [][]Value `json:"rows"`
	// RowCount counts the whole result as far as it was read. When Truncated
	// it is "at least" that many.
	RowCount int64 `json:"row_count"`
	// Partial is set when rows, columns or parts of cells were left out of Rows.
	Partial bool `json:"partial"`
	// Truncated is set when the result itself was cut: by the row limit, which is
	// RowCap, or else by the byte limit, and RowCap is 0.
	Truncated bool  `json:"truncated"`
	RowCap    int64 `json:"row_cap,omitempty"`
}

// VerifiedMatch names the verified query that answered.
type VerifiedMatch struct {
	ID          string `json:"id"` // datasource/id
	Description string `json:"description,omitempty"`
	VerifiedBy  string `json:"verified_by,omitempty"`
	VerifiedAt  string `json:"verified_at,omitempty"`
}

// Unmapped is a part of the question that no datasource answers.
type Unmapped struct {
	Part   string        `json:"part"`
	Reason reason.Reason `json:"reason"`
}

// Failure explains a run that did not answer. Its fields are the same whether a
// model or a template words it.
type Failure struct {
	Requirement string        `json:"requirement"` // the question as asked
	Attempted   []string      `json:"attempted,omitempty"`
	FailedStep  string        `json:"failed_step,omitempty"` // <subquery>/<node>
	Stage       reason.Stage  `json:"stage"`
	Code        reason.Code   `json:"code"`
	Reason      reason.Reason `json:"reason"`
	Message     string        `json:"message"`               // safe words, no database or provider text
	NextAction  string        `json:"next_action,omitempty"` // what the asker can do
	NotKnown    []string      `json:"words_not_understood,omitempty"`
	Choices     []string      `json:"choices,omitempty"`   // questions, each of which says what the asked one leaves open
	Proposals   []string      `json:"proposals,omitempty"` // questions that can be asked instead
	Partial     []Preview     `json:"partial_results,omitempty"`
	PlanID      string        `json:"plan_id,omitempty"`
	// TraceID stands in the envelope around an answer, not in its JSON: an answer
	// is the same bytes from run to run.
	TraceID    string `json:"-"`
	Datasource string `json:"datasource,omitempty"`
	Provider   string `json:"provider,omitempty"`
}

// Outcome is what a synthesizer words: the whole of what may be said, and
// nothing that may not.
type Outcome struct {
	Kind     OutcomeKind    `json:"outcome"`
	Question string         `json:"question"`
	Language string         `json:"language"` // BCP 47
	Results  []Preview      `json:"results,omitempty"`
	Verified *VerifiedMatch `json:"verified,omitempty"`
	Unmapped []Unmapped     `json:"unmapped,omitempty"`
	// DataNotes are the sanity checks' notes, ResultLimits those on cut results.
	DataNotes    []string `json:"data_notes,omitempty"`
	ResultLimits []string `json:"result_limits,omitempty"`
	Failure      *Failure `json:"failure,omitempty"`
	// Datasource is the one that the results are of, "" when there are several.
	Datasource string `json:"datasource,omitempty"`
}

// AggregatedResponse is the text of an answer as a synthesizer writes it.
type AggregatedResponse struct {
	Summary    string     `json:"summary"`
	FormatType FormatType `json:"format_type"`
	Content    string     `json:"content"`
	Warnings   []string   `json:"warnings"`
}

// Query is what ran for a sub-query.
type Query struct {
	SubQuery   string   `json:"sub_query"`
	Datasource string   `json:"datasource"`
	PlanID     string   `json:"plan_id,omitempty"`
	SecuredID  string   `json:"secured_id,omitempty"`
	Plan       *Plan    `json:"plan,omitempty"`
	SQL        string   `json:"sql,omitempty"`
	Args       []Tagged `json:"args,omitempty"`
	// Planner names who proposed the plan: a provider, or "verified".
	Planner string `json:"planner,omitempty"`
}

// Note is a warning with its code.
type Note struct {
	Code    reason.Warning `json:"code"`
	Message string         `json:"message"`
	// Detail is what the message is about, for programs: its keys depend on the code.
	Detail map[string]string `json:"detail,omitempty"`
}

// Answer is a run's answer. Made by templates, it is the same bytes for the same
// question, data, clock, role and configuration; what changes from run to run
// (ids, times, usage) stands in the envelope around it.
type Answer struct {
	Outcome  OutcomeKind `json:"outcome"`
	Question string      `json:"question"`
	Language string      `json:"language"`
	AggregatedResponse
	Truncated bool      `json:"truncated"`
	Notes     []Note    `json:"notes"`
	Results   []Preview `json:"results"`
	// Chart is a chart that the result calls for, nil where none does.
	Chart    *Chart         `json:"chart,omitempty"`
	Queries  []Query        `json:"queries"`
	Verified *VerifiedMatch `json:"verified,omitempty"`
	Unmapped []Unmapped     `json:"unmapped,omitempty"`
	Failure  *Failure       `json:"failure,omitempty"`
	// SynthesizedBy is the provider that worded the answer, or "host".
	SynthesizedBy string   `json:"synthesized_by"`
	TemplateIDs   []string `json:"template_ids,omitempty"`
	// FallbackReason says why the configured synthesizer did not word it.
	FallbackReason reason.Reason `json:"fallback_reason,omitempty"`
}
