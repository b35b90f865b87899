package sqlimport

import (
	"strconv"
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

func (t *translator) literal(n *tree.Literal) (value, error) {
	switch n.Kind {
	case tree.Null:
		return nullValue(), nil
	case tree.Bool:
		if t.sqlite() || t.mysql() {
			if n.Text == "true" {
				return intValue(1), nil
			}
			return intValue(0), nil
		}
		return boolValue(n.Text == "true"), nil
	case tree.Text:
		if strings.ContainsRune(n.Text, 0) {
			return value{}, t.unsupported(n, "this text", "it holds a zero character")
		}
		return textValue(n.Text), nil
	case tree.Number:
		return t.number(n)
	}
	return value{}, t.unsupported(n, "the constant "+n.Text, "plans have no such constants")
}

// number reads digits, with a point or an exponent, or hexadecimal.
func (t *translator) number(n *tree.Literal) (value, error) {
	text := strings.ToLower(n.Text)
	if strings.HasPrefix(text, "0x") {
		i, err := strconv.ParseInt(text[2:], 16, 64)
		if err != nil {
			return value{}, t.unsupported(n, "the number "+n.Text, "it is out of range")
		}
		return intValue(i), nil
	}
	text = strings.TrimSuffix(strings.Replace(text, ".e", ".0e", 1), ".")
	if text != strings.ToLower(n.Text) && !strings.Contains(text, "e") {
		text += ".0"
	}
	if strings.HasPrefix(text, ".") {
		text = "0" + text
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return intValue(i), nil
	}
	v := made(text, atom, wire.Type{Kind: wire.KindDecimal}, false)
	v.constant, v.literal = true, text
	if strings.Contains(text, "e") {
		v.typ = tFloat
	} else if _, fraction, ok := strings.Cut(text, "."); ok {
		v.scale = len(fraction)
		v.typ = wire.Type{Kind: wire.KindDecimal, Precision: 38, Scale: int32(min(len(fraction), 30))}
	}
	return v, nil
}
