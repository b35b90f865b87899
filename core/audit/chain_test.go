package audit_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/audit"
)

var when = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func key(t testing.TB) audit.Key {
	t.Helper()
	k, err := audit.ParseKey("an audit key of the tests, long enough")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// open opens a log that is closed with the test.
func open(t testing.TB, o audit.LogOptions) *audit.Log {
	t.Helper()
	o.Clock = func() time.Time { return when }
	l, err := audit.OpenLog(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func add(t testing.TB, l *audit.Log, n int) {
	t.Helper()
	for i := range n {
		e := audit.Entry{Kind: audit.RunFinished, RunID: fmt.Sprintf("run-%d", i), Caller: "kim", Outcome: "answered", Receipt: strings.Repeat("ab", 32)}
		if err := l.Append(context.Background(), e); err != nil {
			t.Fatal(err)
		}
	}
}

// verified is the report on a log.
func verified(t testing.TB, file string, k audit.Key, head string) audit.LogReport {
	t.Helper()
	r, err := audit.VerifyLog(t.Context(), file, k, head)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// chain is a log of n entries in memory, one line each. It is made by the chain's own
// rules without a disk, whose 10,000 synchronisations take longer than the test.
func chain(t *testing.T, n int, k audit.Key) [][]byte {
	t.Helper()
	var lines [][]byte
	prev := ""
	for i := range n {
		e := audit.Entry{Seq: int64(i + 1), Time: when, Kind: audit.RunFinished, RunID: fmt.Sprintf("run-%d", i), Caller: "kim", Outcome: "answered", Receipt: strings.Repeat("ab", 32)}
		line, hash, err := audit.SealEntry(e, k, prev)
		if err != nil {
			t.Fatal(err)
		}
		lines, prev = append(lines, line), hash
	}
	return lines
}

// states are the chain's states before each of the lines, and after the last.
func states(t *testing.T, lines [][]byte, k audit.Key) []audit.Chain {
	t.Helper()
	c := audit.Chain{Key: k}
	out := []audit.Chain{c}
	for i, line := range lines {
		if err := c.Line(line); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		out = append(out, c)
	}
	if c.End() != nil || c.Count() != int64(len(lines)) {
		t.Fatalf("%d entries, %v", c.Count(), c.End())
	}
	return out
}

// found reports whether a chain that goes on with these lines is broken by them. A
// broken line breaks the chain at the latest with the entry behind it.
func found(c audit.Chain, lines ...[]byte) bool {
	for _, line := range lines {
		if c.Line(line) != nil {
			return true
		}
	}
	return c.End() != nil
}

// bits is how many bits of the chain of 10,000 entries are changed one by one. With
// more than it has bytes, some 6,000,000, each byte has its turn.
var bits = flag.Int("bits", 20_000, "bits of a chain to change")

// TestEveryChangeOfAChainIsFound changes a chain of 10,000 entries: each bit of some
// entries, a bit of every so many bytes of all of it, and entries that are dropped, doubled and swapped.
// A change in one line can only be found there or behind it, so the chain is taken up
// at the line before.
func TestEveryChangeOfAChainIsFound(t *testing.T) {
	const n = 10_000
	for _, c := range []struct {
		name string
		key  audit.Key
		bits int // anywhere
	}{{"signed", key(t), *bits}, {"not signed", audit.Key{}, *bits / 10}} {
		t.Run(c.name, func(t *testing.T) {
			lines := chain(t, n, c.key)
			before := states(t, lines, audit.Key{}) // also without the key
			random := rand.New(rand.NewPCG(1, 2))
			tries := 0
			flip := func(i, bit int) {
				tries++
				text := append(slices.Clone(lines[i]), '\n')
				text[bit/8] ^= 1 << (bit % 8)
				if i+1 < n {
					text = append(append(text, lines[i+1]...), '\n')
				}
				changed := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
				if !found(before[i], changed...) {
					t.Errorf("entry %d, bit %d: not found", i+1, bit)
				}
			}
			for _, i := range []int{0, n / 2, n - 1} {
				for bit := range len(lines[i]) * 8 {
					flip(i, bit)
				}
			}
			// A bit of every so many bytes, so that all of the chain is gone over.
			step := max(1, len(bytes.Join(lines, nil))/max(1, c.bits))
			for i, at := 0, random.IntN(step); i < n; {
				if at > len(lines[i]) { // its newline is a byte, too
					i, at = i+1, at-len(lines[i])-1
					continue
				}
				flip(i, at*8+random.IntN(8))
				at += 1 + random.IntN(2*step-1)
			}
			t.Logf("%d bits changed", tries)
			for range 500 {
				i := random.IntN(n - 2)
				if !found(before[i], lines[i+1], lines[i+2]) {
					t.Errorf("entry %d dropped: not found", i+1)
				}
				if !found(before[i], lines[i+1], lines[i], lines[i+2]) {
					t.Errorf("entries %d and %d swapped: not found", i+1, i+2)
				}
				if !found(before[i], lines[i], lines[i], lines[i+1]) {
					t.Errorf("entry %d doubled: not found", i+1)
				}
				if j := random.IntN(n); j != i && !found(before[i], lines[j]) {
					t.Errorf("entry %d in place of entry %d: not found", j+1, i+1)
				}
			}
		})
	}
}

// TestEveryTruncationIsFound cuts a log on the disk: in every place of its last
// entries, and at every end of a line.
func TestEveryTruncationIsFound(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	add(t, open(t, audit.LogOptions{File: file, Key: key(t)}), 30)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if r := verified(t, file, key(t), ""); r.First != nil || r.Entries != 30 || r.Signed != 30 || !r.Checks.OK() {
		t.Fatalf("the whole log: %+v", r)
	}
	for cut := range len(whole) {
		// Where lines end, and everywhere in the last ones.
		if whole[cut] != '\n' && (cut == 0 || whole[cut-1] != '\n') && cut < len(whole)-500 {
			continue
		}
		if err := os.WriteFile(file, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		for _, k := range []audit.Key{{}, key(t)} {
			if r := verified(t, file, k, ""); r.First == nil || r.Checks.OK() {
				t.Fatalf("cut at %d of %d: %+v", cut, len(whole), r)
			}
		}
	}
}

func TestWhatTheChainDoesNotTellTheHeadDoes(t *testing.T) {
	signed := key(t)
	other, err := audit.ParseKey("another key of the tests, as long as that")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(t *testing.T, file string, lines []string)
		key    audit.Key
		want   string // in the reason; "" for nothing found
	}{
		{"nothing", func(*testing.T, string, []string) {}, signed, ""},
		{"nothing, without the key", func(*testing.T, string, []string) {}, audit.Key{}, ""},
		{"the wrong key", func(*testing.T, string, []string) {}, other, "signed with the key"},
		{"the last entry is gone", func(t *testing.T, file string, lines []string) {
			write(t, file, lines[:len(lines)-1])
		}, audit.Key{}, "entries are missing at the end"},
		{"all are gone", func(t *testing.T, file string, _ []string) { write(t, file, nil) }, audit.Key{}, "entries are missing at the end"},
		{"the head is gone", func(t *testing.T, file string, _ []string) { remove(t, file+".head") }, audit.Key{}, "is gone"},
		{"the head was changed", func(t *testing.T, file string, _ []string) {
			head, err := os.ReadFile(file + ".head")
			if err != nil {
				t.Fatal(err)
			}
			write(t, file+".head", []string{strings.Replace(strings.TrimSpace(string(head)), `"count":5`, `"count":4`, 1)})
		}, audit.Key{}, "it was changed"},
		{"the log was written anew without the key", func(t *testing.T, file string, _ []string) {
			remove(t, file)
			remove(t, file+".head")
			add(t, open(t, audit.LogOptions{File: file}), 5)
		}, signed, "no entry is signed"},
		{"the log was written anew with another key", func(t *testing.T, file string, _ []string) {
			remove(t, file)
			remove(t, file+".head")
			add(t, open(t, audit.LogOptions{File: file, Key: other}), 5)
		}, signed, "signed with the key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "audit.jsonl")
			l := open(t, audit.LogOptions{File: file, Key: signed})
			add(t, l, 5)
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c.change(t, file, strings.Split(strings.TrimSpace(string(text)), "\n"))
			switch r := verified(t, file, c.key, ""); {
			case c.want == "" && (r.First != nil || !r.Checks.OK()):
				t.Errorf("found %+v", r)
			case c.want != "" && (r.First == nil || !strings.Contains(r.First.Why, c.want)):
				t.Errorf("found %+v, want %q", r.First, c.want)
			}
		})
	}
}

// TestAnOlderLogWithItsHeadIsFoundByTheExpectedHead puts back both as they were.
func TestAnOlderLogWithItsHeadIsFoundByTheExpectedHead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, audit.LogOptions{File: file, Key: key(t)})
	add(t, l, 3)
	old := map[string][]byte{}
	for _, name := range []string{file, file + ".head"} {
		old[name], _ = os.ReadFile(name)
	}
	add(t, l, 2)
	head := verified(t, file, key(t), "").Last
	if r := verified(t, file, key(t), head); r.First != nil {
		t.Fatalf("the log as it is: %+v", r.First)
	}
	for name, text := range old {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r := verified(t, file, key(t), ""); r.First != nil {
		t.Fatalf("both are as they once were: %+v", r.First)
	}
	if r := verified(t, file, key(t), head); r.First == nil || !strings.Contains(r.First.Why, "entries are missing at the end") {
		t.Errorf("the expected head: %+v", r.First)
	}
}

func write(t *testing.T, file string, lines []string) {
	t.Helper()
	text := strings.Join(lines, "\n")
	if len(lines) > 0 {
		text += "\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, file string) {
	t.Helper()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
}

// TestNoBitOfTheHeadCanBeChanged changes each bit of the head, which is then
// checked with or without the key.
func TestNoBitOfTheHeadCanBeChanged(t *testing.T) {
	for _, signed := range []audit.Key{key(t), {}} {
		file := filepath.Join(t.TempDir(), "audit.jsonl")
		add(t, open(t, audit.LogOptions{File: file, Key: signed}), 2)
		head, err := os.ReadFile(file + ".head")
		if err != nil {
			t.Fatal(err)
		}
		for bit := range len(head) * 8 {
			changed := bytes.Clone(head)
			changed[bit/8] ^= 1 << (bit % 8)
			if err := os.WriteFile(file+".head", changed, 0o600); err != nil {
				t.Fatal(err)
			}
			k := []audit.Key{signed, {}}[bit%2]
			if r := verified(t, file, k, ""); r.First == nil || r.Checks.OK() {
				t.Fatalf("bit %d of %q, key known: %t: %+v", bit, head, k.Known(), r)
			}
		}
	}
}
