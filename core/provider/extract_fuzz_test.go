package provider

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func FuzzExtractObject(f *testing.F) {
	for _, seed := range []string{
		`{"from":"t"}`, "```json\n{\"a\":1}\n```", "<think>{\"a\":1}</think>{\"b\":2}", "{}{\"a\":{}}", `{"a":`, "</think>", "<think>", "{{{{",
		"\uFEFF{\"a\":1}", `"{\"a\":1}"`, `[{"a":1}]`, `[{"a":1},{"b":2}]`, "<think>a<think>b</think>c</think>{\"a\":1} so it is", "[THINK]{\"x\":1}[/THINK]{\"a\":1}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		object, err := extractObject(text)
		if err != nil {
			return
		}
		if !json.Valid([]byte(object)) || !strings.HasPrefix(object, "{") {
			t.Errorf("extracted %q from %q", object, text)
		}
		if inner, isText := quoted(stripThinking(text)); !strings.Contains(text, object) && !(isText && strings.Contains(inner, object)) {
			t.Errorf("%q does not stand in %q", object, text)
		}
		if again, err := extractObject(object); err != nil || again != object {
			t.Errorf("%q becomes %q, %v", object, again, err)
		}
	})
}

// form is a schema with what schemas of the host have in them.
const form = `{"type":"object","properties":{"a":{"type":"string","enum":["x","y"]},"b":{"type":"array","items":{"type":"integer"}}},"required":["a"],"additionalProperties":false}`

// FuzzForm holds the check of objects against a reader of its own.
func FuzzForm(f *testing.F) {
	for _, seed := range []string{
		`{"a":"x"}`, `{"a":"z"}`, `{"a":"x","b":[1,2]}`, `{"a":"x","b":[1.5]}`, `{"a":"x","a":"x"}`, `{"b":[]}`, `{"a":"x","c":null}`, `{"a":"x","b":[1e0]}`, `{"a":"x","b":[1e999999]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		object, err := extractObject(text)
		if err != nil {
			return
		}
		if fits([]byte(form), []byte(object)) != nil {
			return
		}
		var got map[string]json.RawMessage
		if err := json.Unmarshal([]byte(object), &got); err != nil {
			t.Fatal(err)
		}
		var a string
		if json.Unmarshal(got["a"], &a) != nil || !slices.Contains([]string{"x", "y"}, a) {
			t.Errorf("%s fits", object)
		}
		for key := range got {
			if key != "a" && key != "b" {
				t.Errorf("%s fits with %q", object, key)
			}
		}
		if b, ok := got["b"]; ok {
			var list []json.Number
			if json.Unmarshal(b, &list) != nil {
				t.Errorf("%s fits", object)
			}
		}
	})
}

func TestExtraction(t *testing.T) {
	for text, want := range map[string]string{
		"{\"a\":1}":                                  `{"a":1}`,
		"\uFEFF{\"a\":1}":                            `{"a":1}`,
		"```json\n{\"a\":1}\n```":                    `{"a":1}`,
		"```\n[{\"a\":1}]\n```":                      `{"a":1}`,
		"Sure! {\"a\":1} Anything else?":             `{"a":1}`,
		`"{\"a\":1}"`:                                `{"a":1}`,
		`"<think>hm</think>{\"a\":1}"`:               `{"a":1}`,
		"<think>{\"x\":1}</think>{\"a\":1}":          `{"a":1}`,
		"<think>a<think>b</think>c</think>{\"a\":1}": `{"a":1}`,
		"{\"x\":0} I think</think>\n{\"a\":1}":       `{"x":0}`, // JSON from the first character
		"so {\"x\":0}</think>\n{\"a\":1}":            `{"a":1}`,
		"[THINK]{\"x\":1}[/THINK]{\"a\":1}":          `{"a":1}`,
		"<Thought>{\"x\":1}</Thought> {\"a\":1}":     `{"a":1}`,
		"<think>{\"a\":1}":                           "",
		"[{\"a\":1},{\"b\":2}]":                      "",
		"{\"a\":1":                                   "",
		"":                                           "",
		"42":                                         "",
		"{}":                                         "",
	} {
		got, err := extractObject(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}
