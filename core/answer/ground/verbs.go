package ground

import "slices"

// movements are the verbs for those who come and for those who go, with the nouns that
// columns have for them.
var movements = []map[string]bool{
	set("hire hired joined join joiner arrive arrived arrival newcomer"),
	set("left leave leaver departed depart departure quit resign resigned resignation exit"),
}

// movedAt are the columns of those who come, or go, as the verb says that stands at a token,
// or behind the noun for people there: "Nine people left in 2023". It is empty and not nil
// where the result has only a column of the others.
func (s *sentence) movedAt(i int, rows [][]int) map[int]bool {
	if persons[concept(s.foldAt(i))] {
		for i++; s.hasAny(i, i+1, "were", "was", "have", "has", "had", "who", "newly"); {
			i++
		}
	}
	w := s.foldAt(i)
	which := slices.IndexFunc(movements, func(verbs map[string]bool) bool { return verbs[w] || verbs[stem(w)] })
	if which < 0 || !s.is(i, word) || s.taken[i] {
		return nil
	}
	var named map[int]bool
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if !c.measure() || rows != nil && len(rows[index]) == 0 {
				continue
			}
			for k, words := range movements {
				if c.movesBy(words) && named == nil {
					named = map[int]bool{}
				}
				if c.movesBy(words) && k == which {
					named[index*columnStride+col] = true
				}
			}
		}
	}
	return named
}

// movesBy reports whether a column's name has one of the words.
func (c *column) movesBy(words map[string]bool) bool {
	return slices.ContainsFunc(c.words, func(w string) bool { return words[w] })
}
