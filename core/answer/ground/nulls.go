package ground

import (
	"slices"
	"strings"
)

// lacks are the words that say that something is not known.
var lacks = set("no without unknown missing null blank unspecified unrecorded undefined unset lack lacks lacking lacked omitted 없는 없이 미상인 모르는 불명 미기재 미상 미입력 미지정 공란 누락")

// keeps are the verbs with which "not" says that something is not known.
var keeps = set("recorded given stated specified known available entered set provided filled noted listed named have has had carry include")

var keepsKorean = []string{"기록", "기재", "적", "입력", "확인", "명시", "표기", "지정", "알려", "알 수", "채워", "등록", "남"}

// lacksAt reports whether a word says that something is not known: "missing", "not
// recorded", "적혀 있지 않은", "비어 있는".
func (s *sentence) lacksAt(i int) bool {
	t := s.tokens[i]
	switch {
	case t.kind != word:
		return false
	case lacks[t.fold], lacks[koreanStem(t.fold)]:
		return true
	case t.fold == "not", strings.HasSuffix(t.fold, "n't"):
		return s.anyCue(i+1, i+4, keeps)
	case t.hangul && hasPrefix(t.text, "비어", "빈", "누락", "미기재", "없", "미상", "미입력"):
		return true
	case t.hangul && strings.Contains(t.text, "않"):
		return s.anyCue(i-2, i+1, nil, keepsKorean...)
	}
	return t.hangul && strings.Contains(t.text, "지") && hasPrefix(s.foldAt(i+1), "않") && hasPrefix(t.text, keepsKorean...)
}

// findNulls finds what is said of the rows that have no name: "no birth decade is known".
func (s *sentence) findNulls() {
	for i := range s.tokens {
		if s.taken[i] || !s.lacksAt(i) {
			continue
		}
		for _, k := range s.nounsAt(i) {
			if r, ok := s.nullRows(i, koreanStem(s.tokens[k].fold)); ok {
				s.refs = append(s.refs, r)
				s.taken[i] = true
				break
			}
		}
	}
	slices.SortStableFunc(s.refs, func(a, b ref) int { return a.at - b.at })
}

// nounsAt are the words around a token that may say of what it speaks, the nearest first.
func (s *sentence) nounsAt(i int) []int {
	var out []int
	for far := 1; far <= 5; far++ {
		for _, k := range []int{i - far, i + far} {
			if k < 0 || k >= len(s.tokens) || s.tokens[k].kind != word || s.taken[k] || stopWords[koreanStem(s.tokens[k].fold)] {
				continue
			}
			if from, to := min(i, k), max(i, k); !slices.ContainsFunc(s.tokens[from:to], func(t token) bool { return t.text == ";" || t.text == "," || t.text == "." }) {
				out = append(out, k)
			}
		}
	}
	return out
}

// saysColumn reports whether a word is one of those for a column.
func (c *column) saysColumn(w string) bool {
	return slices.ContainsFunc(c.words, func(have string) bool { return concept(have) == concept(w) || sameRoot(have, w) })
}

// nullRows are the rows that have nothing in the column of names that a word means.
func (s *sentence) nullRows(at int, w string) (ref, bool) {
	r := ref{at: at, to: at + 1, rows: make([][]int, len(s.checker.tables))}
	for index, t := range s.checker.tables {
		for col := range t.columns {
			c := &t.columns[col]
			if c.numeric || c.temporal || !c.saysColumn(w) {
				continue
			}
			for row, v := range c.cells {
				if v.null && !slices.ContainsFunc(t.columns, func(o column) bool { return o.names(row) }) {
					r.rows[index] = append(r.rows[index], row)
				}
			}
			if len(r.rows[index]) > 0 {
				r.columns = append(r.columns, index*columnStride+col)
				return r, true
			}
		}
	}
	return r, false
}

// emptyAt is the column of which a word says that some rows have nothing there.
func (s *sentence) emptyAt(i int) (t *table, index int, of *column) {
	if !s.lacksAt(i) && !nounsOfNone[s.foldAt(i)] {
		return nil, 0, nil
	}
	for _, k := range s.nounsAt(i) {
		for index, t := range s.checker.tables {
			for col := range t.columns {
				c := &t.columns[col]
				if c.saysColumn(koreanStem(s.tokens[k].fold)) && slices.ContainsFunc(c.cells, func(v cell) bool { return v.null }) {
					return t, index, c
				}
			}
		}
	}
	return nil, 0, nil
}

// nulls is how many of rows have nothing in a column.
func (c *column) nulls(rows []int) int {
	n := 0
	for _, row := range rows {
		n += boolInt(c.cells[row].null)
	}
	return n
}

// lacksTruly reports whether what a word says to be nowhere is so: for the rows that are
// named, for as many as are told, or for all.
func (s *sentence) lacksTruly(i int) bool {
	if nounsOfNone[s.foldAt(i)] && s.noneHas(i) {
		return true
	}
	t, index, of := s.emptyAt(i)
	if of == nil {
		return false
	}
	first, last := s.clauseSpan(i)
	named := false
	for _, r := range s.referents {
		if rows := r.rows[index]; r.at >= first && r.at < last && len(rows) > 0 {
			if of.nulls(rows) < len(rows) {
				return false
			}
			named = true
		}
	}
	if named {
		return true
	}
	if nounsOfNone[s.foldAt(i)] {
		return s.noneHas(i)
	}
	return slices.ContainsFunc(s.figures, func(f figure) bool {
		n, ok := f.count()
		return ok && f.at >= first && f.at < last && int(n) == of.nulls(t.all())
	})
}

// noneHas reports whether no row has anything in a column of which the clause speaks.
func (s *sentence) noneHas(i int) bool {
	_, last := s.clauseSpan(i)
	for k := i + 1; k < last; k++ {
		if s.tokens[k].kind != word || stopWords[s.tokens[k].fold] {
			continue
		}
		for _, t := range s.checker.tables {
			for col := range t.columns {
				if c := &t.columns[col]; t.whole && t.rows > 0 && c.nulls(t.all()) == t.rows && c.saysColumn(koreanStem(s.tokens[k].fold)) {
					return true
				}
			}
		}
	}
	return false
}

// noneIsTrue checks "none is discontinued" of a column that is false everywhere.
func (s *sentence) noneIsTrue(i int) bool {
	if s.void && len(s.figures) == 0 {
		return true
	}
	first, last := s.clauseSpan(i)
	for k := first; k < last; k++ {
		b, truth := s.boolAt(k)
		if b == nil {
			continue
		}
		t := s.checker.tables[b.table]
		said := "true"
		if _, denied := b.says(s.foldAt(k)); denied || !truth && nounsOfNone[s.foldAt(i)] && s.deniedHere(k) && k-i > 3 {
			said = "false"
		}
		return t.whole && !slices.ContainsFunc(t.columns[b.column].cells, func(v cell) bool { return v.text == said })
	}
	return false
}

// countsNulls reports whether a figure counts the rows that have nothing in a column, or
// those that have something: "two of them have a company, six have none".
func (s *sentence) countsNulls(f *figure, n int64) bool {
	first, last := s.clauseSpan(f.at)
	for i := first; i < last; i++ {
		if t, _, of := s.emptyAt(i); of != nil && t.whole {
			return int64(of.nulls(t.all())) == n
		}
	}
	if !s.hasAny(first, last, "have", "has", "with") && !s.anyCue(first, last, nil, "있는", "있습", "기재", "기록") {
		return false
	}
	for i := f.to; i < last; i++ {
		if s.taken[i] || s.tokens[i].kind != word || stopWords[s.tokens[i].fold] {
			continue
		}
		for _, t := range s.checker.tables {
			for col := range t.columns {
				if c := &t.columns[col]; !c.numeric && t.whole && c.saysColumn(koreanStem(s.tokens[i].fold)) && c.nulls(t.all()) > 0 {
					return int64(t.rows-c.nulls(t.all())) == n
				}
			}
		}
	}
	return false
}
