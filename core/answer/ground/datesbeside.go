package ground

import "slices"

// checkDatesBeside refuses a date in brackets right behind a name that no row has with it, "A
// (6일)", and one since which another row is what it is: "it has been open since 10 June".
func (s *sentence) checkDatesBeside() {
	if s.inTurn {
		return // they were checked where they were taken
	}
	for _, d := range s.refs {
		if !d.date {
			continue
		}
		if r := s.nameBefore(d.at); r != nil && !s.sharesRow(*r, d) && s.sharesTable(*r, d) {
			s.violate(d.at, d.to, "it stands in another row than what the clause speaks of")
		}
		if s.isSince(d) && s.ownsOther(d) {
			s.violate(d.at, d.to, "it stands in another row than what the sentence goes on about")
		}
	}
}

// nameBefore is the name right before the brackets that a token opens, nil for none.
func (s *sentence) nameBefore(at int) *ref {
	if s.foldAt(at-1) != "(" {
		return nil
	}
	for i := range s.refs {
		r := &s.refs[i]
		if gap := at - 1 - r.to; !r.date && (gap == 0 || gap == 1 && s.tokens[r.to].hangul && !s.figureAtToken(r.to)) {
			return r
		}
	}
	return nil
}

// sharesTable reports whether two names have rows in one table.
func (s *sentence) sharesTable(a, b ref) bool {
	for i := range a.rows {
		if len(a.rows[i]) > 0 && len(b.rows[i]) > 0 {
			return true
		}
	}
	return false
}

// isSince reports whether a day is told as that since which something is as it is.
func (s *sentence) isSince(d ref) bool {
	return s.foldAt(d.at-1) == "since" && s.hasAny(0, d.at, "been", "exists", "existed", "runs") && s.isDay(d)
}

// ownsOther reports whether a sentence that goes on about one row by a pronoun names a date
// that other rows have, and not this one.
func (s *sentence) ownsOther(d ref) bool {
	if slices.ContainsFunc(s.refs, func(r ref) bool { return !r.date }) || !s.pronoun() || s.before == nil || len(s.before.referents) == 0 {
		return false
	}
	if at := slices.IndexFunc(s.dates, func(of dateRef) bool { return of.at == d.at }); at >= 0 {
		d = s.rowsOfDate(s.dates[at].dateSpan, d.at, d.to) // not all that follow
	}
	return !slices.ContainsFunc(s.before.referents, func(one referent) bool {
		return slices.ContainsFunc(d.rows, func(rows []int) bool { return len(rows) == 0 }) || slices.ContainsFunc(one.rows, func(rows []int) bool { return len(rows) != 1 }) || s.sharesRow(ref{rows: one.rows}, d)
	})
}
