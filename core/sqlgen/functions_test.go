package sqlgen

import (
	"testing"

	"querent.dev/querent/core/plan"
)

func TestEveryDialectWritesEveryFunction(t *testing.T) {
	for name, d := range dialects {
		for _, f := range plan.Functions() {
			if _, ok := d.function(f.Name); !ok && f.Kind != plan.WindowFunction {
				t.Errorf("%s does not write %s", name, f.Name)
			}
		}
	}
	for _, f := range plan.Functions() {
		if f.Kind == plan.WindowFunction != windowNames[f.Name] {
			t.Errorf("%s is written as a window function: %t", f.Name, windowNames[f.Name])
		}
	}
	for name, d := range dialects {
		if _, ok := d.function(plan.MaskHash().Name); !ok {
			t.Errorf("%s does not write the digest of masks", name)
		}
	}
	if _, ok := plan.FindFunction(plan.MaskHash().Name); ok {
		t.Error("a plan can call what only a policy may")
	}
	for name := range sqliteFunctions {
		if f, ok := plan.FindFunction(name); name != plan.MaskHash().Name && (!ok || f.Name != name) {
			t.Errorf("sqlite writes %s, which is no function of the plan", name)
		}
	}
}

func TestPlaceholdersAreCounted(t *testing.T) {
	for _, c := range []struct {
		text string
		args int
		fine bool
	}{
		{`SELECT ? FROM "a?" WHERE x = '?' AND y = ?`, 2, true},
		{`SELECT ?`, 0, false},
		{`SELECT 1`, 1, false},
		{`SELECT "a""?" , ?`, 1, true},
		{`SELECT 'open ?`, 0, false},
	} {
		if err := checkPlaceholders('?', c.text, c.args); (err == nil) != c.fine {
			t.Errorf("%s with %d arguments: %v", c.text, c.args, err)
		}
	}
}
