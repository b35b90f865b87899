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
