package conformance_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/conformance"
	"querent.dev/querent/sdk/conformance/fakeserver"
)

// programVariable makes this test's own executable a plugin, of the kind that it
// names.
const programVariable = "QUERENT_TEST_PROGRAM"

// programs are what the executable does before it serves the reference.
var programs = map[string]func(){
	"good":   func() {},
	"orphan": func() { os.Unsetenv(sdk.EnvHostWatch) },
	// The SDK keeps prints from standard output, so that this takes some effort.
	"chatty":  func() { fmt.Fprintln(os.NewFile(1, "stdout"), "Hello!") },
	"dead":    func() { os.Exit(3) },
	"silent":  unlessHosted(func() { os.Exit(1) }),
	"waiting": unlessHosted(func() { select {} }),
	"content": unlessHosted(func() {
		fmt.Fprintln(os.Stderr, "All is well.")
		os.Exit(0)
	}),
}

func unlessHosted(do func()) func() {
	return func() {
		if os.Getenv(sdk.MagicCookieKey) != sdk.MagicCookieValue {
			do()
		}
	}
}

func TestMain(m *testing.M) {
	if before, ok := programs[os.Getenv(programVariable)]; ok {
		before()
		sdk.Serve((&reference{}).plugin())
		return
	}
	os.Exit(m.Run())
}

func program(t *testing.T, kind string) *conformance.Program {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &conformance.Program{Path: self, Env: []string{programVariable + "=" + kind, "TMPDIR=" + os.TempDir()}}
}

func TestAProgramConforms(t *testing.T) {
	conformance.Run(t, conformance.Target{
		Program:  program(t, "good"),
		Settings: conformance.OpenAISettings, Shape: fakeserver.OpenAI, Only: contracts,
	})
}

func TestABrokenProgramFails(t *testing.T) {
	for _, tc := range []struct{ program, check, says string }{
		{"orphan", "process/ends_with_its_host", "outlive"},
		{"silent", "process/run_by_hand", "said nothing"},
		{"waiting", "process/run_by_hand", "did not end"},
		{"content", "process/run_by_hand", "all were well"},
	} {
		t.Run(tc.program, func(t *testing.T) {
			t.Parallel()
			report, err := conformance.Check(t.Context(), conformance.Target{Program: program(t, tc.program), Only: []string{tc.check}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if report.Count(conformance.Failed) != 1 || !strings.Contains(report.Results[0].Detail, tc.says) {
				t.Errorf("the results are %+v", report.Results)
			}
		})
	}
}

func TestAProgramThatDoesNotStartIsNoReport(t *testing.T) {
	for _, kind := range []string{"chatty", "dead"} {
		report, err := conformance.Check(t.Context(), conformance.Target{Program: program(t, kind)}, nil)
		if err == nil || len(report.Results) > 0 {
			t.Errorf("%s: error %v, %d results", kind, err, len(report.Results))
		}
	}
	if _, err := conformance.Check(t.Context(), conformance.Target{}, nil); err == nil {
		t.Error("a target without a plugin was checked")
	}
}

func TestARunInWhichNothingAppliesIsNotOK(t *testing.T) {
	report, err := conformance.Check(t.Context(), conformance.Target{
		Open: conformance.InProcess(func() sdk.Plugin { return (&reference{}).plugin() }), Only: []string{"process/"},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.OK() || report.Count(conformance.DoesNotApply) != 2 {
		t.Errorf("the report is %+v", report)
	}
}
