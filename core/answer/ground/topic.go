package ground

import (
	"slices"
	"strings"
)

// topic are the measures of which a figure without a noun of its own is one: those that the
// nouns of its sentence name, where it stands in brackets right behind a name or a bound,
// "the highest price has A (181.10)"; those of the heading, where it is
// all that a line of a list tells; those of the sentence before, where it is "the figure".
// Nil where they leave all measures open, or where other figures before have told those of
// the same rows.
func (s *sentence) topic(f *figure, rows [][]int) map[int]bool {
	var named map[int]bool
	switch {
	case f.plus || f.minus || f.percent || len(s.line.heads) > 0:
	case s.bracketsName(f), s.bracketsBound(f):
		named = s.measuresSpoken(rows)
	case s.line.item && len(s.figures) == 1 && s.heading != nil && s.heading.announces():
		named = s.heading.measuresSpoken(rows)
	case s.last != nil && s.standsForValue(f.at-1):
		named = s.last.measuresSpoken(rows)
	}
	if named == nil || !s.bracketsBound(f) && s.spent(named, f.at, rows) {
		return nil
	}
	return s.unlessAll(named, rows)
}

// unlessAll is a set of measures where it leaves some out, nil where these are all.
func (s *sentence) unlessAll(named map[int]bool, rows [][]int) map[int]bool {
	for i, t := range s.checker.tables {
		for col := range t.columns {
			if t.speaks(col) && !named[i*columnStride+col] && (rows == nil || len(rows[i]) > 0) {
				return named
			}
		}
	}
	return nil
}

// answered are the measures of a question of the text, of which the figure behind it is one
// where no noun follows: "Which has the highest price? A, at 181.10."
func (s *sentence) answered(f *figure, rows [][]int) map[int]bool {
	ends := slices.IndexFunc(s.tokens[:f.at], func(t token) bool { return t.text == "?" })
	if ends < 0 || s.nearest(f.to, min(f.to+3, len(s.tokens)), 1, rows) != nil {
		return nil
	}
	direction, at := s.ordering(0, ends)
	for _, i := range []int{at - 1, at + 1, at + 2} {
		if direction != 0 && s.is(i, word) && i < ends && !s.isNameToken(i) {
			if named := s.namedBy(koreanStem(s.foldAt(i)), rows); named != nil {
				return named
			}
		}
	}
	return nil
}

// bracketsName reports whether a figure stands first in brackets right behind a name, or
// behind the Korean noun for what has it: "A (3)", "A 카테고리(3)".
func (s *sentence) bracketsName(f *figure) bool {
	i := f.at - 2
	if s.foldAt(i+1) != "(" || i < 0 {
		return false
	}
	if s.tokens[i].hangul && !s.isNameToken(i) && !s.figureAtToken(i) {
		i--
	}
	if s.foldAt(i) == `"` || s.foldAt(i) == "'" {
		i--
	}
	return i >= 0 && s.isNameToken(i)
}

// bracketsBound reports whether a figure stands in brackets right behind a bound, which it
// tells exactly: "more than 500 (512)".
func (s *sentence) bracketsBound(f *figure) bool {
	return s.foldAt(f.at-1) == "(" && slices.ContainsFunc(s.figures, func(g figure) bool { return g.to == f.at-1 && g.isBound() })
}

// standsForValue reports whether a token is a word for a number that was spoken of: "the
// figure is 36", "수치는 36".
func (s *sentence) standsForValue(i int) bool {
	if s.hasAny(i, i+1, "is", "was") {
		i--
	}
	return s.hasAny(i, i+1, "figure", "value", "number") || s.anyCue(i, i+1, nil, "수치", "값은", "값이")
}

// announces reports whether a sentence says that a list follows.
func (s *sentence) announces() bool {
	return strings.HasSuffix(s.text, ":") || s.hasAny(0, len(s.tokens), "follows", "following", "below") || s.anyCue(0, len(s.tokens), nil, "다음", "아래")
}

// measuresSpoken are the measures of which the nouns of the sentence speak, but for those
// in brackets, which are of these alone; nil for none.
func (s *sentence) measuresSpoken(rows [][]int) map[int]bool {
	var out map[int]bool
	for i, t := range s.tokens {
		if t.kind != word || s.isNameToken(i) || s.figureAtToken(i) || s.inBrackets(i) || s.foldAt(i-1) == "per" {
			continue
		}
		for id := range s.namedBy(koreanStem(t.fold), rows) {
			if s.columnOf(id).measure() {
				out = with(out, id)
			}
		}
	}
	return out
}

// ofKind keeps those of several columns that are averages, where a word in tokens from..to
// says so; those that count things, where one says "number", "수" and none "average".
func (s *sentence) ofKind(named map[int]bool, from, to int) map[int]bool {
	if len(named) < 2 {
		return named
	}
	mean := s.anyCue(from, to, meanWords, meanKorean...)
	if !mean && !s.hasAny(from, to, "number", "count") && !s.anyCue(from, to, nil, "수", "건수", "횟수", "개수", "인원") {
		return named
	}
	var kept map[int]bool
	for id := range named {
		if c := s.columnOf(id); mean && c.average || !mean && c.wholes && !c.amount && !c.average && !c.share {
			kept = with(kept, id)
		}
	}
	if kept == nil {
		return named
	}
	return kept
}
