package result_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/result"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// source makes n rows without holding them.
type source struct {
	n         int64
	at        int64
	fails     error // at the end
	truncated bool
	wide      int // bytes of text a row
	row       []wire.Value
	closed    int
}

var _ datasource.Rows = (*source)(nil)

func (s *source) Next() bool {
	if s.at == s.n {
		return false
	}
	s.at++
	s.row = append(s.row[:0], wire.Int(s.at), wire.Text(fmt.Sprintf("name %d %s", s.at, strings.Repeat("x", s.wide))), wire.Null())
	if s.at%2 == 0 {
		s.row[2] = wire.Float(float64(s.at) / 3)
	}
	return true
}

func (s *source) Row() []wire.Value { return s.row }

func (s *source) Err() error { return s.fails }

func (s *source) Truncated() bool { return s.truncated }

func (s *source) Close() error { s.closed++; return nil }

var columns = []wire.Column{
	{Name: "id", Type: wire.Type{Kind: wire.KindInt}},
	{Name: "이름", Type: wire.Type{Kind: wire.KindText}},
	{Name: "third", Type: wire.Type{Kind: wire.KindFloat}},
}

func store(t testing.TB, rows datasource.Rows, o result.Options) *result.Result {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	r, err := result.Store(context.Background(), rows, columns, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// check reads r and compares it with a new source of the same rows.
func check(r *result.Result, n int64, wide int) error {
	want := &source{n: n, wide: wide}
	got := r.Reader()
	defer got.Close()
	for want.Next() {
		if !got.Next() {
			return fmt.Errorf("row %d is missing: %w", want.at, got.Err())
		}
		for i, v := range got.Row() {
			if !v.Equal(want.row[i]) {
				return fmt.Errorf("row %d, cell %d: %q, want %q", want.at, i, v, want.row[i])
			}
		}
	}
	if got.Next() {
		return fmt.Errorf("there are more than %d rows", n)
	}
	return got.Err()
}

func TestRowsComeBackAsTheyWere(t *testing.T) {
	for _, c := range []struct {
		name   string
		n      int64
		wide   int
		memory int64
	}{
		{"none", 0, 0, 0},
		{"one", 1, 0, 0},
		{"in memory", 1000, 10, 0},
		{"exactly at the limit", 1, 0, 14},
		{"spilled from the first row", 50, 10, 1},
		{"spilled", 5000, 50, 4096},
		{"rows beyond every buffer", 20, 200_000, 4096},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := &source{n: c.n, wide: c.wide}
			r := store(t, rows, result.Options{MemoryBytes: c.memory})
			if err := check(r, c.n, c.wide); err != nil {
				t.Error(err)
			}
			if r.RowCount() != c.n || r.Truncated() || len(r.Columns()) != 3 {
				t.Errorf("%d rows, truncated %t, %d columns", r.RowCount(), r.Truncated(), len(r.Columns()))
			}
			if rows.closed == 0 {
				t.Error("the rows were not closed")
			}
		})
	}
}

// TestColumnsWithoutAValueAreKnown stores rows whose third column has a value in
// every second row alone.
func TestColumnsWithoutAValueAreKnown(t *testing.T) {
	for n, want := range map[int64][]int{0: nil, 1: {2}, 2: nil, 100: nil} {
		if got := store(t, &source{n: n}, result.Options{}).Blank(); !slices.Equal(got, want) {
			t.Errorf("of %d rows the columns %v have no value, want %v", n, got, want)
		}
	}
}

func TestTheHeadIsKept(t *testing.T) {
	r := store(t, &source{n: 100}, result.Options{Head: 5})
	for n, want := range map[int]int{-1: 0, 0: 0, 3: 3, 5: 5, 9: 5} {
		head := r.Head(n)
		if len(head) != want {
			t.Errorf("Head(%d) has %d rows, want %d", n, len(head), want)
		}
		for i, row := range head {
			if row[0].Int() != int64(i+1) {
				t.Errorf("row %d of the head is %v", i, row)
			}
		}
	}
	if n := len(store(t, &source{n: 100}, result.Options{}).Head(100)); n != 20 {
		t.Errorf("the default head has %d rows", n)
	}
}

func TestTheHashIsOfTheContent(t *testing.T) {
	same := store(t, &source{n: 500}, result.Options{}).Hash()
	if spilled := store(t, &source{n: 500}, result.Options{MemoryBytes: 1, Head: 1}).Hash(); spilled != same {
		t.Error("where the rows are kept changes the hash")
	}
	if len(same) != 64 {
		t.Errorf("the hash is %q", same)
	}
	for name, other := range map[string]*source{"fewer rows": {n: 499}, "other cells": {n: 500, wide: 1}, "no rows": {}} {
		if store(t, other, result.Options{}).Hash() == same {
			t.Errorf("%s have the same hash", name)
		}
	}
	renamed, err := result.Store(context.Background(), &source{n: 500}, []wire.Column{columns[0], columns[0], columns[2]}, result.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer renamed.Close()
	if renamed.Hash() == same {
		t.Error("other columns have the same hash")
	}
}

// telling is a source that knows what cut it.
type telling struct {
	source
	by datasource.Cut
}

func (t *telling) Truncated() bool { return t.by != datasource.CutNone }

func (t *telling) CutBy() datasource.Cut { return t.by }

func TestACutResultSaysSo(t *testing.T) {
	for _, c := range []struct {
		name string
		rows datasource.Rows
		want datasource.Cut
	}{
		{"whole", &source{n: 10}, datasource.CutNone},
		{"cut by what is not told", &source{n: 10, truncated: true}, datasource.CutByRows},
		{"whole and told", &telling{source{n: 10}, datasource.CutNone}, datasource.CutNone},
		{"cut by rows", &telling{source{n: 10}, datasource.CutByRows}, datasource.CutByRows},
		{"cut by bytes", &telling{source{n: 10}, datasource.CutByBytes}, datasource.CutByBytes},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := store(t, c.rows, result.Options{RowCap: 10})
			reader := r.Reader()
			for reader.Next() {
			}
			cut := c.want != datasource.CutNone
			if r.Truncated() != cut || r.CutBy() != c.want || r.RowCap() != 10 {
				t.Errorf("truncated %t by %q, cap %d", r.Truncated(), r.CutBy(), r.RowCap())
			}
			if reader.Truncated() != cut || datasource.CutOf(reader) != c.want {
				t.Errorf("the reader is truncated %t by %q", reader.Truncated(), datasource.CutOf(reader))
			}
		})
	}
}

func TestManyReadersAtOnce(t *testing.T) {
	r := store(t, &source{n: 3000, wide: 20}, result.Options{MemoryBytes: 1000})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := check(r, 3000, 20); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestNothingIsLeftBehind(t *testing.T) {
	dir := t.TempDir()
	r := store(t, &source{n: 1000}, result.Options{Dir: dir, MemoryBytes: 1})
	broken := errors.New("broken")
	_, err := result.Store(context.Background(), &source{n: 1000, fails: broken}, columns, result.Options{Dir: dir, MemoryBytes: 1})
	if err != broken {
		t.Errorf("the rows' error became %v", err)
	}
	reader := r.Reader()
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
	if reader.Next() || !errors.Is(reader.Err(), os.ErrClosed) {
		t.Errorf("a reader of a closed result: %v", reader.Err())
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

func TestStoreReportsWhatEndsIt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	rows := &source{n: 10}
	if _, err := result.Store(ctx, rows, columns, result.Options{}); !errors.Is(err, &reason.Error{Code: reason.CancelledCode}) {
		t.Errorf("cancelled: %v", err)
	}
	if rows.closed == 0 {
		t.Error("the rows were not closed")
	}
	missing := filepath.Join(t.TempDir(), "none")
	_, err := result.Store(context.Background(), &source{n: 10}, columns, result.Options{Dir: missing, MemoryBytes: 1})
	if !errors.Is(err, &reason.Error{Code: reason.Internal}) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if _, err := result.Store(context.Background(), &source{n: 1}, columns[:2], result.Options{}); err == nil {
		t.Error("a row with a cell too many was stored")
	}
}

// A million rows of 40 bytes or more must not stay in memory.
func TestMemoryIsBounded(t *testing.T) {
	const n = 1_000_000
	before := heap()
	r := store(t, &source{n: n, wide: 20}, result.Options{})
	grown := heap() - before
	if grown > 8<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
	reader := r.Reader()
	count := 0
	for reader.Next() {
		count++
	}
	if reader.Err() != nil || count != n {
		t.Errorf("%d rows, %v", count, reader.Err())
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkStore(b *testing.B) {
	for b.Loop() {
		r := store(b, &source{n: 100_000, wide: 10}, result.Options{})
		b.StopTimer()
		r.Close()
		b.StartTimer()
	}
}

func BenchmarkRead(b *testing.B) {
	r := store(b, &source{n: 100_000, wide: 10}, result.Options{})
	for b.Loop() {
		reader := r.Reader()
		for reader.Next() {
		}
		if reader.Err() != nil {
			b.Fatal(reader.Err())
		}
	}
}
