package ground

import (
	"regexp"
	"slices"
	"strings"
)

// Words that say that something changed in time.
var (
	moveWords  = set("grew grown growth increased increase increasing decreased decrease decreasing declined decline declining rose risen surged jumped climbed shrank shrunk fell fallen slipped plunged sank dropped")
	moveKorean = []string{"증가", "상승", "성장", "하락", "감소", "급증", "급감", "늘었", "늘어났", "줄었", "줄어들", "올랐", "떨어졌"}
	// twoTimes are the names of columns that hold two moments side by side.
	twoTimes = regexp.MustCompile(`(?i)\d{4}|prev|prior|last|before|after|old|new|current|this|작년|올해|전년|전월|지난`)
)

// tellsMoments reports whether anything that was seen tells moments apart: a series, a
// column of changes, or the question.
func (c *Checker) tellsMoments() bool {
	if len(c.years) > 1 || c.asks(moveWords, moveKorean...) || c.asks(riseWords, riseKorean...) || c.asks(fallWords, fallKorean...) || c.incomplete {
		return true
	}
	return slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(of column) bool {
			return of.temporal || of.change || twoTimes.MatchString(of.name) || periodConcepts[concept(of.first())] && concept(of.first()) != "status" && concept(of.first()) != "category" && concept(of.first()) != "method"
		})
	})
}

func (c *column) first() string {
	if len(c.words) == 0 {
		return ""
	}
	return c.words[0]
}

// checkMoves refuses what is said to have grown or fallen where nothing that was seen
// tells moments apart.
func (s *sentence) checkMoves() {
	if len(s.checker.tables) == 0 || s.checker.knowsTime() {
		return
	}
	for i, t := range s.tokens {
		if s.taken[i] || !moveWords[t.fold] && !(t.hangul && hasPrefix(t.text, moveKorean...)) || s.checker.known[t.fold] {
			continue
		}
		if t.hangul && slices.ContainsFunc(s.figures, func(f figure) bool { return f.ordinal && i-f.to <= 1 && f.to <= i }) {
			continue // to a place
		}
		next := s.foldAt(i + 1)
		if next == "just" || next == "well" || next == "slightly" {
			next = s.foldAt(i + 2)
		}
		if s.foldAt(i-1) == "to" || next == "short" || next == "behind" || next == "between" || next == "within" || next == "below" || next == "under" || next == "into" {
			continue
		}
		s.violate(i, i+1, "the result does not tell how this was at another time")
		return
	}
}

// arrives reports whether a figure is where a trend has come to: "rose to 90".
func (s *sentence) arrives(f *figure) bool {
	if f.percent || f.ratio || s.isGap(f) {
		return false
	}
	text := f.rest
	if text == "" && f.to < len(s.tokens) && s.tokens[f.to].hangul && !s.tokens[f.to].gap {
		text = s.tokens[f.to].text
	}
	return s.hasAny(f.at-2, f.at, "to") || hasSuffix(text, "으로", "로")
}

// sequels are the words between two names that order their moments: 1 when the first is
// the later one.
var sequels = map[string]int{"after": 1, "later": 1, "before": -1, "earlier": -1}

// checkSequels checks "A was hired after B".
func (s *sentence) checkSequels() {
	for i := 0; i+1 < len(s.referents); i++ {
		a, b := s.subjectOver(i), &s.referents[i+1]
		direction, at := s.sequel(a, b)
		if direction == 0 || s.clause[a.at] != s.clause[b.at] || a.isDate() || b.isDate() {
			continue
		}
		known, ok := false, false
		for index, t := range s.checker.tables {
			for col := range t.columns {
				c := &t.columns[col]
				for _, x := range a.own()[index] {
					for _, y := range b.own()[index] {
						if !s.mayMean(c, t) {
							continue
						}
						if m, n := c.cells[x].period, c.cells[y].period; c.temporal && m != nil && n != nil {
							known = true
							ok = ok || comparePeriods(m, n) == direction
						}
					}
				}
			}
		}
		if known && !ok {
			s.violate(at, at+1, "the rows say the contrary")
		}
	}
}

func (s *sentence) sequel(a, b *referent) (direction, at int) {
	for i := a.to; i < b.at; i++ {
		if d := sequels[s.tokens[i].fold]; d != 0 && !s.taken[i] {
			return d, i
		}
	}
	if !s.isThan(a) && !s.isThan(b) {
		return 0, 0
	}
	if at := s.comparesAhead(a, b); at > 0 {
		return -koreanTime(s.foldAt(at)), at
	}
	_, to := s.clauseSpan(b.at)
	for i := b.to; i < to; i++ {
		d := 0
		if s.tokens[i].hangul && !s.isNameToken(i) {
			d = koreanTime(s.tokens[i].text)
		}
		switch {
		case d != 0 && s.isThan(a):
			return -d, i
		case d != 0:
			return d, i
		}
	}
	return 0, 0
}

func (r *referent) isDate() bool {
	return slices.ContainsFunc(r.parts, func(p ref) bool { return p.date })
}

// measuresLength reports whether a measure is of a length, or there are others beside which
// "longest" speaks of no time.
func (c *Checker) measuresLength() bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(of column) bool {
			return of.measure() && slices.ContainsFunc(of.words, func(w string) bool { return dimensions["longest"][concept(w)] || spanUnits[w] != "" })
		})
	})
}

// endsVerb is 1 where a word ends what a verb of the past says, before a moment or the end:
// "opened first, on 3 May", "was born last".
func (s *sentence) endsVerb(i int) int {
	verb := s.foldAt(i - 1)
	ends := i+1 >= len(s.tokens) || s.hasAny(i+1, i+2, ",", ".", "(", "on", "in") || s.tokens[i+1].kind == mark
	return boolInt(ends && s.checker.hasMoments() && (hasSuffix(verb, "ed") || verb == "born" || verb == "left" || verb == "came" || verb == "began"))
}

// ageAt is the direction of a superlative of time at a token: 1 for the latest.
func (s *sentence) ageAt(i int) int {
	t := s.tokens[i]
	switch {
	case s.taken[i]:
		return 0
	case t.fold == "recent" || t.fold == "recently":
		return boolInt(s.foldAt(i-1) == "most")
	case t.fold == "first" || t.fold == "last":
		return s.endsVerb(i) * (2*boolInt(t.fold == "last") - 1)
	case t.fold == "longest":
		return -boolInt(s.checker.hasMoments() && !s.checker.measuresLength())
	case !t.hangul:
		return ages[t.fold]
	case hasPrefix(t.text, "최신"):
		return 1
	case hasPrefix(t.text, "최고령", "최연장", "최고참"):
		return -1
	case hasPrefix(t.text, "최연소"):
		return 1
	case !hasPrefix(s.foldAt(i-1), mostKorean...):
		return 0
	case hasPrefix(t.text, "긴", "길", "깁"):
		return -boolInt(i > 1 && hasPrefix(s.foldAt(i-2), "근속", "재직", "근무") && s.checker.hasMoments() && !s.checker.measuresLength())
	case hasPrefix(t.text, "나이", "연령", "젊", "어린", "어리", "어립"):
		if hasPrefix(t.text, "젊", "어") || hasPrefix(s.foldAt(i+1), "적", "어", "젊") {
			return 1
		}
		return -1
	case strings.HasPrefix(t.text, "최근"), strings.HasPrefix(t.text, "마지막"), strings.HasPrefix(t.text, "늦"), strings.HasPrefix(t.text, "나중"):
		return 1
	case hasPrefix(t.text, "먼저", "오래", "이른", "이르", "일찍", "빨리", "빠른", "빠르", "빠릅", "빨랐", "빠름"):
		return -1
	}
	return 0
}
