package plan_test

import (
	"strings"
	"testing"

	"querent.dev/querent/core/plan"
)

// TestExplain reads testdata/explain, whose sections are plans and what is said of
// them.
func TestExplain(t *testing.T) {
	goldenSections(t, "testdata/explain/plans.txtar", func(name string, data []byte) string {
		p, err := plan.Decode(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		q, err := plan.Bind(p, scope())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := plan.Bind(q.Wire(), scope())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if q.Explain() != again.Explain() {
			t.Errorf("%s: the normal form is explained in other words", name)
		}
		return q.Explain()
	})
}

// TestEveryFunctionIsExplained looks for places that no argument fills.
func TestEveryFunctionIsExplained(t *testing.T) {
	for name, call := range calls {
		q := bind(t, `{"from":"trips t","joins":["riders r"],"select":["`+call[0]+` as x"]}`)
		if text := q.Explain(); strings.Contains(text, "%!") || strings.Contains(text, "MISSING") || strings.Contains(text, "a value (") {
			t.Errorf("%s is explained as %s", name, text)
		}
	}
}
