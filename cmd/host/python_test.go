//go:build python

package main

import (
	"strings"
	"testing"
)

// TestPythonProvider has the provider in Python checked, locked, asked and debugged, as
// the scripts of testdata/python tell.
func TestPythonProvider(t *testing.T) { authorScripts(t, "testdata/python") }

// TestPythonGuide runs the commands of the guide's part on Python.
func TestPythonGuide(t *testing.T) {
	_, part, found := strings.Cut(authorsGuide(t), pythonPart)
	if !found {
		t.Fatalf("the guide has no part %q", pythonPart)
	}
	said := runGuide(t, part)
	for _, want := range []string{"tally 0.1.0 (planner) conforms:", "Planned by counts (plugin tally)"} {
		if !strings.Contains(said, want) {
			t.Errorf("the commands of the guide do not say %q:\n%s", want, said)
		}
	}
}
