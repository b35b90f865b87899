package ground

import (
	"slices"
	"strings"
)

// isBool reports whether a column holds nothing but true and false.
func (c *column) isBool() bool {
	any := false
	for _, v := range c.cells {
		if v.null {
			continue
		}
		if v.text != "true" && v.text != "false" {
			return false
		}
		any = true
	}
	return any
}

// addBools keeps the words for what a column of true and false is about: those of its
// name, and in the question the noun before 여부.
func (c *Checker) addBools() {
	for i, t := range c.tables {
		for col := range t.columns {
			of := &t.columns[col]
			if !of.isBool() {
				continue
			}
			b := boolColumn{table: i, column: col}
			for _, w := range of.words {
				if w != "is" && w != "has" && !stopWords[w] {
					b.words = append(b.words, w)
				}
			}
			for k, w := range c.asked.tokens {
				if k > 0 && strings.HasPrefix(w.text, "여부") {
					b.words = append(b.words, c.asked.tokens[k-1].text)
				}
			}
			c.bools = append(c.bools, b)
		}
	}
}

// boolColumn is a column of true and false with the words for it.
type boolColumn struct {
	table, column int
	words         []string
}

// says reports whether a word speaks of the column, and whether it denies it.
func (b boolColumn) says(w string) (spoken, denied bool) {
	for _, p := range []string{"미", "비", "non", "un", "in"} {
		if rest, ok := strings.CutPrefix(w, p); ok && len(rest) > 2 {
			if spoken, _ := b.says(rest); spoken {
				return true, true
			}
		}
	}
	groups := stateOf(w)
	return slices.ContainsFunc(b.words, func(have string) bool {
		return sameRoot(stem(w), have) || isHangul(w) && isHangul(have) && strings.HasPrefix(w, have) ||
			slices.ContainsFunc(stateOf(have), func(g string) bool { return slices.Contains(groups, g) })
	}), false
}

// boolAt is the column of true and false of which a token speaks, and what it says.
func (s *sentence) boolAt(i int) (b *boolColumn, truth bool) {
	t := s.tokens[i]
	if t.kind != word || s.taken[i] {
		return nil, false
	}
	for k := range s.checker.bools {
		b := &s.checker.bools[k]
		if spoken, denied := b.says(t.fold); spoken {
			return b, !denied && !s.deniedHere(i)
		}
	}
	return nil, false
}

// deniedHere reports whether a word right beside a token denies it.
func (s *sentence) deniedHere(i int) bool {
	for k := max(0, i-3); k < i; k++ {
		w := s.foldAt(k)
		if w == "," || s.figureAtToken(k) {
			continue
		}
		if w == "not" || w == "no" || w == "non" || w == "without" || w == "never" || strings.HasSuffix(w, "n't") {
			return true
		}
	}
	for k := i; k < min(i+3, len(s.tokens)); k++ {
		if t := s.tokens[k]; t.hangul && (hasPrefix(t.text, "않", "안", "없") || k > i && strings.Contains(t.text, "않")) {
			return true
		}
		if s.is(k, number) || s.tokens[k].text == "," {
			break
		}
	}
	return false
}

// findBools takes what is said of a column of true and false as the name of its rows,
// where these are groups.
func (s *sentence) findBools() {
	if len(s.checker.bools) == 0 {
		return
	}
	last := -9
	for i := range s.tokens {
		b, truth := s.boolAt(i)
		if b == nil {
			continue
		}
		t := s.checker.tables[b.table]
		want := "false"
		if truth {
			want = "true"
		}
		r := ref{at: i, to: i + 1, rows: make([][]int, len(s.checker.tables)), columns: []int{b.table*columnStride + b.column}}
		for row, v := range t.columns[b.column].cells {
			if v.text == want {
				r.rows[b.table] = append(r.rows[b.table], row)
			}
		}
		if len(r.rows[b.table]) == 0 && t.rows > 1 || t.rows > 2 {
			continue
		}
		if i-last <= 2 && len(s.refs) > 0 { // the noun and its verb are one
			s.refs = s.refs[:len(s.refs)-1]
		}
		last = i
		if t.rows > 1 {
			s.refs, s.taken[i] = append(s.refs, r), true
		}
	}
	slices.SortStableFunc(s.refs, func(a, b ref) int { return a.at - b.at })
}

// checkBools refuses what a column of true and false has otherwise for the row of which
// the sentence speaks.
func (s *sentence) checkBools() {
	for i := 0; i < len(s.tokens); i++ {
		b, truth := s.boolAt(i)
		if b == nil {
			continue
		}
		for k := i + 1; k <= i+2 && k < len(s.tokens); k++ { // the noun and its verb are one
			if o, more := s.boolAt(k); o != nil {
				i, truth = k, truth && more
			}
		}
		t := s.checker.tables[b.table]
		rows := t.all()
		if t.rows != 1 {
			r, group := s.referentOf(&figure{at: i, to: i + 1})
			if r == nil || len(group) > 1 || len(r.rows[b.table]) != 1 {
				continue
			}
			rows = r.rows[b.table]
		}
		if v := t.columns[b.column].cells[rows[0]]; !v.null && (v.text == "true") != truth && s.affirms(i) {
			s.violate(i, i+1, "the row says the contrary")
		}
	}
}

// affirms tells what is said of a thing from its name before a value: "newsletter: no".
func (s *sentence) affirms(i int) bool {
	next := s.foldAt(i + 1)
	return next != ":" && next != "|" && next != "=" && !s.hasAny(i+1, len(s.tokens), "no", "false", "not") && !strings.HasPrefix(next, "여부")
}
