package ground

// yearsAt are the columns that have the year of a date at a token in their name.
func (s *sentence) yearsAt(i int, rows [][]int) map[int]bool {
	var named map[int]bool
	for _, d := range s.dates {
		if d.at > i || i >= d.to {
			continue
		}
		for index, t := range s.checker.tables {
			for col := range t.columns {
				if c := &t.columns[col]; c.numeric && (c.inName(d, s.checker.years) || c.inYear(d)) && (rows == nil || len(rows[index]) > 0) {
					if named == nil {
						named = map[int]bool{}
					}
					named[index*columnStride+col] = true
				}
			}
		}
	}
	return named
}

// yearAhead are the columns of the year right behind a figure: "859 units in 2025".
func (s *sentence) yearAhead(f *figure, rows [][]int) map[int]bool {
	for i := f.to; i < min(f.to+3, len(s.tokens)) && s.tokens[i].kind == word; i++ {
		if s.foldAt(i) != "in" && s.foldAt(i) != "during" {
			continue
		}
		return s.yearsAt(i+1, rows)
	}
	return nil
}

// yearBehind are the columns of the year that stands last before a figure.
func (s *sentence) yearBehind(f *figure, from int, rows [][]int) map[int]bool {
	for i := f.at - 1; i >= from; i-- {
		if named := s.yearsAt(i, rows); named != nil {
			return named
		}
	}
	return s.yearOfClause(f, rows)
}

// yearOfClause are the columns of the one year with which the clause of a figure begins, "In 2024,
// A had revenue of 40", but for figures of a change or of another time.
func (s *sentence) yearOfClause(f *figure, rows [][]int) map[int]bool {
	first, last := s.clauseSpan(f.at)
	var one *dateRef
	for i := range s.dates {
		if d := &s.dates[i]; d.at >= first && d.at < last {
			if one != nil || d.at > first+1 {
				return nil
			}
			one = d
		}
	}
	if one == nil || one.at == first+1 && !s.hasAny(first, first+1, "in", "for", "during") || one.to > f.at || s.anyCue(first, last, riseWords, riseKorean...) || s.anyCue(first, last, fallWords, fallKorean...) || s.isGap(f) || s.hasAny(f.at-2, f.at, "from", "than", "after", "against", "versus", "to", "before") || s.comparesTimes(f, last) {
		return nil
	}
	return s.yearsAt(one.at, rows)
}

// comparesTimes reports whether what follows a figure sets it against another time.
func (s *sentence) comparesTimes(f *figure, last int) bool {
	return s.hasAny(f.to, last, "before", "earlier", "previous", "prior", "ago") || s.anyCue(f.at-3, f.at, nil, "전년", "전기", "직전", "이전")
}
