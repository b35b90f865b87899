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

// TestReceiptsDoNotGrowWithTheResult makes the receipt of a result of a few rows and of
// one of very many.
func TestReceiptsDoNotGrowWithTheResult(t *testing.T) {
	made := func(rows int) (size int, allocations float64) {
		store := &kept{}
		f := newFixture(t, recording(t, store, true), func(f *fixture) {
			f.source.rows = rows
			f.source.cell = func(int64) wire.Value { return wire.Text("a name of usual length") }
		})
		run := f.ask(t, t.Context(), question("customers by country"))
		if run.Err() != nil || store.receipts[0].Queries[0].Result.RowCount != int64(rows) {
			t.Fatalf("%v, %+v", run.Err(), store.receipts)
		}
		text, err := store.receipts[0].Encode()
		if err != nil {
			t.Fatal(err)
		}
		return len(text), testing.AllocsPerRun(10, func() {
			r, err := run.NewReceipt("")
			if err == nil {
				_, err = r.Sealed(auditKey(t))
			}
			if err != nil {
				t.Fatal(err)
			}
		})
	}
	fewSize, fewAllocations := made(50)
	manySize, manyAllocations := made(100_000)
	// The figures of a larger result have more digits, and what words it says so.
	if manySize > fewSize+200 || manyAllocations > fewAllocations*1.05 {
		t.Errorf("of 50 rows: %d bytes and %.0f allocations; of 100,000: %d and %.0f", fewSize, fewAllocations, manySize, manyAllocations)
	}
}
