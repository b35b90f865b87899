package plan

import (
	"time"

	"querent.dev/querent/sdk/wire"
)

// clockCalls are the calls that the host's clock answers.
var clockCalls = map[string]string{
	"today": "today()", "current_date": "today()", "curdate": "today()",
	"yesterday": "add_days(today(), -1)",
	"now":       "now()", "current_timestamp": "now()",
}

// clockCall is the constant that the clock gives for a call, if it is one of the
// clock's.
func (e *exprBinder) clockCall(n *callNode) (Expr, bool, error) {
	text, ok := clockCalls[n.name]
	if !ok {
		return nil, false, nil
	}
	if len(n.args) > 0 || n.star {
		return nil, true, e.fault(n, "%s takes no argument", n.name)
	}
	today, err := e.scope.Clock.today()
	if err != nil {
		return nil, true, err
	}
	v := wire.Date(today)
	switch {
	case n.name == "yesterday":
		v = wire.Date(e.scope.Clock.shift(today, unitDay, -1))
	case text == "now()":
		v = wire.Timestamp(e.scope.Clock.Now)
	}
	return &Literal{Value: v, T: wire.Type{Kind: v.Kind()}, Relative: text}, true, nil
}

// fold computes a call whose date is a constant, so that "x >= date_trunc('month',
// today())" compares with a constant. Any other call stays as it is.
func (e *exprBinder) fold(c *Call) Expr {
	at := 0
	if c.Func.Name == "date_trunc" {
		at = 1
	}
	if len(c.Args) <= at {
		return c
	}
	date, ok := constant(c.Args[at])
	if !ok || !date.T.Kind.Temporal() {
		return c
	}
	t, ok := e.scope.Clock.timeOf(date.Value)
	if !ok {
		return c
	}
	moved, ok := e.folded(c, t)
	if !ok || moved.Year() < firstYear || moved.Year() > lastYear+1 {
		return c
	}
	v := wire.Timestamp(moved)
	switch c.T.Kind {
	case wire.KindDate:
		v = wire.Date(moved)
	case wire.KindTimestampTZ:
		v = wire.TimestampTZ(moved)
	}
	out := &Literal{Value: v, T: wire.Type{Kind: v.Kind()}}
	if date.Relative != "" {
		out.Relative = writtenNames.expr(c)
	}
	return out
}

// folded is what the call makes of a constant time.
func (e *exprBinder) folded(c *Call, t time.Time) (time.Time, bool) {
	clock := e.scope.Clock
	if c.Func.Name == "date" {
		return t, true
	}
	if c.Func.Name == "date_trunc" {
		return truncate(t, c.Args[0].(*Literal).Value.String(), clock), true
	}
	if len(c.Args) != 2 {
		return t, false
	}
	n, ok := constant(c.Args[1])
	if !ok || n.T.Kind != wire.KindInt || n.Value.Int() > maxShift || n.Value.Int() < -maxShift {
		return t, false
	}
	switch by := int(n.Value.Int()); c.Func.Name {
	case "add_days":
		return t.AddDate(0, 0, by), true
	case "add_months":
		return addMonths(t, by), true
	case "add_years":
		return addMonths(t, 12*by), true
	}
	return t, false
}

// maxShift bounds the shift of a constant date: more units than there are days
// from the first to the last year lead out of every calendar.
const maxShift = 4_000_000

// addMonths stays in the month that it reaches: 31 January and a month is the
// last day of February.
func addMonths(t time.Time, n int) time.Time {
	first := t.AddDate(0, n, 1-t.Day())
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}

// truncate is date_trunc. Weeks begin on Monday, whatever the clock's week.
func truncate(t time.Time, name string, c Clock) time.Time {
	switch name {
	case "hour":
		return t.Truncate(time.Minute).Add(-time.Duration(t.Minute()) * time.Minute)
	case "minute", "second":
		if name == "second" {
			return t.Truncate(time.Second)
		}
		return t.Truncate(time.Minute)
	}
	c.WeekStart = time.Monday
	return c.start(t, unit(name))
}
