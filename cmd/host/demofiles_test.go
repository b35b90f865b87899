package main

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"querent.dev/querent/core/config"
)

var update = flag.Bool("update", false, "copy the demo's files again")

// The demo's plans have one source, core/demo/files, and the examples are
// another: the copies that the program carries must be the same.
func TestDemoFilesAreCopies(t *testing.T) {
	const demo, examples = "../../core/demo/files", "../../examples"
	plans, err := fs.Glob(os.DirFS(demo), "verified/*.json")
	if err != nil || len(plans) == 0 {
		t.Fatalf("plans %v, %v", plans, err)
	}
	configs := []string{"ollama.yaml", "openai.yaml", "template.yaml"}
	for _, plan := range plans {
		sameFile(t, filepath.Join(demo, plan), filepath.Join(examples, plan))
	}
	for _, name := range slices.Concat(configs, plans) {
		sameFile(t, filepath.Join(examples, name), filepath.Join("demofiles", name))
	}
	var carried []string
	_ = fs.WalkDir(demoFiles, "demofiles", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			carried = append(carried, name[len("demofiles/"):])
		}
		return err
	})
	if want := slices.Concat(configs, plans); !slices.Equal(carried, want) {
		t.Errorf("the program carries %v, want %v", carried, want)
	}
	source, example := verifiedOf(t, filepath.Join(demo, "verified.yaml")), verifiedOf(t, filepath.Join(examples, demoConfig))
	if !reflect.DeepEqual(source, example) {
		t.Error("the verified queries of the example are not those of the demo")
	}
}

func sameFile(t *testing.T, source, copied string) {
	t.Helper()
	want, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(copied), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(copied)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not a copy of %s (%v): run go test ./cmd/host -run TestDemoFiles -update", copied, source, err)
	}
}

// verifiedOf is the verified queries that a file lists.
func verifiedOf(t *testing.T, file string) []config.Verified {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte("\nversion:")) {
		text = append([]byte("version: 1\ndatasources: {demo: {adapter: sqlite, path: demo.db}}\n"), text...)
	}
	c, _, err := config.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return c.Verified
}
