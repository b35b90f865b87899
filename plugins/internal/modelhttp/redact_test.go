package modelhttp_test

import (
	"strings"
	"testing"

	"querent.dev/querent/plugins/internal/modelhttp"
)

func TestRedact(t *testing.T) {
	r := modelhttp.NewRedactor("opaque-1", "opaque-1-and-more", "Token gate-9876543", "Basic dXNlcjpwYXNz", "short")
	for said, want := range map[string]string{
		"key opaque-1 refused":           "key [redacted] refused",
		"key opaque-1-and-more refused":  "key [redacted] refused",
		"no gate-9876543 here":           "no [redacted] here",
		"Token gate-9876543":             "[redacted]",
		"dXNlcjpwYXNz":                   "[redacted]",
		"Incorrect key: sk-pr******1234": "Incorrect key: [redacted]",
		"Bearer abcdef123456":            "[redacted]",
		"the Token is short":             "the Token is short",
	} {
		if got := r.Redact(said); got != want {
			t.Errorf("%q becomes %q, want %q", said, got, want)
		}
	}
	if got := r.Excerpt("a\n\x00b " + strings.Repeat("opaque-1 ", 100)); !strings.HasPrefix(got, "a b [redacted]") || strings.Contains(got, "opaque") || len([]rune(got)) != 301 {
		t.Errorf("excerpt %q", got)
	}
}
