package wire_test

import (
	"strings"
	"testing"
	"time"

	"querent.dev/querent/sdk/wire"
)

// Texts are read as time.Parse reads them, whichever way they take.
func FuzzMomentsAreReadAsByTheCalendar(f *testing.F) {
	for _, s := range []string{
		"2024-02-29", "2023-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "0000-01-01", "1900-02-29", "2024-02-29 23:59:59", "2024-02-29T23:59:59.120",
		"2024-02-29 24:00:00", "2024-02-29 23:60:00", "2024-02-29 23:59:60", "2024-02-29 23:59:59.", "2024-02-29 23:59:59.000000000", "2024-02-29 1:02:03",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at, failed := time.Parse("2006-01-02", s)
		if got, err := wire.Parse(wire.KindDate, s); (err == nil) != (failed == nil) || err == nil && !got.Equal(wire.Date(at)) {
			t.Errorf("the date %q is %v (%v), want %v (%v)", s, got, err, at, failed)
		}
		at, failed = time.Parse("2006-01-02T15:04:05.999999999", strings.Replace(s, " ", "T", 1))
		if got, err := wire.Parse(wire.KindTimestamp, s); (err == nil) != (failed == nil) || err == nil && !got.Equal(wire.Timestamp(at)) {
			t.Errorf("the timestamp %q is %v (%v), want %v (%v)", s, got, err, at, failed)
		}
		if got, err := wire.Parse(wire.KindTimestampTZ, s+"Z"); (err == nil) != (failed == nil) || err == nil && !got.Equal(wire.TimestampTZ(at)) {
			t.Errorf("the timestamp %qZ is %v (%v), want %v (%v)", s, got, err, at, failed)
		}
	})
}
