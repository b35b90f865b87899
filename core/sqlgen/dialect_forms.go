package sqlgen

import (
	"regexp"
	"strconv"
	"time"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// What PostgreSQL and MariaDB write alike.

// arg, in a form, is the argument of the call with this index; exactArg is the
// argument free of rounding errors and in the one collation.
type (
	arg      int
	exactArg int
)

// form writes a call as its parts: texts, and arguments of the call.
func form(parts ...any) callWriter {
	return func(r *renderer, c *plan.Call) {
		for _, part := range parts {
			switch p := part.(type) {
			case arg:
				r.put(c.Args[p])
			case exactArg:
				r.put(exact{c.Args[p]})
			default:
				r.put(part)
			}
		}
	}
}

// chain writes a call as a fold of its arguments.
func chain(before, between, after string, part func(r *renderer, e plan.Expr)) callWriter {
	return func(r *renderer, c *plan.Call) {
		r.put(before)
		r.list(len(c.Args), between, func(i int) { part(r, c.Args[i]) })
		r.put(after)
	}
}

// place writes an argument that may be computed, within the bounds of the function
// table: beyond them databases differ.
func place(r *renderer, c *plan.Call, i int) {
	x := c.Args[i]
	if _, isLiteral := x.(*plan.Literal); isLiteral {
		r.put(x)
		return
	}
	rule := c.Func.Constants[i]
	r.put("(CASE WHEN ", x, " < ", wire.Int(rule.Min), " THEN ", wire.Int(rule.Min), " WHEN ", x, " > ", wire.Int(rule.Max), " THEN ", wire.Int(rule.Max), " ELSE ", x, " END)")
}

// substr writes a part of a text; suffix casts the places.
func substr(name, suffix string) callWriter {
	return func(r *renderer, c *plan.Call) {
		r.put(name, "(", c.Args[0])
		for i := range c.Args[1:] {
			r.put(", ")
			place(r, c, i+1)
			r.put(suffix)
		}
		r.put(")")
	}
}

var floatType = wire.Type{Kind: wire.KindFloat}

// overFloats writes an aggregate over doubles.
func overFloats(name string) callWriter {
	return func(r *renderer, c *plan.Call) {
		r.aggregate(name, r.instead(c, []plan.Expr{asFloat(c.Args[0])}))
	}
}

// instead is the call with other arguments, also where a window waits for it.
func (r *renderer) instead(c *plan.Call, args []plan.Expr) *plan.Call {
	one := *c
	one.Args = args
	if r.over != nil && r.over.Call == c {
		w := *r.over
		w.Call = &one
		r.over = &w
	}
	return &one
}

// asFloat is e as a double.
func asFloat(e plan.Expr) plan.Expr {
	if e.Type().Kind == wire.KindFloat {
		return e
	}
	return &plan.Cast{X: e, T: floatType}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// aggregated writes an aggregate by its name.
func aggregated(name string) callWriter {
	return func(r *renderer, c *plan.Call) { r.aggregate(name, c) }
}

// nullifCall writes nullif with the dialect's own equality.
func nullifCall(r *renderer, c *plan.Call) {
	equal := func() { r.dialect.compare(r, plan.OpEq, c.Args[0], c.Args[1]) }
	r.put("CASE WHEN ", equal, " THEN NULL ELSE ", exact{c.Args[0]}, " END")
}

// bounds writes a half-open period by the dialect's own comparisons; one that is
// open on both sides holds for all that is not null.
func bounds(r *renderer, e *plan.During) {
	from, to := !e.From.IsNull(), !e.To.IsNull()
	bound := func(v wire.Value) plan.Expr { return &plan.Literal{Value: v, T: wire.Type{Kind: v.Kind()}} }
	r.put("(")
	if from {
		r.dialect.compare(r, plan.OpGe, e.X, bound(e.From))
	}
	if from && to {
		r.put(" AND ")
	}
	if to {
		r.dialect.compare(r, plan.OpLt, e.X, bound(e.To))
	}
	if !from && !to {
		r.put(e.X, " IS NOT NULL")
	}
	r.put(")")
}

// unit is the constant of the call that names a unit.
func unit(r *renderer, c *plan.Call) string {
	l, ok := c.Args[0].(*plan.Literal)
	if !ok {
		r.fail(malformed("the unit of date_trunc is no constant"))
		return ""
	}
	return l.Value.String()
}

// betweenMonths writes the whole months between two days, and in years if asked:
// the difference of the months, less one that is not yet full. The day of a part
// is written by day, the number of a part by part.
func betweenMonths(years bool, day func(r *renderer, e plan.Expr), part func(unit string, of func()) func(r *renderer), divide func(r *renderer, months func())) callWriter {
	return func(r *renderer, c *plan.Call) {
		start, end := func() { day(r, c.Args[0]) }, func() { day(r, c.Args[1]) }
		of := func(unit string, of func()) func() { return func() { part(unit, of)(r) } }
		months := func() {
			r.put("((", of("year", end), " - ", of("year", start), ") * 12 + ", of("month", end), " - ", of("month", start),
				" - CASE WHEN ", end, " >= ", start, " AND ", of("day", end), " < ", of("day", start), " THEN 1 ELSE 0 END",
				" + CASE WHEN ", end, " < ", start, " AND ", of("day", end), " > ", of("day", start), " THEN 1 ELSE 0 END)")
		}
		if years {
			divide(r, months)
			return
		}
		months()
	}
}

// The patterns that text must match to be read as a day or as a moment. They are
// the same text for both databases: no backslash, no question mark of an
// argument outside quotes.
const (
	dayPattern = "(?!0000)(([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])))" +
		"|((([0-9]{2}(0[48]|[2468][048]|[13579][26]))|(([02468][048]|[13579][26])00))-02-29))"
	clockPattern  = "([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?)?"
	zonePattern   = "([ ]*(Z|[+-][0-9]{2}:[0-9]{2}))?"
	endPattern    = "$(?![[:cntrl:]])" // also not before a last line break
	numberPattern = "'^[ ]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)[ ]*" + endPattern + "'"

	startsWithDay = "'^" + dayPattern + "'"
	isMoment      = "'^" + dayPattern + clockPattern + zonePattern + endPattern + "'"
)

// zoneName is what the name of a time zone may hold, to be written into text.
var zoneName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$`)

// inUTC is the text of a constant moment, an instant as what a clock of UTC shows.
func inUTC(v wire.Value) string {
	t, ok := timeOf(v)
	switch {
	case !ok:
		return v.String()
	case v.Kind() == wire.KindDate:
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04:05.999999")
}

// collationOf is the collation of text as the database sees it: that of a
// column, through the blocks that hand it on. It is unknown for a calculation.
func collationOf(e plan.Expr) (collation string, known bool) {
	switch e := e.(type) {
	case *plan.Column:
		if masked(e) {
			return "", true
		}
		return e.Column.Collation, e.Column.Charset == ""
	case *plan.Output:
		return "", true // blocks give text that is compared by code point
	case *plan.Literal:
		return "", true
	}
	return "", false
}

// isZoned reports whether e is an instant.
func isZoned(e plan.Expr) bool { return e.Type().Kind == wire.KindTimestampTZ }

// native reports whether a column holds moments in the database's own type.
func native(c *plan.Column) bool { return c.Column.Storage == schema.StorageNative || masked(c) }

// hashable reports whether a database can run a full join on its condition
// itself: it must be equalities between the two sides.
func hashable(s *plan.Source) bool {
	pairs, rest := equalities(s.On, s)
	return len(pairs) > 0 && len(rest) == 0
}

// scaleFor bounds the scale of a conversion to what a database has.
func scaleFor(t wire.Type, most int32) int32 { return min(t.Scale, most) }
