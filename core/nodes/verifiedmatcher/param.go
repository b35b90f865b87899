package verifiedmatcher

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/wire"
)

// longestText is the longest text, in bytes, that a parameter takes: names and
// codes, not prose.
const longestText = 200

// read makes a parameter's value of the words at the front of the list, and
// tells how many words it took; 0 means that they are no such value.
func read(p config.Param, words []word) (wire.Value, int) {
	if len(words) == 0 {
		return wire.Value{}, 0
	}
	switch p.Type {
	case config.ParamInt:
		return readInt(p, words[0])
	case config.ParamDate:
		day, err := time.Parse(time.DateOnly, words[0].raw)
		if err != nil {
			return wire.Value{}, 0
		}
		return wire.Date(day), 1
	case config.ParamText:
		return readText(p, words)
	}
	return wire.Value{}, 0
}

func readInt(p config.Param, w word) (wire.Value, int) {
	n, err := strconv.ParseInt(w.raw, 10, 64)
	if err != nil || p.Min != nil && n < *p.Min || p.Max != nil && n > *p.Max {
		return wire.Value{}, 0
	}
	return wire.Int(n), 1
}

// readText takes the longest choice that the words spell. Without choices it
// takes one word: what else is said must not vanish into the value.
func readText(p config.Param, words []word) (wire.Value, int) {
	if len(p.Enum) == 0 {
		raw := words[0].raw
		if len(raw) > longestText || strings.ContainsFunc(raw, unicode.IsControl) {
			return wire.Value{}, 0
		}
		return wire.Text(raw), 1
	}
	var value wire.Value
	taken := 0
	for _, choice := range p.Enum {
		spelled := split(choice)
		if n := len(spelled); n > taken && n <= len(words) && slices.EqualFunc(spelled, words[:n], sameText) {
			value, taken = wire.Text(choice), n
		}
	}
	return value, taken
}

func sameText(a, b word) bool { return a.text == b.text }

// sample is a value for showing what may be asked: the clock's year or day where
// that is allowed, else the first value that is. It is false for free text.
func sample(p config.Param, now time.Time) (wire.Value, bool) {
	switch {
	case p.Type == config.ParamDate:
		return wire.Date(now), true
	case p.Type == config.ParamInt:
		n := int64(now.Year())
		if p.Max != nil {
			n = min(n, *p.Max)
		}
		if p.Min != nil {
			n = max(n, *p.Min)
		}
		return wire.Int(n), true
	case len(p.Enum) > 0:
		return wire.Text(p.Enum[0]), true
	}
	return wire.Text(""), false
}
