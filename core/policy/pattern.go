package policy

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// The number of segments of a pattern: datasource.schema.table[.column].
const (
	tableSegments  = 3
	columnSegments = 4
)

// wildcard is the segment that stands for any name.
const wildcard = "*"

// ruleSet is a set of patterns of the same number of segments. Looking a name up
// costs the same however many patterns there are: they are grouped by which of
// their segments are wildcards, and a name is looked up once in each group.
type ruleSet map[uint8]map[string]bool

// parsePattern splits a pattern into segments. A name with a dot in it stands in
// backticks.
func parsePattern(text string, want int) ([]string, error) {
	segments, err := splitPattern(text)
	if err != nil {
		return nil, err
	}
	form := "datasource.schema.table"
	if want == columnSegments {
		form += ".column"
	}
	if len(segments) != want {
		return nil, fmt.Errorf("a pattern here is %s, which has %d parts; this one has %d (a name with a dot in it stands in backticks)", form, want, len(segments))
	}
	for _, s := range segments {
		if s == "" {
			return nil, fmt.Errorf("a part is empty; write * for any name")
		}
		if s != wildcard && strings.Contains(s, wildcard) {
			return nil, fmt.Errorf("%q holds a *, which can only stand for a whole part", s)
		}
	}
	return segments, nil
}

func splitPattern(text string) ([]string, error) {
	var segments []string
	for rest := text; ; {
		var segment string
		if quoted, ok := strings.CutPrefix(rest, "`"); ok {
			name, after, closed := strings.Cut(quoted, "`")
			if !closed || after != "" && after[0] != '.' {
				return nil, fmt.Errorf("a backtick is not closed before the next dot")
			}
			segment, rest = name, after
		} else {
			end := strings.IndexByte(rest, '.')
			if end < 0 {
				end = len(rest)
			}
			segment, rest = rest[:end], rest[end:]
		}
		segments = append(segments, segment)
		if rest == "" {
			return segments, nil
		}
		rest = rest[1:]
	}
}

// add enters a pattern under its exact and its folded spelling.
func (r ruleSet) add(segments []string) {
	var mask uint8
	var names []string
	for i, s := range segments {
		if s == wildcard {
			mask |= 1 << i
			continue
		}
		names = append(names, s)
	}
	if r[mask] == nil {
		r[mask] = map[string]bool{}
	}
	r[mask][exactKey(names)] = true
	r[mask][foldedKey(names)] = true
}

// match reports whether a pattern covers the name. With exact, only patterns
// that spell it as the database does count; else letters match in any case.
func (r ruleSet) match(name []string, exact bool) bool {
	for mask, group := range r {
		var fixed []string
		for i, s := range name {
			if mask&(1<<i) == 0 {
				fixed = append(fixed, s)
			}
		}
		key := exactKey(fixed)
		if !exact {
			key = foldedKey(fixed)
		}
		if group[key] {
			return true
		}
	}
	return false
}

// The keys of exact and folded spellings cannot meet, and NUL cannot occur in a
// name of a database.
func exactKey(names []string) string  { return "=" + strings.Join(names, "\x00") }
func foldedKey(names []string) string { return "~" + strings.ToLower(strings.Join(names, "\x00")) }

// ruleMap is a set of patterns with a value each. Finding the values of a name
// costs the same however many patterns there are, as with ruleSet.
type ruleMap[T any] map[uint8]map[string][]T

func (r ruleMap[T]) add(segments []string, value T) {
	var mask uint8
	var names []string
	for i, s := range segments {
		if s == wildcard {
			mask |= 1 << i
			continue
		}
		names = append(names, s)
	}
	if r[mask] == nil {
		r[mask] = map[string][]T{}
	}
	key := foldedKey(names)
	r[mask][key] = append(r[mask][key], value)
}

// find gives the values of the patterns that cover the name, letters in any case,
// in groups of equally many wildcards, the fewest first.
func (r ruleMap[T]) find(name []string) [][]T {
	found := make([][]T, len(name)+1)
	for mask, group := range r {
		var fixed []string
		for i, s := range name {
			if mask&(1<<i) == 0 {
				fixed = append(fixed, s)
			}
		}
		n := bits.OnesCount8(mask)
		found[n] = append(found[n], group[foldedKey(fixed)]...)
	}
	return slices.DeleteFunc(found, func(group []T) bool { return len(group) == 0 })
}
