package sqlite

import (
	"regexp"
	"strconv"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// declared is the shape of a declared type: DECIMAL(10, 2).
var declared = regexp.MustCompile(`^\s*([^(]*?)\s*(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?\s*$`)

// exact are the declared types whose names say more than SQLite's affinity,
// which would make most of them numbers.
var exact = map[string]wire.Kind{
	"bool": wire.KindBool, "boolean": wire.KindBool,
	"date": wire.KindDate, "time": wire.KindTime,
	"datetime": wire.KindTimestamp, "timestamp": wire.KindTimestamp, "timestamptz": wire.KindTimestamp,
	"timestamp with time zone": wire.KindTimestamp, "timestamp without time zone": wire.KindTimestamp,
	"decimal": wire.KindDecimal, "numeric": wire.KindDecimal, "number": wire.KindDecimal, "money": wire.KindDecimal,
	"year": wire.KindInt, "serial": wire.KindInt, "bigserial": wire.KindInt,
	"string": wire.KindText, "json": wire.KindText, "uuid": wire.KindText, "guid": wire.KindText,
	"enum": wire.KindText, "xml": wire.KindText,
}

// typeOf reads a declared type. It is not known for a column without one, as
// those of views often are, or with a name that says nothing.
func typeOf(native string) (t wire.Type, known bool) {
	parts := declared.FindStringSubmatch(strings.ToLower(native))
	if parts == nil {
		return wire.Type{}, false
	}
	name := parts[1]
	kind, known := exact[name]
	if !known {
		kind, known = affinity(name)
	}
	t = wire.Type{Kind: kind}
	if kind == wire.KindDecimal {
		t.Precision, t.Scale = digits(parts[2]), digits(parts[3])
	}
	return t, known
}

// affinity follows SQLite's own rules, but for its last, by which every other
// name is a number.
func affinity(name string) (wire.Kind, bool) {
	for _, rule := range []struct {
		part string
		kind wire.Kind
	}{
		{"int", wire.KindInt},
		{"char", wire.KindText}, {"clob", wire.KindText}, {"text", wire.KindText},
		{"blob", wire.KindBytes}, {"binary", wire.KindBytes},
		{"real", wire.KindFloat}, {"floa", wire.KindFloat}, {"doub", wire.KindFloat},
		{"decimal", wire.KindDecimal}, {"numeric", wire.KindDecimal},
	} {
		if strings.Contains(name, rule.part) {
			return rule.kind, true
		}
	}
	return wire.KindNull, false
}

// digits reads a precision or a scale; one beyond any use counts as undeclared.
func digits(s string) int32 {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil || n > 1000 {
		return 0
	}
	return int32(n)
}
