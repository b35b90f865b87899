package pipeline_test

import (
	"path/filepath"
	"testing"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/store"
	"querent.dev/querent/sdk/wire"
)

// BenchmarkRecording is a run over a database that costs nothing, without and with a
// receipt: sealed alone, stored, and noted in the audit log. What a disk takes to
// synchronise is part of the last two.
func BenchmarkRecording(b *testing.B) {
	dir := b.TempDir()
	kept, err := store.Open(b.Context(), store.Options{File: filepath.Join(dir, "querent.db")})
	if err != nil {
		b.Fatal(err)
	}
	defer kept.Close()
	log, err := audit.OpenLog(b.Context(), audit.LogOptions{File: filepath.Join(dir, "audit.jsonl")})
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	key, err := audit.ParseKey(audit.NewKey())
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		recorder pipeline.Recorder
	}{
		{"none", nil},
		{"sealed", &audit.Recorder{Key: key}},
		{"stored", &audit.Recorder{Key: key, Store: kept}},
		{"stored and logged", &audit.Recorder{Key: key, Store: kept, Log: log, Must: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			f := newFixture(b, func(f *fixture) {
				f.deps.Recorder, f.deps.IDs = c.recorder, nil
				f.source.rows = 20
				f.source.cell = func(int64) wire.Value { return wire.Text("a name of usual length") }
			})
			b.ReportAllocs()
			for b.Loop() {
				run := f.engine.Ask(b.Context(), question("customers by country"), nil)
				if run.Err() != nil || c.recorder != nil && !run.Recorded {
					b.Fatal(run.Err())
				}
				if err := run.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
