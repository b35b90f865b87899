package sqlgen

import (
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// postgres writes for PostgreSQL 13 and later. Every value has the one type of
// its kind: whole numbers are bigint, fractions numeric or float8, text is text.
// Columns of other types are cast, but not where they stand bare in a comparison,
// so that indexes serve.
type postgres struct{}

var _ dialect = postgres{}

func (postgres) quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func (postgres) longest() int { return 63 }

func (postgres) marker() byte { return '$' }

// postgresTypes are the types of the values of a kind.
var postgresTypes = map[wire.Kind]string{
	wire.KindBool: "boolean", wire.KindInt: "bigint", wire.KindDecimal: "numeric", wire.KindFloat: "float8", wire.KindText: "text",
	wire.KindBytes: "bytea", wire.KindDate: "date", wire.KindTime: "time", wire.KindTimestamp: "timestamp", wire.KindTimestampTZ: "timestamptz",
	wire.KindInterval: "interval", wire.KindJSON: "jsonb", wire.KindUUID: "uuid",
}

// placeholder casts every argument: one without a type takes that of what it
// meets, and a fraction beside an integer column is cut.
func (postgres) placeholder(n int, v wire.Value) string {
	return "$" + itoa(int64(n)) + "::" + postgresTypes[v.Kind()]
}

// bind gives booleans, integers, floats, texts and bytes. What else there is goes
// as text, which the cast of the placeholder reads.
func (postgres) bind(v wire.Value) (wire.Value, error) {
	switch v.Kind() {
	case wire.KindBool, wire.KindInt, wire.KindFloat, wire.KindText, wire.KindBytes:
		return v, nil
	case wire.KindDecimal, wire.KindDate, wire.KindTime, wire.KindTimestamp, wire.KindTimestampTZ, wire.KindInterval, wire.KindJSON, wire.KindUUID:
		return wire.Text(v.String()), nil
	}
	return v, cannotBind(v)
}

// cannotBind is the error of a constant that a database has no argument for.
func cannotBind(v wire.Value) error {
	return reason.New(reason.PlanInvalid, reason.ReasonPlanInvalid, "a value of kind %s cannot be bound", v.Kind()).
		WithSafe("A constant of the kind %s cannot be used with this database.", v.Kind())
}

func (postgres) literal(r *renderer, l *plan.Literal) {
	if !l.Value.IsNull() {
		r.arg(l.Value)
		return
	}
	r.put("NULL")
	if name, ok := postgresTypes[l.T.Kind]; ok {
		r.put("::" + name)
	}
}

func (d postgres) column(r *renderer, c *plan.Column) {
	if !native(c) {
		d.moment(r, c)
		return
	}
	r.raw(c)
	if isReal(c) {
		// The digits that the column shows: a double next to a real has others.
		r.put("::text")
	}
	if name, ok := postgresTypes[c.Type().Kind]; ok && !d.hasType(c) {
		r.put("::" + name)
	}
}

// isReal reports whether a column holds floats of four bytes.
func isReal(c *plan.Column) bool {
	declared := strings.ToLower(c.Column.Native)
	return c.Type().Kind == wire.KindFloat && (declared == "real" || declared == "float4")
}

// hasType reports whether the declared type of a column is that of its kind. An
// unknown declaration is taken for it.
func (postgres) hasType(c *plan.Column) bool {
	declared := strings.ToLower(c.Column.Native)
	if declared == "" {
		return true
	}
	switch c.Type().Kind {
	case wire.KindInt:
		return declared == "bigint" || declared == "int8"
	case wire.KindFloat:
		return declared == "double precision" || declared == "float8"
	case wire.KindText:
		return declared == "text" || bareText(declared)
	case wire.KindDecimal:
		return strings.HasPrefix(declared, "numeric") || strings.HasPrefix(declared, "decimal")
	}
	return true
}

// bareText reports whether a declared type compares as text does.
func bareText(declared string) bool {
	return strings.HasPrefix(declared, "character varying") || strings.HasPrefix(declared, "varchar")
}

func (postgres) stored(r *renderer, e plan.Expr) { r.raw(e) }

// bare writes a column without a cast where comparing it needs none.
func (d postgres) bare(r *renderer, e plan.Expr) {
	c, ok := e.(*plan.Column)
	if !ok || masked(c) || !native(c) || isReal(c) || c.Type().Kind == wire.KindText && !d.hasType(c) {
		r.put(e)
		return
	}
	r.raw(c)
}

func (d postgres) sortKey(r *renderer, e plan.Expr) { d.exact(r, e) }

// exact orders and groups text by code point, whatever the collation of the
// database; one that is so already keeps its index.
func (d postgres) exact(r *renderer, e plan.Expr) {
	if e.Type().Kind != wire.KindText {
		r.put(e)
		return
	}
	r.put(e)
	if c, known := collationOf(e); !known || c != "" || isLiteral(e) {
		r.put(` COLLATE "C"`)
	}
}

func isLiteral(e plan.Expr) bool {
	_, ok := e.(*plan.Literal)
	return ok
}

func (d postgres) calculate(r *renderer, e *plan.Binary) {
	switch e.Op {
	case plan.OpDiv:
		r.put("(", asFloat(e.L), " / NULLIF(", asFloat(e.R), ", 0))")
	case plan.OpMod:
		if e.L.Type().Kind == wire.KindFloat || e.R.Type().Kind == wire.KindFloat {
			r.put("(", asFloat(e.L), " - ", asFloat(e.R), " * trunc(", asFloat(e.L), " / NULLIF(", asFloat(e.R), ", 0)))")
			return
		}
		r.put("mod(", e.L, ", NULLIF(", e.R, ", 0))")
	default:
		r.put("(", e.L, " ", string(e.Op), " ", e.R, ")")
	}
}

func (d postgres) compare(r *renderer, op plan.BinaryOp, left, right plan.Expr) {
	r.put("(")
	d.operand(r, left, right, op)
	r.put(" ", string(op), " ")
	d.operand(r, right, left, op)
	r.put(")")
}

// operand writes a side of a comparison. Text that is only tested for equality is
// compared byte by byte in any collation, and keeps its index; the rest is
// brought to the order of code points.
func (d postgres) operand(r *renderer, e, other plan.Expr, op plan.BinaryOp) {
	switch kind := e.Type().Kind; {
	case kind == wire.KindTimestampTZ && other.Type().Kind != kind && other.Type().Kind.Temporal():
		d.local(r, e)
	case kind == wire.KindText && (op != plan.OpEq && op != plan.OpNe || !sameCollation(e, other)):
		r.put(exact{e})
	default:
		d.bare(r, e)
	}
}

// sameCollation reports whether a database can compare two texts without being
// told the collation.
func sameCollation(a, b plan.Expr) bool {
	left, known := collationOf(a)
	right, alsoKnown := collationOf(b)
	return known && alsoKnown && (left == right || isLiteral(a) || isLiteral(b))
}

func (d postgres) comparable(r *renderer, e, other plan.Expr) { d.operand(r, e, other, plan.OpEq) }

func (postgres) narrow(*renderer, plan.Expr, []plan.Expr) {}

// indexesIn: NOT IN runs as a scan of the block for every row once the block does
// not fit into memory; NOT EXISTS becomes a join.
func (postgres) indexesIn([]pair) bool { return false }

func (postgres) ofGroups(b *plan.Block) (early, late []plan.Expr) { return byKeys(b) }

func (postgres) seesKeys(bool) bool { return false }

// anyOf: not every type has a greatest value here.
func (d postgres) anyOf(r *renderer, key plan.Expr) {
	kind := key.Type().Kind
	c, ok := key.(*plan.Column)
	foreign := ok && native(c) && !masked(c) && kind == wire.KindText && !d.hasType(c)
	switch {
	case kind == wire.KindBool:
		r.anyBy("bool_or", key)
	case !foreign && (kind.Numeric() || kind.Temporal() || kind == wire.KindText):
		r.anyBy("max", key)
	default:
		r.put("(")
		r.anyBy("array_agg", key)
		r.put(")[1]")
	}
}

// fullJoin: PostgreSQL joins so on equalities alone.
func (postgres) fullJoin(s *plan.Source) bool { return hashable(s) }

func (postgres) conform(r *renderer, write func(), _, to wire.Type) {
	write()
	if name, ok := postgresTypes[to.Kind]; ok {
		r.put("::" + name)
	}
}

// whole: what counts rows is an integer of four bytes here.
func (postgres) whole(r *renderer, n int64) { r.put(wire.Int(n), "::int") }

// settle casts, since both parts of a recursion must have the very same type.
func (d postgres) settle(r *renderer, e plan.Expr, t wire.Type) {
	d.conform(r, func() { r.put("(", exact{e}, ")") }, e.Type(), t)
	if t.Kind == wire.KindText {
		r.put(` COLLATE "C"`)
	}
}

func (postgres) partition(r *renderer, by []plan.Expr) bool { return r.partitionBy("", by) }

func (postgres) beside(*plan.Call) bool { return false }

func (postgres) during(r *renderer, e *plan.During) { bounds(r, e) }

// like folds A to Z, and has no escape character.
func (postgres) like(r *renderer, e *plan.Like) {
	word := " ILIKE "
	if e.Negate {
		word = " NOT ILIKE "
	}
	r.put("(", e.X, ` COLLATE "C"`, word, e.Pattern, " ESCAPE '')")
}

func (postgres) order(r *renderer, term, _ func(), desc, nullsFirst, nullable bool) {
	term()
	if desc {
		r.put(" DESC")
	}
	// Nulls are the largest values here.
	switch {
	case !nullable || nullsFirst == desc:
	case nullsFirst:
		r.put(" NULLS FIRST")
	default:
		r.put(" NULLS LAST")
	}
}

func (postgres) page(r *renderer, limit, offset int64) {
	word := "LIMIT "
	if limit > 0 {
		r.put(word, wire.Int(limit))
		word = " OFFSET "
	} else {
		word = "OFFSET "
	}
	if offset > 0 {
		r.put(word, wire.Int(offset))
	}
}

func (postgres) function(name string) (callWriter, bool) {
	w, ok := postgresFunctions[name]
	return w, ok
}
