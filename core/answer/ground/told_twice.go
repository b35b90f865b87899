package ground

import "slices"

// isToldTwice checks a Korean figure that is told twice before one word for a change, as it is and
// in percent, as if the other way of it were not there: "38건, 8.4% 늘었다", "12명(25%) 줄었다".
func (s *sentence) isToldTwice(i int) bool {
	text, at := "", i
	switch {
	case i+1 < len(s.figures) && s.tellsTwice(i):
		text = s.text[:s.tokens[s.endOf(&s.figures[i])-1].end] + s.text[s.tokens[s.behind(&s.figures[i+1])-1].end:]
	case i > 0 && s.tellsTwice(i-1):
		g := &s.figures[i]
		at--
		text = s.text[:s.tokens[s.figures[at].at].begin] + s.text[s.tokens[g.at].begin:s.tokens[g.to-1].end] + s.text[s.tokens[s.behind(g)-1].end:]
	default:
		return false
	}
	o := s.checker.parse(text, s.before, s.line)
	o.saysCut, o.earlier, o.earlierRows, o.told, o.last = s.saysCut, s.earlier, s.earlierRows, s.told, s.last
	for k := range at {
		o.proved[k] = s.proved[k]
	}
	return at < len(o.figures) && o.figures[at].percent == s.figures[i].percent && len(o.figures[at].amounts) > 0 && o.prove(at)
}

// tellsTwice reports whether a figure stands right before the same in percent, and both before a
// word for a change or a comparison.
func (s *sentence) tellsTwice(i int) bool {
	f, g := &s.figures[i], &s.figures[i+1]
	if f.percent || f.ordinal || f.ratio || !g.percent || g.at != s.endOf(f)+1 || s.foldAt(g.at-1) != "," && s.foldAt(g.at-1) != "(" {
		return false
	}
	if s.foldAt(g.at-1) == "(" && s.foldAt(g.to) != ")" {
		return false
	}
	return hasPrefix(s.foldAt(s.behind(g)), slices.Concat(riseKorean, fallKorean, upKorean, downKorean, []string{"더"})...)
}

// endOf is where a figure ends with the Korean counter that is glued to it.
func (s *sentence) endOf(f *figure) int { return f.to + boolInt(s.gluedAt(f.to) != "") }

// behind is where a figure in brackets ends with them.
func (s *sentence) behind(f *figure) int {
	return f.to + boolInt(s.foldAt(f.at-1) == "(" && s.foldAt(f.to) == ")")
}
