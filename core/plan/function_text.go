package plan

import (
	"fmt"

	"querent.dev/querent/sdk/wire"
)

// maxTextLength bounds the constant lengths of substr, left and right. No cell
// that is handed out is longer than the 16 MB that SQLite is opened with.
const maxTextLength = 1 << 24

// maxPadding bounds how long lpad and rpad make a text and how often repeat
// repeats it: what people pad fits into a line, and a cell into memory.
const maxPadding = 1000

// maxPattern bounds a constant pattern, padding or separator, in characters. It
// is below the 1000 that a pattern may have where a pattern is translated.
const maxPattern = 200

func textFunctions() []Function {
	upTo := Constant{Min: 0, Max: maxTextLength}
	part := map[int]Constant{1: upTo}
	text, truth := always(wire.KindText), always(wire.KindBool)
	padded := map[int]Constant{1: {Min: 0, Max: maxPadding}, 2: {Text: true, Min: 1, Max: maxPattern}}
	return []Function{
		define(Function{Name: "lower", Aliases: []string{"lcase"}, Signature: "lower(text)",
			Doc: "The text with A to Z as a to z."}, 0, text, textValue),
		define(Function{Name: "upper", Aliases: []string{"ucase"}, Signature: "upper(text)",
			Doc: "The text with a to z as A to Z."}, 0, text, textValue),
		define(Function{Name: "length", Aliases: []string{"len", "char_length", "character_length"},
			Signature: "length(text)", Doc: "The number of characters."}, 0, always(wire.KindInt), textValue),
		define(Function{Name: "trim", Signature: "trim(text)", Doc: "The text without spaces around it."}, 0, text, textValue),
		define(Function{Name: "ltrim", Signature: "ltrim(text)", Doc: "The text without spaces before it."}, 0, text, textValue),
		define(Function{Name: "rtrim", Signature: "rtrim(text)", Doc: "The text without spaces after it."}, 0, text, textValue),
		define(Function{Name: "substr", Aliases: []string{"substring", "mid"}, Signature: "substr(text, start [, length])",
			Doc:       "A part of the text; start counts from 1.",
			Constants: map[int]Constant{1: {Min: 1, Max: maxTextLength, Computed: true}, 2: {Max: maxTextLength, Computed: true}}}, 1, text, textValue, wholeNum, wholeNum),
		define(Function{Name: "left", Signature: "left(text, n)", Doc: "The first n characters.", Constants: part},
			0, text, textValue, wholeNum),
		define(Function{Name: "right", Signature: "right(text, n)", Doc: "The last n characters.", Constants: part},
			0, text, textValue, wholeNum),
		define(Function{Name: "replace", Signature: "replace(text, part, by)", Doc: "The text with every part replaced."},
			0, text, textValue, textValue, textValue),
		defineMany(Function{Name: "concat", Signature: "concat(text, text, …)",
			Doc: "The texts joined; a null counts as empty."}, text, textValue),
		define(Function{Name: "contains", Signature: "contains(text, part)",
			Doc: "Whether the part occurs in the text; A to Z equal a to z."}, 0, truth, textValue, textValue),
		define(Function{Name: "starts_with", Aliases: []string{"startswith"}, Signature: "starts_with(text, part)",
			Doc: "Whether the text begins with the part; A to Z equal a to z."}, 0, truth, textValue, textValue),
		define(Function{Name: "ends_with", Aliases: []string{"endswith"}, Signature: "ends_with(text, part)",
			Doc: "Whether the text ends with the part; A to Z equal a to z."}, 0, truth, textValue, textValue),
		define(Function{Name: "position", Aliases: []string{"instr", "strpos"}, Signature: "position(text, part)",
			Doc: "Where the part begins in the text, from 1, or 0 if it does not occur; case counts."},
			0, always(wire.KindInt), textValue, textValue),
		define(Function{Name: "like_case", Signature: "like_case(text, 'pattern')",
			Doc:       "Whether the text is like the pattern with % and _; case counts.",
			Constants: map[int]Constant{1: {Text: true, Max: maxPattern}}}, 0, truth, textValue, textValue),
		define(Function{Name: "lpad", Signature: "lpad(text, n [, 'pad'])", Constants: padded,
			Doc: "The text filled up before it to n characters, with spaces if no padding is given, or cut to n."},
			1, text, textValue, wholeNum, textValue),
		define(Function{Name: "rpad", Signature: "rpad(text, n [, 'pad'])", Constants: padded,
			Doc: "The text filled up behind it to n characters, with spaces if no padding is given, or cut to n."},
			1, text, textValue, wholeNum, textValue),
		define(Function{Name: "repeat", Signature: "repeat(text, n)", Doc: "The text n times.",
			Constants: map[int]Constant{1: {Min: 0, Max: maxPadding}}}, 0, text, textValue, wholeNum),
		define(Function{Name: "reverse", Signature: "reverse(text)", Doc: "The characters from the last to the first."},
			0, text, textValue),
		define(Function{Name: "text", Aliases: []string{"to_text"}, Signature: "text(x [, digits])",
			Doc:       "The value as text; a number with a fraction needs the digits after the point.",
			Constants: map[int]Constant{1: {Min: 0, Max: maxDigits}}}, 1, writtenType, writable, wholeNum),
		define(Function{Name: "number", Aliases: []string{"to_number"}, Signature: "number(text)",
			Doc: "The number that the text writes; null if it writes none."}, 0, numberType, parsable),
	}
}

// writtenType asks for digits where databases write a number differently.
func writtenType(args []wire.Type) (wire.Type, error) {
	k := args[0].Kind
	fraction := k == wire.KindFloat || k == wire.KindDecimal && args[0].Precision == 0
	switch {
	case fraction && len(args) < 2:
		return wire.Type{}, fmt.Errorf("text of a number with a fraction needs the digits after the point: text(x, 2)")
	case len(args) == 2 && !k.Numeric():
		return wire.Type{}, fmt.Errorf("text takes digits for a number only, not for %s", typeName(args[0]))
	}
	return wire.Type{Kind: wire.KindText}, nil
}

func numberType(args []wire.Type) (wire.Type, error) {
	if args[0].Kind.Numeric() {
		return args[0], nil
	}
	return wire.Type{Kind: wire.KindFloat}, nil
}
