package content

import (
	"strings"
	"time"
)

// momentLayouts are the forms of ISO 8601 that SQLite's date functions read,
// with the T made a space and a Z taken off.
var momentLayouts = []string{
	time.DateOnly,
	"2006-01-02 15:04:05.999999999",
	"2006-01-02 15:04",
	"2006-01-02 15:04:05.999999999-07:00",
	"2006-01-02 15:04-07:00",
}

// ParseMoment reads a date or a timestamp. Without an offset it is in UTC. A day
// that no calendar has, such as 2024-02-30, is none.
func ParseMoment(s string) (time.Time, bool) {
	const dateLength = len(time.DateOnly)
	if len(s) < dateLength || s[4] != '-' {
		return time.Time{}, false
	}
	if len(s) > dateLength && s[dateLength] == 'T' {
		s = s[:dateLength] + " " + s[dateLength+1:]
	}
	s = strings.TrimSuffix(s, "Z")
	for _, layout := range momentLayouts {
		if at, err := time.Parse(layout, s); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}
