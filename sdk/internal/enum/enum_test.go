package enum_test

import (
	"testing"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/internal/enum"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// checkSet holds a set of names against an enum of the protocol: the same names,
// each there and back, and no more.
func checkSet[T ~string, N ~int32](t *testing.T, set enum.Set[N], names ...T) {
	t.Helper()
	seen := map[N]bool{}
	for _, name := range names {
		n := set.Number(string(name))
		if n == 0 || seen[n] {
			t.Errorf("%s is number %d", name, n)
		}
		seen[n] = true
		if got := set.Name(n); got != string(name) {
			t.Errorf("%s comes back as %q", name, got)
		}
	}
	if extra := set.Name(N(len(names) + 1)); extra != "" {
		t.Errorf("the protocol has %q besides", extra)
	}
	if set.Number("") != 0 || set.Number("no such name") != 0 || set.Name(0) != "" || set.Name(-1) != "" {
		t.Error("what is outside of the set must be UNSPECIFIED, and empty")
	}
}

func TestSets(t *testing.T) {
	checkSet(t, enum.ErrorKind, reason.Kinds()...)
	checkSet(t, enum.OutcomeKind, wire.OutcomeKinds()...)
	checkSet(t, enum.FormatType, wire.FormatTable, wire.FormatList, wire.FormatText)
	checkSet(t, enum.OutputMode, sdk.OutputSchema, sdk.OutputJSON, sdk.OutputTool, sdk.OutputText)
	checkSet(t, enum.Role, sdk.RoleSystem, sdk.RoleUser, sdk.RoleAssistant)
	checkSet(t, enum.FinishReason, sdk.FinishStop, sdk.FinishLength, sdk.FinishTool, sdk.FinishFilter)
}
