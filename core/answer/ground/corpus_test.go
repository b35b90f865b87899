package ground_test

import (
	"testing"
)

// honestPasses is the least part of honest texts that must pass untouched.
const honestPasses = 0.98

func TestHonestTextsPass(t *testing.T) {
	c := newCheckers(t)
	for name, list := range map[string][]text{"English": read(t, "honest_en.txt", "en"), "Korean": read(t, "honest_ko.txt", "ko")} {
		refused := 0
		for _, x := range list {
			if v := c.check(t, x); len(v) > 0 {
				refused++
				t.Logf("%s: %q is refused: %v", x.id, x.text, v)
			}
		}
		passed := 1 - float64(refused)/float64(len(list))
		t.Logf("%s: %d of %d pass (%.1f %%)", name, len(list)-refused, len(list), 100*passed)
		if passed < honestPasses {
			t.Errorf("%s: %.1f %% of honest texts pass", name, 100*passed)
		}
	}
}

func TestLiesDoNotPass(t *testing.T) {
	c := newCheckers(t)
	list := read(t, "lies.txt", "en")
	passed := 0
	for _, x := range list {
		if languageOf(x.text) == "ko" {
			x.lang = "ko"
		}
		if len(c.check(t, x)) == 0 {
			passed++
			t.Errorf("%s: %q passes", x.id, x.text)
		}
	}
	t.Logf("%d of %d lies pass", passed, len(list))
}

// TestHeldOutTexts are texts that were written when the checker was done, in other
// styles than those it was made with.
func TestHeldOutTexts(t *testing.T) {
	c := newCheckers(t)
	refused := 0
	var honest []text
	honest = read(t, "heldout4_honest_en.txt", "en")
	for _, name := range []string{"heldout_honest", "heldout2_honest", "heldout3_honest"} {
		honest = append(append(honest, read(t, name+"_en.txt", "en")...), read(t, name+"_ko.txt", "ko")...)
	}
	for _, x := range honest {
		if v := c.check(t, x); len(v) > 0 {
			refused++
			t.Logf("%s: %q is refused: %v", x.id, x.text, v)
		}
	}
	if passed := 1 - float64(refused)/float64(len(honest)); passed < honestPasses {
		t.Errorf("%d of %d honest texts are refused", refused, len(honest))
	}
	for _, x := range append(read(t, "heldout_lies.txt", "en"), read(t, "heldout2_lies.txt", "en")...) {
		if languageOf(x.text) == "ko" {
			x.lang = "ko"
		}
		if len(c.check(t, x)) == 0 {
			t.Errorf("%s: %q passes", x.id, x.text)
		}
	}
}
