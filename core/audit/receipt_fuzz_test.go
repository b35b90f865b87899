package audit_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/sdk/wire"
)

// TestTextsThatAreNoReceipt is what receipt verify may be given.
func TestTextsThatAreNoReceipt(t *testing.T) {
	sealed, err := audit.Receipt{RunID: "one"}.Sealed(audit.Key{})
	if err != nil {
		t.Fatal(err)
	}
	good, err := sealed.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"nothing":         {"", "no JSON of this form"},
		"no JSON":         {"\x00\x01", "no JSON of this form"},
		"a list":          {"[]", "no JSON of this form"},
		"null":            {"null", "not in the form in which it was written"},
		"nothing in it":   {"{}", "not in the form in which it was written"},
		"deep":            {strings.Repeat(`{"part":`, 1_000_000), "no JSON of this form"},
		"deep lists":      {`{"version":1,"queries":` + strings.Repeat("[", 1_000_000), "no JSON of this form"},
		"huge":            {strings.Repeat(" ", audit.MaxReceipt+1), "longer than 16 MiB"},
		"later":           {strings.Replace(string(good), `"version": 1`, `"version": 2, "more": {}`, 1), "of version 2, and this program reads version 1"},
		"unknown field":   {strings.Replace(string(good), `"version": 1`, `"version": 1, "more": {}`, 1), "no JSON of this form"},
		"a field twice":   {strings.Replace(string(good), `"version": 1`, `"version": 1,`+"\n  "+`"version": 1`, 1), "not in the form"},
		"another case":    {strings.Replace(string(good), `"run_id"`, `"RUN_ID"`, 1), "not in the form"},
		"something after": {string(good) + "{}", "something follows"},
		"cut":             {string(good[:len(good)-2]), "no JSON of this form"},
	} {
		r, err := audit.Decode([]byte(c.text))
		if err == nil || r != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestSealedIsReadAsItWasWritten seals what JSON writes in several ways, or does not keep.
func TestSealedIsReadAsItWasWritten(t *testing.T) {
	made := time.Now() // with what a clock adds to it
	for name, r := range map[string]audit.Receipt{
		"nothing":         {},
		"nil and empty":   {Queries: []audit.Query{}, Results: []audit.Result{{Rows: [][]wire.Tagged{}}}, Errors: nil},
		"signs":           {Question: audit.Question{Text: "<b>&amp;\u2028\u0000\\ufffd \ufffd \"얼마나\""}, Steps: json.RawMessage(`[ {"a": "\u003c\u2028"} ]`)},
		"no UTF-8":        {Question: audit.Question{Text: "a\xffb"}, Caller: audit.Caller{Attributes: map[string]string{"k\xfe": "1", "k\xff": "2"}}},
		"no UTF-8 inside": {Steps: json.RawMessage("[\"a\xffb\"]")},
		"time":            {Time: made},
	} {
		for _, k := range []audit.Key{{}, key(t)} {
			sealed, err := r.Sealed(k)
			if err != nil {
				t.Fatal(name, err)
			}
			text, err := sealed.Encode()
			if err != nil {
				t.Fatal(name, err)
			}
			back, err := audit.Decode(text)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			for _, c := range audit.Verify(back, audit.Evidence{Key: k}) {
				if (c.What == "receipt hash" || c.What == "signature") && c.Status == audit.Broken {
					t.Errorf("%s: %+v", name, c)
				}
			}
			if again, err := back.Sealed(k); err != nil || again.Hash != sealed.Hash || again.Signature != sealed.Signature {
				t.Errorf("%s: sealed again it is %+v, %v", name, again, err)
			}
		}
	}
}

// FuzzReceipt reads and checks anything: as it is, and, where it says something in the
// form of a receipt, as whoever made it could have sealed it.
func FuzzReceipt(f *testing.F) {
	files, err := filepath.Glob("testdata/receipts/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("there are no receipts to begin with: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	k := key(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, err := audit.Decode(text); err == nil {
			again, err := r.Encode()
			if err != nil || string(again) != string(text) {
				t.Fatalf("read and written it is another text: %v", err)
			}
			audit.Verify(r, audit.Evidence{Key: k, Whole: r})
		}
		var r audit.Receipt
		if json.Unmarshal(text, &r) != nil {
			return
		}
		sealed, err := r.Sealed(k)
		if err != nil {
			return // what it holds has no JSON
		}
		written, err := sealed.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := audit.Decode(written); err != nil || back.Hash != sealed.Hash || back.Signature != sealed.Signature {
			t.Fatalf("what was sealed is read as %+v, %v", back, err)
		}
		for _, part := range []func() (*audit.Receipt, error){
			func() (*audit.Receipt, error) { return sealed, nil },
			func() (*audit.Receipt, error) { return sealed.ForAsker(k) },
			func() (*audit.Receipt, error) { return sealed.Redacted(k, audit.Redaction{}) },
		} {
			if r, err := part(); err == nil {
				report := audit.Verify(r, audit.Evidence{Key: k, Whole: sealed})
				for _, c := range report {
					if (c.What == "receipt hash" || c.What == "signature") && c.Status == audit.Broken {
						t.Fatalf("what was sealed does not pass: %+v", c)
					}
				}
			}
		}
	})
}
