package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Answered is what the engine did with a question.
type Answered struct {
	Rows      [][]wire.Value
	RowCount  int64
	Truncated bool
	Warnings  []string
	PlanID    string
	Plan      *wire.Plan
	SQL       string
	Args      []wire.Tagged
	// Err is set when there are no rows.
	Err *reason.Error
}

// Asker asks the engine a question of the database at path.
type Asker interface {
	Ask(ctx context.Context, path, question string) (Answered, error)
}

// Record is a line of a records file.
type Record struct {
	ID       string        `json:"id"`
	Dialect  string        `json:"dialect"`
	Status   Status        `json:"status"`
	Reason   string        `json:"reason,omitempty"`
	PlanID   string        `json:"plan_id,omitempty"`
	Plan     *wire.Plan    `json:"plan,omitempty"`
	SQL      string        `json:"sql,omitempty"`
	Args     []wire.Tagged `json:"args,omitempty"`
	RowCount int64         `json:"row_count"`
	Warnings []string      `json:"warnings,omitempty"`
	MS       int64         `json:"ms"`
}

// Report counts the records of a run.
type Report struct {
	Cases   int            `json:"cases"`
	Counts  map[Status]int `json:"counts"`
	Reasons map[string]int `json:"reasons,omitempty"` // of refusals, of failures and of warnings that are missing
	// Accuracy is right and tie over all cases that were not skipped; Precision
	// is the same over those that were answered. Both are 0 without such cases.
	Accuracy  float64 `json:"accuracy"`
	Precision float64 `json:"precision"`
}

// Run asks every case and compares. A record is written to records for each, as
// it comes, unless records is nil. Only a broken asker, a broken records writer
// or the end of ctx is an error.
func Run(ctx context.Context, cases []Case, a Asker, records io.Writer) (Report, error) {
	report := Report{Counts: map[Status]int{}, Reasons: map[string]int{}}
	for _, c := range cases {
		if err := ctx.Err(); err != nil {
			return report, err
		}
		r, err := runCase(ctx, c, a)
		if err != nil {
			return report, fmt.Errorf("case %s: %w", c.ID, err)
		}
		report.add(r)
		if records == nil {
			continue
		}
		if err := json.NewEncoder(records).Encode(r); err != nil {
			return report, fmt.Errorf("writing the record of case %s: %w", c.ID, err)
		}
	}
	return report, nil
}

func (r *Report) add(rec Record) {
	r.Cases++
	r.Counts[rec.Status]++
	if rec.Reason != "" {
		r.Reasons[rec.Reason]++
	}
	right := float64(r.Counts[Right] + r.Counts[Tie])
	if judged := r.Cases - r.Counts[Skipped]; judged > 0 {
		r.Accuracy = right / float64(judged)
	}
	if answered := right + float64(r.Counts[Wrong]); answered > 0 {
		r.Precision = right / answered
	}
}

func runCase(ctx context.Context, c Case, a Asker) (Record, error) {
	rec := Record{ID: c.ID, Dialect: "sqlite"}
	if c.GoldBroken || c.GoldSQL == "" || c.DBPath == "" {
		return skipped(rec, "no usable gold"), nil
	}
	if c.Dialect != "" && c.Dialect != rec.Dialect {
		return skipped(rec, "the gold is of another dialect"), nil
	}
	if _, err := os.Stat(c.DBPath); err != nil {
		return skipped(rec, "no database"), nil
	}
	gold, err := RunGold(ctx, c.DBPath, c.GoldSQL)
	if errors.Is(err, context.Canceled) {
		return rec, err
	}
	if err != nil {
		return skipped(rec, "the gold does not run"), nil
	}
	start := time.Now()
	got, err := a.Ask(ctx, c.DBPath, c.Question)
	if err != nil {
		return rec, err
	}
	rec.MS = time.Since(start).Milliseconds()
	rec.PlanID, rec.Plan, rec.SQL, rec.Args, rec.RowCount = got.PlanID, got.Plan, got.SQL, got.Args, got.RowCount
	rec.Warnings = got.Warnings
	rec.Status, rec.Reason = judge(got, gold)
	if rec.Status == Right || rec.Status == Tie {
		rec.Status, rec.Reason = warned(rec.Status, c.Warnings, got.Warnings)
	}
	return rec, nil
}

// warned is the status of right rows: without a warning that the case demands they
// are wrong, since whoever reads them is misled.
func warned(s Status, want, have []string) (Status, string) {
	for _, text := range want {
		if !slices.ContainsFunc(have, func(w string) bool { return strings.Contains(w, text) }) {
			return Wrong, "warning_missing"
		}
	}
	return s, ""
}

func judge(got Answered, gold *Gold) (Status, string) {
	switch {
	case got.Err == nil && got.Truncated:
		return Failed, "truncated"
	case got.Err == nil:
		return Compare(got.Rows, gold), ""
	case refusal(got.Err):
		return Refused, string(got.Err.Reason)
	}
	return Failed, string(got.Err.Reason)
}

// refusal tells a deliberate "no" from a failure.
func refusal(e *reason.Error) bool {
	switch e.Code {
	case reason.NotUnderstood, reason.Ambiguous, reason.UnmappedCode, reason.PolicyDenied, reason.CostLimit:
		return true
	}
	return false
}

func skipped(r Record, why string) Record {
	r.Status, r.Reason = Skipped, why
	return r
}
