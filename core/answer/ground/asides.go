package ground

// pastAside is where a text goes on behind a figure and a percentage that tells the same in
// other terms: "12명(25%) 줄었습니다", "38건, 8.4% 늘었어요".
func (s *sentence) pastAside(f *figure) int {
	at := f.to
	for at < len(s.tokens) && s.tokens[at].hangul && !s.tokens[at].gap {
		at++
	}
	if w := s.foldAt(at); w != "(" && w != "," {
		return f.to
	}
	for i := range s.figures {
		g := &s.figures[i]
		if first := g.at - boolInt(g.minus || g.plus); first != at+1 || !g.percent {
			continue
		}
		switch {
		case s.foldAt(at) == ",":
			return g.to
		case s.foldAt(g.to) == ")":
			return g.to + 1
		}
	}
	return f.to
}

// isAsideOfGap reports whether a percentage tells the difference before it in other terms.
func (s *sentence) isAsideOfGap(f *figure) bool {
	for i := range s.figures {
		if g := &s.figures[i]; !g.percent && g.to < f.at && f.to <= s.pastAside(g) {
			return s.isGap(g)
		}
	}
	return false
}

// ofGenitive is the name right before a figure that has it: "6월의 55".
func (s *sentence) ofGenitive(f *figure) *referent {
	if f.ratio || f.percent || f.ordinal {
		return nil
	}
	for i := range s.referents {
		if r := &s.referents[i]; r.to == f.at && hasSuffix(s.tokens[r.to-1].text, "의") && !(r.at > 0 && (hasSuffix(s.tokens[r.at-1].text, "과", "와", "및") || s.is(r.at-1, mark))) {
			return r
		}
	}
	return nil
}

// topicArriving is the topic of a clause whose figure stands at the end of a way that begins at
// that of another name: of "12월은 11월 44건에서 67건으로" the 67 are of December.
func (s *sentence) topicArriving(f *figure) *referent {
	if !hasSuffix(f.rest, "로") && !hasSuffix(s.gluedAt(f.to), "로") {
		return nil
	}
	names := s.groupIn(f)
	if len(names) != 2 {
		return nil
	}
	for i := range s.figures {
		g := &s.figures[i]
		if g.to > f.at || f.at-g.to > 2 || !hasSuffix(g.rest+s.gluedAt(g.to), "에서") || names[1].to > g.at || g.at-names[1].to > 1 {
			continue
		}
		for k := names[0].to - 1; k < names[1].at && k < names[0].to+3; k++ {
			if s.tokens[k].hangul && hasSuffix(s.tokens[k].text, "은", "는") {
				return names[0]
			}
		}
	}
	return nil
}

// saysChange reports whether a Korean word of tokens from..to says that something is more, or
// less, or became so.
func (s *sentence) saysChange(from, to int) bool {
	return s.anyCue(from, to, nil, riseKorean...) || s.anyCue(from, to, nil, fallKorean...) || s.anyCue(from, to, nil, upKorean...) || s.anyCue(from, to, nil, downKorean...) || s.anyCue(from, to, nil, "더", "차이", "격차", "앞")
}
