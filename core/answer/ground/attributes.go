package ground

import (
	"math/big"
	"slices"
	"strings"
)

// checkCrossed refuses values that stand in turn with names whose they are not, where each
// name has its value right behind or before it: "A is the work of B's architect, and B
// that of A's"; "9월 11일 A는 13:22에, B는 08:15에".
func (s *sentence) checkCrossed() {
	if s.hasAny(0, len(s.tokens), "respectively") || s.anyCue(0, len(s.tokens), nil, "각각") {
		return
	}
	var list []ref
	for _, r := range s.refs {
		if len(r.columns) == 0 || r.date && len(r.columns) > 1 || s.context(r) || r.date && !s.isMoment(r) {
			continue
		}
		list = append(list, r)
	}
	if len(list) < 4 || len(list)%2 != 0 || list[0].columns[0] == list[1].columns[0] {
		return
	}
	for i, r := range list {
		if r.columns[0] != list[i%2].columns[0] || i%2 == 1 && s.clause[r.at] != s.clause[list[i-1].at] {
			return
		}
	}
	for i := 1; i < len(list); i += 2 {
		if !s.sharesRow(list[i-1], list[i]) {
			s.violate(list[i].at, list[i].to, "it stands in another row than what the clause speaks of")
			return
		}
	}
}

// isMoment reports whether a date of the text is one of a single row.
func (s *sentence) isMoment(r ref) bool {
	return slices.ContainsFunc(r.rows, func(rows []int) bool { return len(rows) == 1 })
}

func (s *sentence) sharesRow(a, b ref) bool {
	for i := range a.rows {
		if len(intersect(a.rows[i], b.rows[i])) > 0 {
			return true
		}
	}
	return false
}

// checkValues refuses another value of a column than a row has, right behind the noun for
// the column: "in the category Fitness" of one in Cycling, "is a store manager" of a clerk.
func (s *sentence) checkValues() {
	for i := range s.tokens {
		s.checkValueBehind(i)
		s.checkLabelled(i)
		s.checkRole(i)
		s.checkListed(i)
	}
}

// checkValueBehind refuses a word with a capital that no row has behind the noun for a
// column of texts.
func (s *sentence) checkValueBehind(i int) {
	t := s.tokens[i]
	if i == 0 || t.kind != word || t.hangul || !t.capital && !s.tokens[i-1].hangul || len(t.text) < 2 || s.taken[i] || s.checker.knows(t) || s.line.head || s.opens(i) || !s.is(i-1, word) || s.taken[i-1] || s.tokens[i-1].capital {
		return
	}
	before := concept(koreanStem(s.foldAt(i - 1)))
	for _, table := range s.checker.tables {
		if table.whole && slices.ContainsFunc(table.columns, func(c column) bool {
			return !c.numeric && !c.temporal && (c.isCalled(before) || slices.ContainsFunc(c.words, func(w string) bool { return concept(w) == before }))
		}) {
			s.violate(i, i+1, "this value stands in no row that is shown, nor in the question")
			return
		}
	}
}

// roles are the concepts of columns that say what someone is.
var roles = set("title role position job occupation profession 직책 직무 직위 직업")

// checkRole refuses that someone is what his row does not say, where a column says what
// each is: "A is a cashier".
func (s *sentence) checkRole(i int) {
	if !s.hasAny(i, i+1, "a", "an", "the") || !s.hasAny(i-1, i, "is", "was", "as", ",") || len(s.referents) != 1 || s.referents[0].at > i {
		return
	}
	r := &s.referents[0]
	_, to := s.span(i)
	end := i + 1
	for end < to && s.is(end, word) && !clauseVerbs[s.foldAt(end)] && !stopWords[s.foldAt(end)] && !s.tokens[end].hangul && (end == i+1 || s.tokens[end-1].text != ",") && !hasSuffix(s.foldAt(end), "ed", "ing") {
		end++
	}
	if end == i+1 || !hasSuffix(s.foldAt(end-1), "er", "or", "ist", "ant", "ent", "clerk", "chief", "head", "staff") || s.taken[end-1] {
		return
	}
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if c.numeric || c.temporal || !slices.ContainsFunc(c.words, func(w string) bool { return roles[w] }) || len(r.rows[index]) == 0 {
				continue
			}
			if !slices.ContainsFunc(r.rows[index], func(row int) bool { return s.tells(c.cells[row].text, end-1) }) && !s.checker.isNoun(s.foldAt(end-1)) {
				s.violate(i+1, end, "the row says the contrary")
				return
			}
		}
	}
}

// tells reports whether a text has the word at a token.
func (s *sentence) tells(text string, i int) bool {
	return slices.ContainsFunc(scan(clean(text)), func(t token) bool { return sameRoot(stem(t.fold), stem(s.foldAt(i))) })
}

// checkListed refuses a word with a capital that is no row's in a list of names of rows:
// "Women, Men, Shoes and Kids".
func (s *sentence) checkListed(i int) {
	t := s.tokens[i]
	if t.kind != word || t.hangul || !t.capital || s.taken[i] || s.checker.knows(t) || s.line.head {
		return
	}
	before, after := 0, 0
	for _, r := range s.refs {
		switch {
		case r.date || len(r.columns) == 0:
		case r.to < i && i-r.to <= 2 && s.joinsNames(r.to, i):
			before = r.to
		case r.at > i+1 && r.at-i-1 <= 2 && s.joinsNames(i+1, r.at):
			after = r.at
		}
	}
	closing := i+1 == len(s.tokens) || s.tokens[i+1].hangul && !s.tokens[i+1].gap || s.is(i+1, mark)
	joined := before > 0 && slices.ContainsFunc(s.refs, func(r ref) bool { return r.to < before-1 && s.coordinated(r.to, s.refAt(before).at) })
	if before > 0 && after > 0 || joined && (closing || s.hasAny(i+1, i+2, "have", "has", "are", "is", "each")) {
		s.violate(i, i+1, "this name is in no row that is shown, nor in the question")
	}
}

// joinsNames reports whether tokens from..to join two names of a list.
func (s *sentence) joinsNames(from, to int) bool {
	return from < to && s.coordinated(from, to) && !s.hasAny(from, to, "in", "for", "the", "both")
}

// refAt is the name that ends before a token.
func (s *sentence) refAt(to int) ref {
	for _, r := range s.refs {
		if r.to == to {
			return r
		}
	}
	return ref{at: to, to: to}
}

// ends are the concepts of columns that hold where something begins, and where it ends.
var (
	starts = set("origin source start departure from 출발 출발지 출발공항")
	goals  = set("destination target end arrival to 도착 도착지 목적지 도착공항")
)

// checkDirections refuses the two ends of a way in the wrong order: "from B to A".
func (s *sentence) checkDirections() {
	for i := 0; i+1 < len(s.refs); i++ {
		a, b := s.refs[i], s.refs[i+1]
		if a.date || b.date || !s.inColumns(a, goals) || !s.inColumns(b, starts) || s.inColumns(a, starts) || s.inColumns(b, goals) || !s.sharesRow(a, b) {
			continue
		}
		between := strings.TrimSpace(s.text[s.tokens[a.to-1].end:s.tokens[b.at].begin])
		if between == "→" || between == "->" || between == "–" || between == "-" || s.foldAt(a.at-1) == "from" && s.foldAt(b.at-1) == "to" || hasPrefix(s.foldAt(a.to), "에서", "발") && hasPrefix(s.foldAt(b.to), "에", "로", "으로", "행", "까지") {
			s.violate(a.at, b.to, "the row has them the other way round")
		}
	}
}

// inColumns reports whether a name is of a column with one of the words.
func (s *sentence) inColumns(r ref, words map[string]bool) bool {
	return slices.ContainsFunc(r.columns, func(id int) bool {
		return slices.ContainsFunc(s.checker.tables[id/columnStride].columns[id%columnStride].words, func(w string) bool { return words[w] })
	})
}

// signless are the words for a difference that say nothing of its direction, and so leave
// that to its sign.
var signless = set("difference change diff delta")

// dropsSign reports whether a figure is a cell below zero but for its sign, where no word
// says that: "a change of +6" and "the difference is 58.15" for cells of -6 and -58.15.
func (s *sentence) dropsSign(f *figure, r *referent) bool {
	if r == nil || f.minus || len(f.amounts) == 0 || f.ordinal || f.ratio {
		return false
	}
	from, to := s.clauseSpan(f.at)
	if !f.plus {
		moves := s.anyCue(from, to, riseWords, riseKorean...) || s.anyCue(from, to, fallWords, fallKorean...) || s.anyCue(from, to, moreWords) || s.anyCue(from, to, lessWords)
		if moves || s.loses(f) || !s.anyCue(from, f.at, signless) && !s.anyCue(from, f.at, nil, "증감", "변화", "뺀") {
			return false
		}
	}
	dropped := false
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if !c.measure() || !c.change && !f.plus {
				continue
			}
			for _, row := range r.rows[index] {
				switch n := c.cells[row].exactly(); {
				case n == nil:
				case f.derived(n):
					return false
				case n.Sign() < 0 && f.derived(new(big.Rat).Neg(n)):
					dropped = true
				}
			}
		}
	}
	return dropped
}
