//go:build databases

package crossdialect_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// differences says where the engines differ, or "".
func differences(out []outcome, ordered bool) string {
	var text strings.Builder
	for _, o := range out {
		if o.err != nil {
			fmt.Fprintf(&text, "%s: %v\n%s\n", o.engine.dialect, o.err, o.sql)
		}
	}
	if text.Len() > 0 {
		return text.String()
	}
	first := out[0].rows
	for _, o := range out[1:] {
		left, right := unmatched(first, o.rows, ordered)
		if len(left)+len(right) > 0 {
			fmt.Fprintf(&text, "%s has %d rows, %s has %d:\n%s%s\n%s\n", out[0].engine.dialect, len(first), o.engine.dialect, len(o.rows),
				firstDifference(left, right), out[0].sql, o.sql)
		}
	}
	return text.String()
}

// unmatched are the rows of one side that have no equal on the other; in their
// place, where they are ordered.
func unmatched(a, b []string, ordered bool) (left, right []string) {
	if ordered {
		for i := range max(len(a), len(b)) {
			if i >= len(a) || i >= len(b) || !equalRows(a[i], b[i]) {
				left, right = append(left, a[min(i, len(a)):min(i+1, len(a))]...), append(right, b[min(i, len(b)):min(i+1, len(b))]...)
			}
		}
		return left, right
	}
	rest := map[string]int{}
	for _, row := range b {
		rest[row]++
	}
	for _, row := range a {
		if rest[row] > 0 {
			rest[row]--
		} else {
			left = append(left, row)
		}
	}
	for _, row := range b {
		if rest[row] > 0 {
			rest[row]--
			right = append(right, row)
		}
	}
	// What is left may differ in the last digits of doubles.
	return slices.DeleteFunc(left, func(row string) bool {
		i := slices.IndexFunc(right, func(other string) bool { return equalRows(row, other) })
		if i >= 0 {
			right = slices.Delete(right, i, i+1)
		}
		return i >= 0
	}), right
}

// tolerance is the part by which two numbers may differ: doubles are added in any
// order, and MariaDB gives percent_rank with ten digits.
const tolerance = 1e-8

func equalRows(a, b string) bool {
	if a == b {
		return true
	}
	left, right := strings.Split(a, " | "), strings.Split(b, " | ")
	if len(left) != len(right) {
		return false
	}
	for i := range left {
		x, errX := strconv.ParseFloat(left[i], 64)
		y, errY := strconv.ParseFloat(right[i], 64)
		close := errX == nil && errY == nil && math.Abs(x-y) <= tolerance*math.Max(1, math.Max(math.Abs(x), math.Abs(y)))
		if left[i] != right[i] && !close {
			return false
		}
	}
	return true
}

func firstDifference(a, b []string) string {
	var out strings.Builder
	shown := 0
	for i := range max(len(a), len(b)) {
		left, right := "(none)", "(none)"
		if i < len(a) {
			left = a[i]
		}
		if i < len(b) {
			right = b[i]
		}
		if left != right && shown < 4 {
			fmt.Fprintf(&out, "  row %d: %s\n      and %s\n", i+1, left, right)
			shown++
		}
	}
	return out.String()
}
