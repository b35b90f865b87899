package tree

import "slices"

// Sets are grouping sets: the keys of each.
type Sets [][]Expr

// MaxSets bounds the grouping sets of a select, each of which becomes a query.
const MaxSets = 32

// Times is every set of s with every set of other behind it.
func (s Sets) Times(other Sets) Sets {
	var out Sets
	for _, a := range s {
		for _, b := range other {
			if len(out) > MaxSets {
				return out
			}
			out = append(out, slices.Concat(a, b))
		}
	}
	return out
}

// All lists the keys of all sets, each node once.
func (s Sets) All() []Expr {
	var out []Expr
	for _, set := range s {
		for _, e := range set {
			if !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	return out
}

// Rollup is every beginning of the list of parts, from the longest to none.
func Rollup(parts []Sets) Sets {
	var out Sets
	for n := len(parts); n >= 0; n-- {
		out = append(out, product(parts[:n])...)
	}
	return out
}

// Cube is every choice of parts.
func Cube(parts []Sets) Sets {
	var out Sets
	for bits := 1<<min(len(parts), 10) - 1; bits >= 0; bits-- {
		var chosen []Sets
		for i, p := range parts {
			if bits&(1<<(len(parts)-1-i)) != 0 {
				chosen = append(chosen, p)
			}
		}
		out = append(out, product(chosen)...)
	}
	return out
}

func product(parts []Sets) Sets {
	out := Sets{{}}
	for _, p := range parts {
		out = out.Times(p)
	}
	return out
}
