// Package audit keeps what is needed to check an answer long after it was given:
// receipts, one a run, which say what was asked, by whom, what ran and what came
// of it, and the audit log, a chain of entries of which none can be changed,
// dropped or moved without a trace.
package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// ReceiptVersion is the version of the form of receipts that this package writes.
const ReceiptVersion = 1

// Receipt is what there is to know of a run. Seal completes it; from then on it
// must not be changed. Its JSON is canonical: one receipt has one spelling.
type Receipt struct {
	Version    int       `json:"version"`
	RunID      string    `json:"run_id"`
	TraceID    string    `json:"trace_id"`
	Time       time.Time `json:"time"` // when the run began, in UTC
	Host       string    `json:"host_version"`
	Question   Question  `json:"question"`
	Caller     Caller    `json:"caller"`
	PolicyHash string    `json:"policy_hash"` // "" for a caller without a role
	Clock      Clock     `json:"clock"`
	Preview    Preview   `json:"preview"`
	Queries    []Query   `json:"queries"`
	// Steps are what was done with the results of the queries, as planned.
	Steps   json.RawMessage `json:"steps,omitempty"`
	Results []Result        `json:"results"` // of the answer
	Answer  Answer          `json:"answer"`
	Calls   []Call          `json:"calls"`
	Errors  []Error         `json:"errors"` // recovered ones among them: the attempts of providers, too
	Elapsed int64           `json:"elapsed_ms"`
	Timings []Timing        `json:"timings"`
	// Rules are the caller's roles as they were; nil where the receipt's reader may
	// not see them.
	Rules *Rules `json:"rules,omitempty"`

	// Part says what was taken out of the whole receipt; nil for the whole.
	Part *Part `json:"part,omitempty"`

	KeyID     string `json:"key_id,omitempty"`
	Signature string `json:"signature,omitempty"` // HMAC-SHA256 of all above under the deployment's key
	Hash      string `json:"hash"`                // SHA-256 of all above, in hex
}

// Question is what was asked, and how the answer was wanted.
type Question struct {
	Text       string `json:"text"`
	HMAC       string `json:"hmac,omitempty"` // of the whole text, in a redacted receipt
	Language   string `json:"language"`       // of the answer
	Format     string `json:"format,omitempty"`
	Datasource string `json:"datasource,omitempty"` // "" unless the asker named one
	// Redacted are what placeholders in Text stand for.
	Redacted []Placeholder `json:"redacted,omitempty"`
}

// Placeholder stands in a text for what was left out.
type Placeholder struct {
	Text string `json:"text"` // as in [redacted 1]
	HMAC string `json:"hmac"` // of what was left out
}

// Caller is who asked.
type Caller struct {
	Kind       policy.CallerKind `json:"kind,omitempty"`
	Name       string            `json:"name"`
	Roles      []string          `json:"roles"`
	Attributes map[string]string `json:"attributes,omitempty"`
}

// Clock is how the run read dates.
type Clock struct {
	Now             string `json:"now"` // RFC 3339, to the nanosecond
	Zone            string `json:"zone"`
	WeekStart       string `json:"week_start"`
	FiscalYearStart string `json:"fiscal_year_start"` // MM-DD
}

// Preview bounds what of a result was shown with the answer, and to whom worded it.
type Preview struct {
	Rows  int `json:"rows"`
	Chars int `json:"chars"`
}

// Query is what ran for a part of the question.
type Query struct {
	SubQuery    string         `json:"sub_query"`
	Datasource  string         `json:"datasource"`
	Dialect     schema.Dialect `json:"dialect,omitempty"`
	Fingerprint string         `json:"schema_fingerprint,omitempty"` // of the datasource's structure
	Planner     string         `json:"planner,omitempty"`
	Attempts    int            `json:"attempts,omitempty"`
	Plan        *wire.Plan     `json:"plan,omitempty"`
	PlanID      string         `json:"plan_id,omitempty"`
	SecuredID   string         `json:"secured_id,omitempty"`
	SQL         string         `json:"sql,omitempty"`  // as the asker may see it
	Args        []Arg          `json:"args,omitempty"` // as the asker may see them
	Result      *QueryResult   `json:"result,omitempty"`
	// Basis is what the SQL was written from beside the plan; nil where the
	// receipt's reader may not see it.
	Basis *Basis `json:"basis,omitempty"`
}

// Arg is an argument of a statement, or, in a redacted receipt, what stands for it.
type Arg struct {
	wire.Tagged
	HMAC string `json:"hmac,omitempty"`
}

// QueryResult is what came of a query.
type QueryResult struct {
	RowCount  int64  `json:"row_count"`
	Truncated bool   `json:"truncated"`
	RowLimit  int64  `json:"row_limit"`
	Hash      string `json:"hash"` // of columns and rows in their order; see result.Result.Hash
}

// Result is a result that the answer shows.
type Result struct {
	SubQuery  string        `json:"sub_query,omitempty"`
	Part      string        `json:"part,omitempty"`
	Columns   []wire.Column `json:"columns"`
	RowCount  int64         `json:"row_count"`
	Partial   bool          `json:"partial"`
	Truncated bool          `json:"truncated"`
	RowCap    int64         `json:"row_cap,omitempty"`
	Hash      string        `json:"hash,omitempty"` // of the whole result; "" where only a part of it was kept
	// Rows are the first rows, as the answer showed them; nil where they are not
	// kept.
	Rows [][]wire.Tagged `json:"rows"`
}

// Answer is what the asker was told.
type Answer struct {
	Outcome wire.OutcomeKind `json:"outcome"`
	// Hash is that of the answer's strict JSON with the rows of Results; TextHash
	// that of its words alone.
	Hash           string        `json:"hash"`
	TextHash       string        `json:"text_hash"`
	Given          *Given        `json:"given,omitempty"` // nil: as it was made
	SynthesizedBy  string        `json:"synthesized_by"`
	TemplateIDs    []string      `json:"template_ids,omitempty"`
	Packs          []Pack        `json:"packs,omitempty"` // that the templates are of
	FallbackReason reason.Reason `json:"fallback_reason,omitempty"`
	Failure        *Failure      `json:"failure,omitempty"`
	// Words are the answer's, nil where they are not kept.
	Words *Words `json:"words,omitempty"`
}

// Given is an answer as it left, where settings.redaction took something out of it.
type Given struct {
	Hash     string `json:"hash"`
	TextHash string `json:"text_hash"`
}

// Words are the text of an answer, and what of it a template may tell.
type Words struct {
	wire.AggregatedResponse
	Truncated bool                `json:"truncated"`
	Notes     []wire.Note         `json:"notes"`
	Chart     *wire.Chart         `json:"chart,omitempty"`
	Verified  *wire.VerifiedMatch `json:"verified,omitempty"`
	Unmapped  []wire.Unmapped     `json:"unmapped,omitempty"`
	Failure   *wire.Failure       `json:"failure,omitempty"` // without its partial results
	// Partial is set where Results are the partial results of the failure.
	Partial bool `json:"partial,omitempty"`
}

// Pack is a template pack, by the SHA-256 of its file.
type Pack struct {
	ID     string `json:"id"`
	SHA256 string `json:"sha256"`
}

// Failure is what stopped a run.
type Failure struct {
	Step   string        `json:"step,omitempty"`
	Code   reason.Code   `json:"code"`
	Reason reason.Reason `json:"reason"`
}

// Call is what one provider was asked for one request of an agent, whether or not
// its answer was used. A figure that the provider did not give is absent.
type Call struct {
	Agent     string `json:"agent"`
	Provider  string `json:"provider"`
	Plugin    string `json:"plugin"`
	Model     string `json:"model,omitempty"`
	Calls     int    `json:"calls,omitempty"` // that reached the provider, those that failed among them
	Input     *int64 `json:"input_tokens,omitempty"`
	Output    *int64 `json:"output_tokens,omitempty"`
	Cached    *int64 `json:"cached_tokens,omitempty"`
	Reasoning *int64 `json:"reasoning_tokens,omitempty"`
}

// Error is what went wrong in a step.
type Error struct {
	Step      string        `json:"step"`
	Code      reason.Code   `json:"code"`
	Reason    reason.Reason `json:"reason"`
	Provider  string        `json:"provider,omitempty"`
	Recovered bool          `json:"recovered"`
}

// Timing is how long a step took.
type Timing struct {
	Step string `json:"step"`
	MS   int64  `json:"ms"`
}

// Rules are the roles of a caller as they were configured.
type Rules struct {
	Roles map[string]json.RawMessage `json:"roles"`
	// Keyed is set where masks have keys, which are left out: what depends on them
	// can be checked with the configuration alone.
	Keyed bool `json:"keyed,omitempty"`
	// Reduced is set where they only let through what the structures in the receipt
	// hold, which is what the caller may see.
	Reduced bool `json:"reduced,omitempty"`
}

// Part says what a receipt lacks of the whole one.
type Part struct {
	WholeHash string `json:"whole_hash"` // Hash of the whole receipt
	// Withheld are the fields that are left out.
	Withheld []string `json:"withheld,omitempty"`
	// Redacted is set where personal data was replaced: arguments as Arguments says,
	// the question's words, the caller's attributes.
	Redacted  bool      `json:"redacted,omitempty"`
	Arguments Arguments `json:"arguments,omitempty"`
}

// Encode is the receipt as JSON, indented, with a newline at its end: the form of
// a file. Decode reads it.
func (r *Receipt) Encode() ([]byte, error) {
	text, err := canonical(r)
	if err != nil {
		return nil, err
	}
	return indented(text)
}

// MaxReceipt bounds the text of a receipt, in bytes. The rows of a preview and the
// tables of a query are far below; what is read of a larger one would fill the memory.
const MaxReceipt = 16 << 20

// Decode reads a receipt that Encode wrote. A file that differs from what was
// written, be it in a space, is refused, and so is one of more than MaxReceipt bytes.
func Decode(text []byte) (*Receipt, error) {
	if len(text) > MaxReceipt {
		return nil, fmt.Errorf("the text is longer than %d MiB, which no receipt is", MaxReceipt>>20)
	}
	var form struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(text, &form); err == nil && form.Version != nil && *form.Version != ReceiptVersion {
		return nil, fmt.Errorf("the receipt is of version %d, and this program reads version %d: check it with the program that wrote it", *form.Version, ReceiptVersion)
	}
	var r Receipt
	if err := decode(text, &r, r.Encode); err != nil {
		return nil, err
	}
	if form.Version == nil {
		return nil, errors.New("the receipt names no version")
	}
	return &r, nil
}

// Sealed is r with its hash, and with its signature where there is a key. What
// JSON does not keep, such as bytes that are no UTF-8, is replaced before. It shares
// what r holds.
func (r Receipt) Sealed(key Key) (*Receipt, error) {
	r.Version, r.KeyID, r.Hash, r.Signature = ReceiptVersion, key.ID(), "", ""
	text, err := canonical(r)
	if err != nil {
		return nil, err
	}
	if !kept(text) {
		var again Receipt
		if err := json.Unmarshal(text, &again); err != nil {
			return nil, err
		}
		r = again
		if text, err = r.signed(); err != nil {
			return nil, err
		}
	}
	r.Signature = key.mac(purposeReceipt, digest(text))
	r.Hash = digest(withSignature(text, r.Signature))
	return &r, nil
}

// kept reports whether a receipt is read from its text as it was written: JSON writes
// for bytes that are no UTF-8 the escape of a character that it does not escape else.
func kept(text []byte) bool { return !bytes.Contains(text, []byte(`\ufffd`)) }

// withSignature is the text of a receipt without signature and hash, with the
// signature: what the hash is of.
func withSignature(text []byte, signature string) []byte {
	const end = `"hash":""}` // the last field of a receipt, behind the signature
	if signature == "" {
		return text
	}
	out := append(make([]byte, 0, len(text)+len(signature)+len(`"signature":"",`)), bytes.TrimSuffix(text, []byte(end))...)
	return append(append(append(out, `"signature":"`...), signature...), `",`+end...)
}

const (
	purposeReceipt = "receipt"
	purposeValue   = "receipt value"
)

// signed is what the signature is of.
func (r Receipt) signed() ([]byte, error) {
	r.Signature, r.Hash = "", ""
	return canonical(r)
}

// hash is the digest of the receipt without its last field.
func (r Receipt) hash() (string, error) {
	r.Hash = ""
	text, err := canonical(r)
	if err != nil {
		return "", err
	}
	return digest(text), nil
}
