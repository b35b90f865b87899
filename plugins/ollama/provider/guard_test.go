package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/sdk/reason"
)

// TestSchemasThatTheServerDoesNotBear holds each refusal to naming what is wrong; no
// such schema reaches the server.
func TestSchemasThatTheServerDoesNotBear(t *testing.T) {
	pattern := func(text string) string {
		return fmt.Sprintf(`{"properties":{"a":{"type":"string","pattern":%q}}}`, text)
	}
	server := ollamatest.New(t, always(ollamatest.Text("{}")))
	p := open(t, server, nil)
	for _, tc := range []struct{ name, schema, says string }{
		{"no beginning", pattern(`a$`), "between ^ and $"},
		{"no end", pattern(`^a`), "between ^ and $"},
		{"no pattern", pattern(`^(a$`), "cannot be read"},
		{"a negated class", pattern(`^[^;]{1,9}$`), "with a backslash"},
		{"one without the quote", pattern(`^[^;\\\x00-\x1f]*$`), `'"'`},
		{"one without the backslash", pattern(`^(x|[^"\x00-\x1f])*$`), `'\\'`},
		{"one without line ends", pattern(`^[^"\\]*$`), `'\x00'`},
		{"a wide class", pattern(`^a[ -~]?$`), `'"'`},
		{"no blank", pattern(`^\S+$`), `with a backslash`},
		{"any character", pattern(`^.*$`), `with a backslash`},
		{"a quote", pattern(`^a"b$`), `'"'`},
		{"a pattern further in", `{"$defs":{"x":{"items":[{"pattern":"x"}]}}}`, "between ^ and $"},
		{"itself", `{"properties":{"a":{"$ref":"#"}}}`, `"#"`},
		{"nothing there", `{"properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{}}`, `"#/$defs/b"`},
		{"elsewhere", `{"properties":{"a":{"$ref":"https://example.com/s.json"}}}`, "does not find"},
		{"for ever", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["n"]}}}`, "ever end"},
		{"for ever by turns", `{"properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{
			"a":{"properties":{"b":{"$ref":"#/$defs/b"}},"required":["b"]},
			"b":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"array","items":{"$ref":"#/$defs/b"},"minItems":1}]}}}`, "ever end"},
		{"a list for ever", `{"properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"a":{"allOf":[{"type":"array","prefixItems":[{"$ref":"#/$defs/a"}]}]}}}`, "ever end"},
		{"many references", manyRefs(501), "more than 500"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := request()
			r.Schema = []byte(tc.schema)
			_, err := p.Generate(limited(t), r)
			if e := wantKind(t, err, reason.InvalidRequest); !strings.Contains(e.Message, tc.says) {
				t.Errorf("message %q, want it to say %q", e.Message, tc.says)
			}
		})
	}
	if n := len(server.Chats()); n != 0 {
		t.Errorf("the server was asked %d times", n)
	}
}

// manyRefs is a schema whose parts refer each to the next.
func manyRefs(n int) string {
	defs := []string{fmt.Sprintf(`"d%d":{"type":"string"}`, n)}
	for i := range n {
		defs = append(defs, fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1))
	}
	return `{"properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + strings.Join(defs, ",") + `}}`
}

func TestSchemasThatTheServerBears(t *testing.T) {
	p := open(t, ollamatest.New(t, always(ollamatest.Text("{}"))), nil)
	for name, schema := range map[string]string{
		"patterns":    `{"properties":{"a":{"pattern":"^(b[1-9]|main\\.x|고객|it's)( [a-z_]{1,9})?( on [^;\"\\\\\\x00-\\x1f]{1,300})?$"},"pattern":{"type":"string"}}}`,
		"a tree":      `{"$ref":"#/definitions/n","definitions":{"n":{"properties":{"left":{"$ref":"#/definitions/n"},"all":{"type":"array","items":{"$ref":"#/definitions/n"}}},"required":["all"]}}}`,
		"a way out":   `{"properties":{"x":{"$ref":"#/$defs/a~1b/anyOf/0"}},"required":["x"],"$defs":{"a/b":{"anyOf":[{"type":"array","items":{"$ref":"#/$defs/a~1b"},"minItems":1},{"const":1}]}}}`,
		"many stages": manyRefs(400),
	} {
		t.Run(name, func(t *testing.T) {
			r := request()
			r.Schema = []byte(schema)
			if _, err := p.Generate(limited(t), r); err != nil {
				t.Error(err)
			}
		})
	}
}
