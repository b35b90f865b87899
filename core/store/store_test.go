package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/store"
	"querent.dev/querent/sdk/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func receipt(t *testing.T, run string, at time.Time) *audit.Receipt {
	t.Helper()
	r, err := audit.Receipt{
		RunID: run, Time: at, Caller: audit.Caller{Name: "kim", Roles: []string{"analyst"}},
		Question: audit.Question{Text: "얼마나 많은 'customers' \x00?"}, Answer: audit.Answer{Outcome: wire.Answered},
	}.Sealed(audit.Key{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func keep(t *testing.T, s *store.Store, r *audit.Receipt) {
	t.Helper()
	if err := s.Keep(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

func TestReceiptsComeBackAsTheyWere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a folder", "querent.db")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	want := receipt(t, "run1", noon)
	first := open(t, store.Options{File: file})
	keep(t, first, want)
	for _, s := range []*store.Store{first, open(t, store.Options{File: file})} { // and to another process
		got, err := s.Receipt(t.Context(), "run1")
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := s.Receipt(t.Context(), "run2"); !errors.Is(err, audit.ErrNotFound) {
			t.Errorf("a run that is not there: %v", err)
		}
	}
	if err := first.Keep(t.Context(), want); err == nil {
		t.Error("a receipt took the place of another of the same run")
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
}

// A receipt that was changed in the file is not given out.
func TestAReceiptThatWasChangedInTheStoreIsNotGiven(t *testing.T) {
	file := filepath.Join(t.TempDir(), "querent.db")
	s := open(t, store.Options{File: file})
	keep(t, s, receipt(t, "run1", noon))
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("UPDATE receipts SET receipt = substr(receipt, 1, length(receipt) - 9)"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Receipt(t.Context(), "run1"); err == nil || errors.Is(err, audit.ErrNotFound) {
		t.Errorf("a receipt that was changed: %v", err)
	}
}

func TestReceiptsGoWithTheirTime(t *testing.T) {
	file := filepath.Join(t.TempDir(), "querent.db")
	now := noon
	o := store.Options{File: file, Clock: func() time.Time { return now }}
	forever := open(t, o)
	for days := range 5 {
		keep(t, forever, receipt(t, fmt.Sprint(days), noon.AddDate(0, 0, -days)))
	}
	left := func() (out int) {
		for days := range 5 {
			if _, err := forever.Receipt(t.Context(), fmt.Sprint(days)); err == nil {
				out++
			}
		}
		return out
	}
	if n := left(); n != 5 {
		t.Fatalf("without a retention, %d are left", n)
	}
	o.Retention = 50 * time.Hour
	s := open(t, o)
	if n := left(); n != 3 {
		t.Errorf("after opening, %d are left", n)
	}
	now = noon.Add(24 * time.Hour)
	if err := s.Sweep(t.Context()); err != nil || left() != 2 {
		t.Errorf("a day later %d are left, %v", left(), err)
	}
}

// Two processes write to one file.
func TestManyWritersLoseNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "querent.db")
	stores := []*store.Store{open(t, store.Options{File: file}), open(t, store.Options{File: file})}
	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() {
			for n := range 10 {
				r, err := audit.Receipt{RunID: fmt.Sprintf("%d/%d", i, n), Time: noon}.Sealed(audit.Key{})
				if err == nil {
					err = stores[i%2].Keep(context.Background(), r)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	for i := range 8 {
		for n := range 10 {
			if _, err := stores[0].Receipt(t.Context(), fmt.Sprintf("%d/%d", i, n)); err != nil {
				t.Error(err)
			}
		}
	}
}

// What is written to a file that is no longer there is lost.
func TestAStoreThatIsGoneTakesNoReceipts(t *testing.T) {
	for _, replaced := range []bool{false, true} {
		file := filepath.Join(t.TempDir(), "querent.db")
		s := open(t, store.Options{File: file})
		keep(t, s, receipt(t, "run1", noon))
		if err := s.Check(t.Context()); err != nil {
			t.Errorf("the store as it is: %v", err)
		}
		if err := os.Rename(file, file+".old"); err != nil {
			t.Fatal(err)
		}
		if replaced {
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Keep(t.Context(), receipt(t, "run2", noon)); err == nil {
			t.Errorf("replaced %t: a receipt was written", replaced)
		}
		if err := s.Check(t.Context()); err == nil {
			t.Errorf("replaced %t: the check found nothing", replaced)
		}
	}
}

func TestDroppedReceiptsAreGone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "querent.db")
	s := open(t, store.Options{File: file})
	for _, run := range []string{"one", "two"} {
		keep(t, s, receipt(t, run, noon))
	}
	if err := s.Drop(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Receipt(t.Context(), "one"); !errors.Is(err, audit.ErrNotFound) {
		t.Errorf("the one that was dropped: %v", err)
	}
	if n, err := store.Count(t.Context(), file); err != nil || n != 1 {
		t.Errorf("%d are left, %v", n, err)
	}
	if _, err := store.Count(t.Context(), filepath.Join(t.TempDir(), "none.db")); err == nil {
		t.Error("a store that is not there was counted")
	}
}

func TestAReceiptThatIsTooLargeIsNotKept(t *testing.T) {
	s := open(t, store.Options{File: filepath.Join(t.TempDir(), "querent.db")})
	r, err := audit.Receipt{RunID: "large", Question: audit.Question{Text: strings.Repeat("x", audit.MaxReceipt)}}.Sealed(audit.Key{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Keep(t.Context(), r); err == nil || !strings.Contains(err.Error(), "more than the") {
		t.Errorf("a receipt that could not be read again: %v", err)
	}
}

func TestAFileThatIsNoStore(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(text, []byte("this is no database, and is longer than a header"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{dir, text, filepath.Join(dir, "none", "querent.db")} {
		if s, err := store.Open(t.Context(), store.Options{File: file, Retention: time.Hour}); err == nil {
			t.Errorf("%s was opened", file)
			s.Close()
		}
	}
	if left, err := os.ReadFile(text); err != nil || string(left) != "this is no database, and is longer than a header" {
		t.Errorf("the file was changed: %q, %v", left, err)
	}
}

func BenchmarkKeep(b *testing.B) {
	s, err := store.Open(b.Context(), store.Options{File: filepath.Join(b.TempDir(), "querent.db")})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		r, err := audit.Receipt{RunID: fmt.Sprint(n), Time: noon}.Sealed(audit.Key{})
		if err == nil {
			err = s.Keep(b.Context(), r)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
