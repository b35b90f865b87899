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
	s.findAskedKeys()
	var before *ref
	for i, t := range s.tokens {
		listing := before != nil && s.lists(before.to, i)
		digits := t.text
		if n := small[t.fold]; n > 0 && s.countsInKey(i) {
			digits = strconv.FormatInt(n, 10)
		}
		if s.taken[i] || t.kind != number && digits == t.text || !listing && !s.keyed(i) && !s.standsAlone(i) {
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
		if len(r.columns) > 0 && !s.isOfAnother(r) {
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

// opensItem reports whether a number opens a line of a list or a table, before a name or a
// sign that sets it off.
func (s *sentence) opensItem(i int) bool {
	if i > 0 || !s.line.item || len(s.tokens) < 2 {
		return false
	}
	return s.isNameToken(1) || slices.Contains([]string{":", "|", "-", "–", "—", ","}, s.foldAt(1))
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

// findAskedKeys takes the numbers that the question has behind the same noun: "customer
// 12", "the plan of 8", "2번 고객".
func (s *sentence) findAskedKeys() {
	if len(s.checker.asked.figures) == 0 {
		return
	}
	dates := findDates(s.text)
	for i, t := range s.tokens {
		if s.taken[i] || t.kind != number || slices.ContainsFunc(dates, func(d dateSpan) bool { return d.begin <= t.begin && t.end <= d.end }) {
			continue
		}
		noun := nounOf(s.tokens, i)
		for k, q := range s.checker.asked.tokens {
			if q.kind == number && q.text == t.text && noun != "" && noun == nounOf(s.checker.asked.tokens, k) {
				s.taken[i] = true
			}
		}
	}
}

// nounOf is the noun to which a number is the key, "" where there is none.
func nounOf(tokens []token, i int) string {
	if i+1 < len(tokens) && strings.HasPrefix(tokens[i+1].text, "번") && !strings.HasPrefix(tokens[i+1].text, "번째") {
		return "번"
	}
	if i+1 < len(tokens) && tokens[i+1].kind == word && !stopWords[tokens[i+1].fold] && !clauseVerbs[tokens[i+1].fold] && !tokens[i+1].hangul && isCommonNoun(tokens[i+1].fold) {
		return "" // what it counts is said behind it
	}
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		switch w := tokens[k]; {
		case w.text == "#" || w.text == "." || w.fold == "no" || w.fold == "number" || w.fold == "of" || w.fold == "id" || w.fold == "is":
			continue
		case w.kind != word || stopWords[w.fold] || months[w.fold] != 0 || hasSuffix(w.text, "월", "년") || triggers[w.fold] || isNumberWord(w.fold) || hedgeWords[w.fold]:
			return ""
		case w.hangul && !beginsWithCounter(w.text):
			return koreanStem(w.text)
		case !w.hangul:
			return concept(w.fold)
		}
		return ""
	}
	return ""
}

// isCommonNoun reports whether a word names what numbers count.
func isCommonNoun(w string) bool { return synonyms[stem(w)] != "" || genericNouns[w] }

// hedgeWords bound the number behind them.
var hedgeWords = set("about around nearly almost roughly approximately exactly over under above below than least most exceeding some just only 약 대략 최소 최대 이상 이하")

// keyed reports whether a number stands where a key does: behind a noun, "no." or "#",
// before 번, or in a list of such.
func (s *sentence) keyed(i int) bool {
	if next := s.foldAt(i + 1); i+1 < len(s.tokens) && !s.tokens[i+1].gap && strings.HasPrefix(next, "번") && !strings.HasPrefix(next, "번째") {
		return true
	}
	if s.foldAt(i+1) == ":" && !s.tokens[i+1].gap && s.is(i+2, number) && !s.tokens[i+2].gap {
		return false // a time of the day
	}
	if s.countsInKey(i) || s.inKeyList(i) || s.opensItem(i) {
		return true
	}
	switch before := s.foldAt(i - 1); {
	case before == "#", before == "no", before == "id", before == "number", before == "." && s.foldAt(i-2) == "no":
		return true
	case before == "to", before == "and", before == ",":
		return i >= 2 && (s.isNameToken(i-2) || s.foldAt(i-2) == ",") && s.is(i-2, number)
	case before == "is", before == "was", before == ":":
		return s.is(i-2, word) && s.namesKey(s.foldAt(i-2)) && (!s.is(i+1, word) || s.hasAny(i+1, i+2, "with", "at", "and"))
	case s.is(i-1, word):
		return s.checker.isNoun(before) || s.namesKey(before) || len(before) > len("id") && strings.HasSuffix(before, "id")
	}
	return false
}

// isOfAnother reports whether a key is that of another row than the name right before it
// in the same part: it is then no key, but a figure of this name.
func (s *sentence) isOfAnother(key ref) bool {
	for i := len(s.refs) - 1; i >= 0; i-- {
		r := s.refs[i]
		if r.date || r.to > key.at {
			continue
		}
		if key.at-r.to > 6 || s.hasAny(r.to, key.at, ",", ";", ":", "and", "than", "of", "by", "from", "(") || hasPrefix(s.foldAt(key.to), "번") || s.checker.shares(r, key) {
			return false
		}
		for index := range r.rows {
			if len(r.rows[index]) == 1 && len(key.rows[index]) > 0 && len(intersect(r.rows[index], key.rows[index])) == 0 {
				return true
			}
		}
		return false
	}
	return false
}

// shares reports whether two names are of one column.
func (c *Checker) shares(a, b ref) bool {
	return slices.ContainsFunc(a.columns, func(id int) bool { return slices.Contains(b.columns, id) })
}

// namesKey reports whether a noun is one of things that have numbers, and of no measure:
// "Return 568", "payment 463".
func (s *sentence) namesKey(w string) bool {
	w = koreanStem(w)
	if s.namesStep(w) || slices.ContainsFunc(s.checker.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c column) bool { return c.id && c.name != "id" && len(c.words) > 1 && c.words[0] == stem(w) })
	}) {
		return true
	}
	return (synonyms[stem(w)] != "" || len(stateOf(w)) > 0) && !periodConcepts[concept(w)] && len(w) > len("년") && s.measuresNamed(w) == 0
}

// measuresNamed is how many columns of measures a word names.
func (s *sentence) measuresNamed(w string) int {
	n := 0
	for id := range s.namedBy(w, nil) {
		n += boolInt(s.checker.tables[id/columnStride].columns[id%columnStride].measure() && !s.checker.tables[id/columnStride].columns[id%columnStride].id)
	}
	return n
}

// inKeyList reports whether a number stands in a list of numbers that are all keys, apart
// from the rest: "(571, 761, 423번)", "two of them, 9000 and 8997,".
func (s *sentence) inKeyList(i int) bool {
	if !s.is(i, number) {
		return false
	}
	from, to := i, i+1
	for from >= 2 && s.joinsKeys(from-1) && s.is(from-2, number) {
		from -= 2
	}
	for to+1 < len(s.tokens) && s.joinsKeys(to) && s.is(to+1, number) {
		to += 2
	}
	if to-from < 3 || from == 0 || s.tokens[from-1].kind == word && !s.hasAny(from-1, from, "are", "were") && !s.checker.isNoun(s.foldAt(from-1)) && !s.namesKey(s.foldAt(from-1)) || s.is(to, word) && !strings.HasPrefix(s.foldAt(to), "번") && !isEnding(s.gluedAt(to)) {
		return false
	}
	for k := from; k < to; k += 2 {
		if !slices.ContainsFunc(s.checker.tables, func(t *table) bool {
			return slices.ContainsFunc(t.columns, func(c column) bool { return c.id && len(c.rowsOf(s.tokens[k].text)) == 1 })
		}) {
			return false
		}
	}
	return true
}

func (s *sentence) joinsKeys(i int) bool {
	switch s.foldAt(i) {
	case ",", "and", "&", "·", "와", "과", "및", "/":
		return true
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
	if s.opensItem(i) {
		return slices.IndexFunc(t.columns, func(o column) bool { return o.id }) == slices.IndexFunc(t.columns, func(o column) bool { return o.name == c.name })
	}
	before := i - 1
	for before > 0 && (s.tokens[before].kind != word || slices.Contains([]string{"no", "number", "is", "was", "and", "id"}, s.foldAt(before)) || s.is(before, number)) {
		before--
	}
	places := []int{i - 1, before}
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
var nullNames = strings.Split("no X|no stated X|no X given|no X recorded|without X|without a X|without an X|unknown X|missing X|empty X|blank X|null X|unspecified|unspecified X|not specified|not stated|not given|not recorded|no value|none given|none stated|none recorded|null|blank|unnamed|unassigned|값 없음|값이 없는|값 없음|값이 없음|값이 없는|빈 값|공란|X 미기재|X 없음|X가 없는|X이 없는|X 미상|X 없는|미기재|미상|미지정|미입력|X가 비어 있는|X이 비어 있는|X가 적혀 있지 않은|X이 적혀 있지 않은|X가 기록되지 않은|X이 기록되지 않은|X 정보가 없는|X가 입력되지 않은|X이 입력되지 않은|비어 있는|null인", "|")

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
