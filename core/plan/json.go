package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// fields is a JSON object with its keys in the order of the text.
type fields struct {
	keys   []string
	values map[string]any
}

// readJSON reads one JSON value into nil, bool, json.Number, string, []any and
// *fields. It refuses what encoding/json lets pass: keys that stand twice, text
// behind the value, bytes that are no UTF-8, and deep nesting.
func readJSON(data []byte) (any, error) {
	if len(data) > MaxPlanBytes {
		return nil, &Error{Message: fmt.Sprintf("the plan is too long: %d bytes, at most %d are taken", len(data), MaxPlanBytes)}
	}
	if !utf8.Valid(data) {
		return nil, &Error{Message: "the plan is not valid UTF-8"}
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := readValue(d, "", 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, &Error{Message: "there is text behind the plan", Suggestion: "return one JSON object and nothing else"}
	}
	return v, nil
}

func readValue(d *json.Decoder, path string, depth int) (any, error) {
	if depth > maxJSONDepth {
		return nil, &Error{Field: path, Message: "the plan nests too deep", Suggestion: "a plan is flat: clauses are strings"}
	}
	t, err := d.Token()
	if err != nil {
		return nil, syntaxError(err, d.InputOffset())
	}
	mark, ok := t.(json.Delim)
	if !ok {
		return t, nil
	}
	if mark == '{' {
		return readObject(d, path, depth)
	}
	list := []any{}
	for d.More() {
		v, err := readValue(d, fmt.Sprintf("%s[%d]", path, len(list)+1), depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	if _, err := d.Token(); err != nil {
		return nil, syntaxError(err, d.InputOffset())
	}
	return list, nil
}

func readObject(d *json.Decoder, path string, depth int) (*fields, error) {
	f := &fields{values: map[string]any{}}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, syntaxError(err, d.InputOffset())
		}
		key, _ := t.(string) // the decoder lets nothing else be a key
		if _, twice := f.values[key]; twice {
			return nil, &Error{Field: path, Message: "the key " + quote(key) + " stands twice"}
		}
		v, err := readValue(d, join(path, key), depth+1)
		if err != nil {
			return nil, err
		}
		f.keys = append(f.keys, key)
		f.values[key] = v
	}
	if _, err := d.Token(); err != nil {
		return nil, syntaxError(err, d.InputOffset())
	}
	return f, nil
}

func join(path, key string) string {
	if path == "" {
		return clip(key)
	}
	return path + "." + clip(key)
}

func syntaxError(err error, offset int64) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{Message: "the JSON of the plan ends too early"}
	}
	return &Error{Message: fmt.Sprintf("the plan is no JSON: at byte %d there is something else", offset+1)}
}
