package sqlimport

import (
	"strconv"
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// value is a translated expression: a clause of the plan language and what is
// known of it.
type value struct {
	text     string
	power    int // how tight it binds
	typ      wire.Type
	nullable bool
	constant bool   // a literal
	literal  string // its digits or its characters
	scale    int    // digits after the point that MariaDB gives it; unscaled: all
	// affinity is set for what SQLite compares by a declared type: a column or a
	// cast. collation is its column's own order of texts.
	affinity  bool
	collation string
	// big is set for an integer of 64 bits, whose sum PostgreSQL gives as a decimal.
	big bool
	// asText is set for a moment that SQLite keeps in a column of text.
	asText bool
	// number is the whole number that a text of fixed width writes, such as that
	// of strftime('%Y', x), or nil; width is its digits.
	number *value
	width  int
	// span is set for a difference of moments that no plan has a type for.
	span *span
}

// span is the time from one moment to another, or a number of units.
type span struct {
	from, to value  // when unit is ""
	count    value  // of the unit
	unit     string // second … year
}

// unscaled is the scale of a number whose digits are not cut.
const unscaled = -1

// The binding powers of clauses, from loose to tight.
const (
	powOr = iota + 1
	powAnd
	powNot
	powCompare
	powConcat
	powAdd
	powMul
	powNeg
	atom
)

var (
	tInt   = wire.Type{Kind: wire.KindInt}
	tFloat = wire.Type{Kind: wire.KindFloat}
	tText  = wire.Type{Kind: wire.KindText}
	tBool  = wire.Type{Kind: wire.KindBool}
	tDate  = wire.Type{Kind: wire.KindDate}
	tStamp = wire.Type{Kind: wire.KindTimestamp}
	tNull  = wire.Type{Kind: wire.KindNull}
)

func itoa(n int) string { return strconv.Itoa(n) }

// in is the value's text where an operand binds at least as tight as power.
func (v value) in(power int) string {
	if v.power < power {
		return "(" + v.text + ")"
	}
	return v.text
}

func (v value) isNull() bool { return v.typ.Kind == wire.KindNull && v.span == nil }

// made is a computed value.
func made(text string, power int, t wire.Type, nullable bool) value {
	return value{text: text, power: power, typ: t, nullable: nullable, scale: unscaled}
}

func intValue(n int64) value {
	v := made(strconv.FormatInt(n, 10), atom, tInt, false)
	if n < 0 {
		v.power = powNeg
	}
	v.constant, v.literal = true, v.text
	return v
}

func textValue(s string) value {
	v := made(quoteText(s), atom, tText, false)
	v.constant, v.literal = true, s
	return v
}

func boolValue(b bool) value {
	v := made(strconv.FormatBool(b), atom, tBool, false)
	v.constant, v.literal = true, v.text
	return v
}

func nullValue() value { return made("null", atom, tNull, true) }

// binary is an operator between operands; the operator binds at power.
func binary(l value, op string, r value, power int, t wire.Type) value {
	left := power
	if power == powCompare {
		left++
	}
	out := made(l.in(left)+" "+op+" "+r.in(power+1), power, t, l.nullable || r.nullable)
	out.big = l.big || r.big
	return out
}

// chain joins conditions by and or or.
func chain(op string, power int, list []value) value {
	switch len(list) {
	case 0:
		return boolValue(op == "and")
	case 1:
		return list[0]
	}
	texts := make([]string, len(list))
	nullable := false
	for i, v := range list {
		texts[i] = v.in(power)
		nullable = nullable || v.nullable
	}
	return made(strings.Join(texts, " "+op+" "), power, tBool, nullable)
}

func allOf(list ...value) value { return chain("and", powAnd, list) }
func anyOf(list ...value) value { return chain("or", powOr, list) }

func negate(v value) value {
	if v.constant && v.typ.Kind == wire.KindBool {
		return boolValue(v.literal != "true")
	}
	return made("not "+v.in(powNot), powNot, tBool, v.nullable)
}

func isNull(v value) value  { return made(v.in(powCompare+1)+" is null", powCompare, tBool, false) }
func notNull(v value) value { return made(v.in(powCompare+1)+" is not null", powCompare, tBool, false) }

// fn calls a function of the plan. Its type is that of the function table.
func fn(name string, args ...value) value {
	texts := make([]string, len(args))
	types := make([]wire.Type, len(args))
	nullable := false
	for i, a := range args {
		texts[i], types[i] = a.text, a.typ
		nullable = nullable || a.nullable
	}
	out := made(name+"("+strings.Join(texts, ", ")+")", atom, tNull, nullable)
	out.big = name == "count" || len(args) > 0 && args[0].big
	if f, ok := plan.FindFunction(name); ok {
		if t, err := f.Check(types); err == nil {
			out.typ = t
		}
	}
	return out
}

// typed gives a value another type, where the function table says too little.
func (v value) typed(t wire.Type) value {
	v.typ = t
	return v
}

// choice is case when … then … else … end.
func choice(t wire.Type, otherwise *value, pairs ...value) value {
	var b strings.Builder
	b.WriteString("case")
	nullable := otherwise == nil || otherwise.nullable
	for i := 0; i+1 < len(pairs); i += 2 {
		b.WriteString(" when " + pairs[i].text + " then " + pairs[i+1].text)
		nullable = nullable || pairs[i+1].nullable
	}
	if otherwise != nil {
		b.WriteString(" else " + otherwise.text)
	}
	b.WriteString(" end")
	return made(b.String(), atom, t, nullable)
}

// sameKey is the condition that two values are equal or both null.
func sameKey(a, b value) value {
	eq := binary(a, "=", b, powCompare, tBool)
	if !a.nullable && !b.nullable {
		return eq
	}
	return anyOf(eq, allOf(isNull(a), isNull(b)))
}
