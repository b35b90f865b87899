package audit_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/gofrs/flock"

	"querent.dev/querent/core/audit"
)

// disk is one whose files fail when it has no room.
type disk struct {
	room        atomic.Int64 // bytes that may still be written; below 0: any number
	syncs       atomic.Int64 // synchronisations that still succeed; likewise
	noTruncates atomic.Bool
}

func newDisk() *disk {
	d := &disk{}
	d.free()
	return d
}

func (d *disk) free() {
	d.room.Store(-1)
	d.syncs.Store(-1)
	d.noTruncates.Store(false)
}

func (d *disk) open(name string, flag int, perm fs.FileMode) (audit.File, error) {
	f, err := os.OpenFile(name, flag, perm)
	return &faulty{f, d}, err
}

type faulty struct {
	*os.File
	on *disk
}

// Write writes as much as there is room for.
func (f *faulty) Write(b []byte) (int, error) {
	room := f.on.room.Load()
	if room < 0 || room >= int64(len(b)) {
		if room >= 0 {
			f.on.room.Add(-int64(len(b)))
		}
		return f.File.Write(b)
	}
	f.on.room.Store(0)
	n, err := f.File.Write(b[:room])
	return n, errors.Join(err, syscall.ENOSPC)
}

func (f *faulty) Sync() error {
	if n := f.on.syncs.Load(); n == 0 {
		return syscall.EIO
	} else if n > 0 {
		f.on.syncs.Add(-1)
	}
	return f.File.Sync()
}

func (f *faulty) Truncate(size int64) error {
	if f.on.noTruncates.Load() {
		return syscall.EROFS
	}
	return f.File.Truncate(size)
}

// TestAFullDiskTearsNothing lets the disk fail in every place of an entry and of its
// head. What was refused is not in the log, the log stays whole, and goes on when there
// is room again.
func TestAFullDiskTearsNothing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "audit.jsonl")
	d := newDisk()
	l := open(t, audit.LogOptions{File: file, Key: key(t), OpenFile: d.open})
	add(t, l, 2)
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, err := os.ReadFile(file + ".head")
	if err != nil {
		t.Fatal(err)
	}
	refused := audit.Entry{Kind: audit.RunFinished, RunID: "refused", Caller: "kim"}
	try := func(what string, n int64) (full bool) {
		t.Helper()
		err := l.Append(context.Background(), refused)
		if err == nil {
			return false
		}
		if now, reading := os.ReadFile(file); reading != nil || string(now) != string(before) {
			t.Fatalf("%s %d: the log was changed: %v, %q", what, n, reading, now)
		}
		if r := verified(t, file, key(t), ""); r.First != nil || r.Entries != 2 || !r.Checks.OK() {
			t.Fatalf("%s %d: %+v", what, n, r)
		}
		return true
	}
	failures := 0
	for room := int64(0); ; room += 11 {
		d.room.Store(room)
		if !try("room for", room) {
			break
		}
		failures++
	}
	// An entry and its head are some 700 bytes.
	if failures < 40 {
		t.Errorf("the disk was full %d times", failures)
	}
	for syncs := range int64(2) { // of the entry, of the head
		d.free()
		if err := os.WriteFile(file, before, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file+".head", head, 0o600); err != nil {
			t.Fatal(err)
		}
		d.syncs.Store(syncs)
		if !try("synchronisation", syncs) {
			t.Errorf("nothing failed at synchronisation %d", syncs)
		}
	}
	d.free()
	add(t, l, 1)
	if r := verified(t, file, key(t), ""); r.First != nil || r.Entries != 3 || !r.Checks.OK() {
		t.Errorf("with room again: %+v", r)
	}
}

// TestWhatAFullDiskLeavesIsSealed takes from the disk even the way back.
func TestWhatAFullDiskLeavesIsSealed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	d := newDisk()
	l := open(t, audit.LogOptions{File: file, Key: key(t), OpenFile: d.open})
	add(t, l, 2)
	d.noTruncates.Store(true)
	for _, room := range []int64{0, 1, 100, 3} { // and the seal is torn, too
		d.room.Store(room)
		if err := l.Append(context.Background(), audit.Entry{Kind: audit.RunFinished}); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("room for %d: %v", room, err)
		}
		if err := l.Check(context.Background()); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("room for %d: the check found %v", room, err)
		}
	}
	d.free()
	if err := l.Check(context.Background()); err != nil {
		t.Error(err)
	}
	add(t, l, 1)
	if r := verified(t, file, key(t), ""); r.First != nil || r.Entries != 4 || !r.Checks.OK() { // with the one that seals
		t.Errorf("%+v", r)
	}
}

// TestARotationThatFailsLosesNoEntry takes the name at which the log is put away.
func TestARotationThatFailsLosesNoEntry(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, audit.LogOptions{File: file, MaxSize: 500})
	add(t, l, 1)
	taken := file + ".000000000002"
	if err := os.MkdirAll(filepath.Join(taken, "a folder that is not empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	add(t, l, 1)
	if err := l.Append(context.Background(), audit.Entry{Kind: audit.RunFinished}); err == nil || !strings.Contains(err.Error(), "000000000002") {
		t.Errorf("a log that cannot be put away: %v", err)
	}
	if err := os.RemoveAll(taken); err != nil {
		t.Fatal(err)
	}
	add(t, l, 1)
	if r := verified(t, file, audit.Key{}, ""); r.First != nil || r.Entries != 3 {
		t.Errorf("%+v", r)
	}
}

// TestOneWhoHoldsTheLockIsNotWaitedForWithoutEnd ends with who asks.
func TestOneWhoHoldsTheLockIsNotWaitedForWithoutEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, audit.LogOptions{File: file})
	holder := flock.New(file + ".lock")
	defer holder.Close()
	if err := holder.Lock(); err != nil {
		t.Fatal(err)
	}
	gone := errors.New("who asked has left")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(gone)
	if err := l.Append(ctx, audit.Entry{Kind: audit.RunFinished}); !errors.Is(err, gone) {
		t.Errorf("Append: %v", err)
	}
}

// TestFilesThatAreNoLog says what each is.
func TestFilesThatAreNoLog(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, content, want string
	}{
		{"empty", "", "its file empty.head is gone"},
		{"text", "some notes\nof mine\n", "line 1: the line is no entry of an audit log"},
		{"database", "SQLite format 3\x00\x10\x00", "line 1: the line is no entry of an audit log"},
		{"zeros", strings.Repeat("\x00", 3<<20), "line 1: the line is longer than any entry"},
		{"deep", strings.Repeat("[", 500_000) + "\n", "line 1: the line is no entry of an audit log"},
	} {
		file := filepath.Join(dir, c.name)
		if err := os.WriteFile(file, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		r := verified(t, file, audit.Key{}, "")
		if r.First == nil || r.Checks.OK() || !strings.Contains(r.Checks[len(r.Checks)-1].Detail, c.want) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
	for name, want := range map[string]string{"": "is a directory", "none": "no such file"} {
		if _, err := audit.VerifyLog(t.Context(), filepath.Join(dir, name), audit.Key{}, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	// One that was just made is a log, and one that was emptied is none.
	file := filepath.Join(dir, "audit.jsonl")
	l := open(t, audit.LogOptions{File: file})
	if r := verified(t, file, audit.Key{}, ""); r.First != nil || !r.Checks.OK() {
		t.Errorf("new: %+v", r)
	}
	add(t, l, 1)
	write(t, file, nil)
	if r := verified(t, file, audit.Key{}, ""); r.First == nil {
		t.Errorf("emptied: %+v", r)
	}
	remove(t, file+".head")
	if r := verified(t, file, audit.Key{}, ""); r.First == nil {
		t.Errorf("emptied, without its head: %+v", r)
	}
}

// shelf keeps receipts in memory.
type shelf map[string]*audit.Receipt

func (s shelf) Keep(_ context.Context, r *audit.Receipt) error {
	s[r.RunID] = r
	return nil
}

func (s shelf) Drop(_ context.Context, runID string) error {
	delete(s, runID)
	return nil
}

// TestWhatTheLogDoesNotTakeIsNotKeptEither lets the disk of the log alone be full. The
// receipt of an answer that is not given is not there to be read; one of an answer that
// is given stays.
func TestWhatTheLogDoesNotTakeIsNotKeptEither(t *testing.T) {
	for _, must := range []bool{true, false} {
		d, kept := newDisk(), shelf{}
		file := filepath.Join(t.TempDir(), "audit.jsonl")
		recorder := &audit.Recorder{Store: kept, Log: open(t, audit.LogOptions{File: file, OpenFile: d.open}), Must: must}
		d.room.Store(100)
		if _, err := recorder.Record(t.Context(), audit.Receipt{RunID: "one"}); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("a full disk: %v", err)
		}
		if there := kept["one"] != nil; there == must {
			t.Errorf("required %t: the receipt is there: %t", must, there)
		}
		d.free()
		if _, err := recorder.Record(t.Context(), audit.Receipt{RunID: "two"}); err != nil || kept["two"] == nil {
			t.Errorf("with room again: %v", err)
		}
		if r := verified(t, file, audit.Key{}, ""); r.First != nil || r.Entries != 1 {
			t.Errorf("the log: %+v", r)
		}
	}
}
