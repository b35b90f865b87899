// Package content tells what the columns of a database hold where their declared
// types do not, from a sample of their cells and from the configuration.
package content

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// SQLite holds any value in any column, and has no type for dates; columns of text
// hold dates in every database. What a column holds, and how it keeps dates, is
// seen from its content. The rules:
//
//   - A column declared as a number or a condition is one unless no sampled value
//     is: then it is what they are. Conditions are 0 and 1 alone. Integers are
//     floats when a value has a fraction, and decimals have no scale when a value
//     has more digits than the declared one.
//   - A column declared as a date or timestamp has the format that nine in ten of
//     the sampled values have; the rest is taken for dirt. Without values it is
//     ISO text. When no format fits it is what its values are, text or numbers,
//     so that date functions are refused instead of being null.
//   - A column of text is a date or timestamp in ISO text when every sampled
//     value is one.
//   - ISO text with offsets from UTC, or with zones in some values alone, is text:
//     it does not sort as the moments do, so that a period, a maximum and a year
//     would each count other rows.
//   - A column without a type, as of views, has the type of all its values.
//
// Numbers count as seconds or milliseconds since 1970 within the years 1973 to
// 5138, and as julian days from 1900 to 2100. 02/01/2006 is read as the second
// of January, and only when some value has a day beyond 12, which no month is.

// Evidence counts the forms of a column's sampled values.
type Evidence struct {
	values                         int // that are not null
	integers, reals, texts, blobs  int
	empty                          int // texts without a character
	flags                          int // numbers that are 0 or 1
	scale                          int // the most digits after the point of a real
	iso, days, seconds, ms, julian int // days: ISO dates without a time of day
	dmy, beyondTwelve              int
	unzoned, utc, offset           int // ISO texts without a zone, with that of UTC, with another
	uneven                         int // of seconds, those that would be no whole seconds as milliseconds
	// form is how the first ISO text is written, its digits as zeros; mixed is set once
	// another is written in a different way.
	form  string
	mixed bool
	// inRange counts the numbers that are in the years 1000 to 9999, by the unit.
	inRange map[schema.Storage]int
}

// Add counts a cell: nil, int64, float64, []byte or string.
func (e *Evidence) Add(cell any) {
	switch x := cell.(type) {
	case nil:
		return
	case int64:
		e.integers++
		e.addNumber(float64(x))
	case float64:
		e.reals++
		e.scale = max(e.scale, scaleOf(x))
		e.addNumber(x)
	case []byte:
		e.blobs++
	case string:
		e.texts++
		e.addText(x)
	}
	e.values++
}

// scaleOf is the digits after the point.
func scaleOf(f float64) int {
	_, fraction, _ := strings.Cut(DoubleDigits(f), ".")
	return len(fraction)
}

func (e *Evidence) addNumber(f float64) {
	if f == 0 || f == 1 {
		e.flags++
	}
	switch abs := math.Abs(f); {
	case f >= 2415020 && f <= 2488434: // 1900-01-01 to 2100-12-31
		e.julian++
	case abs >= 1e8 && abs < 1e11:
		e.seconds++
		if math.Mod(f, 1000) != 0 {
			e.uneven++
		}
	case abs >= 1e11 && abs < 1e14:
		e.ms++
	}
	for s, r := range numberRanges {
		if f >= r[0] && f < r[1] {
			if e.inRange == nil {
				e.inRange = map[schema.Storage]int{}
			}
			e.inRange[s]++
		}
	}
}

// numberRanges are the numbers of the years 1000 to 9999.
var numberRanges = map[schema.Storage][2]float64{
	schema.StorageEpoch:   {-30610224000, 253402300800},
	schema.StorageEpochMS: {-30610224000e3, 253402300800e3},
	schema.StorageJulian:  {2086302.5, 5373484.5},
}

func (e *Evidence) addText(s string) {
	if s == "" {
		e.empty++
	}
	e.addZone(s)
	if at, ok := ParseMoment(s); ok {
		e.addMoment(at)
		e.addForm(s)
		return
	}
	const dmyLength = len("02/01/2006")
	if len(s) < dmyLength {
		return
	}
	if at, err := time.Parse("02/01/2006", s[:dmyLength]); err == nil {
		e.dmy++
		if at.Day() > 12 {
			e.beyondTwelve++
		}
	}
}

// digits finds the digits of ISO text, whose other characters are its form, and
// lastFraction a fraction that nothing follows: text with and without one sorts as
// the moments do.
var (
	digits       = regexp.MustCompile("[0-9]")
	lastFraction = regexp.MustCompile("[.][0-9]+$")
)

func (e *Evidence) addForm(s string) {
	form := digits.ReplaceAllString(lastFraction.ReplaceAllString(s, ""), "0")
	if e.form == "" {
		e.form = form
	}
	e.mixed = e.mixed || form != e.form
}

// isMixed reports whether the ISO text of a column of the kind is written in several
// forms, or in another than all dates are: with a time of day behind.
func (e *Evidence) isMixed(s schema.Storage, k wire.Kind) bool {
	return s == schema.StorageISO && (e.mixed || k == wire.KindDate && len(e.form) > len(time.DateOnly))
}

func (e *Evidence) addMoment(at time.Time) {
	e.iso++
	if hour, minute, second := at.Clock(); hour == 0 && minute == 0 && second == 0 {
		e.days++
	}
}

// zoneOf finds the zone of ISO text in every spelling that SQLite reads, which
// are more than ParseMoment's.
var zoneOf = regexp.MustCompile(`^\d{4}-\d\d-\d\d(?:[ T]+\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*([Zz]|[+-]\d\d:\d\d)?)?\s*$`)

func (e *Evidence) addZone(s string) {
	parts := zoneOf.FindStringSubmatch(s)
	if parts == nil {
		return
	}
	switch parts[1] {
	case "":
		e.unzoned++
	case "Z", "z", "+00:00", "-00:00":
		e.utc++
	default:
		e.offset++
	}
}

// sortsAsMoments reports whether ISO text is in the order of its moments.
func (e *Evidence) sortsAsMoments() bool {
	return e.offset == 0 && (e.utc == 0 || e.unzoned == 0)
}

// storage is the format of nine in ten values.
func (e *Evidence) storage() (schema.Storage, bool) {
	if e.values == 0 {
		return schema.StorageISO, true
	}
	dmy := e.dmy
	if e.beyondTwelve == 0 {
		dmy = 0
	}
	for _, form := range []struct {
		count   int
		storage schema.Storage
	}{
		{e.iso, schema.StorageISO}, {e.seconds, schema.StorageEpoch}, {e.ms, schema.StorageEpochMS},
		{e.julian, schema.StorageJulian}, {dmy, schema.StorageDMY},
	} {
		if form.count*10 >= e.values*9 {
			return form.storage, form.storage != schema.StorageISO || e.sortsAsMoments()
		}
	}
	return "", false
}

// found says how many of the values have the storage.
func (e *Evidence) found(s schema.Storage) string {
	held := e.values - e.empty
	if held == 0 {
		return "there were no values to look at"
	}
	return fmt.Sprintf("%d of the %d values looked at are %s", e.fitting(s), held, needs[s])
}

// kind is the type of all the values, text when they differ or there is none.
func (e *Evidence) kind() wire.Kind {
	switch e.values {
	case 0:
		return wire.KindText
	case e.integers:
		return wire.KindInt
	case e.integers + e.reals:
		return wire.KindFloat
	case e.blobs:
		return wire.KindBytes
	}
	return wire.KindText
}

// Judge sets the type and storage of c, whose declaration says t, if it is known
// to say anything.
func (e *Evidence) Judge(c *schema.Column, t wire.Type, known bool) {
	declared := t
	e.judge(c, t, known)
	c.Mixed = e.isMixed(c.Storage, c.Type.Kind)
	switch {
	case c.Storage != schema.StorageNative:
		c.Evidence = e.found(c.Storage)
	case known && (declared.Kind.Temporal() || e.contradicts(declared)):
		c.Evidence = fmt.Sprintf("declared otherwise, but the values looked at are %s", e.forms())
	}
}

func (e *Evidence) judge(c *schema.Column, t wire.Type, known bool) {
	if known && t.Kind.Temporal() {
		storage, ok := e.storage()
		if !ok {
			t, storage = wire.Type{Kind: e.kind()}, schema.StorageNative
		}
		c.Type, c.Storage = t, storage
		return
	}
	if !known || e.contradicts(t) {
		t = wire.Type{Kind: e.kind()}
	}
	if t.Kind == wire.KindInt && e.reals > 0 {
		t.Kind = wire.KindFloat
	}
	if t.Kind == wire.KindDecimal && e.scale > int(t.Scale) {
		t.Precision, t.Scale = 0, 0
	}
	if t.Kind == wire.KindText && e.values > 0 && e.iso == e.values && e.sortsAsMoments() {
		t.Kind, c.Storage = wire.KindTimestamp, schema.StorageISO
		if e.days == e.values {
			t.Kind = wire.KindDate
		}
	}
	c.Type = t
}

// contradicts reports whether the values are none of the declared type. Empty
// texts stand for nothing, as imports leave them.
func (e *Evidence) contradicts(declared wire.Type) bool {
	switch {
	case e.values == e.empty:
		return false
	case declared.Kind == wire.KindBool:
		return e.flags+e.empty < e.values
	case declared.Kind.Numeric():
		return e.integers+e.reals == 0
	}
	return false
}
