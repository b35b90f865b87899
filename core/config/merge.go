package config

import (
	"fmt"
	"sort"
)

// mergedWhole are the sections whose keys may be spread over files at any
// depth. The keys of every other section are names, and a name is defined in
// one file: a role put together from two files would permit what neither shows.
var mergedWhole = map[string]bool{"settings": true, "store": true, "server": true, "plugin_lock": true}

// merge joins the sources of the folder dir into one. The same key in two files is a
// problem that names both; lists such as verified are put one after the other.
func merge(dir string, sources []*source) (*source, Problems) {
	m := merger{out: &source{values: map[string]any{}, places: map[string]Place{"": {File: dir}}}}
	for _, s := range sources {
		m.into(m.out.values, s, s.values, nil)
	}
	return m.out, m.problems
}

type merger struct {
	out      *source
	problems Problems
}

func (m *merger) into(dst map[string]any, s *source, src map[string]any, at path) {
	for _, key := range sortedKeys(src) {
		step, value := at.with(key), src[key]
		old, taken := dst[key]
		switch old := old.(type) {
		case map[string]any:
			if next, ok := value.(map[string]any); ok && (len(step) == 1 || mergedWhole[step[0]]) {
				m.into(old, s, next, step)
				continue
			}
		case []any:
			if next, ok := value.([]any); ok && len(step) == 1 {
				m.appendList(dst, s, old, next, step)
				continue
			}
		}
		if taken && step.String() == "version" && old == value {
			continue
		}
		if taken {
			first := m.out.at(step)
			m.problems = append(m.problems, Problem{s.at(step), fmt.Sprintf("is set in %s:%d already", first.File, first.Line)})
			continue
		}
		dst[key] = value
		m.copyPlaces(s, step, step)
	}
}

func (m *merger) appendList(dst map[string]any, s *source, old, next []any, at path) {
	for i, v := range next {
		m.copyPlaces(s, at.with(fmt.Sprint(i)), at.with(fmt.Sprint(len(old))))
		old = append(old, v)
	}
	dst[at[len(at)-1]] = old
}

// copyPlaces takes over the places of from and all below it, under the name to.
func (m *merger) copyPlaces(s *source, from, to path) {
	prefix := from.index()
	for index, place := range s.places {
		if index == prefix || len(index) > len(prefix) && index[:len(prefix)+1] == prefix+"\x00" {
			m.out.places[to.index()+index[len(prefix):]] = place
		}
	}
}

func sortedKeys[K ~string, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	return keys
}
