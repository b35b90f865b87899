package ground

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// idName finds the columns whose numbers are names: ids and the counters of lines.
var idName = regexp.MustCompile(`(?i)(^|[_ ])(id|no|nr|number|code|key)$|번호|아이디`)

// findKeys finds the numbers that name rows as "order 9000", "no. 9000" and "5218번" do.
func (s *sentence) findKeys() {
	var before *ref
	for i, t := range s.tokens {
		listing := before != nil && s.lists(before.to, i)
		digits := t.text
		if n := small[t.fold]; n > 0 && s.countsInKey(i) {
			digits = strconv.FormatInt(n, 10)
		}
		if s.taken[i] || t.kind != number && digits == t.text || !listing && !s.keyed(i) {
			continue
		}
		r := ref{at: i, to: i + 1, rows: make([][]int, len(s.checker.tables))}
		for index, table := range s.checker.tables {
			for col := range table.columns {
				c := &table.columns[col]
				listed := before != nil && (listing || i-before.to <= 2) && slices.Contains(before.columns, index*columnStride+col)
				if !c.id || !listed && !s.saysKey(i, c, table) {
					continue
				}
				rows := c.rowsOf(digits)
				if len(rows) > 0 {
					r.rows[index] = union(r.rows[index], rows)
					r.columns = append(r.columns, index*columnStride+col)
				}
			}
		}
		if len(r.columns) > 0 {
			s.taken[i] = true
			s.refs = append(s.refs, r)
			before = &r
		}
	}
	slices.SortStableFunc(s.refs, func(a, b ref) int { return a.at - b.at })
}

// lists reports whether a number goes on with a list of keys over the brackets behind the
// last one: "invoice 338 (3.96), 360 (5.94) and 412 (1.99)".
func (s *sentence) lists(from, to int) bool {
	if s.foldAt(from) != "(" || s.foldAt(to+1) != "(" {
		return false
	}
	for i := from; i < to; i++ {
		if w := s.foldAt(i); !s.inBrackets(i) && w != ")" && w != "," && w != "and" && w != "&" {
			return false
		}
	}
	return true
}

func (c *column) rowsOf(digits string) []int {
	var rows []int
	for row, v := range c.cells {
		if v.number != nil && v.number.IsInt() && v.number.Num().String() == digits {
			rows = append(rows, row)
		}
	}
	return rows
}

// keyed reports whether a number stands where a key does: behind a noun, "no." or "#",
// or before 번.
func (s *sentence) keyed(i int) bool {
	if next := s.foldAt(i + 1); i+1 < len(s.tokens) && !s.tokens[i+1].gap && strings.HasPrefix(next, "번") && !strings.HasPrefix(next, "번째") {
		return true
	}
	if s.countsInKey(i) {
		return true
	}
	switch before := s.foldAt(i - 1); {
	case before == "#", before == "no", before == "id", before == "number", before == "." && s.foldAt(i-2) == "no":
		return true
	case before == "to", before == "and", before == ",":
		return i >= 2 && (s.isNameToken(i-2) || s.foldAt(i-2) == ",") && s.is(i-2, number)
	case s.is(i-1, word):
		return s.checker.isNoun(before) || len(before) > len("id") && strings.HasSuffix(before, "id")
	}
	return false
}

// saysKey reports whether the noun at a key is that of a column: of "order 9000" an
// order's, where a table has several such columns.
func (s *sentence) saysKey(i int, c *column, t *table) bool {
	several := 0
	for k := range t.columns {
		several += boolInt(t.columns[k].id)
	}
	if several < 2 {
		return true
	}
	of := func(c *column, k int) bool {
		w := concept(koreanStem(s.foldAt(k)))
		return s.is(k, word) && slices.ContainsFunc(c.words, func(have string) bool { return concept(have) == w })
	}
	places := []int{i - 1}
	if strings.HasPrefix(s.foldAt(i+1), "번") {
		places = []int{i + 2, i - 1}
	}
	if s.is(i-1, word) && strings.ReplaceAll(strings.ReplaceAll(c.name, "_", ""), " ", "") == s.foldAt(i-1) {
		return true
	}
	for _, k := range places {
		if slices.ContainsFunc(t.columns, func(o column) bool { return o.id && of(&o, k) }) {
			return of(c, k)
		}
	}
	return c.name == "id"
}

// nullNames are the words for rows whose cell in a column of names is empty. The column's
// own noun takes the place of X.
var nullNames = strings.Split("no X|no stated X|no X given|no X recorded|without X|without a X|without an X|unknown X|missing X|empty X|blank X|null X|unspecified|unspecified X|not specified|not stated|not given|not recorded|no value|null|blank|unnamed|unassigned|값 없음|값이 없음|값이 없는|빈 값|공란|X 미기재|X 없음|X가 없는|X이 없는|X 미상|X 없는|미기재|미상|미지정|미입력|X가 비어 있는|X이 비어 있는|X가 적혀 있지 않은|X이 적혀 있지 않은|X가 기록되지 않은|X이 기록되지 않은|X 정보가 없는|X가 입력되지 않은|X이 입력되지 않은|비어 있는|null인", "|")

// tellsNone finds the texts of cells that say that there is nothing.
var tellsNone = regexp.MustCompile(`(?i)^\(?(?:[^()]*없음|미상|미지정|미기재|unknown|none|n/a|not (?:given|stated|specified)|unspecified)\)?$`)

// nounsInKorean are the names that Korean texts have for columns.
func nounsInKorean(of *column) []string {
	var out []string
	for _, w := range of.words {
		for other, same := range synonyms {
			if same == concept(w) && isHangul(other) {
				out = append(out, other)
			}
		}
		if isHangul(w) {
			out = append(out, w)
		}
	}
	return out
}

// addNulls takes the names of rows that have none.
func (c *Checker) addNulls(index, col int, of *column) {
	if of.numeric || of.temporal {
		return
	}
	nouns := append(slices.Clone(of.words), nounsInKorean(of)...)
	for _, w := range []string{"사유", "이유"} {
		if concept(of.first()) == "reason" {
			nouns = append(nouns, w)
		}
	}
	for row, v := range of.cells {
		if !tellsNone.MatchString(v.text) && (!v.null || slices.ContainsFunc(c.tables[index].columns, func(o column) bool { return o.names(row) })) {
			continue
		}
		for _, form := range nullNames {
			if !strings.Contains(form, "X") {
				c.addPhrase(form, index, col, row, false)
				continue
			}
			for _, noun := range nouns {
				c.addPhrase(strings.ReplaceAll(form, "X", noun), index, col, row, false)
			}
		}
	}
}

// names reports whether a column has a text for a row, which names it.
func (c *column) names(row int) bool {
	return !c.numeric && !c.temporal && !c.cells[row].null && c.cells[row].text != ""
}

// monthTexts are the cells of months that are written with two digits.
func (c *column) monthTexts(name string) bool {
	if !periodName.MatchString(name) || len(c.cells) == 0 {
		return false
	}
	texts := false
	for _, v := range c.cells {
		if v.number == nil && (len(v.text) != 2 || strings.Trim(v.text, "0123456789") != "" || v.text > "12") {
			return false
		}
		texts = texts || v.number == nil
	}
	for i := range c.cells {
		if c.cells[i].number == nil {
			n, _ := parse(c.cells[i].text)
			c.cells[i] = cell{number: n.value}
		}
	}
	return texts
}

// suffixes end the forms of one English word.
var suffixes = set("s es ed d ing er ers ation ations lation lations led ling ment ments al ly y ies")

// sameRoot reports whether two words are forms of one: refunds and refunded.
func sameRoot(a, b string) bool {
	if a == b {
		return true
	}
	const root = 4
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= root && plain(a) && plain(b) && (n == len(a) || suffixes[a[n:]]) && (n == len(b) || suffixes[b[n:]])
}
