package ground

import "slices"

// checkItems refuses a value or a moment of another row in a line of a list or a table that
// begins with the name of one: "- Ann – city: Oslo" where Oslo is Bob's.
func (s *sentence) checkItems() {
	if !s.line.item || len(s.refs) < 2 || s.comparesBehind(0) || s.hasAny(0, len(s.tokens), "versus", "vs", "compared", "from", "to", "→") {
		return
	}
	subject := s.refs[0]
	if subject.at > 2 || !s.hasAny(subject.to, subject.to+1, ":", "–", "—", "-", "|", "(", ",") {
		return
	}
	for _, r := range s.refs[1:] {
		if !s.sameTableRefs(subject, r) || slices.Equal(r.columns, subject.columns) {
			return
		}
	}
	for _, r := range s.refs[1:] {
		shared := false
		for i := range r.rows {
			shared = shared || len(intersect(r.rows[i], subject.rows[i])) > 0
		}
		if !shared {
			s.violate(r.at, r.to, "it stands in another row than what the clause speaks of")
			return
		}
	}
}
