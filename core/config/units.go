package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Std is d as the standard library's type.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// String is the shortest spelling that UnmarshalText reads back.
func (d Duration) String() string {
	text := time.Duration(d).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// MarshalText writes d as it is read.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads 500ms, 20s or 1h30m. A duration is never negative.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil || parsed < 0 {
		return fmt.Errorf("%q is no duration: expected a number with a unit, such as 500ms, 20s or 720h", text)
	}
	*d = Duration(parsed)
	return nil
}

// byteUnits are the units of sizes, the larger first so that sizes print in the
// largest unit that divides them.
var byteUnits = []struct {
	name string
	size int64
}{
	{"GiB", 1 << 30}, {"GB", 1e9}, {"MiB", 1 << 20}, {"MB", 1e6}, {"KiB", 1 << 10}, {"kB", 1e3},
}

// String is the size in the largest unit that divides it.
func (b Bytes) String() string {
	for _, u := range byteUnits {
		if b != 0 && int64(b)%u.size == 0 {
			return strconv.FormatInt(int64(b)/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

// MarshalText writes b as it is read.
func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads 64MiB, 10kB or a bare number of bytes.
func (b *Bytes) UnmarshalText(text []byte) error {
	digits, unit := strings.TrimSpace(string(text)), int64(1)
	for _, u := range byteUnits {
		if rest, ok := strings.CutSuffix(digits, u.name); ok {
			digits, unit = strings.TrimSpace(rest), u.size
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("%q is no size: expected a whole number, bare or with kB, KiB, MB, MiB, GB or GiB", text)
	}
	*b = Bytes(n * unit)
	return nil
}

// deny is the whole of a caller who may not ask.
const deny = "deny"

// MarshalYAML writes c as it is read.
func (c Caller) MarshalYAML() (any, error) {
	if c.Deny {
		return deny, nil
	}
	type plain Caller
	return plain(c), nil
}

// MarshalYAML writes f as it is read.
func (f PluginFiles) MarshalYAML() (any, error) {
	switch {
	case f.Any:
		return ReachAny, nil
	case len(f.Read)+len(f.Write) == 0:
		return ReachNone, nil
	}
	type plain PluginFiles
	return plain(f), nil
}

// MarshalYAML writes f as it is read.
func (f Fallback) MarshalYAML() (any, error) {
	if len(f.On) == 0 {
		return f.To, nil
	}
	type plain Fallback
	return plain(f), nil
}
