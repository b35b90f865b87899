package answer_test

import (
	"fmt"
	"testing"
	"time"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/sdk/wire"
)

// manyCountries is an outcome of the usual size: 20 rows of a name and a count.
func manyCountries() wire.Outcome {
	o := countries()
	o.Results[0].Rows, o.Results[0].RowCount = nil, 500
	for i := range 20 {
		name := wire.Text(fmt.Sprintf("Republic of the %c Islands", 'A'+i))
		o.Results[0].Rows = append(o.Results[0].Rows, []wire.Value{name, wire.Int(int64(1313 + 17*i))})
	}
	return o
}

// mixed is an outcome with cells of every kind that people ask for.
func mixed() wire.Outcome {
	o := routes()
	row := o.Results[0].Rows[0]
	for i := range 19 {
		next := append([]wire.Value(nil), row...)
		next[0], next[1] = wire.Text(fmt.Sprintf("Route %d", 67+i)), wire.Date(time.Date(2024, 4, 1+i, 0, 0, 0, 0, time.UTC))
		o.Results[0].Rows = append(o.Results[0].Rows, next)
	}
	o.Results[0].RowCount = 20
	return o
}

var benched = []struct {
	name    string
	outcome wire.Outcome
	text    string
}{
	{"words", manyCountries(), "The Republic of the A Islands is ahead of all other countries."},
	{"figures", manyCountries(), "The first 20 of 500 countries are shown; the Republic of the A Islands has 1,313 customers, and 1,330 are in the Republic of the B Islands."},
	{"mixed", mixed(), "Route 66 opened on March 15, 2024, and its share is 12.5%; Route 67 opened on 2024-04-01."},
}

// BenchmarkSynthesizeSuccess is all that an answer in a model's words costs the
// host, but for the model.
func BenchmarkSynthesizeSuccess(b *testing.B) {
	for _, bench := range benched {
		b.Run(bench.name, func(b *testing.B) {
			m := &writer{summary: bench.text}
			opts := answer.Options{Preview: answer.Limits{Rows: 20, Chars: 4000}}
			b.ReportAllocs()
			for b.Loop() {
				m.tasks = m.tasks[:0]
				s := answer.SynthesizeSuccess(b.Context(), m, bench.outcome, opts)
				if s.Answer.Summary != bench.text {
					b.Fatal(s.Recovered)
				}
				if _, err := m.tasks[0].Prompt(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCheckSuccess is the check of a model's words alone.
func BenchmarkCheckSuccess(b *testing.B) {
	for _, bench := range benched {
		b.Run(bench.name, func(b *testing.B) {
			words := wire.AggregatedResponse{Summary: bench.text}
			b.ReportAllocs()
			for b.Loop() {
				if err := answer.CheckSuccess(bench.outcome, words); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
