package sqlgen

import (
	"strconv"
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// sqlite writes for SQLite 3.46 and later. It stores dates and times as text or
// numbers; sqlite_time.go says how they are read.
type sqlite struct{}

var _ dialect = sqlite{}

func (sqlite) quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// bind gives integers, floats, texts and bytes: what SQLite can hold. A decimal
// becomes a float, which is what a decimal column of SQLite holds.
func (sqlite) bind(v wire.Value) (wire.Value, error) {
	switch v.Kind() {
	case wire.KindNull, wire.KindInt, wire.KindFloat, wire.KindText, wire.KindBytes:
		return v, nil
	case wire.KindBool:
		if v.Bool() {
			return wire.Int(1), nil
		}
		return wire.Int(0), nil
	case wire.KindDecimal:
		return wire.Float(v.Float()), nil
	case wire.KindDate, wire.KindTimestamp, wire.KindTimestampTZ:
		return wire.Text(momentText(v)), nil
	case wire.KindTime, wire.KindInterval, wire.KindJSON, wire.KindUUID:
		return wire.Text(v.String()), nil
	}
	return v, reason.New(reason.PlanInvalid, reason.ReasonPlanInvalid, "a value of kind %s cannot be bound on SQLite", v.Kind()).
		WithSafe("A constant of the kind %s cannot be used with this database.", v.Kind())
}

func (d sqlite) column(r *renderer, c *plan.Column) {
	if c.Type().Kind.Temporal() {
		d.moment(r, c)
		return
	}
	r.raw(c)
	if c.Type().Kind == wire.KindText && c.Column.Collation != "" {
		r.put(" COLLATE BINARY")
	}
}

// sortKey leaves numbers that store moments as they are: they sort alike.
func (d sqlite) sortKey(r *renderer, e plan.Expr) {
	if numeric(storageOf(e)) {
		r.raw(e)
		return
	}
	d.exact(r, e)
}

// exact rounds a calculation with decimals, which SQLite does in floats, to the
// scale that it has: an exact result has no digit beyond it. A moment that is one of
// several may come in the form of any of them, and is brought to one.
func (sqlite) exact(r *renderer, e plan.Expr) {
	_, calculated := e.(*plan.Binary)
	switch t := e.Type(); {
	case calculated && t.Kind == wire.KindDecimal && t.Precision > 0:
		r.put("round(", e, ", "+strconv.Itoa(int(t.Scale))+")")
	case clocked(t.Kind) && oneOfSeveral(e):
		stamp(r, e, "")
	default:
		r.put(e)
	}
}

// clocked reports whether the text of a moment of the kind has several forms.
func clocked(k wire.Kind) bool { return k == wire.KindTimestamp || k == wire.KindTimestampTZ }

func oneOfSeveral(e plan.Expr) bool {
	switch e := e.(type) {
	case *plan.Case:
		return true
	case *plan.Call:
		return e.Func.Name == "coalesce"
	}
	return false
}

func (d sqlite) calculate(r *renderer, e *plan.Binary) {
	switch e.Op {
	case plan.OpDiv:
		// Division by zero is null here.
		r.put("(CAST(", e.L, " AS REAL) / ", e.R, ")")
	case plan.OpMod:
		d.remainder(r, e)
	default:
		r.put("(", e.L, " ", string(e.Op), " ", e.R, ")")
	}
}

// remainder works around %, which cuts both sides to integers first. Decimals of
// a known scale become integers on the way, so that the result is exact.
func (sqlite) remainder(r *renderer, e *plan.Binary) {
	t := e.Type()
	switch {
	case t.Kind == wire.KindInt:
		r.put("(", e.L, " % ", e.R, ")")
	case t.Kind == wire.KindDecimal && t.Precision > 0 && t.Scale <= maxScaledDigits:
		unit := wire.Float(powerOfTen(int64(t.Scale)))
		r.put("(CAST(round(", e.L, " * ", unit, ") AS INTEGER) % CAST(round(", e.R, " * ", unit, ") AS INTEGER) / ", unit, ")")
	default:
		r.put("(", e.L, " - ", e.R, " * trunc(", e.L, " / (", e.R, " * 1.0)))")
	}
}

// maxScaledDigits bounds the scale at which decimals are turned into integers: a
// million with nine digits after the point still fits into a float exactly.
const maxScaledDigits = 9

func powerOfTen(n int64) float64 {
	p := 1.0
	for range n {
		p *= 10
	}
	return p
}

func (d sqlite) compare(r *renderer, op plan.BinaryOp, left, right plan.Expr) {
	if left.Type().Kind.Temporal() || right.Type().Kind.Temporal() {
		d.compareMoments(r, op, left, right)
		return
	}
	r.put("(", exact{left}, " ", string(op), " ", exact{right}, ")")
}

func (d sqlite) comparable(r *renderer, e, other plan.Expr) {
	left, right := e.Type().Kind, other.Type().Kind
	switch {
	case left == wire.KindDate && right == wire.KindDate:
		d.day(r, e)
	case left.Temporal() || right.Temporal():
		d.comparableInstant(r, e, other)
	default:
		r.put(exact{e})
	}
}

// like folds A to Z and has no escape character, which is how SQLite's LIKE is.
func (sqlite) like(r *renderer, e *plan.Like) {
	word := " LIKE "
	if e.Negate {
		word = " NOT LIKE "
	}
	r.put("(", e.X, word, e.Pattern, ")")
}

func (sqlite) order(r *renderer, term, _ func(), desc, nullsFirst, nullable bool) {
	term()
	if desc {
		r.put(" DESC")
	}
	// Nulls are the smallest values here.
	switch {
	case !nullable || nullsFirst != desc:
	case nullsFirst:
		r.put(" NULLS FIRST")
	default:
		r.put(" NULLS LAST")
	}
}

func (sqlite) page(r *renderer, limit, offset int64) {
	if limit == 0 {
		r.put("LIMIT -1")
	} else {
		r.put("LIMIT ", wire.Int(limit))
	}
	if offset > 0 {
		r.put(" OFFSET ", wire.Int(offset))
	}
}

func (sqlite) whole(r *renderer, n int64) { r.put(wire.Int(n)) }

// settle needs no type: columns have none here.
func (d sqlite) settle(r *renderer, e plan.Expr, t wire.Type) {
	d.conform(r, func() { r.put(exact{e}) }, e.Type(), t)
}

func (sqlite) function(name string) (callWriter, bool) {
	w, ok := sqliteFunctions[name]
	return w, ok
}
