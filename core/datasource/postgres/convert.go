package postgres

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// convert turns the server's text of a value of type oid into a value. What has no
// form of its own, such as a date before Christ or infinity, stays text. declared
// is the plan's type, which tells of arrays whose type the host does not know.
func convert(oid uint32, text []byte, declared wire.Type) wire.Value {
	if element, ok := arrays[oid]; ok {
		return convertArray(kindOfType(element), string(text))
	}
	kind, known := scalars[oid]
	if !known && declared.Kind == wire.KindArray {
		return convertArray(wire.KindText, string(text))
	}
	return convertScalar(kind, string(text))
}

// convertScalar is total: text that is not of the kind stays text.
func convertScalar(kind wire.Kind, text string) wire.Value {
	switch kind {
	case wire.KindBool:
		return wire.Bool(text == "t")
	case wire.KindInt:
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return wire.Int(i)
		}
	case wire.KindDecimal:
		if d, err := wire.Decimal(text); err == nil {
			return d
		}
		return convertScalar(wire.KindFloat, text) // NaN and the infinities
	case wire.KindFloat:
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return wire.Float(f)
		}
	case wire.KindBytes:
		if b, err := hex.DecodeString(strings.TrimPrefix(text, `\x`)); err == nil {
			return wire.Bytes(b)
		}
	case wire.KindTimestampTZ:
		if at, utc := strings.CutSuffix(text, "+00"); utc { // sessions are in UTC
			if v, err := wire.Parse(kind, at+"Z"); err == nil {
				return v
			}
		}
	case wire.KindDate, wire.KindTime, wire.KindTimestamp, wire.KindInterval, wire.KindJSON, wire.KindUUID:
		if v, err := wire.Parse(kind, text); err == nil {
			return v
		}
	}
	return wire.Text(text)
}

var errNUL = errors.New("an argument holds a NUL character, which PostgreSQL does not have in text")

func encodeAll(values []wire.Value) ([][]byte, error) {
	args := make([][]byte, len(values))
	for i, v := range values {
		if v.IsNull() {
			continue
		}
		text := encode(v)
		if strings.ContainsRune(text, 0) {
			return nil, errNUL
		}
		args[i] = []byte(text)
	}
	return args, nil
}

// encode is the server's text of an argument. Its type stands in the statement.
func encode(v wire.Value) string {
	switch v.Kind() {
	case wire.KindFloat:
		f := v.Float()
		switch {
		case math.IsInf(f, 1):
			return "Infinity"
		case math.IsInf(f, -1):
			return "-Infinity"
		}
	case wire.KindBytes:
		return `\x` + hex.EncodeToString(v.Raw())
	case wire.KindArray:
		parts := make([]string, len(v.List()))
		for i, e := range v.List() {
			switch {
			case e.IsNull():
				parts[i] = "NULL"
			case e.Kind() == wire.KindArray:
				parts[i] = encode(e)
			default:
				parts[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(encode(e)) + `"`
			}
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return v.String()
}

var errArray = errors.New("the text is no array")

// convertArray reads the server's text of an array. Text that is none stays text.
func convertArray(element wire.Kind, text string) wire.Value {
	if strings.HasPrefix(text, "[") { // bounds other than 1, as in [0:1]={a,b}
		if _, rest, ok := strings.Cut(text, "="); ok {
			return convertArray(element, rest)
		}
	}
	v, rest, err := readArray(element, text, 0)
	if err != nil || rest != "" {
		return wire.Text(text)
	}
	return v
}

// maxDimensions is how deep arrays are on the server.
const maxDimensions = 6

func readArray(element wire.Kind, text string, depth int) (wire.Value, string, error) {
	rest, ok := strings.CutPrefix(text, "{")
	if !ok || depth > maxDimensions {
		return wire.Value{}, "", errArray
	}
	list := []wire.Value{}
	if rest, ok := strings.CutPrefix(rest, "}"); ok {
		return wire.Array(list), rest, nil
	}
	for {
		var v wire.Value
		var err error
		if strings.HasPrefix(rest, "{") {
			v, rest, err = readArray(element, rest, depth+1)
		} else {
			v, rest, err = readElement(element, rest)
		}
		if err != nil || rest == "" {
			return wire.Value{}, "", fmt.Errorf("element %d: %w", len(list)+1, errArray)
		}
		list = append(list, v)
		separator := rest[0]
		rest = rest[1:]
		switch separator {
		case '}':
			return wire.Array(list), rest, nil
		case ',':
		default:
			return wire.Value{}, "", errArray
		}
	}
}

// readElement reads one element up to the comma or brace behind it.
func readElement(kind wire.Kind, text string) (wire.Value, string, error) {
	if !strings.HasPrefix(text, `"`) {
		end := strings.IndexAny(text, ",}")
		if end < 0 {
			return wire.Value{}, "", errArray
		}
		if text[:end] == "NULL" {
			return wire.Null(), text[end:], nil
		}
		return convertScalar(kind, text[:end]), text[end:], nil
	}
	var content strings.Builder
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return convertScalar(kind, content.String()), text[i+1:], nil
		case '\\':
			i++
			if i == len(text) {
				return wire.Value{}, "", errArray
			}
		}
		content.WriteByte(text[i])
	}
	return wire.Value{}, "", errArray
}
