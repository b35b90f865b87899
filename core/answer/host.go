package answer

import (
	"fmt"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// hostWords are the few words that the host has of its own, for when not even
// the template provider can be asked.
func hostWords(o wire.Outcome) wire.AggregatedResponse {
	r := wire.AggregatedResponse{FormatType: wire.FormatText, Warnings: []string{}}
	if o.Failure == nil {
		r.Summary = hostSummary(o)
		return r
	}
	f := o.Failure
	r.Summary = f.Message
	lines := []string{"Asked: " + f.Requirement}
	if len(f.Attempted) > 0 {
		lines = append(lines, "Attempted: "+strings.Join(f.Attempted, "; "))
	}
	if f.FailedStep != "" {
		lines = append(lines, "Failed step: "+f.FailedStep)
	}
	lines = append(lines, fmt.Sprintf("Stage: %s", f.Stage), fmt.Sprintf("Reason: %s (%s)", f.Reason, f.Code), "What to do: "+f.NextAction)
	r.Content = strings.Join(lines, "\n")
	return r
}

func hostSummary(o wire.Outcome) string {
	var counts []string
	for _, p := range o.Results {
		at := ""
		if p.Truncated {
			at = "at least "
		}
		counts = append(counts, fmt.Sprintf("%s%d", at, p.RowCount))
	}
	switch len(counts) {
	case 0:
		return "There is no result."
	case 1:
		return fmt.Sprintf("Rows in the result: %s.", counts[0])
	}
	return fmt.Sprintf("Rows in the results: %s.", strings.Join(counts, ", "))
}
