package provider

import (
	"encoding/json"
	"strings"
	"testing"
)

func FuzzExtractObject(f *testing.F) {
	for _, seed := range []string{
		`{"from":"t"}`, "```json\n{\"a\":1}\n```", "<think>{\"a\":1}</think>{\"b\":2}", "{}{\"a\":{}}", `{"a":`, "</think>", "<think>", "{{{{",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		object, err := extractObject(text)
		if err != nil {
			return
		}
		if !json.Valid([]byte(object)) || !strings.HasPrefix(object, "{") || !strings.Contains(text, object) {
			t.Errorf("extracted %q from %q", object, text)
		}
	})
}
