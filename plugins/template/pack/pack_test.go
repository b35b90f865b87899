package pack

import "testing"

func TestBuiltinPacksAreComplete(t *testing.T) {
	packs, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewSet(packs); err != nil {
		t.Fatal(err)
	}
}
