package sqlgen_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden renders the plans of testdata/golden and runs them. A file holds
// cases: NAME/plan is a plan in wire form; NAME/sql, NAME/args and NAME/rows are
// what it becomes and gives, or NAME/error is why it is refused.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	db, cat, p := openShop(t), shop(), open(t)
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := &txtar.Archive{Comment: archive.Comment}
	add := func(name, text string) {
		got.Files = append(got.Files, txtar.File{Name: name, Data: []byte(text + "\n")})
	}
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, "/plan")
		if !ok {
			continue
		}
		got.Files = append(got.Files, f)
		s, err := render(p, cat, string(f.Data))
		if err != nil {
			add(name+"/error", reason.From(err).SafeMessage)
			continue
		}
		add(name+"/sql", s.SQL())
		if len(s.Args()) > 0 {
			add(name+"/args", argText(s))
		}
		add(name+"/rows", strings.Join(append([]string{header(s)}, run(t, db, s)...), "\n"))
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	compareArchives(t, archive, got)
}

func compareArchives(t *testing.T, want, got *txtar.Archive) {
	t.Helper()
	text := map[string]string{}
	for _, f := range want.Files {
		text[f.Name] = string(f.Data)
	}
	for _, f := range got.Files {
		if text[f.Name] != string(f.Data) {
			t.Errorf("%s is\n%swant\n%s", f.Name, f.Data, text[f.Name])
		}
		delete(text, f.Name)
	}
	for name := range text {
		t.Errorf("%s is no longer made", name)
	}
}

func argText(s sqlgen.Statement) string {
	out := make([]string, len(s.Args()))
	for i, v := range s.Args() {
		out[i] = fmt.Sprintf("%s %s", v.Kind(), v)
	}
	return strings.Join(out, "\n")
}

func header(s sqlgen.Statement) string {
	out := make([]string, len(s.Columns()))
	for i, c := range s.Columns() {
		out[i] = fmt.Sprintf("%s %s", c.Name, c.Type)
	}
	return strings.Join(out, " | ")
}
