package docgen

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// citedExample is an example that a page names, with the file that holds it.
var citedExample = regexp.MustCompile("\\[`(Example\\w*)`\\]\\(\\.\\./([^)]+)\\)")

// declaredExample is an example in a Go file.
var declaredExample = regexp.MustCompile(`(?m)^func (Example\w*)\(\) \{`)

// The page of extension points names every example that there is, and none that
// there is not.
func TestExtensionPointsHaveExamples(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs/extending.md"))
	if err != nil {
		t.Fatal(err)
	}
	cited := map[string]bool{}
	for _, m := range citedExample.FindAllStringSubmatch(string(page), -1) {
		cited[m[2]+" "+m[1]] = true
	}
	declared := map[string]bool{}
	for _, pattern := range []string{"core/*/example*_test.go", "sdk/example*_test.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name, err := filepath.Rel(root, file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range declaredExample.FindAllStringSubmatch(string(text), -1) {
				declared[filepath.ToSlash(name)+" "+m[1]] = true
			}
		}
	}
	for example := range cited {
		if !declared[example] {
			t.Errorf("docs/extending.md names %s, which there is not", example)
		}
	}
	for example := range declared {
		if !cited[example] {
			t.Errorf("docs/extending.md does not name %s", example)
		}
	}
	if len(declared) == 0 {
		t.Error("there is no example")
	}
}
