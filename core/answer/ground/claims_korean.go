package ground

// koreanComparison is the direction in which the words behind two Korean names compare them:
// 1 when the first has more.
func (s *sentence) koreanComparison(a, b *referent) (direction, at int) {
	_, last := s.clauseSpan(b.at)
	for i := b.to; i < last; i++ {
		t := s.tokens[i]
		if !t.hangul {
			continue
		}
		sign := 0
		switch {
		case hasPrefix(t.text, upKorean...):
			sign = 1
		case hasPrefix(t.text, downKorean...):
			sign = -1
		default:
			continue
		}
		if s.measuredByBefore(b) || s.endsWith(a, "보다") || s.setsAgainst(a, b.at) {
			return -sign, i
		}
		if s.endsWith(b, "보다") || s.nounEndsWith(b, i, "보다") || s.setsAgainst(b, i) {
			return sign, i
		}
	}
	return 0, 0
}

// koreanLead is the direction of a verb that says of what is named before that it is more than
// the second name, or less: "A가 B를 앞섭니다".
func (s *sentence) koreanLead(b *referent) (direction, at int) {
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
