package ground

import (
	"slices"
	"strings"
)

// isMislabelled reports whether the words right before a figure name one column of its row in
// full, with its aggregate, and the figure is the cell of another one: "refund total: 167.11"
// beside an average of that much.
func (s *sentence) isMislabelled(f *figure, r *referent) bool {
	if f.percent || f.ratio || f.ordinal || len(f.amounts) == 0 || f.amounts[0].end != nil {
		return false
	}
	nouns, aggregate := s.labelOf(f)
	if len(nouns) == 0 {
		return false
	}
	for index, t := range s.checker.tables {
		row := s.rowOf(t, index, r)
		if row < 0 {
			continue
		}
		own, other := -1, false
		for col := range t.columns {
			c := &t.columns[col]
			switch {
			case !c.measure():
			case c.bearsLabel(nouns, aggregate) && own >= 0:
				return false // two columns bear these words
			case c.bearsLabel(nouns, aggregate):
				own = col
			default:
				other = other || c.cells[row].equal(f, nil)
			}
		}
		if own >= 0 && other && (f.amounts[0].value.IsInt() || !t.columns[own].wholes || t.columns[own].amount) && !t.columns[own].cells[row].equal(f, nil) && !f.derived(t.columns[own].cells[row].exactly()) {
			return true
		}
	}
	return false
}

// labelLinks stand between a label and its figure.
var labelLinks = set(": of is was are were = | the a about approximately approx around roughly nearly some 약 대략 거의")

// sums say nothing of which column is meant, as totals are not always called so.
var sums = set("total sum 총 합계")

// labelOf are the nouns of the label right before a figure, as concepts, and the aggregate
// that it says.
func (s *sentence) labelOf(f *figure) (nouns []string, aggregate string) {
	const longest = 4 // words
	i := f.at - 1
	stated := false
	for i >= 0 && labelLinks[s.foldAt(i)] {
		stated = stated || s.hasAny(i, i+1, "is", "was", "are", "were")
		i--
	}
	if i >= 0 && s.tokens[i].hangul && koreanStem(s.tokens[i].fold) != s.tokens[i].fold && !hasSuffix(s.tokens[i].text, "은", "는", "이", "가") {
		return nil, ""
	}
	defer func() {
		if stated && aggregate == "" {
			nouns = nil // "all payments are 3,738": what they come to
		}
	}()
	for n := 0; i >= 0 && n < longest; i, n = i-1, n+1 {
		t := s.tokens[i]
		if t.kind != word || s.taken[i] || s.figureAtToken(i) || t.hangul && i > 0 && s.isNameToken(i-1) && isEnding(t.text) {
			break
		}
		w := koreanStem(t.fold)
		if n > 0 && t.hangul && w != t.fold && !koreanWords[t.fold] && synonyms[t.fold] == "" {
			break // the word before has an ending of its own
		}
		of := aggregateIn(w)
		switch {
		case sums[w]:
		case of != "":
			if aggregate != "" && aggregate != of {
				return nil, ""
			}
			aggregate = of
			if rest := withoutAggregate(w); rest != "" && rest != w {
				nouns = append(nouns, rest)
			}
		case stopWords[w] || clauseVerbs[w]:
			return nouns, aggregate
		default:
			nouns = append(nouns, w)
		}
	}
	return nouns, aggregate
}

// aggregateIn is the aggregate that a word says, alone or at its beginning in Korean.
func aggregateIn(w string) string {
	switch {
	case aggregates[w] != "":
		return aggregates[w]
	case isHangul(w):
		for _, p := range aggregatesKorean {
			if strings.HasPrefix(w, p) {
				return aggregates[p]
			}
		}
	}
	return ""
}

// withoutAggregate is a Korean word without the aggregate at its beginning.
func withoutAggregate(w string) string {
	for _, p := range aggregatesKorean {
		if rest, ok := strings.CutPrefix(w, p); ok {
			return rest
		}
	}
	return w
}

// bearsLabel reports whether the words of a column's name are those of a label: the same
// aggregate, and each noun.
func (c *column) bearsLabel(nouns []string, aggregate string) bool {
	if !c.amount && slices.ContainsFunc(nouns, func(n string) bool { return strings.HasSuffix(n, "액") }) {
		return false // what counts payments is no amount of them
	}
	own := ""
	var words []string
	for _, w := range c.words {
		if of := aggregateIn(w); of != "" {
			own = of
			w = withoutAggregate(w)
		}
		if w != "" && aggregates[w] == "" && !sums[w] {
			words = append(words, w)
		}
	}
	return own == aggregate && len(words) > 0 && !slices.ContainsFunc(nouns, func(n string) bool {
		return !slices.ContainsFunc(words, func(w string) bool {
			return stem(w) == stem(n) || concept(w) == concept(n) || isHangul(w) && isHangul(n) && (strings.Contains(w, n) || strings.HasPrefix(n, w))
		})
	})
}
