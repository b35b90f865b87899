package plan_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

var update = flag.Bool("update", false, "rewrite the wanted sections of testdata")

// TestGolden reads testdata/*.txtar. A file holds cases of two sections each:
// "name", a plan as JSON, and "name want", what becomes of it. A plan that binds
// is shown in normal form with the types of its columns; it must bind again from
// that form to the same.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { goldenFile(t, file) })
	}
}

func goldenFile(t *testing.T, file string) {
	goldenSections(t, file, func(name string, data []byte) string { return outcome(t, name, data) })
}

// goldenSections compares what becomes of each section of a file with the wanted
// section behind it.
func goldenSections(t *testing.T, file string, become func(name string, data []byte) string) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, f := range archive.Files {
		want[f.Name] = string(f.Data)
	}
	out := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, " want") {
			continue
		}
		got := become(f.Name, f.Data)
		out.Files = append(out.Files, f, txtar.File{Name: f.Name + " want", Data: []byte(got)})
		if !*update && got != want[f.Name+" want"] {
			t.Errorf("%s:\n--- got\n%s--- want\n%s", f.Name, got, want[f.Name+" want"])
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// outcome is the text of a golden section.
func outcome(t *testing.T, name string, data []byte) string {
	t.Helper()
	p, err := plan.Decode(data)
	var q *plan.Query
	if err == nil {
		q, err = plan.Bind(p, scope())
	}
	if err != nil {
		return refusal(t, name, err)
	}
	checkStable(t, name, q)
	var types []string
	for _, item := range q.Result().Select {
		types = append(types, item.Expr.Type().String())
	}
	return pretty(t, q.Wire()) + "types: " + strings.Join(types, ", ") + "\n"
}

// refusal shows an error; a code other than that of a faulty plan stands before it.
func refusal(t *testing.T, name string, err error) string {
	t.Helper()
	var e *reason.Error
	if !errors.As(err, &e) {
		t.Fatalf("%s: the error is no reason.Error: %v", name, err)
	}
	if e.Code != reason.PlanInvalid {
		return fmt.Sprintf("%s: %s\n", e.Code, e.SafeMessage)
	}
	var pe *plan.Error
	if !errors.As(err, &pe) || pe.Error() != e.SafeMessage {
		t.Errorf("%s: the safe message is not the plan's error: %q", name, e.SafeMessage)
	}
	return "error: " + e.SafeMessage + "\n"
}

// checkStable binds a query again from its normal form.
func checkStable(t *testing.T, name string, q *plan.Query) {
	t.Helper()
	again, err := plan.Bind(q.Wire(), scope())
	if err != nil {
		t.Errorf("%s: the normal form does not bind: %v\n%s", name, err, pretty(t, q.Wire()))
		return
	}
	if again.ID() != q.ID() {
		t.Errorf("%s: the normal form has another id\n%s%s", name, pretty(t, q.Wire()), pretty(t, again.Wire()))
	}
	if a, b := pretty(t, q.Wire()), pretty(t, again.Wire()); a != b {
		t.Errorf("%s: the normal form is not stable\n%s%s", name, a, b)
	}
}

// pretty writes a plan with a line for each key that is set.
func pretty(t *testing.T, p wire.Plan) string {
	t.Helper()
	var b strings.Builder
	for _, w := range p.With {
		fmt.Fprintf(&b, "with %s: %s", w.Name, w.Op)
		if len(w.Of) > 0 {
			fmt.Fprintf(&b, " of %s", strings.Join(w.Of, ", "))
		}
		if w.Recursive {
			b.WriteString(", recursive")
		}
		b.WriteString("\n")
		clauses(t, &b, "  ", w.Clauses)
	}
	clauses(t, &b, "", p.Clauses)
	return b.String()
}

func clauses(t *testing.T, b *strings.Builder, indent string, c wire.Clauses) {
	t.Helper()
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(c); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(&text)
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		if list, ok := value.([]any); ok {
			for _, v := range list {
				fmt.Fprintf(b, "%s%s: %v\n", indent, key, v)
			}
			continue
		}
		if value != "" {
			fmt.Fprintf(b, "%s%s: %v\n", indent, key, value)
		}
	}
}
