//go:build !race

package redact_test

import (
	"strings"
	"testing"

	"querent.dev/querent/core/redact"
)

// A sentence that was proved is passed on at once, whether more follows or not.
func TestASentenceIsPassedOnAtOnce(t *testing.T) {
	for _, sentence := range []string{"It has 2 stores.", " Brazil leads with 1,313 customers.", "독일에는 매장이 2곳 있습니다."} {
		s := newRun(t, redact.Options{}).Level(redact.All).Stream()
		if got := s.Sentence(sentence); got != sentence {
			t.Errorf("%q is passed on of %q", got, sentence)
		}
	}
}

// TestASentenceTellsNoMoreThanTheWhole ends a sentence at every blank of the corpus.
func TestASentenceTellsNoMoreThanTheWhole(t *testing.T) {
	for _, i := range append(readCorpus(t, "positives.txt"), laterPositives(t)...) {
		text, parts := i.plain()
		text = "It was said that " + text + " and more of it."
		whole := newRun(t, redact.Options{}).Text(text)
		for cut := range len(text) {
			if text[cut] != ' ' {
				continue
			}
			s := newRun(t, redact.Options{}).Level(redact.All).Stream()
			got := s.Sentence(text[:cut]) + s.Sentence(text[cut:]) + s.Flush()
			for _, p := range parts {
				if strings.Contains(got, p) && !strings.Contains(whole, p) {
					t.Errorf("%s, cut at %d, leaves %q: %q", i.kind, cut, p, got)
					break
				}
			}
		}
	}
}
