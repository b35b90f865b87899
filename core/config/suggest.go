package config

import (
	"sort"
	"strings"
)

// didYouMean is " (did you mean …?)" for the name of known that is nearest to
// wrong, and lists known when none is near.
func didYouMean(wrong string, known []string) string {
	if near := nearest(wrong, known); near != "" {
		return ` (did you mean "` + near + `"?)`
	}
	if len(known) == 0 {
		return ""
	}
	sorted := append([]string(nil), known...)
	sort.Strings(sorted)
	return " (known: " + strings.Join(sorted, ", ") + ")"
}

// nearest is the name that is at most a third of wrong's letters away from it
// (two letters for short words, one for the shortest), or "". A tie goes to the first in the alphabet, so that
// messages do not change from run to run.
func nearest(wrong string, known []string) string {
	letters := len([]rune(wrong))
	best, limit := "", max(2, letters/3)
	if letters <= 3 {
		limit = 1
	}
	for _, name := range known {
		d := distance(strings.ToLower(wrong), strings.ToLower(name))
		if d < limit || d == limit && (best == "" || name < best) {
			best, limit = name, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete, change or swap with
// their neighbour to get from a to b.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(t)]
}
