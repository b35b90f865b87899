package mysql

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"querent.dev/querent/sdk/wire"
)

const bytesKind = wire.KindBytes

// unsignedDigits are those of the greatest unsigned bigint.
const unsignedDigits = 20

// declaration is the shape of a declared type: decimal(10,2) unsigned.
var declaration = regexp.MustCompile(`^([a-z ]+?)(?:\((\d+)(?:,(\d+))?\))?(?: unsigned)?(?: zerofill)?$`)

// names are the kinds of the declared types; every other is text.
var names = map[string]wire.Kind{
	"tinyint": wire.KindInt, "smallint": wire.KindInt, "mediumint": wire.KindInt, "int": wire.KindInt, "bigint": wire.KindInt, "year": wire.KindInt,
	"decimal": wire.KindDecimal, "float": wire.KindFloat, "double": wire.KindFloat, "bit": wire.KindInt,
	"binary": wire.KindBytes, "varbinary": wire.KindBytes, "tinyblob": wire.KindBytes, "blob": wire.KindBytes, "mediumblob": wire.KindBytes, "longblob": wire.KindBytes,
	"geometry": wire.KindBytes, "point": wire.KindBytes, "linestring": wire.KindBytes, "polygon": wire.KindBytes,
	"date": wire.KindDate, "time": wire.KindTime, "datetime": wire.KindTimestamp, "timestamp": wire.KindTimestampTZ,
	"json": wire.KindJSON, "uuid": wire.KindUUID,
}

// typeOfColumn is the type of a column by its declaration. The server's boolean is
// tinyint(1), which its sample may show to be a number.
func typeOfColumn(declared string) wire.Type {
	m := declaration.FindStringSubmatch(strings.ToLower(declared))
	if m == nil {
		return wire.Type{Kind: wire.KindText}
	}
	kind, ok := names[m[1]]
	if !ok {
		return wire.Type{Kind: wire.KindText}
	}
	t := wire.Type{Kind: kind}
	switch {
	case (m[1] == "tinyint" || m[1] == "bit") && m[2] == "1":
		t.Kind = wire.KindBool
	case m[1] == "bigint" && strings.Contains(declared, "unsigned"):
		t = wire.Type{Kind: wire.KindDecimal, Precision: unsignedDigits} // it may be beyond 64 bits with a sign
	case kind == wire.KindDecimal:
		precision, _ := strconv.ParseInt(m[2], 10, 32) // digits, by the expression
		scale, _ := strconv.ParseInt("0"+m[3], 10, 32)
		t.Precision, t.Scale = int32(precision), int32(scale)
	}
	return t
}

// typeOf reads a declaration for what the configuration says of the column: only
// dates matter there.
func typeOf(native string) (wire.Type, bool) {
	t := typeOfColumn(native)
	return t, t.Kind.Temporal()
}

var label = regexp.MustCompile(`'((?:[^']|'')*)'`)

// labels are those of an enumeration; nil for every other type.
func labels(declared string) []string {
	if !strings.HasPrefix(strings.ToLower(declared), "enum(") {
		return nil
	}
	var out []string
	for _, m := range label.FindAllStringSubmatch(declared, -1) {
		out = append(out, strings.ReplaceAll(m[1], "''", "'"))
	}
	return out
}

// within is the beginning of a statement that the server ends with ctx.
func (c *conn) within(ctx context.Context) string {
	deadline, ok := ctx.Deadline()
	if !ok || !c.mariaDB {
		return ""
	}
	return fmt.Sprintf("SET STATEMENT max_statement_time = %.3f FOR ", max(time.Until(deadline).Seconds(), 0.001))
}
