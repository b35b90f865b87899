package ground

// checkPartOf checks how many of all rows have a value or a moment that stands right behind:
// "직원 4명 중 2명이 2017년에 입사", "2 of the 4 employees joined in 2017".
func (s *sentence) checkPartOf() {
	for i := 0; i+1 < len(s.figures); i++ {
		all, part := &s.figures[i], &s.figures[i+1]
		if !hasPrefix(s.foldAt(all.to), "중", "가운데") && !hasPrefix(s.foldAt(all.to+1), "중", "가운데") {
			if s.foldAt(all.to) != "of" || part.at-all.to > 2 {
				continue
			}
			all, part = part, all
		}
		n, counts := part.count()
		if !counts || part.hedge != exact || !s.countsAll(all) {
			continue
		}
		if r := s.onlyBehind(max(all.to, part.to)); r != nil && !s.comparesBehind(part.to) && s.isOfOther(r, n) {
			s.violate(part.at, part.to, "other many rows have this")
			return
		}
	}
}

// onlyBehind is the one value or moment that stands behind a token in its part of the sentence.
func (s *sentence) onlyBehind(at int) *referent {
	_, to := s.span(max(0, at-1))
	var one *referent
	for i := range s.referents {
		if r := &s.referents[i]; r.at >= at && r.at < to {
			if one != nil {
				return nil
			}
			one = r
		}
	}
	if one == nil || len(one.parts) != 1 || one.at-at > 5 {
		return nil
	}
	return one
}

// comparesBehind reports whether words behind a token set moments or values against each other.
func (s *sentence) comparesBehind(at int) bool {
	return s.hasAny(at, len(s.tokens), "before", "after", "since", "until", "than", "between", "except", "not", "no", "by") ||
		s.anyCue(at, len(s.tokens), nil, "이전", "이후", "보다", "까지", "부터", "전에", "후에", "제외", "아니", "않", "없")
}

// isOfOther reports whether other many rows than n have a value, in a table that was seen whole.
func (s *sentence) isOfOther(r *referent, n int64) bool {
	for i, t := range s.checker.tables {
		if t.whole && t.rows > 2 && len(r.rows[i]) > 0 && len(r.rows[i]) < t.rows && t.dimensions() > 1 && int64(len(r.rows[i])) != n {
			return true
		}
	}
	return false
}
