//go:build !race

package ground_test

import (
	"testing"

	"querent.dev/querent/core/answer/ground"
)

// The allocations that grounding an answer of 2 KB may take, and preparing for it:
// a third more than they take now. The race detector adds its own.
const (
	maxCheckAllocs   = 11000
	maxPrepareAllocs = 7000
)

func TestGroundingIsBoundedAndDoesNotGrowWithTheResult(t *testing.T) {
	var before [2]float64
	for i, count := range []int64{21, 1_000_000} {
		e, text := square(count)
		c := ground.New(e)
		prepare := testing.AllocsPerRun(3, func() { ground.New(e) })
		check := testing.AllocsPerRun(3, func() { c.Check(text) })
		if v := c.Check(text); len(v) > 0 || len(text) < 2<<10 {
			t.Fatalf("%d bytes: %v", len(text), v)
		}
		t.Logf("%d rows: %.0f allocations to prepare, %.0f to check", count, prepare, check)
		if prepare > maxPrepareAllocs || check > maxCheckAllocs {
			t.Errorf("%d rows: %.0f allocations to prepare, %.0f to check", count, prepare, check)
		}
		if i > 0 && (prepare > before[0]*1.01 || check > before[1]*1.01) {
			t.Errorf("with the result the allocations grow from %v to %.0f and %.0f", before, prepare, check)
		}
		before = [2]float64{prepare, check}
	}
}
