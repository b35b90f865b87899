package ground

import (
	"slices"
	"testing"
)

// A text at which the check panics is refused as a whole.
func TestWhatCannotBeReadIsRefused(t *testing.T) {
	found := guarded(func() []Violation { return []Violation{{Item: []string{"a"}[len(t.Name())]}} })
	if len(found) != 1 || found[0].Why != Unread || found[0].Item == "" || found[0].Clause == "" {
		t.Errorf("found %+v", found)
	}
	fine := []Violation{{Item: "7"}}
	if got := guarded(func() []Violation { return fine }); !slices.Equal(got, fine) {
		t.Errorf("found %+v", got)
	}
}
