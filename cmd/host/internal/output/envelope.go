package output

import (
	"encoding/json"
	"fmt"
	"io"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Envelope is what stands around an answer: all that differs from run to run.
type Envelope struct {
	RunID   string  `json:"run_id"`
	TraceID string  `json:"trace_id"`
	Exit    int     `json:"exit"`
	Timings Timings `json:"timings"`
	Usage   []Usage `json:"usage"`
	Errors  []Error `json:"errors,omitempty"` // recovered ones among them
	// Receipt is that of the run, nil if there is none.
	Receipt *Receipt `json:"receipt,omitempty"`
}

// Receipt names the receipt of a run.
type Receipt struct {
	ID     string `json:"id"`   // that of the run
	Hash   string `json:"hash"` // SHA-256, in hex
	Stored bool   `json:"stored"`
}

// Timings are how long a run and its steps took, in milliseconds.
type Timings struct {
	TotalMS int64  `json:"total_ms"`
	Steps   []Step `json:"steps"`
}

// Step is a step's time.
type Step struct {
	Step string `json:"step"`
	MS   int64  `json:"ms"`
}

// Usage is what a provider took for a request of an agent. A figure that the
// provider did not give is absent; what it cost is then an estimate.
type Usage struct {
	Agent     string `json:"agent"`
	Provider  string `json:"provider"`
	Plugin    string `json:"plugin"`
	Model     string `json:"model,omitempty"`
	Input     *int64 `json:"input_tokens,omitempty"`
	Output    *int64 `json:"output_tokens,omitempty"`
	Cached    *int64 `json:"cached_tokens,omitempty"`
	Reasoning *int64 `json:"reasoning_tokens,omitempty"`
	Calls     int    `json:"calls,omitempty"`
	// Tokens are all that count towards the run's budget.
	Tokens    int64   `json:"tokens,omitempty"`
	Cost      float64 `json:"cost,omitempty"` // by the configured prices
	Currency  string  `json:"currency,omitempty"`
	Estimated bool    `json:"estimated,omitempty"`
}

// Error is what went wrong in a step, in words that may be shown.
type Error struct {
	Step      string        `json:"step"`
	Code      reason.Code   `json:"code"`
	Reason    reason.Reason `json:"reason"`
	Message   string        `json:"message"`
	Recovered bool          `json:"recovered"`
	// Evidence is what programs may act on: the provider and its model, its server's
	// HTTP status, how often it was asked, and how long it asks to be left alone.
	Evidence map[string]string `json:"evidence,omitempty"`
}

// JSON writes the envelope with the whole answer in it, as one object.
func JSON(w io.Writer, e Envelope, a wire.Answer, rows Rows) error {
	head, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("write the envelope: %w", err)
	}
	head = append(head[:len(head)-1], `,"answer":`...)
	if _, err := w.Write(head); err != nil {
		return fmt.Errorf("write the envelope: %w", err)
	}
	if err := answer.WriteJSON(w, a, rows); err != nil {
		return err
	}
	if _, err := io.WriteString(w, "}\n"); err != nil {
		return fmt.Errorf("write the envelope: %w", err)
	}
	return nil
}
