package ground

import (
	"slices"
	"strings"
)

// notSuperlative are words that end as superlatives do.
var notSuperlative = set("west east midwest northwest southwest northeast southeast test request requests interest forest latest guest rest invest suggest honest modest harvest quest contest nest chest protest arrest digest manifest best closest nearest earliest oldest newest youngest highest lowest largest biggest smallest fewest greatest longest shortest")

// superlativeAt reports whether a word is a superlative of which nothing says in which
// direction it points: "the quietest day".
func (s *sentence) superlativeAt(i int) bool {
	t := s.tokens[i]
	switch {
	case s.taken[i] || t.kind != word || s.checker.known[t.fold]:
		return false
	case t.hangul:
		if !hasPrefix(t.text, mostKorean...) || i+1 >= len(s.tokens) || s.ageAt(i+1) != 0 {
			return false
		}
		direction, _ := s.ordering(i, min(i+6, len(s.tokens)))
		return direction == 0
	}
	return len(t.fold) > len("best") && strings.HasSuffix(t.fold, "est") && !notSuperlative[t.fold] && ordersUp[t.fold] == 0 && (s.hasAny(i-2, i, "the", "its", "our", "their") || s.foldAt(i-1) == "'s")
}

// checkExtremes refuses a superlative of a row that is neither the first nor the last of
// any column.
func (s *sentence) checkExtremes() {
	for i := range s.tokens {
		if !s.superlativeAt(i) {
			continue
		}
		r, group := s.whoIs(i)
		if r == nil || slices.ContainsFunc(s.figures, func(f figure) bool { return f.ordinal && f.at >= i-4 && f.at <= i+3 }) {
			continue
		}
		if group == nil {
			group = []*referent{r}
		}
		f := &figure{at: i, to: i + 1}
		from, to := s.clauseSpan(i)
		given := slices.ContainsFunc(s.checker.tables, func(t *table) bool {
			index := slices.Index(s.checker.tables, t)
			return t.whole && len(r.rows[index]) > 0 && s.byTwo(t, from, to, func(c *column) bool {
				return s.leads(t, c, index, group, 1) || s.leads(t, c, index, group, -1)
			})
		})
		if !given && !s.each(f, func(t *table, index int, c *column) bool {
			return t.whole && !c.key && len(r.rows[index]) > 0 && (s.leads(t, c, index, group, 1) || s.leads(t, c, index, group, -1))
		}) && !(s.checker.hasMoments() && (s.isExtremeInTime(r, 1, len(group), s.saysAge(i)) || s.isExtremeInTime(r, -1, len(group), s.saysAge(i)))) {
			s.violate(i, i+1, "the row is neither the first nor the last of a column")
		}
	}
}

// hasMoments reports whether a result has a column of moments.
func (c *Checker) hasMoments() bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(of column) bool { return of.temporal })
	})
}

// columnNoun is the word that tells a column of moments from another: closed of
// closed_on, 퇴사 of 퇴사일.
func (c *column) columnNoun() string {
	w := c.first()
	if isHangul(w) {
		for _, end := range []string{"일자", "일시", "날짜", "일", "시각"} {
			if rest, ok := strings.CutSuffix(w, end); ok && rest != "" {
				return rest
			}
		}
	}
	return w
}

// saysColumn reports whether a word in tokens from..to speaks of a column of moments.
func (s *sentence) saysColumn(c *column, t *table, from, to int) bool {
	for _, noun := range t.ownWords(c) {
		if s.saysNoun(noun, from, to) {
			return true
		}
	}
	return false
}

// ownWords are the words of a column's name that no other column of moments has.
func (t *table) ownWords(c *column) []string {
	if len(c.words) == 1 || isHangul(c.first()) {
		return []string{c.columnNoun()}
	}
	var out []string
	for _, w := range c.words {
		shared := slices.ContainsFunc(t.columns, func(o column) bool { return o.temporal && o.name != c.name && slices.Contains(o.words, w) })
		if !shared && !stopWords[w] && w != "date" && w != "time" && w != "day" {
			out = append(out, w)
		}
	}
	return out
}

func (s *sentence) saysNoun(noun string, from, to int) bool {
	for i := max(0, from); i < min(to, len(s.tokens)); i++ {
		t := s.tokens[i]
		if t.kind != word || s.isNameToken(i) || stopWords[t.fold] || stem(t.fold) == "order" && !s.hasAny(i+1, i+2, "date", "day", "time") {
			continue
		}
		if sameRoot(stem(t.fold), noun) || isHangul(noun) && t.hangul && strings.HasPrefix(t.text, noun) || sameState(t.fold, noun) {
			return true
		}
	}
	return false
}
