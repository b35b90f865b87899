package ground

import (
	"slices"
	"strings"
)

// states are the words for what may have become of a thing. One of which neither the
// question nor the result speaks is not known of it.
var states = func() map[string]string {
	out := map[string]string{}
	for _, group := range []string{
		"cancelled canceled cancellation cancellations 취소", "delivered delivery deliveries 배송 배달", "shipped shipment shipping dispatched 발송 출고 배송", "refunded refund refunds paid 환불",
		"unpaid 미납 미결제", "paid paying pay payment payments pays 결제 지불 납부", "pending 대기 보류", "completed 완료", "approved 승인", "rejected 거절 반려", "expired 만료", "overdue 연체", "inactive 비활성", "discontinued suspended halted stopped 중단 단종", "active 활성 활동",
		"returned return returns 반품", "subscribed subscribe subscribes subscriber subscribers subscription newsletter 구독",
	} {
		words := strings.Fields(group)
		for _, w := range words {
			out[w] += words[0] + " "
		}
	}
	return out
}()

// Those of these words that say of a thing what has become of it.
var (
	becomes       = set("cancelled canceled delivered shipped dispatched refunded unpaid paid pending approved rejected expired overdue inactive subscribed")
	becomesKorean = []string{"취소", "배송", "발송", "출고", "환불", "미납", "미결제", "보류", "승인", "거절", "만료", "연체", "비활성", "중단"}
)

// stateOf are the groups of states to which a word belongs.
func stateOf(w string) []string {
	if isHangul(w) {
		for name, groups := range states {
			if isHangul(name) && (strings.HasPrefix(w, name) || strings.HasPrefix(w, "미"+name)) {
				return strings.Fields(groups)
			}
		}
		return nil
	}
	return strings.Fields(states[w])
}

// knownStates are the states of which the question, the columns and the rows speak.
func (c *Checker) knownStates() map[string]bool {
	out := map[string]bool{}
	for w := range c.known {
		for _, g := range stateOf(w) {
			out[g] = true
		}
		for name, groups := range states {
			if sameRoot(name, w) {
				for _, g := range strings.Fields(groups) {
					out[g] = true
				}
			}
		}
	}
	return out
}

// checkStates refuses a state that nobody speaks of: "cancelled orders" of delivered ones.
func (s *sentence) checkStates() {
	if len(s.checker.tables) == 0 || s.checker.incomplete || s.checker.empty {
		return
	}
	for i, t := range s.tokens {
		if s.taken[i] || t.kind != word || s.checker.known[t.fold] || !becomes[t.fold] && !(t.hangul && hasPrefix(t.text, becomesKorean...)) {
			continue
		}
		if b, _ := s.boolAt(i); b != nil {
			continue
		}
		groups := stateOf(t.fold)
		switch before := s.foldAt(i - 1); {
		case len(groups) == 0, s.speaksOfQuery(i), before == "not", before == "or", t.fold == "paid" && (before == "-" || before == "well" || ordersUp[before] != 0):
			continue
		}
		if slices.ContainsFunc(groups, func(g string) bool { return s.checker.states()[g] }) {
			continue
		}
		s.violate(i, i+1, "neither the question nor the result speaks of this")
	}
}

// speaksOfQuery tells "the query returned 3 rows" and "was completed" from what is said
// of rows.
func (s *sentence) speaksOfQuery(i int) bool {
	return s.hasAny(0, len(s.tokens), "query", "result", "results", "search", "rows", "open") || s.anyCue(0, len(s.tokens), nil, "조회", "결과", "쿼리")
}

// checkStrays refuses a value of a column that belongs to none of the names beside it:
// one's address beside another one's name.
func (s *sentence) checkStrays() {
	if s.inTurn {
		return
	}
	for _, r := range s.refs {
		r = s.asPlace(r)
		if r.date || len(r.columns) != 1 || s.deniedBefore(r) {
			continue
		}
		other, shares := false, false
		for _, o := range s.refs {
			if o.at == r.at || s.clause[o.at] != s.clause[r.at] || slices.Contains(o.columns, r.columns[0]) || !s.sameTableRefs(o, r) {
				continue
			}
			for i := range r.rows {
				shares = shares || len(intersect(r.rows[i], o.rows[i])) > 0
			}
			other = other || !s.explained(o, r) && !s.standsFor(r, o) && !s.standsFor(o, r)
		}
		if other && !shares {
			s.violate(r.at, r.to, "it stands in another row than what the clause speaks of")
		}
	}
	s.checkMerged()
	s.checkClashes()
}

// asPlace keeps of a name that is also a part of another one only the column that has it whole,
// where it is told as a place: the city in "Alma Oslo is in Berlin", not the store Alma Berlin.
func (s *sentence) asPlace(r ref) ref {
	if len(r.columns) < 2 || !s.hasAny(r.at-1, r.at, "in", "at") && !hasSuffix(s.tokens[r.to-1].text+s.gluedAt(r.to), "에", "에서", "에는") {
		return r
	}
	name := s.text[s.tokens[r.at].begin:s.tokens[r.to-1].end]
	var own []int
	for _, id := range r.columns {
		if slices.ContainsFunc(s.columnOf(id).cells, func(v cell) bool { return v.text != "" && strings.HasPrefix(name, v.text) }) {
			own = append(own, id)
		}
	}
	if len(own) == 1 {
		r.columns = own
	}
	return r
}

// standsFor reports whether a value names its one row by itself, which has a figure before
// the next name: "the customer from Poland paid 9.8 thousand, followed by A".
func (s *sentence) standsFor(r, next ref) bool {
	n := 0
	for i := range r.rows {
		n += len(r.rows[i])
	}
	return n == 1 && r.to <= next.at && !s.inBrackets(next.at) && slices.ContainsFunc(s.figures, func(f figure) bool {
		return f.at >= r.to && f.to <= next.at && !s.inBrackets(f.at)
	}) && s.hasAny(r.to, next.at, "followed", "and", "then", "while", "ahead", "before")
}

// deniedBefore reports whether a name stands behind "not", in its part of the sentence.
func (s *sentence) deniedBefore(r ref) bool {
	from, _ := s.span(r.at)
	return s.hasAny(max(from, r.at-4), r.at, "not", "outside", "n't")
}

// checkClashes refuses two dates of one clause that are in no one row, where a result has
// two columns of moments: "the race of 2013 was on 18 March 2012".
func (s *sentence) checkClashes() {
	if s.hasAny(0, len(s.tokens), "from", "to", "until", "between", "than", "and", "since", "after", "before", "followed", "through", ",") || s.comparesKorean(0, len(s.tokens)) || s.anyCue(0, len(s.tokens), nil, "부터", "까지", "에서", "대비", "사이") {
		return
	}
	for i := range s.refs {
		for k := i + 1; k < len(s.refs); k++ {
			a, b := s.refs[i], s.refs[k]
			between := slices.ContainsFunc(s.refs[i:k], func(r ref) bool { return !r.date })
			if !a.date || !b.date || between || s.clause[a.at] != s.clause[b.at] || s.endsWithEnd(a) || s.endsWithEnd(b) {
				continue
			}
			for index, t := range s.checker.tables {
				moments := 0
				for col := range t.columns {
					moments += boolInt(t.columns[col].temporal)
				}
				if moments > 1 && len(a.rows[index]) > 0 && len(b.rows[index]) > 0 && len(intersect(a.rows[index], b.rows[index])) == 0 {
					s.violate(b.at, b.to, "it stands in another row than what the clause speaks of")
				}
			}
		}
	}
}

// endsWithEnd reports whether a date has an ending that makes it the end of a time.
func (s *sentence) endsWithEnd(r ref) bool {
	text := s.tokens[r.to-1].text + s.gluedAt(r.to)
	return hasSuffix(text, "부터", "까지", "에서", "과", "와", "보다") || s.foldAt(r.to) == "~" || s.foldAt(r.at-1) == "~" || s.foldAt(r.to) == "–"
}

// explained reports whether a value is that of another name than r.
func (s *sentence) explained(o, r ref) bool {
	return slices.ContainsFunc(s.refs, func(p ref) bool {
		if p.at == r.at || p.at == o.at || slices.ContainsFunc(p.columns, func(c int) bool { return slices.Contains(o.columns, c) }) {
			return false
		}
		for i := range p.rows {
			if len(intersect(p.rows[i], o.rows[i])) > 0 {
				return true
			}
		}
		return false
	})
}

func (s *sentence) sameTableRefs(a, b ref) bool {
	return slices.ContainsFunc(a.columns, func(x int) bool {
		return slices.ContainsFunc(b.columns, func(y int) bool { return x/columnStride == y/columnStride })
	})
}

// checkMerged refuses three values that are in no one row where each two of them are: one
// name with a date of the first and an address of the second that bear it.
func (s *sentence) checkMerged() {
	if len(s.refs) != 3 || len(s.figures) > 0 {
		return
	}
	seen := map[int]bool{}
	for _, r := range s.refs {
		if len(r.columns) != 1 || seen[r.columns[0]] {
			return
		}
		seen[r.columns[0]] = true
	}
	for i := range s.checker.tables {
		a, b, c := s.refs[0].rows[i], s.refs[1].rows[i], s.refs[2].rows[i]
		if len(a) > 0 && len(b) == 1 && len(c) == 1 && len(intersect(a, b)) > 0 && len(intersect(a, c)) > 0 && len(intersect(b, c)) == 0 {
			s.violate(s.refs[2].at, s.refs[2].to, "it stands in another row than what the clause speaks of")
		}
	}
}

// checkExistence refuses what is said to be there where the result is empty.
func (s *sentence) checkExistence() {
	if !s.checker.empty || s.denies() {
		return
	}
	for i, t := range s.tokens {
		there := (t.fold == "are" || t.fold == "is" || t.fold == "were" || t.fold == "was") && s.foldAt(i-1) == "there" ||
			t.fold == "several" || t.fold == "many" || t.fold == "some" && s.checker.isNoun(s.foldAt(i+1)) || t.hangul && (hasPrefix(t.text, "있습", "있었", "있어", "있다", "있음") && !hasSuffix(s.foldAt(i-1), "수", "해볼", "볼")) && s.foldAt(i-1) != "수"
		only := t.fold == "only" && i == 0 || s.closesAt(i) || t.hangul && hasPrefix(t.text, "오직")
		if (there || only) && !s.taken[i] && !s.hasAny(0, i, "if", "whether", "can", "may", "might", "could") {
			s.violate(i, i+1, "the result is empty")
			return
		}
	}
}

// denies reports whether the sentence says anywhere that something is not.
func (s *sentence) denies() bool {
	for i, t := range s.tokens {
		if s.deniesAt(i) || t.fold == "not" || t.fold == "without" || t.fold == "empty" || strings.HasSuffix(t.fold, "n't") ||
			t.text == "0" || t.hangul && (strings.Contains(t.text, "없") || strings.Contains(t.text, "않") || hasPrefix(t.text, "못", "비어")) {
			return true
		}
	}
	return s.checker.questionDenies()
}
