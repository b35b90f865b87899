package pipeline

import (
	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/redact"
)

// Rows opens the whole result behind the i-th result of the run's answer; a nil
// reader means that the answer's own rows are all there are.
func (r *Run) Rows(i int) (answer.RowReader, error) {
	if i >= len(r.Aggregate.ComputedArtifacts) {
		return nil, nil
	}
	result := r.Aggregate.ComputedArtifacts[i]
	if filter := r.Redaction.At(redact.ResultTable); filter.Active() {
		return cleanRows{result.Reader(), filter, result.Columns()}, nil
	}
	return result.Reader(), nil
}
