package pipeline

import (
	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/redact"
	"querent.dev/querent/sdk/wire"
)

// redacted is the run as it leaves the engine: its answer is without what
// settings.redaction takes out of answers, failures and rows. The receipt was made
// of the whole before.
func (r Run) redacted() Run {
	if r.Answer == nil {
		return r
	}
	r.Answer = r.given()
	return r
}

// cleaned is an answer as it leaves, with the one that it was made of.
type cleaned struct{ of, given *wire.Answer }

// given is the run's answer as it leaves. It is made once: the receipt tells of it, too.
func (r *Run) given() *wire.Answer {
	if r.cleaned.of != r.Answer {
		clean := cleanAnswer(r.Redaction, *r.Answer)
		r.cleaned = cleaned{r.Answer, &clean}
	}
	return r.cleaned.given
}

func cleanAnswer(run *redact.Run, a wire.Answer) wire.Answer {
	words, table := run.At(redact.Answer), run.At(redact.ResultTable)
	if a.Failure != nil {
		words = words.Stricter(run.At(redact.Failure))
		table = table.Stricter(run.At(redact.Failure))
	}
	results := table.Previews(a.Results)
	a.Results = nil
	a = redact.Deep(words, a)
	a.Results = results
	return a
}

// cleanEvents is the sink of a run's events, which get there without what
// settings.redaction takes out of events; their answers are without what it takes out
// of answers, too.
func cleanEvents(run *redact.Run, sink func(graph.Event)) func(graph.Event) {
	if sink == nil {
		return nil
	}
	return func(e graph.Event) {
		if a, ok := e.Data["answer"].(wire.Answer); ok {
			e.Data = map[string]any{"answer": cleanAnswer(run, a)}
		}
		e.Data = redact.Deep(run.At(redact.Events), e.Data)
		sink(e)
	}
}

// cleanRows are the rows of a result without what is taken out of rows.
type cleanRows struct {
	answer.RowReader
	filter  redact.Filter
	columns []wire.Column
}

// Row implements answer.RowReader.
func (c cleanRows) Row() []wire.Value { return c.filter.Row(c.columns, c.RowReader.Row()) }
