package config_test

import (
	"math"
	"testing"
	"time"

	"querent.dev/querent/core/config"
)

func TestDurationsAreReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"500ms": 500 * time.Millisecond, "20s": 20 * time.Second, "1m30s": 90 * time.Second, "10m": 10 * time.Minute,
		"1h": time.Hour, "720h": 720 * time.Hour, "1h0m5s": time.Hour + 5*time.Second, "0s": 0,
	} {
		var d config.Duration
		if err := d.UnmarshalText([]byte(text)); err != nil || d.Std() != want || d.String() != text {
			t.Errorf("%s: %v, %v, %s", text, d.Std(), err, d)
		}
	}
	for _, text := range []string{"", "5", "-1s", "1 s", "1d", "9999999999h"} {
		var d config.Duration
		if err := d.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was read as %s", text, d)
		}
	}
}

func TestSizesAreReadAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]config.Bytes{"64MiB": 64 << 20, "10kB": 10_000, "1GiB": 1 << 30, "7": 7, "1GB": 1e9, "3KiB": 3 << 10} {
		var b config.Bytes
		if err := b.UnmarshalText([]byte(text)); err != nil || b != want || b.String() != text {
			t.Errorf("%s: %d, %v, %s", text, b, err, b)
		}
	}
	var b config.Bytes
	if err := b.UnmarshalText([]byte("9223372036854775807")); err != nil || b != math.MaxInt64 {
		t.Errorf("the largest size: %d, %v", b, err)
	}
	for _, text := range []string{"", "MiB", "-1", "1.5MiB", "64MB!", "9223372036854775807kB", "64 mib"} {
		if err := b.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was read as %d", text, b)
		}
	}
}
