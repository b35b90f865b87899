package ground

import (
	"slices"
	"testing"
)

// A text at which the check panics is refused as a whole.
func TestWhatCannotBeReadIsRefused(t *testing.T) {
	found := new(Checker).guarded(func() []Violation { return []Violation{{Item: []string{"a"}[len(t.Name())]}} })
	if len(found) != 1 || found[0].Why != Unread || found[0].Item == "" || found[0].Clause == "" {
		t.Errorf("found %+v", found)
	}
	fine := []Violation{{Item: "7"}}
	if got := new(Checker).guarded(func() []Violation { return fine }); !slices.Equal(got, fine) {
		t.Errorf("found %+v", got)
	}
}

// So is every text where the check cannot be prepared.
func TestWhatCannotBePreparedRefusesAll(t *testing.T) {
	c := orUnread(func() *Checker { return &Checker{lang: []string{"en"}[len(t.Name())]} })
	for _, found := range [][]Violation{c.Check("All is well."), c.CheckAnswer("Seven", "")} {
		if len(found) != 1 || found[0].Why != Unread {
			t.Errorf("found %+v", found)
		}
	}
	if fine := orUnread(func() *Checker { return New(Evidence{}) }); fine.unread {
		t.Error("a checker that was prepared is taken for one that was not")
	}
}
