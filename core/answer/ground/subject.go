package ground

import (
	"slices"
	"strings"
)

// referentOf is what a figure is said of, with those that are named in one breath
// with it; nil when the clause names no row.
func (s *sentence) referentOf(f *figure) (*referent, []*referent) {
	if r := s.pointed(f); r != nil {
		return r, nil
	}
	if r := s.inPlace(f); r != nil {
		return r, nil
	}
	if r := s.ofGenitive(f); r != nil {
		return r, nil
	}
	if r := s.topicArriving(f); r != nil {
		return r, nil
	}
	if r := s.respectively(f); r != nil {
		return r, nil
	}
	if r := s.onTheWay(f); r != nil {
		return r, nil
	}
	if r := s.relative(f); r != nil {
		return r, nil
	}
	if r := s.bracketedBehind(f.to); r != nil {
		return r, nil
	}
	if r := s.inFront(f); r != nil {
		return r, nil
	}
	if r := s.behindBrackets(f); r != nil {
		return r, nil
	}
	if r := s.pastBrackets(f); r != nil {
		return r, nil
	}
	from, to := s.span(f.at)
	var before, after []*referent
	for i := range s.referents {
		switch r := &s.referents[i]; {
		case r.to <= f.at && r.to > from, r.at < f.at && r.to > f.at && r.at >= from:
			before = append(before, r)
		case r.at >= f.to && r.at < to && !(i > 0 && s.hasAny(r.at-2, r.at, "than")):
			after = append(after, r)
		}
	}
	switch {
	case len(before) > 0 && len(after) > 0 && s.tight(f, after[0]) && s.usedBefore(f, before[len(before)-1]):
		return after[0], nil
	case len(before) > 0:
		return s.subject(f, before)
	case len(after) > 0:
		return after[0], s.groupOf(after[0])
	}
	return s.elsewhere(f, from, to)
}

// bracketedBehind is the name with which brackets right behind a figure begin, in quotes or
// behind the noun for it: "43 ("damaged")", "1,487.48 (order 8997)".
func (s *sentence) bracketedBehind(at int) *referent {
	if s.foldAt(at) != "(" {
		return nil
	}
	for at++; at < len(s.tokens) && !s.isNameToken(at); at++ {
		if w := s.foldAt(at); w != "the" && w != "\"" && w != "'" && w != "#" && w != "no" && w != "." && !(s.is(at, word) && s.isRowNoun(w)) {
			return nil
		}
	}
	if i := slices.IndexFunc(s.referents, func(r referent) bool { return r.at == at }); i >= 0 && at < len(s.tokens) {
		return &s.referents[i]
	}
	return nil
}

// relative is the name right before the "which" or "who" with which the figure's part of the
// sentence begins, where no other name stands in it.
func (s *sentence) relative(f *figure) *referent {
	from, to := s.span(f.at)
	if !s.hasAny(from+1, from+2, "which", "who") || s.foldAt(from) != "," {
		return nil
	}
	var near *referent
	for i := range s.referents {
		switch r := &s.referents[i]; {
		case r.to == from:
			near = r
		case r.at > from && r.at < to:
			return nil
		}
	}
	return near
}

// inPlace is the name right behind a place, which has it: "2위 A와 3위 B", "number two, A",
// "second-placed A".
func (s *sentence) inPlace(f *figure) *referent {
	if !f.ordinal {
		return nil
	}
	at := f.to
	switch w := s.foldAt(at); {
	case w == "위" || w == "위인" || w == "번째" || w == "번째인":
		at++
	case w == "-" && s.hasAny(at+1, at+2, "placed", "ranked", "ranking"):
		at += 2
	case w == "," && s.foldAt(f.at-1) == "number", w == ":" && s.isNameToken(at+1):
		at++
	case f.rest != "위" && f.rest != "위인" && !s.isNameToken(at):
		return nil
	}
	for s.is(at, mark) && strings.Contains("'\"‘“「", s.foldAt(at)) {
		at++
	}
	if i := slices.IndexFunc(s.referents, func(r referent) bool { return r.at == at }); i >= 0 {
		return &s.referents[i]
	}
	return nil
}

// inFront is the name right before the brackets in which a figure stands first, or before
// the noun there: "A (269.70)", "A의 평균(150.29)".
func (s *sentence) inFront(f *figure) *referent {
	open := f.at - 1
	if s.foldAt(open) != "(" {
		return nil
	}
	for i := len(s.referents) - 1; i >= 0; i-- {
		r := &s.referents[i]
		for _, p := range r.parts {
			if gap := open - p.to; gap == 0 || gap > 0 && gap <= 2 && s.tokens[p.to].hangul && !s.figureAtToken(p.to) && r.to <= open {
				if len(s.groupOf(r)) < 2 {
					return r
				}
			}
		}
	}
	return nil
}

// behindBrackets is the name behind the brackets in which a figure stands, where none
// stands before them: "the smallest (16) in A".
func (s *sentence) behindBrackets(f *figure) *referent {
	if !s.inBrackets(f.at) {
		return nil
	}
	open := f.at
	for open > 0 && s.tokens[open].text != "(" {
		open--
	}
	if open == 0 {
		return nil
	}
	from, _ := s.span(open - 1)
	_, to := s.span(min(f.to+1, len(s.tokens)-1))
	var found *referent
	for i := range s.referents {
		switch r := &s.referents[i]; {
		case r.to > from && r.to <= f.at:
			return nil
		case r.at >= f.to && r.at < to && found == nil:
			found = r
		}
	}
	if found == nil || slices.ContainsFunc(s.figures, func(g figure) bool { return g.at >= from && g.at < open }) {
		return nil
	}
	return found
}

// pastBrackets is the name that a preposition binds to a figure over brackets between
// them: "26.95 (-5.64%) in 2025".
func (s *sentence) pastBrackets(f *figure) *referent {
	i := f.to
	if s.inBrackets(f.at) {
		for i < len(s.tokens) && s.tokens[i].text != ")" {
			i++
		}
	} else {
		if s.foldAt(i) != "(" {
			return nil
		}
		for i < len(s.tokens) && s.tokens[i].text != ")" {
			i++
		}
	}
	if !s.hasAny(i+1, i+2, "in", "for", "at", "during") {
		return nil
	}
	for k := range s.referents {
		if r := &s.referents[k]; r.at == i+2 || r.at == i+3 && s.foldAt(i+2) == "the" {
			from, _ := s.span(f.at)
			if s.inBrackets(f.at) {
				from, _ = s.span(max(0, from-1))
			}
			if slices.ContainsFunc(s.referents, func(o referent) bool { return o.at >= from && o.to <= f.at }) {
				return nil
			}
			return r
		}
	}
	return nil
}

// elsewhere looks for the referent in other parts of the clause, then before it.
func (s *sentence) elsewhere(f *figure, from, to int) (*referent, []*referent) {
	first, last := s.clauseSpan(f.at)
	if s.anyCue(from, to, otherWords) {
		return nil, nil
	}
	for i := len(s.referents) - 1; i >= 0; i-- {
		if r := &s.referents[i]; r.to <= from && r.at >= first && (s.opensBehind(f, r) || !(i > 0 && s.referents[i-1].at >= first && s.isComparand(r))) {
			return r, s.groupOf(r)
		}
	}
	for i := range s.referents {
		r := &s.referents[i]
		if s.pronounWithin(from, r.at) {
			break
		}
		if r.at >= to && r.at < last && !slices.ContainsFunc(s.figures, func(g figure) bool { return g.at >= to && g.at < r.at && !s.inBrackets(g.at) }) {
			return r, s.groupOf(r)
		}
	}
	if first > 0 && len(s.referents) > 0 && s.referents[0].at < first {
		for i := len(s.referents) - 1; i >= 0; i-- {
			if r := &s.referents[i]; r.to <= first && (s.hasAny(first, last, "it", "its", "they", "there") || len(s.referents) == 1) {
				return r, nil
			}
		}
		return nil, nil
	}
	return s.carried(f), nil
}

// opensBehind reports whether a figure stands in the brackets right behind a name.
func (s *sentence) opensBehind(f *figure, r *referent) bool {
	if !s.inBrackets(f.at) {
		return false
	}
	for i := f.at; i >= r.to; i-- {
		if s.tokens[i].text == "(" {
			return i-r.to <= 1
		}
	}
	return false
}

// isComparand reports whether a name is only what another is compared to.
func (s *sentence) isComparand(r *referent) bool {
	if s.endsWith(r, "보다") || s.hasAny(r.at-2, r.at, "than", "versus", "vs") {
		return true
	}
	for i := r.to; i < len(s.tokens) && i < r.to+8; i++ {
		if t := s.tokens[i]; t.hangul && hasSuffix(t.text, "보다") && s.foldAt(i-1) == ")" || strings.HasSuffix(t.text, "보다") && s.figureAtToken(i-1) {
			return true
		}
		if !s.inBrackets(i) && !s.taken[i] && !s.tokens[i].hangul {
			break
		}
	}
	return false
}

// subject chooses among the names before a figure: the nearest, unless that is what
// the first is compared to.
func (s *sentence) subject(f *figure, before []*referent) (*referent, []*referent) {
	nearest := before[len(before)-1]
	if nearest.to == f.at && s.endsWith(nearest, "의") && hasSuffix(f.rest+s.gluedAt(f.to), "보다", "보다는", "에서") {
		return nearest, s.groupOf(nearest) // it is that by which another is measured
	}
	if len(before) > 1 && !s.coordinated(before[len(before)-2].to, nearest.at) && s.hasAny(nearest.to, f.at, "with", "by", "at", "having") &&
		s.hasAny(nearest.at-3, nearest.at, "than", "over", "of", "behind", "to", "versus", "before", "above", "beats", "beating") {
		return before[len(before)-2], nil
	}
	if len(before) > 1 && !f.ratio && s.measuresBy(nearest) {
		return before[len(before)-2], nil
	}
	if len(before) > 1 && s.endsWith(nearest, "보다") {
		return before[len(before)-2], nil
	}
	return nearest, s.groupOf(nearest)
}

// measuresBy reports whether a name is only what another is measured by: "twice that of
// B", "B의 두 배".
func (s *sentence) measuresBy(r *referent) bool {
	for _, f := range s.figures {
		if f.ratio && (f.at == r.to || f.to <= r.at && r.at-f.to <= 4 && s.hasAny(f.to, r.at, "of", "as") && s.tokens[r.at-1].text != ",") {
			return true
		}
	}
	return false
}

// groupOf is the run of names that are named in one breath with r, r among them; nil
// when r stands alone.
func (s *sentence) groupOf(r *referent) []*referent { return s.run(r, s.coordinated) }

// run is the longest run of names around r that are joined.
func (s *sentence) run(r *referent, joined func(from, to int) bool) []*referent {
	at := slices.IndexFunc(s.referents, func(o referent) bool { return o.at == r.at })
	if at < 0 {
		return nil
	}
	next := func(i int) bool { // whether name i goes on with what stands before it
		a, b := &s.referents[i-1], &s.referents[i]
		return joined(a.to, b.at) && !(a.to == b.at && s.tokens[max(0, a.to-1)].hangul && s.endsWith(a, "은", "는"))
	}
	from, to := at, at+1
	for from > 0 && next(from) {
		from--
	}
	for to < len(s.referents) && next(to) {
		to++
	}
	if to-from < 2 {
		return nil
	}
	var out []*referent
	for i := from; i < to; i++ {
		out = append(out, &s.referents[i])
	}
	return out
}

// tight reports whether a preposition binds a figure to the name behind it.
func (s *sentence) tight(f *figure, r *referent) bool {
	if r.at-f.to > 5 {
		return false
	}
	return s.hasAny(f.to, r.at, "in", "for", "from", "of", "by", "at", "to", "on", "during", "is", "are", "belong", "인", "의") || r.at == f.to
}

// usedBefore reports whether another figure between the name and this one is said of
// that name.
func (s *sentence) usedBefore(f *figure, r *referent) bool {
	if slices.ContainsFunc(s.figures, func(g figure) bool { return g.at >= r.to && g.to <= f.at }) {
		return true
	}
	if len(r.parts) > 1 && slices.ContainsFunc(s.figures, func(g figure) bool { return g.at > r.at && g.to < r.to }) {
		return true // it stands between the parts: "Oslo fell from 20 in 2024 to 15 in 2025"
	}
	from, _ := s.span(r.at)
	return slices.ContainsFunc(s.figures, func(g figure) bool {
		return g.at >= from && g.to <= r.at && s.tight(&g, r) &&
			!slices.ContainsFunc(s.referents, func(o referent) bool { return o.at >= from && o.to <= g.at })
	})
}

// respectively is the name for a figure of as many as there are names before: "A and B
// have 3 and 5".
func (s *sentence) respectively(f *figure) *referent {
	from, to := s.clauseSpan(f.at)
	var names []*referent
	var list []*figure
	for i := range s.referents {
		if r := &s.referents[i]; r.at >= from && r.to <= to {
			names = append(names, r)
		}
	}
	for i := range s.figures {
		if g := &s.figures[i]; g.at >= from && g.to <= to && g.ordinal == f.ordinal && !g.ratio && g.percent == f.percent && !s.isTogether(g) {
			list = append(list, g)
		}
	}
	if len(names) == 0 && s.opposed(list) {
		for i := range s.referents {
			names = append(names, &s.referents[i])
		}
	}
	said := s.anyCue(from, to, set("respectively"), "각각")
	// A count of the names themselves is none of their figures: "the two leaders".
	if n := len(names); said && len(list) == n+1 && list[0].amounts != nil && list[0].amounts[0].value.Cmp(rat(int64(n))) == 0 {
		list = list[1:]
	}
	if n := len(names); n >= 2 && len(list) > n && s.inBrackets(f.at) {
		list = slices.DeleteFunc(list, func(g *figure) bool { return !s.inBrackets(g.at) })
		if len(list) == n && list[0].at > names[n-1].to && s.coordinated(names[0].to, names[1].at) {
			return names[slices.Index(list, f)]
		}
	}
	n := len(names)
	if said && n >= 2 && len(list) > n {
		list = s.apportioned(list, n)
	}
	if n < 2 || len(list) != n || !(said || s.coordinated(names[0].to, names[1].at) || s.opposed(list)) {
		return nil
	}
	if names[n-1].to <= list[0].at || said && list[n-1].to <= names[0].at {
		for i, g := range list {
			if g == f {
				return names[i]
			}
		}
	}
	return nil
}

// isTogether reports whether a figure is said of several names at once.
func (s *sentence) isTogether(g *figure) bool {
	from, to := s.span(g.at)
	return len(s.referents) > 1 && !s.namesIn(g) && s.anyCue(from, to, set("together combined total altogether"), "합계", "합쳐", "합하", "총")
}

// apportioned are the figures that are said of as many names: those behind 각각, or those
// before "respectively".
func (s *sentence) apportioned(list []*figure, n int) []*figure {
	for i, t := range s.tokens {
		switch {
		case t.fold == "respectively":
			before := slices.DeleteFunc(slices.Clone(list), func(g *figure) bool { return g.at > i })
			return before[max(0, len(before)-n):]
		case t.hangul && hasPrefix(t.text, "각각"):
			behind := slices.DeleteFunc(slices.Clone(list), func(g *figure) bool { return g.at < i })
			return behind[:min(n, len(behind))]
		}
	}
	return list
}

// opposed reports whether figures stand side by side: "435 versus 116".
func (s *sentence) opposed(list []*figure) bool {
	for i := 1; i < len(list); i++ {
		if list[i].at-list[i-1].to <= 2 && s.hasAny(list[i-1].to, list[i].at, "to") && s.hasAny(list[0].at-2, list[0].at, "from") {
			continue
		}
		if list[i].at-list[i-1].to > 3 || !s.hasAny(list[i-1].to, list[i].at, "versus", "vs", "against", "compared", "대") {
			return false
		}
	}
	return len(list) > 1
}

// carried is the one thing that the sentence before spoke of, where this one goes on
// about it.
func (s *sentence) carried(f *figure) *referent {
	if s.before == nil || len(s.before.referents) == 0 || hasPrefix(s.foldAt(0), "모든") || nounsOfNone[s.foldAt(0)] {
		return nil
	}
	one := &s.before.referents[len(s.before.referents)-1]
	if len(s.before.referents) > 1 && (severalPronouns[s.foldAt(0)] || s.foldAt(0) == "their" || s.foldAt(0) == "they") {
		return nil // what all of them have
	}
	if s.pronoun() {
		return one
	}
	if f.at == 0 && strings.HasSuffix(s.before.text, ";") && len(s.before.referents) == 1 {
		return one
	}
	if s.labelsOn(f) {
		return one
	}
	direction, _ := s.ordering(0, len(s.tokens))
	if len(s.before.referents) != 1 || direction != 0 || s.anyCue(0, len(s.tokens), totalWords, totalKorean...) ||
		s.anyCue(0, len(s.tokens), meanWords, meanKorean...) || !s.onlyNouns(0, f.at) {
		return nil
	}
	if s.before.line.head || strings.HasSuffix(s.before.text, ":") || !s.line.item {
		return one
	}
	return nil
}

// labelsOn reports whether a figure stands behind a label with which a list's line goes on about
// its one name: "A – orders: 5; order total: 120".
func (s *sentence) labelsOn(f *figure) bool {
	if !s.line.item || !strings.HasSuffix(s.before.text, ";") || len(s.before.referents) != 1 || len(s.referents) > 0 || len(s.figures) != 1 {
		return false
	}
	at := f.at - 1
	for at > 0 && (s.foldAt(at) == "-" || s.foldAt(at) == "+" || hedgesBefore[s.foldAt(at)] != exact) {
		at--
	}
	if s.foldAt(at) != ":" || at == 0 {
		return false
	}
	for i := range at {
		if s.is(i, word) && !stopWords[s.foldAt(i)] && s.namedBy(koreanStem(s.foldAt(i)), nil) == nil && !s.checker.known[s.foldAt(i)] {
			return false
		}
	}
	return true
}
