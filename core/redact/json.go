package redact

import (
	"bytes"
	"encoding/json"
	"strings"
)

// JSON is a JSON text whose strings, keys apart, are without what the filter takes
// out: a value that is escaped is found as well. Order and numbers stay as they are.
// What is no JSON is treated as text.
func (f Filter) JSON(text []byte) []byte {
	if !f.Active() {
		return text
	}
	out, err := mapStrings(text, func(key, s string) string { return f.field(key, s) })
	if err != nil {
		return []byte(f.Text(string(text)))
	}
	return out
}

// field is a text behind a name, which may say what it is.
func (f Filter) field(name, s string) string {
	clean := f.Text(s)
	if name == "" || clean != s {
		return clean
	}
	const sign = `="`
	whole := name + sign + strings.ReplaceAll(s, `"`, "'") + `"`
	for _, p := range f.spans(whole) {
		if p.from >= len(name)+len(sign) {
			return f.replace(s, []span{{0, len(s), p.kind}})
		}
	}
	return s
}

// mapStrings rewrites the string values of a JSON text. Key is the name of the
// nearest field around a value.
func mapStrings(text []byte, change func(key, s string) string) ([]byte, error) {
	if !json.Valid(text) {
		return nil, errNotJSON
	}
	var out bytes.Buffer
	out.Grow(len(text))
	var keys []string // by depth
	key, pending := "", ""
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '"':
			end := stringEnd(text, i)
			var s string
			if err := json.Unmarshal(text[i:end], &s); err != nil {
				return nil, err
			}
			if isKey := followedByColon(text[end:]); isKey {
				pending = s
				out.Write(text[i:end])
			} else if changed := change(key, s); changed != s {
				out.Write(quote(changed))
			} else {
				out.Write(text[i:end])
			}
			i = end
			continue
		case ':':
			key = pending
		case '{', '[':
			keys = append(keys, key)
		case '}', ']':
			key, keys = keys[len(keys)-1], keys[:len(keys)-1]
		}
		out.WriteByte(text[i])
		i++
	}
	return out.Bytes(), nil
}

var errNotJSON = &json.SyntaxError{}

func stringEnd(text []byte, from int) int {
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func followedByColon(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}

func quote(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // text always encodes
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
