package pluginhost

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryPitfallHasItsTest holds the table of docs/plugins.md to the tests that
// there are.
func TestEveryPitfallHasItsTest(t *testing.T) {
	page, err := os.ReadFile("../../docs/plugins.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "## What the host withstands")
	if !ok {
		t.Fatal("docs/plugins.md has no table")
	}
	tests := testNames(t)
	rows := regexp.MustCompile(`(?m)^\| .* \| .* \| (.*) \|$`).FindAllStringSubmatch(table, -1)
	if len(rows) < 30 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows[1:] { // the first is the head
		named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(row[1], -1)
		if len(named) == 0 {
			t.Errorf("no test: %s", row[0])
		}
		for _, name := range named {
			if !tests[name[1]] {
				t.Errorf("there is no %s: %s", name[1], row[0])
			}
		}
	}
}

func testNames(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			names[m[1]] = true
		}
	}
	return names
}
