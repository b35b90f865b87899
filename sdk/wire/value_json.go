package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// maxSafeInt is the largest integer that every JSON reader keeps (2^53 - 1:
// many read numbers as doubles).
const maxSafeInt = 1<<53 - 1

// MarshalJSON writes the value so that no reader loses digits: null and bool as
// such; integers as numbers, but as strings beyond 2^53-1; floats as numbers,
// but NaN and infinities as strings; JSON as it is; arrays as arrays;
// everything else, decimals among it, as its canonical text.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case KindNull:
		return []byte("null"), nil
	case KindBool:
		return strconv.AppendBool(nil, v.bits == 1), nil
	case KindInt:
		i := int64(v.bits)
		if i > maxSafeInt || i < -maxSafeInt {
			return []byte(strconv.Quote(v.String())), nil
		}
		return strconv.AppendInt(nil, i, 10), nil
	case KindFloat:
		f := math.Float64frombits(v.bits)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return []byte(strconv.Quote(v.String())), nil
		}
		return []byte(formatFloat(f)), nil
	case KindJSON:
		if utf8.ValidString(v.text) && json.Valid([]byte(v.text)) {
			return []byte(v.text), nil
		}
	case KindArray:
		if v.list == nil {
			return []byte("[]"), nil
		}
		return json.Marshal(v.list)
	}
	return encodeText(v.String())
}

// encodeText quotes s without HTML escapes, so that text stays readable.
func encodeText(s string) ([]byte, error) {
	if standsAsItIs(s) {
		b := append(make([]byte, 0, len(s)+2), '"')
		return append(append(b, s...), '"'), nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// standsAsItIs reports whether JSON needs no escapes for s, as is so of nearly
// every cell.
func standsAsItIs(s string) bool {
	for i := range len(s) {
		if b := s[i]; b < ' ' || b >= utf8.RuneSelf || b == '"' || b == '\\' {
			return false
		}
	}
	return true
}

// MarshalText makes a Kind readable in JSON.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (k *Kind) UnmarshalText(b []byte) error {
	parsed, err := ParseKind(string(b))
	if err != nil {
		return err
	}
	*k = parsed
	return nil
}

// Tagged is a value with its kind beside it, the form in which values are
// stored and read back without loss: {"kind":"decimal","text":"1.50"}.
type Tagged struct {
	Kind Kind     `json:"kind"`
	Text string   `json:"text,omitempty"`
	List []Tagged `json:"list,omitempty"`
}

// Tag is v in its stored form.
func Tag(v Value) Tagged {
	t := Tagged{Kind: v.kind}
	if v.kind == KindArray {
		for _, e := range v.list {
			t.List = append(t.List, Tag(e))
		}
		return t
	}
	t.Text = v.String()
	return t
}

// Value is the inverse of Tag.
func (t Tagged) Value() (Value, error) {
	if t.Kind != KindArray {
		return Parse(t.Kind, t.Text)
	}
	list := make([]Value, len(t.List))
	for i, e := range t.List {
		v, err := e.Value()
		if err != nil {
			return Value{}, fmt.Errorf("element %d: %w", i, err)
		}
		list[i] = v
	}
	return Array(list), nil
}
