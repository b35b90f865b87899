package plan

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"querent.dev/querent/sdk/wire"
)

// Clock is the host's idea of time. Relative periods and today() are resolved
// from it, never from the database's clock.
type Clock struct {
	// Now is the moment of the question, in the zone in which days begin. It must
	// be set for plans that name relative periods.
	Now             time.Time
	WeekStart       time.Weekday // the zero value is Sunday
	FiscalYearStart MonthDay     // the zero value is 1 January
}

// MonthDay is a day of every year.
type MonthDay struct {
	Month time.Month
	Day   int
}

// ParseMonthDay reads MM-DD, as configuration writes it.
func ParseMonthDay(text string) (MonthDay, error) {
	t, err := time.Parse("2006-01-02", "2001-"+text) // a year without 29 February
	if err != nil {
		return MonthDay{}, fmt.Errorf("%q is not a day of the year; write it as MM-DD, for example 04-01", text)
	}
	return MonthDay{t.Month(), t.Day()}, nil
}

// in is the day in the year.
func (m MonthDay) in(year int, zone *time.Location) time.Time {
	if m.Month == 0 {
		m = MonthDay{time.January, 1}
	}
	return time.Date(year, m.Month, m.Day, 0, 0, 0, 0, zone)
}

var errNoClock = errors.New("plan: a relative period needs Clock.Now")

// today is the start of the current day.
func (c Clock) today() (time.Time, error) {
	if c.Now.IsZero() {
		return time.Time{}, errNoClock
	}
	y, m, d := c.Now.Date()
	return c.day(y, m, d), nil
}

// day is the start of a day in the clock's zone; month and day may overflow.
func (c Clock) day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, c.Now.Location())
}

// unit is a stretch of the calendar.
type unit string

const (
	unitDay        unit = "day"
	unitWeek       unit = "week"
	unitMonth      unit = "month"
	unitQuarter    unit = "quarter"
	unitYear       unit = "year"
	unitFiscalYear unit = "fiscal_year"
)

// start is the beginning of the unit that t is in.
func (c Clock) start(t time.Time, u unit) time.Time {
	y, m, d := t.Date()
	switch u {
	case unitWeek:
		return c.day(y, m, d-int(t.Weekday()-c.WeekStart+7)%7)
	case unitMonth:
		return c.day(y, m, 1)
	case unitQuarter:
		return c.day(y, m-(m-1)%3, 1)
	case unitYear:
		return c.day(y, time.January, 1)
	case unitFiscalYear:
		if first := c.FiscalYearStart.in(y, t.Location()); !t.Before(first) {
			return first
		}
		return c.FiscalYearStart.in(y-1, t.Location())
	}
	return c.day(y, m, d)
}

// shift moves the beginning of a unit by n units.
func (c Clock) shift(t time.Time, u unit, n int) time.Time {
	y, m, d := t.Date()
	switch u {
	case unitWeek:
		return c.day(y, m, d+7*n)
	case unitMonth:
		return c.day(y, m+time.Month(n), d)
	case unitQuarter:
		return c.day(y, m+time.Month(3*n), d)
	case unitYear:
		return c.day(y+n, m, d)
	case unitFiscalYear:
		return c.FiscalYearStart.in(y+n, t.Location())
	}
	return c.day(y, m, d+n)
}

// moment is the beginning of a day as a value of the kind: a date, a wall clock
// or an instant. The zero time is null, an open end.
func moment(t time.Time, kind wire.Kind) wire.Value {
	switch {
	case t.IsZero():
		return wire.Null()
	case kind == wire.KindDate:
		return wire.Date(t)
	case kind == wire.KindTimestampTZ:
		return wire.TimestampTZ(t)
	}
	return wire.Timestamp(t)
}

// timeOf reads a value of a day or a moment back; a wall clock is read in the
// clock's zone.
func (c Clock) timeOf(v wire.Value) (time.Time, bool) {
	layout := time.DateOnly
	switch v.Kind() {
	case wire.KindDate:
	case wire.KindTimestamp:
		layout = "2006-01-02T15:04:05.999999999"
	case wire.KindTimestampTZ:
		layout = "2006-01-02T15:04:05.999999999Z07:00"
	default:
		return time.Time{}, false
	}
	t, err := time.ParseInLocation(layout, strings.TrimSpace(v.String()), c.Now.Location())
	return t, err == nil
}
