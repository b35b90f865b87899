package docgen

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/core/plan"
)

//go:embed plan-language.md
var planPage string

func TestPlanLanguagePage(t *testing.T) {
	var b strings.Builder
	tokens, err := os.ReadFile(filepath.Join(root, "core/plan/testdata/tokens/table.md"))
	if err != nil {
		t.Fatal(err)
	}
	b.WriteString(strings.Replace(planPage, "%TOKENS%\n", string(tokens), 1))
	for _, kind := range []struct {
		kind  plan.FunctionKind
		title string
	}{{plan.AggregateFunction, "Aggregates"}, {plan.WindowFunction, "Window functions"}, {plan.ScalarFunction, "Functions of a row"}} {
		fmt.Fprintf(&b, "\n### %s\n\n| call | also written | what it gives |\n|---|---|---|\n", kind.title)
		for _, f := range plan.Functions() {
			if f.Kind == kind.kind {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", cell(f.Signature), cell(strings.Join(f.Aliases, ", ")), cell(f.Doc))
			}
		}
	}
	check(t, "docs/plan-language.md", b.String())
}

// cell keeps text inside a cell of a Markdown table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
