package plan

import "querent.dev/querent/sdk/wire"

// maxDigits bounds round and text: a decimal(65,15) of MariaDB, the narrowest of
// the exact types that rounding goes through, has room for 9 digits and the 6
// more that the rounding needs.
const maxDigits = 9

func numberFunctions() []Function {
	round := define(Function{Name: "round", Signature: "round(number [, digits])",
		Doc:       "Rounded half away from zero to a number of digits after the point, 0 if left out.",
		Constants: map[int]Constant{1: {Min: -maxDigits, Max: maxDigits}},
		refine:    roundType,
	}, 1, asFirst, number, wholeNum)
	return []Function{
		define(Function{Name: "abs", Signature: "abs(number)", Doc: "The number without its sign."}, 0, asFirst, number),
		round,
		define(Function{Name: "floor", Signature: "floor(number)", Doc: "The next whole number below or at it."},
			0, always(wire.KindInt), number),
		define(Function{Name: "ceil", Aliases: []string{"ceiling"}, Signature: "ceil(number)",
			Doc: "The next whole number above or at it."}, 0, always(wire.KindInt), number),
		define(Function{Name: "sign", Signature: "sign(number)", Doc: "-1, 0 or 1."}, 0, always(wire.KindInt), number),
		define(Function{Name: "sqrt", Signature: "sqrt(number)", Doc: "The square root; null below zero."},
			0, always(wire.KindFloat), number),
		define(Function{Name: "power", Aliases: []string{"pow"}, Signature: "power(number, exponent)",
			Doc: "The number raised to the exponent."}, 0, always(wire.KindFloat), number, number),
		define(Function{Name: "exp", Signature: "exp(number)", Doc: "e raised to the number."},
			0, always(wire.KindFloat), number),
		define(Function{Name: "ln", Signature: "ln(number)", Doc: "The natural logarithm; null at or below zero."},
			0, always(wire.KindFloat), number),
		define(Function{Name: "log10", Signature: "log10(number)", Doc: "The logarithm to base 10; null at or below zero."},
			0, always(wire.KindFloat), number),
	}
}

// roundType is exact: a rounded number has as many digits after the point as it
// was rounded to. An integer stays one.
func roundType(args []Expr, t wire.Type) wire.Type {
	digits := int64(0)
	if len(args) > 1 {
		digits = args[1].(*Literal).Value.Int()
	}
	switch {
	case t.Kind == wire.KindInt || t.Kind == wire.KindNull:
		return t
	case digits <= 0:
		return decimalOf(0)
	}
	return decimalOf(int32(digits))
}
