package docgen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/core/pipeline"
)

// The drawing in the architecture document stands between these lines.
const (
	drawingBegins = "```mermaid\n"
	drawingEnds   = "```\n"
)

func TestTheGraphsAreDrawnAsTheyAre(t *testing.T) {
	const path = "docs/architecture.md"
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), drawingBegins)
	_, after, closed := strings.Cut(rest, drawingEnds)
	if !found || !closed {
		t.Fatalf("%s has no drawing of the graphs", path)
	}
	drawing, err := pipeline.Mermaid()
	if err != nil {
		t.Fatal(err)
	}
	check(t, path, before+drawingBegins+drawing+drawingEnds+after)
}

// The table of parts names every package of core that others see.
func TestEveryPartIsInTheTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	parts, err := os.ReadDir(filepath.Join(root, "core"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		if name := part.Name(); part.IsDir() && name != "internal" && !strings.Contains(string(text), "\n| `core/"+name+"` | ") {
			t.Errorf("docs/architecture.md says nothing of core/%s", name)
		}
	}
}
