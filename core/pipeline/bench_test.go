package pipeline_test

import "testing"

// BenchmarkAsk is the engine's own share of a question: provider, database and
// synthesizer answer at once.
func BenchmarkAsk(b *testing.B) {
	f := newFixture(b)
	b.ReportAllocs()
	for b.Loop() {
		run := f.engine.Ask(b.Context(), question("How many customers are in each country?"), nil)
		if err := run.Err(); err != nil {
			b.Fatal(err)
		}
		if err := run.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
