package conformance

import "context"

// Test is what Run needs of a *testing.T, which it does not name so that a
// program that runs the kit does not link the package testing.
type Test[T any] interface {
	Helper()
	Context() context.Context
	Run(name string, f func(T)) bool
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
}

// Run runs the kit over a plugin as subtests. A check that does not apply is no
// subtest: the log says why. A plugin to which nothing applies fails.
func Run[T Test[T]](t T, target Target) {
	t.Helper()
	report, err := Check(t.Context(), target, func(r Result) {
		if r.Status == DoesNotApply {
			t.Logf("%s does not apply: %s", r.Check, r.Detail)
			return
		}
		t.Run(r.Check, func(t T) {
			if r.Status == Failed {
				t.Errorf("%s\nwant: %s", r.Detail, r.Promise)
			}
		})
	})
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	t.Logf("%d checks passed, %d failed, %d do not apply", report.Count(Passed), report.Count(Failed), report.Count(DoesNotApply))
	if report.Count(Passed) == 0 {
		t.Errorf("nothing applied to the plugin, so nothing was checked")
	}
}
