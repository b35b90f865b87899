package datasourcetest

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/sqlgen"
)

// StreamRows is how many rows the table big of BenchmarkStream has.
const StreamRows = 1_000_000

// StreamPlan reads them all.
const StreamPlan = `{"from": "big", "select": ["id", "word", "amount", "made"]}`

// hostGCPercent is how much the heap of the host grows before it is collected.
const hostGCPercent = 400

// heapEvery is how many rows lie between two looks at the heap.
const heapEvery = 50_000

// BenchmarkStream reads StreamRows rows with d and then with the bare driver, which
// reads the rows of a text of SQL and tells how many there were, and reports how
// many times as long d takes and how much of the heap it held at the most.
func BenchmarkStream(b *testing.B, d datasource.Datasource, bare func(sql string) (int, error)) {
	b.Helper()
	// As the host does: its heap is so small that it would be collected all the time.
	defer debug.SetGCPercent(debug.SetGCPercent(hostGCPercent))
	s := Statement(b, d, StreamPlan)
	var ours, theirs time.Duration
	var heap uint64
	for b.Loop() {
		began := time.Now()
		held, err := readStream(d, s)
		if err != nil {
			b.Fatal(err)
		}
		ours += time.Since(began)
		heap = max(heap, held)
		began = time.Now()
		if n, err := bare(s.SQL()); err != nil || n != StreamRows {
			b.Fatalf("%d rows, %v", n, err)
		}
		theirs += time.Since(began)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "ms/adapter")
	b.ReportMetric(float64(theirs.Milliseconds())/float64(b.N), "ms/bare")
	b.ReportMetric(float64(ours)/float64(theirs), "times-bare")
	b.ReportMetric(float64(heap)/(1<<20), "MB-heap")
}

// readStream reads a result and tells the most that the heap held meanwhile.
func readStream(d datasource.Datasource, s sqlgen.Statement) (uint64, error) {
	r, err := d.Query(context.Background(), s, datasource.Limits{})
	if err != nil {
		return 0, err
	}
	var heap uint64
	var memory runtime.MemStats
	for n := 0; r.Next(); n++ {
		if n%heapEvery == 0 {
			runtime.ReadMemStats(&memory)
			heap = max(heap, memory.HeapInuse)
		}
	}
	return heap, errors.Join(r.Err(), r.Close())
}
