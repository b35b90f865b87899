// Package docgen makes the documents that are data of the code, and fails when
// one is out of date. `go test ./core/internal/docgen -update` writes them.
package docgen

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the documents instead of checking them")

// root is the module's folder as tests see it.
const root = "../../.."

// check compares the document at path, relative to the module, with want.
func check(t *testing.T, path, want string) {
	t.Helper()
	file := filepath.Join(root, path)
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("%s is out of date: run `make generate`", path)
	}
}
