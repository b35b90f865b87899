package ground

import (
	"math/big"
	"slices"
)

// checkOnlyOfValue refuses that a name is the only one with a value that other rows have, too:
// "Ida Berg is the only one in Bergen", "Bergen에 사는 회원은 Ida Berg뿐입니다".
func (s *sentence) checkOnlyOfValue() {
	counts := func(f figure) bool { n, ok := f.count(); return !ok || n != 1 || f.hedge != exact }
	if slices.ContainsFunc(s.figures, counts) || s.excepts() || s.speaksOfShown() {
		return
	}
	for i, w := range s.tokens {
		only := (w.fold == "only" || w.fold == "sole") && !s.taken[i] || s.closesAt(i) || s.saysNoOther(i) || w.hangul && hasPrefix(w.text, "유일", "오직")
		if !only || s.denied(i) {
			continue
		}
		from, to := s.clauseSpan(i)
		for index, t := range s.checker.tables {
			names, value := s.namesAndValue(t, index, from, to)
			if t.whole && len(names) > 0 && len(value) > len(names) && len(intersect(names, value)) == len(names) {
				s.violate(i, i+1, "other rows have this, too")
				return
			}
		}
	}
}

// namesAndValue are the rows of the names of single rows in tokens from..to, and those that have
// all the values that are named there.
func (s *sentence) namesAndValue(t *table, index, from, to int) (names, value []int) {
	value = t.all()
	for _, r := range s.refs {
		rows := r.rows[index]
		if r.at < from || r.at >= to || len(rows) == 0 {
			continue
		}
		if len(rows) == 1 {
			names = union(names, rows)
		} else {
			value = intersect(value, rows)
		}
	}
	if len(value) == t.rows {
		return names, nil
	}
	return names, value
}

// checkShared refuses that names in one breath have one value that some of them have not: "A
// and B live in Bergen".
func (s *sentence) checkShared() {
	if len(s.figures) > 0 || s.hasAny(0, len(s.tokens), "not", "except", "outside", "than", "unlike", "besides", "while", "or", "respectively", "neither") || len(s.dates) > 0 || s.denies() {
		return
	}
	for index, t := range s.checker.tables {
		if len(s.refs) != 3 || !t.whole || s.clause[s.refs[0].at] != s.clause[s.refs[2].at] {
			continue
		}
		a, b, v := s.refs[0], s.refs[1], s.refs[2]
		if len(a.rows[index]) != 1 || len(b.rows[index]) != 1 || !slices.Equal(a.columns, b.columns) || len(a.columns) != 1 || slices.Equal(a.columns, v.columns) || len(v.columns) != 1 || !s.coordinated(a.to, b.at) || !s.hasAny(b.to, v.at, "in", "from", "at") {
			continue
		}
		have := len(intersect(a.rows[index], v.rows[index])) + len(intersect(b.rows[index], v.rows[index]))
		if len(v.rows[index]) > 0 && have == 1 && slices.Index(t.dimensionsOf(), v.columns[0]%columnStride) >= 0 {
			s.violate(v.at, v.to, "one of the names has another value")
		}
	}
}

// dimensionsOf are the columns of texts.
func (t *table) dimensionsOf() []int {
	var out []int
	for i, c := range t.columns {
		if !c.numeric && !c.temporal {
			out = append(out, i)
		}
	}
	return out
}

// checkThanOthers checks "A has more than any other": it is then the most.
func (s *sentence) checkThanOthers() {
	for i, t := range s.tokens {
		next := i + 1
		if s.hasAny(next, next+1, "that", "those") && s.foldAt(next+1) == "of" {
			next += 2 // "than that of any other"
		}
		next += boolInt(s.hasAny(next, next+1, "in", "for", "at", "from", "by", "with"))
		if t.fold != "than" || !s.hasAny(next, next+1, "any", "all", "every", "the", "anyone", "everyone", "anybody", "everybody", "anywhere", "anything") || !s.hasAny(next+1, next+2, "other", "others", "rest") && !s.hasAny(next, next+1, "anyone", "everyone", "anybody", "everybody", "anywhere", "anything") {
			continue
		}
		from, _ := s.clauseSpan(i)
		up, down := s.anyCue(from, i, moreWords), s.anyCue(from, i, lessWords)
		names := s.namesAround(from, i)
		if up == down || len(names) != 1 || s.denied(i) || len(s.figures) > 0 {
			continue
		}
		at := slices.IndexFunc(s.tokens[from:i], func(t token) bool { return moreWords[t.fold] || lessWords[t.fold] }) + from
		if ok, partial := s.isMost(boolInt(up)-boolInt(down), at, names[0], names); !ok {
			why := "another row has more"
			if partial {
				why = "not all rows were seen, so nothing can be said to be the most or the least"
			}
			s.violate(at, i+1, why)
		}
	}
}

// checkLastTo checks a Korean end of time behind a verb: "마지막으로 문을 연 곳은 A입니다".
func (s *sentence) checkLastTo() {
	for i, t := range s.tokens {
		direction := boolInt(hasPrefix(t.text, "마지막으로", "마지막에")) - boolInt(hasPrefix(t.text, "처음으로", "최초로"))
		if !t.hangul || direction == 0 || len(s.figures) > 0 || !s.checker.hasMoments() || s.denied(i) {
			continue
		}
		topic := slices.IndexFunc(s.tokens[i+1:min(len(s.tokens), i+6)], func(w token) bool {
			return w.hangul && hasSuffix(w.text, "곳은", "것은", "사람은", "이는") || w.hangul && hasSuffix(w.text, "은", "는") && s.isKindOfRow(w.text)
		})
		if topic < 1 || len(s.namesAround(i, i+1+topic)) > 0 {
			continue
		}
		names := s.namesAround(i+1+topic, len(s.tokens))
		if len(names) == 1 && !s.isExtremeInTime(names[0], direction, 1, false) {
			s.violate(i, i+1, "another row is earlier or later, or not all rows were seen")
		}
	}
}

// isOnlyWithout tells "only A has no fines", where no other row is without.
func (s *sentence) isOnlyWithout() bool {
	at := slices.IndexFunc(s.tokens, func(t token) bool { return t.fold == "no" || t.fold == "without" || t.fold == "none" })
	if at < 0 || len(s.referents) != 1 {
		return false
	}
	named := s.namedBy(s.foldAt(at+1), nil)
	for index, t := range s.checker.tables {
		for col := range t.columns {
			if c := &t.columns[col]; t.whole && (named == nil || named[index*columnStride+col]) && slices.Equal(c.without(), s.referents[0].rows[index]) && len(c.without()) > 0 {
				return true
			}
		}
	}
	return false
}

// without are the rows that have nothing, or zero, in a column.
func (c *column) without() []int {
	var rows []int
	for row, v := range c.cells {
		if v.null || c.measure() && v.number != nil && v.number.Sign() == 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// grownFrom is what a column of changes gives as growth beside the column that changed: of 23
// more that make 67 a half, and not a third.
func (k *reckoning) grownFrom(x, y *column, a, b *big.Rat) *big.Rat {
	s := k.s
	moves := s.anyCue(k.from, k.to, riseWords, riseKorean...) || s.anyCue(k.from, k.to, fallWords, fallKorean...) || s.anyCue(k.from, k.to, nil, "증가율", "성장률", "감소율")
	if !k.f.percent || k.f.points || !x.change || y.change || x.share || !moves {
		return nil
	}
	before := new(big.Rat).Sub(b, a)
	return percent(new(big.Rat).Abs(a), before)
}
