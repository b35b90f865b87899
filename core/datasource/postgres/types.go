package postgres

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"querent.dev/querent/sdk/wire"
)

// scalars are the types that the host knows; every other is text.
var scalars = map[uint32]wire.Kind{
	pgtype.BoolOID: wire.KindBool,
	pgtype.Int2OID: wire.KindInt, pgtype.Int4OID: wire.KindInt, pgtype.Int8OID: wire.KindInt, pgtype.OIDOID: wire.KindInt,
	pgtype.NumericOID: wire.KindDecimal,
	pgtype.Float4OID:  wire.KindFloat, pgtype.Float8OID: wire.KindFloat,
	pgtype.ByteaOID: wire.KindBytes,
	pgtype.DateOID:  wire.KindDate, pgtype.TimeOID: wire.KindTime,
	pgtype.TimestampOID: wire.KindTimestamp, pgtype.TimestamptzOID: wire.KindTimestampTZ,
	pgtype.IntervalOID: wire.KindInterval,
	pgtype.JSONOID:     wire.KindJSON, pgtype.JSONBOID: wire.KindJSON,
	pgtype.UUIDOID: wire.KindUUID,
}

// arrays are the element types of the arrays that the host knows.
var arrays = map[uint32]uint32{
	pgtype.BoolArrayOID: pgtype.BoolOID,
	pgtype.Int2ArrayOID: pgtype.Int2OID, pgtype.Int4ArrayOID: pgtype.Int4OID, pgtype.Int8ArrayOID: pgtype.Int8OID,
	pgtype.OIDArrayOID: pgtype.OIDOID, pgtype.NumericArrayOID: pgtype.NumericOID,
	pgtype.Float4ArrayOID: pgtype.Float4OID, pgtype.Float8ArrayOID: pgtype.Float8OID,
	pgtype.TextArrayOID: pgtype.TextOID, pgtype.VarcharArrayOID: pgtype.VarcharOID, pgtype.BPCharArrayOID: pgtype.BPCharOID,
	pgtype.NameArrayOID: pgtype.NameOID, pgtype.ByteaArrayOID: pgtype.ByteaOID,
	pgtype.DateArrayOID: pgtype.DateOID, pgtype.TimeArrayOID: pgtype.TimeOID,
	pgtype.TimestampArrayOID: pgtype.TimestampOID, pgtype.TimestamptzArrayOID: pgtype.TimestamptzOID,
	pgtype.IntervalArrayOID: pgtype.IntervalOID, pgtype.JSONArrayOID: pgtype.JSONOID, pgtype.JSONBArrayOID: pgtype.JSONBOID,
	pgtype.UUIDArrayOID: pgtype.UUIDOID,
}

// kindOfType is the kind of a scalar type.
func kindOfType(oid uint32) wire.Kind {
	if kind, ok := scalars[oid]; ok {
		return kind
	}
	return wire.KindText
}

var numericForm = regexp.MustCompile(`^numeric\((\d+),(-?\d+)\)`)

// typeOfColumn is the type of a column by its base type, the element of that if it
// is an array, else 0, and the text of its declaration.
func typeOfColumn(base, element uint32, declared string) wire.Type {
	if element != 0 {
		return wire.Type{Kind: wire.KindArray, Elem: kindOfType(element)}
	}
	t := wire.Type{Kind: kindOfType(base)}
	if m := numericForm.FindStringSubmatch(declared); m != nil {
		precision, _ := strconv.ParseInt(m[1], 10, 32) // digits, by the expression
		scale, _ := strconv.ParseInt(m[2], 10, 32)
		t.Precision, t.Scale = int32(precision), int32(max(scale, 0))
	}
	return t
}

// typeOf reads a declaration for what the configuration says of the column: only
// dates matter there.
func typeOf(native string) (wire.Type, bool) {
	switch {
	case native == "date":
		return wire.Type{Kind: wire.KindDate}, true
	case strings.HasSuffix(native, "with time zone") && strings.HasPrefix(native, "timestamp"):
		return wire.Type{Kind: wire.KindTimestampTZ}, true
	case strings.HasPrefix(native, "timestamp"):
		return wire.Type{Kind: wire.KindTimestamp}, true
	}
	return wire.Type{}, false
}
