package ground

// onTheWay is the name to which an end of "from 45,210 to 11,872" belongs: of two names that
// are told as a way themselves, "from 2019 to 2020", the one in its place; and where only the
// first end has a name, "from 109 in September to 187", the second is that of which the text
// speaks.
func (s *sentence) onTheWay(f *figure) *referent {
	if r := s.topicOfWay(f); r != nil {
		return r
	}
	for i := 0; i+1 < len(s.figures); i++ {
		a, b := &s.figures[i], &s.figures[i+1]
		if f != a && f != b || s.foldAt(a.at-1) != "from" || s.foldAt(b.at-1) != "to" || s.clause[a.at] != s.clause[b.at] {
			continue
		}
		if first, last := s.wayOfNames(a, b); first != nil {
			if f == a {
				return first
			}
			return last
		}
		if f == b {
			return s.spokenOfBefore(a, b)
		}
	}
	return nil
}

// wayOfNames are two names of the clause that are told as a way, before two figures or
// behind them.
func (s *sentence) wayOfNames(a, b *figure) (first, last *referent) {
	from, to := s.clauseSpan(a.at)
	for i := 0; i+1 < len(s.referents); i++ {
		r, next := &s.referents[i], &s.referents[i+1]
		if r.at < from || next.to > to || next.to > a.at && r.at < b.to {
			continue
		}
		lead, mid := s.foldAt(r.at-1), s.foldAt(next.at-1)
		if (lead == "from" && (mid == "to" || mid == "until") || lead == "between" && mid == "and") && next.at-r.to == 1 {
			return r, next
		}
	}
	return nil, nil
}

// spokenOfBefore is the name of which the sentence before spoke, where the first of two
// figures has a name of its own between them, and none stands behind the second.
func (s *sentence) spokenOfBefore(a, b *figure) *referent {
	from, to := s.clauseSpan(a.at)
	between := false
	for _, r := range s.referents {
		switch {
		case r.at < from || r.at >= to:
		case r.at >= a.to && r.to <= b.at && s.hasAny(r.at-1, r.at, "in", "at", "for", "on"):
			between = true
		default:
			return nil
		}
	}
	list := carriedNames(s)
	if !between || len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// topicOfWay is the topic of a Korean sentence where a figure has no name of its own and is the
// end of a way whose beginning has one: 67 of "12월은 11월 44건에서 67건으로".
func (s *sentence) topicOfWay(f *figure) *referent {
	for i := 0; i+1 < len(s.figures); i++ {
		a, b := &s.figures[i], &s.figures[i+1]
		if f != b || s.clause[a.at] != s.clause[b.at] || !hasSuffix(a.rest+s.gluedAt(a.to), "에서") || !hasSuffix(b.rest+s.gluedAt(b.to), "로") {
			continue
		}
		from, _ := s.clauseSpan(a.at)
		names := s.namesOf(from, b.at)
		if len(names) != 2 || names[1].to != a.at {
			return nil
		}
		for k := names[0].to - 1; k < min(names[0].to+2, names[1].at); k++ {
			if hasSuffix(s.tokens[k].text, "은", "는") {
				return names[0]
			}
		}
	}
	return nil
}
