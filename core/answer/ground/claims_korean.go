package ground

import "slices"

// koreanComparison is the direction in which the words behind two Korean names compare them:
// 1 when the first has more.
func (s *sentence) koreanComparison(a, b *referent) (direction, at int) {
	if at := s.comparesAhead(a, b); at > 0 {
		return boolInt(hasPrefix(s.foldAt(at), downKorean...)) - boolInt(hasPrefix(s.foldAt(at), upKorean...)), at
	}
	_, last := s.clauseSpan(b.at)
	for i := b.to; i < last; i++ {
		t := s.tokens[i]
		if !t.hangul {
			continue
		}
		sign := 0
		switch {
		case hasPrefix(t.text, "뒤", "앞") && slices.ContainsFunc(s.figures, func(f figure) bool { return i-f.to <= 1 && f.to <= i && s.spanUnit(&f) != "" }):
			continue // "520일 뒤에"
		case hasPrefix(t.text, upKorean...):
			sign = 1
		case hasPrefix(t.text, downKorean...):
			sign = -1
		default:
			continue
		}
		if s.measuredByBefore(b) || s.isThan(a) || s.setsAgainst(a, b.at) {
			return -sign, i
		}
		if s.isThan(b) || s.nounEndsWith(b, i, "보다") || s.setsAgainst(b, i) {
			return sign, i
		}
	}
	return 0, 0
}

// isThan reports whether a Korean ending makes of a name what something is compared with.
func (s *sentence) isThan(r *referent) bool { return s.endsWith(r, "보다", "보다는", "보다도") }

// subjectOver is the name that is compared with the next one: name i, or where this is compared
// with, too, the one before it: "A는 B보다 크지만 C보다는 작습니다".
func (s *sentence) subjectOver(i int) *referent {
	k := i
	for k > 0 && s.isThan(&s.referents[k]) && s.isThan(&s.referents[i+1]) {
		k--
	}
	return &s.referents[k]
}

// comparesAhead is the word between two Korean names that says of the second what it is beside the
// first: "A보다 대출이 적은 곳은 B입니다"; 0 for none.
func (s *sentence) comparesAhead(a, b *referent) int {
	if !s.isThan(a) || s.isThan(b) || b.at-1 <= a.to || !hasSuffix(s.tokens[b.at-1].text, "은", "는") || !s.tokens[b.at-1].hangul {
		return 0
	}
	for i := a.to; i < b.at-1; i++ {
		if t := s.tokens[i]; t.hangul && !s.isNameToken(i) && (koreanTime(t.text) != 0 || hasPrefix(t.text, upKorean...) || hasPrefix(t.text, downKorean...)) {
			return i
		}
	}
	return 0
}

// koreanLead is the direction of a verb that says of what is named before that it is more than
// the second name, or less: "A가 B를 앞섭니다".
func (s *sentence) koreanLead(b *referent) (direction, at int) {
	if s.endsWith(b, "에") || s.endsWith(b, "에는") {
		for i := b.to; i < min(b.to+3, len(s.tokens)); i++ {
			if t := s.tokens[i]; t.hangul && (t.text == "못" && hasPrefix(s.foldAt(i+1), "미치", "미칩", "미쳤") || hasPrefix(t.text, "미치지") && hasPrefix(s.foldAt(i+1), "못")) {
				return -1, i
			}
		}
	}
	if !s.endsWith(b, "을", "를") {
		return 0, 0
	}
	for i := b.to; i < min(b.to+4, len(s.tokens)); i++ {
		switch t := s.tokens[i]; {
		case t.hangul && hasPrefix(t.text, "앞서", "앞섭", "앞선", "앞섰", "제치", "제쳤", "능가", "웃돌", "웃돈", "웃돕"):
			return 1, i
		case t.hangul && hasPrefix(t.text, "밑돌", "밑돈", "밑돕"):
			return -1, i
		}
	}
	return 0, 0
}

// setsAgainst reports whether the words behind a name, its noun and its brackets, before token
// end, say that another is measured by it: "B(12건)보다", "B 매장에 비해", "B 대비".
func (s *sentence) setsAgainst(r *referent, end int) bool {
	for i := r.to; i < min(end, len(s.tokens), r.to+9); i++ {
		switch t := s.tokens[i]; {
		case s.inBrackets(i) || t.kind == mark:
		case !t.hangul || s.isNameToken(i):
			return false
		case hasSuffix(t.text, "보다") || hasPrefix(t.text, "대비", "비해", "비하", "비교"):
			return true
		case hasSuffix(t.text, "은", "는", "이", "가", "도", "의", "로", "를", "을"):
			return false
		}
	}
	return false
}
