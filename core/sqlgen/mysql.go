package sqlgen

import (
	"strconv"
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// mysql writes for MariaDB 10.6 and later. Text compares by code point under the
// collation nopad, which every comparison names; instants are datetimes of UTC.
type mysql struct{}

var _ dialect = mysql{}

// nopad is the collation in which text compares byte by byte, also in its
// trailing spaces.
const nopad = " COLLATE utf8mb4_nopad_bin"

func (mysql) quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// longest: a name has 64 characters of at most three bytes.
func (mysql) longest() int { return 192 }

func (mysql) marker() byte { return '?' }

// bind gives integers, floats, texts and bytes. Of what else there is the cast of
// the placeholder makes a value.
func (mysql) bind(v wire.Value) (wire.Value, error) {
	switch v.Kind() {
	case wire.KindInt, wire.KindFloat, wire.KindText, wire.KindBytes:
		return v, nil
	case wire.KindBool:
		if v.Bool() {
			return wire.Int(1), nil
		}
		return wire.Int(0), nil
	case wire.KindDate, wire.KindTimestamp, wire.KindTimestampTZ:
		return wire.Text(inUTC(v)), nil
	case wire.KindDecimal, wire.KindTime, wire.KindJSON, wire.KindUUID:
		return wire.Text(v.String()), nil
	}
	return v, cannotBind(v)
}

func (mysql) placeholder(_ int, v wire.Value) string {
	switch v.Kind() {
	case wire.KindDecimal:
		digits := strings.TrimPrefix(v.String(), "-")
		_, fraction, _ := strings.Cut(digits, ".")
		return "CAST(? AS DECIMAL(" + strconv.Itoa(maxPrecision) + "," + strconv.Itoa(min(len(fraction), maxScale)) + "))"
	case wire.KindDate:
		return "CAST(? AS DATE)"
	case wire.KindTimestamp, wire.KindTimestampTZ:
		return "CAST(? AS DATETIME(6))"
	case wire.KindTime:
		return "CAST(? AS TIME(6))"
	}
	return "?"
}

// maxPrecision and maxScale bound the decimals of MariaDB.
const (
	maxPrecision = 65
	maxScale     = 38
)

func (d mysql) literal(r *renderer, l *plan.Literal) {
	if !l.Value.IsNull() {
		r.arg(l.Value)
		return
	}
	r.put("NULL")
}

func (d mysql) column(r *renderer, c *plan.Column) {
	if c.Type().Kind.Temporal() && !native(c) {
		d.moment(r, c)
		return
	}
	declared := strings.ToLower(c.Column.Native)
	raw := func() { r.raw(c) }
	switch kind := c.Type().Kind; {
	case kind == wire.KindDate:
		r.put("NULLIF(", raw, ", DATE '0000-00-00')")
	case kind.Temporal():
		r.put("NULLIF(", raw, ", TIMESTAMP '0000-00-00 00:00:00')")
	case kind == wire.KindText && c.Column.Charset != "" && c.Column.Charset != "utf8mb4":
		r.put("CONVERT(", raw, " USING utf8mb4)")
	case kind == wire.KindInt && strings.Contains(declared, "unsigned"):
		r.put("CAST(", raw, " AS SIGNED)")
	case kind == wire.KindFloat && strings.HasPrefix(declared, "float"):
		mysqlFloat(r, raw)
	case kind == wire.KindBool && strings.HasPrefix(declared, "bit"):
		r.put("(", raw, " + 0)")
	default:
		raw()
	}
}

// stored: a date of zeros is null, so its column is tested through its value.
func (d mysql) stored(r *renderer, e plan.Expr) {
	if c, ok := e.(*plan.Column); ok && native(c) && c.Type().Kind.Temporal() {
		d.column(r, c)
		return
	}
	r.raw(e)
}

func (d mysql) sortKey(r *renderer, e plan.Expr) { d.exact(r, e) }

func (d mysql) exact(r *renderer, e plan.Expr) {
	r.put(e)
	if e.Type().Kind == wire.KindText && !d.exactColumn(e) {
		r.put(nopad)
	}
}

// exactColumn reports whether e is a column that compares by code point by itself.
func (mysql) exactColumn(e plan.Expr) bool {
	switch e := e.(type) {
	case *plan.Column:
		return masked(e) || (e.Column.Collation == "" || e.Column.Collation == "utf8mb4_nopad_bin") && (e.Column.Charset == "" || e.Column.Charset == "utf8mb4")
	case *plan.Output:
		return true
	}
	return false
}

func (d mysql) calculate(r *renderer, e *plan.Binary) {
	switch e.Op {
	case plan.OpDiv:
		r.put("(", asFloat(e.L), " / NULLIF(", e.R, ", 0))")
	case plan.OpMod:
		if e.L.Type().Kind == wire.KindFloat || e.R.Type().Kind == wire.KindFloat {
			r.put("(", e.L, " - ", e.R, " * TRUNCATE(", asFloat(e.L), " / NULLIF(", e.R, ", 0), 0))")
			return
		}
		r.put("MOD(", e.L, ", NULLIF(", e.R, ", 0))")
	case plan.OpConcat:
		r.put("CONCAT(", exact{e.L}, ", ", exact{e.R}, ")")
	default:
		r.put("(", e.L, " ", string(e.Op), " ", e.R, ")")
	}
}

func (mysql) during(r *renderer, e *plan.During) { bounds(r, e) }

func (d mysql) compare(r *renderer, op plan.BinaryOp, left, right plan.Expr) {
	if left.Type().Kind == wire.KindText || right.Type().Kind == wire.KindText {
		d.compareText(r, op, left, right)
		return
	}
	if _, fixed := constant(left); fixed {
		left, right, op = right, left, mirrored[op]
	}
	if _, fixed := constant(right); fixed && d.mayBeZero(left) && r.negated == 0 && op != plan.OpNe {
		d.compareBare(r, op, left, right)
		return
	}
	r.put("(")
	d.operand(r, left, right)
	r.put(" ", string(op), " ")
	d.operand(r, right, left)
	r.put(")")
}

// mayBeZero reports whether e is a column that may hold the date of zeros, which
// is null to a plan, where it can be compared with a constant as it is.
func (mysql) mayBeZero(e plan.Expr) bool {
	c, ok := e.(*plan.Column)
	return ok && c.Type().Kind.Temporal() && native(c) && !masked(c)
}

// compareBare leaves the column bare, so that an index serves. A date of zeros is
// before every other, and makes the condition false where null would be right;
// the two differ under NOT alone.
func (d mysql) compareBare(r *renderer, op plan.BinaryOp, left, right plan.Expr) {
	bare := func() { r.raw(left) }
	if isZoned(left) != isZoned(right) {
		bare = func() { d.operand(r, left, right) }
	}
	r.put("(", bare, " ", string(op), " ", right)
	if op == plan.OpLt || op == plan.OpLe {
		r.put(" AND ", bare, " > '0000-00-00'")
	}
	r.put(")")
}

// compareText names the collation on the side that has no index. Two columns are
// first compared in their own collation, which finds all that is equal and more,
// and has the index.
func (d mysql) compareText(r *renderer, op plan.BinaryOp, left, right plan.Expr) {
	switch {
	case isLiteral(right):
		r.put("(", left, " ", string(op), " ", right, nopad, ")")
	case isLiteral(left):
		r.put("(", left, nopad, " ", string(op), " ", right, ")")
	case op == plan.OpEq && isTableColumn(left) && isTableColumn(right) && sameCollation(left, right) && !d.exactColumn(left):
		r.put("(", left, " = ", right, " AND ", left, " = ", right, nopad, ")")
	default:
		r.put("(", left, nopad, " ", string(op), " ", right, nopad, ")")
	}
}

func isTableColumn(e plan.Expr) bool {
	_, ok := e.(*plan.Column)
	return ok
}

// operand writes a side of a comparison that is no text. An instant beside a wall
// clock is what the clock shows.
func (d mysql) operand(r *renderer, e, other plan.Expr) {
	if isZoned(e) && other.Type().Kind.Temporal() && !isZoned(other) {
		d.local(r, e)
		return
	}
	r.put(e)
}

func (d mysql) comparable(r *renderer, e, other plan.Expr) {
	if e.Type().Kind == wire.KindText {
		r.put(exact{e})
		return
	}
	d.operand(r, e, other)
}

// narrow looks for text in the column's own collation first, which finds all that
// is equal and more, and has the index.
func (d mysql) narrow(r *renderer, x plan.Expr, list []plan.Expr) {
	if x.Type().Kind != wire.KindText || !isTableColumn(x) || d.exactColumn(x) {
		return
	}
	for _, e := range list {
		if !isLiteral(e) {
			return
		}
	}
	r.put(x, " IN (")
	r.list(len(list), ", ", func(i int) { r.put(list[i]) })
	r.put(") AND ")
}

// indexesIn: MariaDB runs EXISTS as a join by itself, but not where a collation is
// named: then it reads the block again for every row, and IN once.
func (d mysql) indexesIn(pairs []pair) bool {
	for _, p := range pairs {
		if p.inside.Type().Kind == wire.KindText && !isTableColumn(p.inside) && !(d.exactColumn(p.inside) && d.exactColumn(p.outside)) {
			return true
		}
	}
	return false
}

func (mysql) ofGroups(b *plan.Block) (early, late []plan.Expr) { return byKeys(b) }

func (mysql) seesKeys(having bool) bool { return !having }

func (mysql) anyOf(r *renderer, key plan.Expr) { r.anyBy("MAX", key) }

func (mysql) fullJoin(*plan.Source) bool { return false }

func (d mysql) conform(r *renderer, write func(), from, to wire.Type) {
	if from.Kind == to.Kind {
		write()
		return
	}
	d.castTo(r, write, to)
}

// maxRecursiveText is the length of text in a recursive block. MariaDB takes the
// length of the start for all rows, and refuses what is longer.
const maxRecursiveText = 10000

// castTo writes a value as a column of a type, as wide as it can get.
func (mysql) castTo(r *renderer, write func(), t wire.Type) {
	switch t.Kind {
	case wire.KindInt, wire.KindBool:
		r.put("CAST(", write, " AS SIGNED)")
	case wire.KindFloat:
		r.put("CAST(", write, " AS DOUBLE)")
	case wire.KindDecimal:
		scale := int32(maxScaledDigits)
		if t.Precision > 0 {
			scale = scaleFor(t, maxScale)
		}
		r.put("CAST(", write, " AS DECIMAL("+strconv.Itoa(maxPrecision)+","+itoa(int64(scale))+"))")
	case wire.KindText:
		r.put("CAST(", write, " AS CHAR("+strconv.Itoa(maxRecursiveText)+"))", nopad)
	case wire.KindDate:
		r.put("CAST(", write, " AS DATE)")
	case wire.KindTimestamp, wire.KindTimestampTZ:
		r.put("CAST(", write, " AS DATETIME(6))")
	default:
		write()
	}
}

// whole is written as digits: frames take no arguments.
func (mysql) whole(r *renderer, n int64) { r.put(itoa(n)) }

func (d mysql) settle(r *renderer, e plan.Expr, t wire.Type) {
	d.castTo(r, func() { r.put(e) }, t)
}

// partition gives every window a number of its own, by an expression that the
// server does not take for a constant. MariaDB 10.11 sorts the rows once for
// several windows where the keys of one are the first of another's, and gets the
// rows of a third wrong by it.
func (mysql) partition(r *renderer, by []plan.Expr) bool {
	r.windows++
	return r.partitionBy("FLOOR(RAND() * 0) + "+strconv.Itoa(r.windows), by)
}

// beside: MariaDB has these as window functions alone.
func (mysql) beside(c *plan.Call) bool { return c.Func.Name == "median" || c.Func.Name == "percentile" }

func (mysql) order(r *renderer, term, value func(), desc, nullsFirst, nullable bool) {
	// Nulls are the smallest values here.
	switch {
	case !nullable || nullsFirst != desc:
	case nullsFirst:
		r.put(value, " IS NOT NULL, ")
	default:
		r.put(value, " IS NULL, ")
	}
	term()
	if desc {
		r.put(" DESC")
	}
}

func (mysql) page(r *renderer, limit, offset int64) {
	if limit == 0 {
		r.put("LIMIT 18446744073709551615")
	} else {
		r.put("LIMIT ", wire.Int(limit))
	}
	if offset > 0 {
		r.put(" OFFSET ", wire.Int(offset))
	}
}

func (mysql) function(name string) (callWriter, bool) {
	w, ok := mysqlFunctions[name]
	return w, ok
}
