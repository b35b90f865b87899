package provider

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"querent.dev/querent/sdk"
)

func TestConfigurationPrintsWithoutItsKey(t *testing.T) {
	cfg, err := readConfig(sdk.Configuration{Settings: json.RawMessage(`{"url":"http://h","api_key":"k-0123456789","headers":{"X":"hunter22"}}`)})
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"%v", "%+v", "%#v", "%s"} {
		text := fmt.Sprintf(form, cfg)
		if strings.Contains(text, "0123456789") || strings.Contains(text, "hunter22") || !strings.Contains(text, "http://h") {
			t.Errorf("%s prints %q", form, text)
		}
	}
}

// FuzzCheckSchema: whatever passes is JSON, within the limits.
func FuzzCheckSchema(f *testing.F) {
	for _, seed := range []string{
		`{}`, `true`, `{"maxLength":2001}`, `{"enum":["a",1,null]}`, `{"properties":{"enum":{"type":"string"}}}`,
		`{"anyOf":[{"minItems":1e9}]}`, `[`, `{"pattern":"^[^\"]$"}`, `{"$ref":"#/$defs/a","$defs":{"a":{"required":["b"],"properties":{"b":{"$ref":"#/$defs/a"}}}}}`, strings.Repeat(`{"items":`, 200) + "1" + strings.Repeat("}", 200),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if checkSchema(raw) != nil {
			return
		}
		var doc map[string]any
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatalf("passed, but is no JSON object: %v", err)
		}
		if n, ok := doc["maxLength"].(float64); ok && n > mostRepeats {
			t.Fatalf("passed with maxLength %v", n)
		}
		if len(raw) > mostSchemaBytes {
			t.Fatalf("passed with %d bytes", len(raw))
		}
	})
}
