//go:build !race

package redact_test

import (
	"strings"
	"testing"

	"querent.dev/querent/core/redact"
)

// TestAStreamTakesOutWhatTheWholeDoes cuts every text of the corpus everywhere.
func TestAStreamTakesOutWhatTheWholeDoes(t *testing.T) {
	for _, i := range append(readCorpus(t, "positives.txt"), laterPositives(t)...) {
		text, parts := i.plain()
		text = "It was said that " + text + " and more of it."
		whole := newRun(t, redact.Options{}).Text(text)
		for cut := 0; cut <= len(text); cut += 3 + cut/4 {
			s := newRun(t, redact.Options{}).Level(redact.All).Stream()
			got := s.Write(text[:cut]) + s.Write(text[cut:]) + s.Flush()
			for _, p := range parts {
				if strings.Contains(got, p) && !strings.Contains(whole, p) {
					t.Errorf("%s, cut at %d, leaves %q: %q", i.kind, cut, p, got)
					break
				}
			}
		}
	}
}
