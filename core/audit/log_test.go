package audit_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"querent.dev/querent/core/audit"
)

// TestATornEndIsSealed cuts the last line of a log in every place, as a crash does
// before the head is written, and goes on.
func TestATornEndIsSealed(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "audit.jsonl")
	l := open(t, audit.LogOptions{File: file, Key: key(t)})
	add(t, l, 2)
	head, err := os.ReadFile(file + ".head")
	if err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(file)
	add(t, l, 1)
	after, _ := os.ReadFile(file)
	l.Close()
	for cut := len(before); cut <= len(after); cut++ {
		if at := cut - len(before); at > 20 && at < len(after)-len(before)-20 && at%7 != 0 {
			continue // each place costs the disk several synchronisations
		}
		file := filepath.Join(t.TempDir(), "audit.jsonl")
		write(t, file+".head", []string{strings.TrimSpace(string(head))})
		if err := os.WriteFile(file, after[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		again := open(t, audit.LogOptions{File: file, Key: key(t)})
		add(t, again, 2)
		r := verified(t, file, key(t), "")
		want := int64(2 + 1 + 2) // the torn entry is replaced by the one that seals it
		if cut == len(before) {
			want = 4
		}
		if r.First != nil || r.Entries != want || !r.Checks.OK() {
			t.Fatalf("cut at byte %d of the line: %+v", cut-len(before), r)
		}
		text, _ := os.ReadFile(file)
		if torn := cut > len(before) && cut < len(after)-1; torn != strings.Contains(string(text), `"kind":"recovered"`) {
			t.Fatalf("cut at byte %d of the line: sealed is %t", cut-len(before), !torn)
		}
	}
}

// TestASealedEndCannotBeChanged changes what an entry seals.
func TestASealedEndCannotBeChanged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, audit.LogOptions{File: file})
	add(t, l, 1)
	l.Close()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"seq":2,"time":"20`); err != nil {
		t.Fatal(err)
	}
	f.Close()
	add(t, open(t, audit.LogOptions{File: file}), 1)
	if r := verified(t, file, audit.Key{}, ""); r.First != nil || r.Entries != 3 {
		t.Fatalf("sealed: %+v", r)
	}
	text, _ := os.ReadFile(file)
	at := strings.Index(string(text), `{"seq":2,"time":"20`)
	for i := at; i < at+len(`{"seq":2,"time":"20`)+1; i++ {
		changed := []byte(string(text))
		changed[i] ^= 1
		if err := os.WriteFile(file, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		if r := verified(t, file, audit.Key{}, ""); r.First == nil || r.First.Line != 2 {
			t.Errorf("byte %d of the torn line: %+v", i-at, r.First)
		}
	}
}

// TestALogThatWasCutIsNotGoneOnWith takes away the last entry, which the head tells.
func TestALogThatWasCutIsNotGoneOnWith(t *testing.T) {
	for name, change := range map[string]func(lines []string) []string{
		"gone": func(lines []string) []string { return lines[:len(lines)-1] },
		"changed": func(lines []string) []string {
			lines[len(lines)-1] = strings.Replace(lines[len(lines)-1], "kim", "lee", 1)
			return lines
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "audit.jsonl")
			l := open(t, audit.LogOptions{File: file})
			add(t, l, 3)
			text, _ := os.ReadFile(file)
			write(t, file, change(strings.Split(strings.TrimSpace(string(text)), "\n")))
			changed, _ := os.ReadFile(file)
			if name == "gone" { // the one that is open sees it, too
				if err := l.Append(context.Background(), audit.Entry{Kind: audit.RunFinished}); err == nil || !strings.Contains(err.Error(), "its head says that entry 3 is the last") {
					t.Errorf("Append: %v", err)
				}
			}
			l.Close()
			_, err := audit.OpenLog(context.Background(), audit.LogOptions{File: file})
			if err == nil || !strings.Contains(err.Error(), "its head says that entry 3 is the last") {
				t.Errorf("OpenLog: %v", err)
			}
			if now, _ := os.ReadFile(file); string(now) != string(changed) {
				t.Error("something was written")
			}
		})
	}
}

// TestTheChainGoesOnInTheNextFile writes a log of several files.
func TestTheChainGoesOnInTheNextFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "audit.jsonl")
	o := audit.LogOptions{File: file, Key: key(t), MaxSize: 2000}
	for range 4 { // and over restarts
		l := open(t, o)
		add(t, l, 5)
		l.Close()
	}
	put, err := filepath.Glob(file + ".0*")
	if err != nil || len(put) < 2 {
		t.Fatalf("put away: %v, %v", put, err)
	}
	if r := verified(t, file, key(t), ""); r.First != nil || r.Entries != 20 || !r.Checks.OK() {
		t.Fatalf("all files: %+v", r)
	}
	remove(t, put[0])
	if r := verified(t, file, key(t), ""); r.First == nil || r.First.Line != 1 {
		t.Errorf("without the first file: %+v", r.First)
	}
	if err := os.Rename(put[1], put[0]); err != nil {
		t.Fatal(err)
	}
	if r := verified(t, file, key(t), ""); r.First == nil {
		t.Error("with the second file in place of the first: nothing found")
	}
}

// TestATornEndBehindARotationIsSealed tears the first line of a new file.
func TestATornEndBehindARotationIsSealed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	o := audit.LogOptions{File: file, Key: key(t), MaxSize: 300}
	l := open(t, o)
	add(t, l, 2) // a file each
	l.Close()
	if err := os.WriteFile(file, []byte(`{"seq":3,"ti`), 0o600); err != nil {
		t.Fatal(err)
	}
	add(t, open(t, o), 1)
	if r := verified(t, file, key(t), ""); r.First != nil || r.Entries != 4 || !r.Checks.OK() {
		t.Errorf("%+v", r)
	}
}

// TestManyWritersMakeOneChain writes from several logs at once, as processes do.
func TestManyWritersMakeOneChain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	var writers sync.WaitGroup
	for i := range 4 {
		l := open(t, audit.LogOptions{File: file, Key: key(t), MaxSize: 3000})
		for range 2 {
			writers.Go(func() {
				for n := range 10 {
					if err := l.Append(context.Background(), audit.Entry{Kind: audit.RunFinished, RunID: fmt.Sprint(i, n)}); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	writers.Wait()
	if r := verified(t, file, key(t), ""); r.First != nil || r.Entries != 80 || !r.Checks.OK() {
		t.Errorf("%+v", r)
	}
}

func TestAWriterThatCannotWriteSaysSo(t *testing.T) {
	if _, err := audit.OpenLog(context.Background(), audit.LogOptions{File: filepath.Join(t.TempDir(), "none", "audit.jsonl")}); err == nil {
		t.Error("a log in a folder that is not there was opened")
	}
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, audit.LogOptions{File: file})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := l.Append(ctx, audit.Entry{Kind: audit.RunFinished}); err == nil {
		add(t, l, 1) // the lock was free; then the entry is there
	}
	remove(t, file)
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(context.Background(), audit.Entry{Kind: audit.RunFinished}); err == nil {
		t.Error("an entry was written to a folder")
	}
}

// TestAKeyThatComesLaterSignsFromThereOn begins without a key.
func TestAKeyThatComesLaterSignsFromThereOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, audit.LogOptions{File: file})
	add(t, l, 3)
	l.Close()
	add(t, open(t, audit.LogOptions{File: file, Key: key(t)}), 3)
	if r := verified(t, file, key(t), ""); r.First != nil || r.Entries != 6 || r.Signed != 3 || !r.Checks.OK() {
		t.Fatalf("%+v", r)
	}
	text, _ := os.ReadFile(file)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	lines[1] = strings.Replace(lines[1], "kim", "lee", 1)
	write(t, file, lines)
	if r := verified(t, file, key(t), ""); r.First == nil || r.First.Line != 2 {
		t.Errorf("an entry from before the key: %+v", r.First)
	}
}

// TestALogIsCheckedWhileItIsWritten checks again and again while others write, and
// while files are put away.
func TestALogIsCheckedWhileItIsWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, audit.LogOptions{File: file, Key: key(t), MaxSize: 20_000})
	add(t, l, 1)
	ctx, stop := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	writing.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			if err := l.Append(context.Background(), audit.Entry{Kind: audit.RunFinished, RunID: fmt.Sprint(n)}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	last := int64(0)
	for last < 300 && !t.Failed() {
		r := verified(t, file, key(t), "")
		if r.First != nil || !r.Checks.OK() || r.Entries < last {
			t.Errorf("after %d entries: %+v", last, r)
		}
		last = r.Entries
	}
	stop()
	writing.Wait()
}
