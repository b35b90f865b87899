package sqlimport

import (
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// asNumber is 1 for true and 0 for false.
func (t *translator) asNumber(v value) value {
	if v.typ.Kind != wire.KindBool {
		return v
	}
	if v.constant {
		if v.literal == "true" {
			return intValue(1)
		}
		return intValue(0)
	}
	zero := intValue(0)
	if !v.nullable {
		return choice(tInt, &zero, v, intValue(1))
	}
	return choice(tInt, nil, v, intValue(1), negate(v), zero)
}

// numeric is a value as a number, as the flavour converts it.
func (t *translator) numeric(v value, at positioned) (value, error) {
	switch {
	case v.span != nil && v.span.unit == "julian":
		return t.julian(v.span.to), nil
	case v.typ.Kind.Numeric() || v.isNull():
		return v, nil
	case v.typ.Kind == wire.KindBool:
		return t.asNumber(v), nil
	case v.number != nil:
		return *v.number, nil
	case v.typ.Kind == wire.KindText:
		return t.readNumber(v), nil
	case v.typ.Kind.Temporal() && t.sqlite():
		// The number at the beginning of the text that SQLite keeps.
		return fn("year", v), nil
	}
	if v.span != nil {
		return v, t.unsupported(at, "this interval", "plans calculate with the seconds or days of a difference: extract(epoch from …)")
	}
	return v, t.unsupported(at, "this calculation", "%s is no number", v.typ)
}

// readNumber reads a text as a number. What writes none counts as 0 on SQLite and
// MariaDB, and ends the query on PostgreSQL.
func (t *translator) readNumber(v value) value {
	if v.constant {
		text := strings.TrimSpace(v.literal)
		if !numberForm.MatchString(text) {
			text = "0"
		}
		if n, err := t.number(&tree.Literal{Kind: tree.Number, Text: strings.TrimPrefix(text, "+")}); err == nil {
			return n
		}
	}
	n := fn("number", v)
	n.typ, n.nullable = tFloat, true
	if t.postgres() {
		return n
	}
	t.note("Text that does not write a number counts as 0, also where it begins with one.")
	zero := fn("coalesce", n, intValue(0))
	zero.typ, zero.nullable = tFloat, false
	if !v.nullable {
		return zero
	}
	return choice(tFloat, nil, notNull(v), zero)
}

// textual is a value as a text.
func (t *translator) textual(v value, at positioned) (value, error) {
	switch k := v.typ.Kind; {
	case k == wire.KindText || v.isNull():
		return v, nil
	case v.constant && k.Numeric():
		return textValue(v.literal), nil
	case k == wire.KindInt, k.Temporal(), k == wire.KindDecimal && v.typ.Precision > 0 && !t.sqlite():
		return fn("text", v).typed(tText), nil
	case k == wire.KindBool && t.postgres():
		return fn("text", v).typed(tText), nil
	case k == wire.KindBool:
		return fn("text", t.asNumber(v)).typed(tText), nil
	}
	return v, t.fault(NotPortable, at, "a number with a fraction as text", "databases write its digits differently; round it and say how many digits to show")
}

// as converts a value to a type that a set operation or a case needs.
func (t *translator) as(v value, typ wire.Type, at positioned) (value, error) {
	switch {
	case v.typ.Kind == typ.Kind || v.isNull() || v.typ.Kind.Numeric() && typ.Kind.Numeric():
		return v, nil
	case typ.Kind == wire.KindText:
		return t.textual(v, at)
	case typ.Kind.Numeric():
		return t.numeric(v, at)
	case typ.Kind.Temporal() && v.typ.Kind == wire.KindDate:
		return stamped(v), nil
	}
	return v, nil
}

// common is the type that values are brought to when they stand for one.
func common(list []value) wire.Type {
	out := tNull
	for _, v := range list {
		a, b := out.Kind, v.typ.Kind
		switch {
		case b == wire.KindNull || a == b:
			if a == wire.KindNull {
				out = v.typ
			}
		case a == wire.KindNull:
			out = v.typ
		case a.Numeric() && b.Numeric():
			if b == wire.KindFloat || a == wire.KindFloat {
				out = tFloat
			} else {
				out = wire.Type{Kind: wire.KindDecimal}
			}
		case a == wire.KindBool && b.Numeric():
			out = v.typ
		case a.Numeric() && b == wire.KindBool:
		case a.Temporal() && b.Temporal():
			out = tStamp
		default:
			out = tText
		}
	}
	return out
}

// unified brings values to one type. Constant texts become what they meet.
func (t *translator) unified(list []value, at positioned) ([]value, wire.Type, error) {
	typ := common(list)
	var temporal, other bool
	for _, v := range list {
		temporal = temporal || v.typ.Kind.Temporal()
		if v.typ.Kind != wire.KindText || !v.constant {
			other = other || !v.typ.Kind.Temporal() && !v.isNull()
			continue
		}
		_, _, ok := moment(v.literal)
		other = other || !ok
	}
	if temporal && !other {
		typ = tStamp
	}
	out := make([]value, len(list))
	for i, v := range list {
		if typ.Kind == wire.KindTimestamp && v.constant && v.typ.Kind == wire.KindText {
			m, day, _ := moment(v.literal)
			v = stampLiteral(m.Format("2006-01-02 15:04:05"), true)
			if day {
				v = dayLiteral(m.Format("2006-01-02"))
			}
		}
		out[i] = v
	}
	if temporal && !other {
		typ = common(out)
	}
	for i, v := range out {
		var err error
		if out[i], err = t.as(v, typ, at); err != nil {
			return nil, typ, err
		}
	}
	return out, typ, nil
}

// cast converts. What is no number becomes 0 on SQLite and MariaDB.
func (t *translator) cast(n *tree.Cast, s *scope) (value, error) {
	v, err := t.expr(n.X, s)
	if err != nil {
		return v, err
	}
	v, err = t.castTo(v, n)
	v.affinity, v.constant = true, v.constant && v.typ.Kind != wire.KindNull
	return v, err
}

func (t *translator) castTo(v value, n *tree.Cast) (value, error) {
	if v.isNull() {
		return v, nil
	}
	switch castKind(n.Type, t.sqlite()) {
	case wire.KindText:
		return t.textual(v, n)
	case wire.KindInt:
		return t.castInt(v, n)
	case wire.KindFloat:
		x, err := t.numeric(v, n)
		if err != nil || x.typ.Kind == wire.KindFloat {
			return x, err
		}
		return made("cast("+x.text+" as float)", atom, tFloat, x.nullable), nil
	case wire.KindDecimal:
		return t.castDecimal(v, n)
	case wire.KindDate:
		return t.toDate(v, n)
	case wire.KindTimestamp, wire.KindTimestampTZ:
		return t.toStamp(v, n)
	case wire.KindBool:
		return t.truth(v, n)
	case wire.KindInterval:
		if v.constant {
			return t.interval(&tree.Interval{Pos: n.Pos, Text: v.literal}, nil)
		}
	}
	return v, t.unsupported(n, "a cast to "+n.Type, "plans cast to int, float, decimal, text, date and timestamp")
}

// castInt cuts the fraction off; PostgreSQL and MariaDB round instead.
func (t *translator) castInt(v value, n *tree.Cast) (value, error) {
	if v.span != nil {
		return t.wholeDays(v, n)
	}
	x, err := t.numeric(v, n)
	if err != nil || x.typ.Kind == wire.KindInt {
		return x, err
	}
	if !t.sqlite() {
		x = t.roundedWhole(x)
	}
	return made("cast("+x.text+" as int)", atom, tInt, x.nullable), nil
}

// roundedWhole rounds to a whole number. PostgreSQL and MariaDB take the half of a
// float to the even number, and that of a decimal away from zero.
func (t *translator) roundedWhole(x value) value {
	out := fn("round", x)
	out.nullable = x.nullable
	if x.typ.Kind != wire.KindFloat {
		return out
	}
	whole := fn("trunc", x)
	half := binary(fn("abs", binary(x, "-", whole, powAdd, tFloat)), "=", made("0.5", atom, tFloat, false), powCompare, tBool)
	even := binary(binary(made("cast("+whole.text+" as int)", atom, tInt, x.nullable), "%", intValue(2), powMul, tInt), "=", intValue(0), powCompare, tBool)
	return choice(tFloat, &out, allOf(half, even), whole)
}

func (t *translator) castDecimal(v value, n *tree.Cast) (value, error) {
	x, err := t.numeric(v, n)
	if err != nil || t.sqlite() {
		return x, err
	}
	scale := 0
	switch {
	case len(n.Sizes) == 2:
		scale = n.Sizes[1]
	case len(n.Sizes) == 0 && t.postgres():
		if x.typ.Kind == wire.KindInt {
			x.typ = wire.Type{Kind: wire.KindDecimal}
		}
		return x, nil
	}
	out := fn("round", x, intValue(int64(min(scale, 9))))
	out.typ = wire.Type{Kind: wire.KindDecimal, Precision: 38, Scale: int32(scale)}
	out.scale = scale
	return out, nil
}

// castKind is what a type name stands for; KindNull for none. SQLite reads it by
// its affinity.
func castKind(name string, sqlite bool) wire.Kind {
	name = strings.ToLower(name)
	if sqlite {
		switch {
		case strings.Contains(name, "int"):
			return wire.KindInt
		case strings.Contains(name, "char"), strings.Contains(name, "clob"), strings.Contains(name, "text"):
			return wire.KindText
		case strings.Contains(name, "real"), strings.Contains(name, "floa"), strings.Contains(name, "doub"):
			return wire.KindFloat
		case strings.Contains(name, "blob"):
			return wire.KindNull
		}
		return wire.KindDecimal
	}
	switch name {
	case "int", "int2", "int4", "int8", "integer", "bigint", "smallint", "signed", "unsigned":
		return wire.KindInt
	case "float", "float4", "float8", "real", "double", "double precision":
		return wire.KindFloat
	case "numeric", "decimal":
		return wire.KindDecimal
	case "text", "varchar", "char", "bpchar", "character varying", "name":
		return wire.KindText
	case "date":
		return wire.KindDate
	case "timestamp", "timestamptz", "datetime":
		return wire.KindTimestamp
	case "bool", "boolean":
		return wire.KindBool
	case "interval":
		return wire.KindInterval
	}
	return wire.KindNull
}
