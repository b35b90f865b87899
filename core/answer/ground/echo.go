package ground

import (
	"slices"
	"strings"
)

// triggers are the words that make a number of the question a condition, which an
// answer may repeat only with them.
var triggers = set("than over above under below least most top first last past next limit between exceeding bottom 상위 하위 최근 처음 within")

// echoes reports whether the question or a note has the figure, said in the same way:
// with the same word before it when that makes it a condition, else before the same
// noun, where no row is named.
func (s *sentence) echoes(f *figure) bool {
	if s.echo(&s.checker.asked, f) || s.isThreshold(f) {
		return true
	}
	return slices.ContainsFunc(s.checker.said, func(src source) bool { return s.echo(&src, f) || len(s.referents) == 0 && s.repeats(&src, f) })
}

// isThreshold reports whether a figure is the bound of the question in other words, "at least
// two" of "more than one", or what makes somebody one who comes again.
func (s *sentence) isThreshold(f *figure) bool {
	n, up, ok := f.countBound()
	if !ok || len(s.referents) > 0 {
		return false
	}
	if up && n == 2 && (s.checker.nouns["repeat"] || s.checker.nouns["returning"] || s.checker.nouns["repeated"]) {
		return true
	}
	return slices.ContainsFunc(s.checker.asked.figures, func(g figure) bool {
		m, of, ok := g.countBound()
		return ok && m == n && of == up
	})
}

// countBound is the least number of things that a bound allows, or the most for up false.
func (f *figure) countBound() (n int64, up, ok bool) {
	const small = 1000
	if len(f.amounts) != 1 || !f.amounts[0].value.IsInt() || f.amounts[0].value.Cmp(rat(small)) > 0 || f.percent || f.ratio || f.ordinal || f.near || f.amounts[0].end != nil {
		return 0, false, false
	}
	n = f.amounts[0].value.Num().Int64()
	switch f.hedge {
	case over:
		return n + 1, true, true
	case atLeast:
		return n, true, true
	case under:
		return n - 1, false, true
	case atMost:
		return n, false, true
	}
	return 0, false, false
}

// repeats reports whether a text of the host has the figure beside the same word.
func (s *sentence) repeats(src *source, f *figure) bool {
	return slices.ContainsFunc(src.figures, func(g figure) bool {
		same := func(theirs, ours string) bool {
			return theirs != "" && theirs == ours && !strings.ContainsAny(theirs, ".,;:()")
		}
		return f.equals(&g) && f.percent == g.percent && (same(src.foldAt(g.at-1), s.foldAt(f.at-1)) || same(src.foldAt(g.to), s.foldAt(f.to)))
	})
}

func (s *sentence) echo(src *source, f *figure) bool {
	for i := range src.figures {
		g := &src.figures[i]
		if !f.equals(g) || f.percent != g.percent || f.ordinal != g.ordinal || f.ratio != g.ratio {
			continue
		}
		before, after := src.foldAt(g.at-1), src.foldAt(g.to)
		if g.hedge == exact && !triggers[before] && f.hedge == exact && s.leadsAlike(src, f, g) {
			return true
		}
		same := concept(koreanStem(after)) == concept(koreanStem(s.foldAt(f.to)))
		switch {
		case s.isApplied(f):
			return true
		case s.hasAny(0, len(s.tokens), "threshold", "cutoff", "limit") || s.anyCue(0, len(s.tokens), nil, "기준"):
			if before != "" && len(s.referents) == 0 {
				return true
			}
		case triggers[before] || g.hedge != exact:
			if before == s.foldAt(f.at-1) && g.hedge == f.hedge || g.hedge != exact && g.hedge != about && g.hedge == f.hedge {
				return true
			}
		case g.hedge != exact && g.hedge == f.hedge && same:
			return true
		case g.hedge == exact && same && after != "" && !s.namesIn(f) && src.foldAt(g.at-1) == s.foldAt(f.at-1):
			return true
		case g.hedge == exact && same && after != "" && len(s.referents) == 0 && s.counts(f) != countsOther:
			return true
		}
	}
	return false
}

// leadsAlike reports whether the same noun, which no measure has in its name, stands right
// before the figure in the question, as its own number: "customer 12", "the plan of 8".
func (s *sentence) leadsAlike(src *source, f, g *figure) bool {
	noun := func(foldAt func(int) string, at int) string {
		if foldAt(at-1) == "of" {
			at--
		}
		return foldAt(at - 1)
	}
	w := noun(src.foldAt, g.at)
	return w != "" && w == noun(s.foldAt, f.at) && len(w) > 2 && !stopWords[w] && !triggers[w] && !clauseVerbs[w] && isLetterByte(w[0]) && s.kindOf(w) != countsOther
}

// isApplied reports whether a figure is said to be what something was computed with: "환율
// 1,400을 적용한", "at a rate of 1,400".
func (s *sentence) isApplied(f *figure) bool {
	return s.anyCue(f.to, f.to+3, nil, "적용", "환산", "기준") || s.hasAny(f.at-3, f.at, "rate") && s.foldAt(f.at-1) == "of" || hasPrefix(s.foldAt(f.at-1), "환율")
}

func (src *source) foldAt(i int) string {
	if i < 0 || i >= len(src.tokens) {
		return ""
	}
	return src.tokens[i].fold
}

// equals reports whether two figures are written for the same number.
func (f *figure) equals(g *figure) bool {
	return slices.ContainsFunc(f.amounts, func(a amount) bool {
		return slices.ContainsFunc(g.amounts, func(b amount) bool { return a.value.Cmp(b.value) == 0 })
	})
}
