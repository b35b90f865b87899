package ground

import (
	"slices"
	"strings"
)

// sentence is a sentence that is being checked.
type sentence struct {
	checker      *Checker
	text         string
	tokens       []token
	taken        []bool // tokens of names, dates and figures
	segment      []int  // of each token: parts between commas and conjunctions
	clause       []int  // of each token: parts between stronger breaks
	decimalComma bool
	line         line
	saysCut      bool      // the text says that there may be more than was seen
	told         *told     // what the text below proves, for a title
	earlier      int       // names in the sentences before
	earlierRows  [][]int   // by table, of these names
	listRows     [][]int   // by table, of the names of the last list above
	before       *sentence // whose rows a pronoun may mean
	last         *sentence // right before, whether it names rows or not
	heading      *sentence // above the list in which it stands
	alike        []int     // measures of which the figures of the lines of its list are

	refs      []ref
	excepted  []ref // names but which all have something
	dates     []dateRef
	figures   []figure
	referents []referent
	void      bool         // it speaks of a range in which no row lies
	inTurn    bool         // dates are told in the order of the names
	proved    map[int]bool // figures, by place, that another one proved
	bad       []Violation
}

// ref is a name or a date in the text with the rows that it may mean.
type ref struct {
	at, to  int
	rows    [][]int // by table
	columns []int   // table*columnStride + column
	date    bool
	primary [][]int // those of the first column, where the name stands in several
	spans   bool    // it is a range over several rows, of which something is said together
}

const columnStride = 1 << 12

// dateRef is a date of the text.
type dateRef struct {
	dateSpan
	at, to int
}

// referent is what a clause speaks of: the rows of one name, or those that several
// names share.
type referent struct {
	at, to  int
	rows    [][]int
	columns []int
	parts   []ref
}

// parse takes a sentence apart.
func (c *Checker) parse(text string, before *sentence, l line) *sentence {
	s := &sentence{checker: c, text: text, tokens: scan(text), decimalComma: c.decimalComma, before: before, line: l, proved: map[int]bool{}, earlierRows: make([][]int, len(c.tables))}
	s.taken = make([]bool, len(s.tokens))
	s.findNames()
	s.findWeekdays()
	s.findScales()
	s.findKeyRuns()
	s.findKeys()
	s.findPartNumbers()
	s.findBools()
	s.findNulls()
	s.findDates()
	s.findEnds()
	s.findExcepted()
	s.takeCodes()
	s.findFigures()
	s.unscale()
	s.divide()
	s.refer()
	return s
}

// findNames finds the names of rows, the longest at each place.
func (s *sentence) findNames() {
	for i := 0; i < len(s.tokens); {
		to, list := s.nameAt(i)
		if list == nil {
			i++
			continue
		}
		r := ref{at: i, to: to, rows: make([][]int, len(s.checker.tables))}
		for _, p := range list {
			r.rows[p.table] = union(r.rows[p.table], p.rows)
			r.columns = append(r.columns, p.table*columnStride+p.column)
		}
		r.primary = primary(r, list)
		for k := i; k < to; k++ {
			s.taken[k] = true
		}
		if n := len(s.refs); n > 0 && s.refs[n-1].goesOn(r) {
			s.refs[n-1].join(r) // two words of one name: "Albert Park"
		} else {
			s.refs = append(s.refs, r)
		}
		i = to
	}
}

// goesOn reports whether a name right behind another is of the same column, and of rows
// that the other one names, too.
func (r ref) goesOn(next ref) bool {
	if r.to != next.at || !slices.Equal(r.columns, next.columns) {
		return false
	}
	for i := range r.rows {
		if len(intersect(r.rows[i], next.rows[i])) < min(len(r.rows[i]), len(next.rows[i])) {
			return false
		}
	}
	return true
}

// join makes one name of two words: the rows that both name.
func (r *ref) join(next ref) {
	r.to = next.to
	for i := range r.rows {
		r.rows[i] = intersect(r.rows[i], next.rows[i])
	}
}

// primary are the rows of a name in the first of its columns, nil where it stands in one:
// a manager's own row, and not those of whom he manages.
func primary(r ref, list []*phrase) [][]int {
	if len(list) < 2 {
		return nil
	}
	out := make([][]int, len(r.rows))
	first := make([]int, len(r.rows))
	several := false
	for _, p := range list {
		switch {
		case out[p.table] == nil || p.column < first[p.table]:
			several = several || out[p.table] != nil
			out[p.table], first[p.table] = p.rows, p.column
		case p.column > first[p.table]:
			several = true
		default:
			out[p.table] = union(out[p.table], p.rows)
		}
	}
	if !several {
		return nil
	}
	return out
}

// nameAt is the end of the longest name at i, and all that it names.
func (s *sentence) nameAt(i int) (to int, list []*phrase) {
	t := s.tokens[i]
	month := months[t.fold] != 0 && s.is(i+1, number) // which may also be somebody's name
	try := func(key string) {
		for _, p := range s.checker.phrases[key] {
			end, ok := s.matches(p, i)
			switch {
			case !ok || end < to || month && end == i+1:
			case end > to || len(list) > 0 && len(p.text) > len(list[0].text) && t.hangul:
				to, list = end, []*phrase{p}
			default:
				list = append(list, p)
			}
		}
	}
	try(t.fold)
	if one := stem(t.fold); list == nil && one != t.fold {
		try(one)
	}
	if list == nil && s.isOneOf(i) {
		try(t.fold + "s")
	}
	if !t.hangul {
		return to, list
	}
	for at := range t.text {
		if at > 0 && (isEnding(t.text[at:]) || isVerbEnding(t.text[at:])) {
			try(t.text[:at])
		}
	}
	if list == nil {
		return s.transliterated(i)
	}
	return to, list
}

// matches reports whether a name stands at i. The last Korean word of it may have an
// ending.
func (s *sentence) matches(p *phrase, i int) (end int, ok bool) {
	end = i + len(p.tokens)
	if end > len(s.tokens) {
		return 0, false
	}
	for k, want := range p.tokens {
		t := s.tokens[i+k]
		last := k == len(p.tokens)-1
		switch {
		case t.fold == want:
		case last && t.hangul && strings.HasPrefix(t.text, want) && isEnding(t.text[len(want):]):
		case last && p.loose && t.hangul && strings.HasPrefix(t.text, want) && isVerbEnding(t.text[len(want):]):
		case last && t.kind == word && !t.hangul && stem(t.fold) == want:
		case last && k == 0 && t.fold+"s" == want && s.isOneOf(i):
			return end, true
		default:
			return 0, false
		}
	}
	if p.strict && !(p.part && s.foldAt(i-1) == "the") && !strings.HasPrefix(s.text[s.tokens[i].begin:], p.text) {
		return 0, false
	}
	// A number goes on where a digit follows.
	return end, true
}

// isOneOf reports whether a word is told as one of its kind: "a rug", "the average rug".
func (s *sentence) isOneOf(i int) bool {
	return s.is(i, word) && s.hasAny(i-1, i, "a", "an", "each", "every", "per", "average")
}

// takeCodes takes the numbers in words such as B2B, where these may be said.
func (s *sentence) takeCodes() {
	for i := 1; i < len(s.tokens); i++ {
		t, b := s.tokens[i], s.tokens[i-1]
		if s.taken[i] || t.kind != number || t.gap || b.kind != word || b.hangul {
			continue
		}
		if strings.Contains(s.checker.quotable, fold(b.text+t.text)) {
			s.taken[i] = true
		}
	}
}

// hardBreaks and softBreaks are the words between clauses and between their parts.
var (
	hardBreaks = set("while whereas but however although though 반면 그러나 하지만 반면에")
	softBreaks = set("and followed plus then versus vs or 그리고 이어 이어서 및 compared und et y")
)

// divide numbers the clauses and their segments.
func (s *sentence) divide() {
	s.segment, s.clause = make([]int, len(s.tokens)), make([]int, len(s.tokens))
	segment, clause := 0, 0
	conceded := s.concededTo()
	for i, t := range s.tokens {
		after := false
		switch {
		case s.taken[i]:
			after = t.hangul && (i+1 == len(s.tokens) || !s.taken[i+1]) && closesPart(t.text)
		case t.kind == mark && strings.ContainsAny(t.text, ";|"):
			segment, clause = segment+1, clause+boolInt(t.text == ";")
		case t.kind == mark && strings.ContainsAny(t.text, ",:()–/→"):
			segment, clause = segment+1, clause+boolInt(i == conceded)
		case t.text == "-" && t.gap && i+1 < len(s.tokens) && s.tokens[i+1].gap:
			segment++
		case hardBreaks[t.fold] && !s.exceptsAt(i), t.fold == "of" && i+1 < len(s.tokens) && (s.tokens[i+1].fold == "which" || s.tokens[i+1].fold == "whom"):
			segment, clause = segment+1, clause+1
		case softBreaks[t.fold] && !s.betweenFigures(i), t.fold == "well" && s.foldAt(i-1) == "as" && s.foldAt(i+1) == "as":
			segment++
		case t.hangul:
			after = closesPart(t.text)
		}
		s.segment[i], s.clause[i] = segment, clause
		if after {
			segment++
		}
	}
}

// concededTo is the comma that ends what the sentence concedes first, "Although A has the most
// rain, B has more sun": what follows is a clause of its own; -1 for none.
func (s *sentence) concededTo() int {
	if w := s.foldAt(0); w != "although" && w != "though" && w != "while" && w != "whereas" && w != "even" {
		return -1
	}
	said := 0
	for i := 1; i < len(s.tokens); i++ {
		switch t := s.tokens[i]; {
		case t.text == "," && said > 0:
			return i
		case t.kind == word && !s.taken[i] && !stopWords[t.fold]:
			said++
		}
	}
	return -1
}

// betweenFigures reports whether a conjunction stands between two numbers: "between
// 5 and 13".
func (s *sentence) betweenFigures(i int) bool {
	return slices.ContainsFunc(s.figures, func(f figure) bool { return f.to == i }) &&
		slices.ContainsFunc(s.figures, func(f figure) bool { return f.at == i+1 }) && s.hasAny(0, i, "between")
}

// closesPart reports whether a Korean word ends a part of its sentence.
func closesPart(text string) bool {
	if len(text) > 2*len("고") && hasSuffix(text, "고", "며", "지만", "는데", "면서", "으나") && !hasSuffix(text, "하고") && !koreanWords[text] && !hasSuffix(text, "최고", "재고", "광고", "참고", "신고", "창고", "중고", "보고", "리고") {
		return true
	}
	for _, end := range []string{"이고", "이며", "으며", "하며", "였고", "였으며", "되며", "지만", "는데", "인데", "인 반면", "있고", "있으며", "많고", "적고", "높고", "낮고", "이었고", "했고", "했으며", "으로서", "명으로", "개로", "건으로", "원으로", "대로"} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

// hasAny reports whether one of the words stands in tokens from..to.
func (s *sentence) hasAny(from, to int, words ...string) bool {
	for i := max(0, from); i < min(to, len(s.tokens)); i++ {
		if !s.taken[i] && slices.Contains(words, s.tokens[i].fold) {
			return true
		}
	}
	return false
}

// anyCue reports whether a word of the set, or a Korean word with one of the
// beginnings, stands in tokens from..to.
func (s *sentence) anyCue(from, to int, words map[string]bool, korean ...string) bool {
	for i := max(0, from); i < min(to, len(s.tokens)); i++ {
		t := s.tokens[i]
		if s.taken[i] && !t.hangul {
			continue
		}
		if !s.taken[i] && words[t.fold] && !(t.fold == "up" && (addsUp[s.foldAt(i-1)] || s.reachesUp(i))) && !(strings.HasPrefix(t.fold, "fall") && s.lies(i)) && !(t.fold == "than" && s.foldAt(i-1) == "other") {
			return true
		}
		if t.hangul && slices.ContainsFunc(korean, func(k string) bool {
			return strings.HasPrefix(t.text, k) || k == "평균" && strings.Contains(t.text, k)
		}) && !s.isNameToken(i) {
			return true
		}
	}
	return false
}

// lies tells "a third falls in May" and "falls within", where nothing falls, from "falls in May".
func (s *sentence) lies(i int) bool {
	return s.hasAny(i+1, i+2, "into", "on", "within") || s.hasAny(i+1, i+2, "in") && s.hasAny(i-8, i, "share", "part", "slice", "portion", "half", "third", "quarter", "bulk", "most")
}

// reachesUp tells "from 34 in A up to 225 in B", where nothing rises, from "went up to 225".
func (s *sentence) reachesUp(i int) bool {
	return s.foldAt(i+1) == "to" && (s.isNameToken(i-1) || s.is(i-1, number)) && s.hasAny(0, i, "from", "between")
}

// addsUp are the verbs with which "up" says nothing of a rise.
var addsUp = set("make makes made making add adds added adding sum sums")

func (s *sentence) isNameToken(i int) bool {
	return slices.ContainsFunc(s.refs, func(r ref) bool { return r.at <= i && i < r.to })
}

// span is the tokens of the segment around token i.
func (s *sentence) span(i int) (from, to int) { return s.around(s.segment, i) }

// clauseSpan is the tokens of the clause around token i.
func (s *sentence) clauseSpan(i int) (from, to int) { return s.around(s.clause, i) }

// around is the part of which token i is one; a question is not divided, and is one part.
func (s *sentence) around(part []int, i int) (from, to int) {
	if i >= len(part) {
		return 0, len(s.tokens)
	}
	from, to = i, i+1
	for from > 0 && part[from-1] == part[i] {
		from--
	}
	for to < len(part) && part[to] == part[i] {
		to++
	}
	return from, to
}

func union(a, b []int) []int {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

func intersect(a, b []int) []int {
	var out []int
	for _, v := range a {
		if slices.Contains(b, v) {
			out = append(out, v)
		}
	}
	return out
}
