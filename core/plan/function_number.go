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
	list := []Function{
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
		define(Function{Name: "log2", Signature: "log2(number)", Doc: "The logarithm to base 2; null at or below zero."},
			0, always(wire.KindFloat), number),
		define(Function{Name: "div", Signature: "div(a, b)", Doc: "How often b goes into a as a whole number, cut toward zero; null if b is 0."},
			0, always(wire.KindInt), number, number),
		define(Function{Name: "trunc", Aliases: []string{"truncate"}, Signature: "trunc(number [, digits])",
			Doc:       "Cut toward zero to a number of digits after the point, 0 if left out.",
			Constants: map[int]Constant{1: {Min: -maxDigits, Max: maxDigits}},
			refine:    roundType,
		}, 1, asFirst, number, wholeNum),
	}
	return append(list, angleFunctions()...)
}

// angleFunctions are those of angles in radians.
func angleFunctions() []Function {
	list := []Function{define(Function{Name: "pi", Signature: "pi()", Doc: "The number pi."}, 0, always(wire.KindFloat))}
	for _, f := range []struct{ name, doc string }{
		{"sin", "The sine of an angle in radians."}, {"cos", "The cosine of an angle in radians."}, {"tan", "The tangent of an angle in radians."},
		{"asin", "The angle whose sine is the number; null beyond -1 and 1."}, {"acos", "The angle whose cosine is the number; null beyond -1 and 1."},
		{"atan", "The angle whose tangent is the number."}, {"radians", "Degrees as radians."}, {"degrees", "Radians as degrees."},
	} {
		list = append(list, define(Function{Name: f.name, Signature: f.name + "(number)", Doc: f.doc}, 0, always(wire.KindFloat), number))
	}
	return append(list, define(Function{Name: "atan2", Signature: "atan2(y, x)", Doc: "The angle of the point (x, y)."},
		0, always(wire.KindFloat), number, number))
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
