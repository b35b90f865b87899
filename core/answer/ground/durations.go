package ground

import (
	"math"
	"slices"
	"strings"
	"time"
)

// instant is a moment as a time, where its day is known; exactly is false where only the
// day is.
func (p *period) instant() (at time.Time, exactly, ok bool) {
	if p.year == 0 || p.month == 0 || p.day == 0 {
		return time.Time{}, false, false
	}
	return time.Date(p.year, time.Month(p.month), p.day, max(0, p.hour), max(0, p.minute), max(0, p.second), 0, time.UTC), p.hour >= 0, true
}

// monthsBetween are the months between two moments, the days after them as a part of one.
func monthsBetween(from, to time.Time) float64 {
	n := (to.Year()-from.Year())*12 + int(to.Month()) - int(from.Month())
	begin := from.AddDate(0, n, 0)
	if begin.After(to) {
		n--
		begin = from.AddDate(0, n, 0)
	}
	return float64(n) + to.Sub(begin).Hours()/from.AddDate(0, n+1, 0).Sub(begin).Hours()
}

// spanUnits are the words for units of time behind a figure.
var spanUnits = map[string]string{"second": "second", "seconds": "second", "초": "second", "minute": "minute", "minutes": "minute", "분": "minute", "hour": "hour", "hours": "hour", "시간": "hour",
	"day": "day", "days": "day", "일": "day", "week": "week", "weeks": "week", "주": "week", "month": "month", "months": "month", "개월": "month", "달": "month", "year": "year", "years": "year", "년": "year", "해": "year"}

func (s *sentence) spanUnit(f *figure) string {
	w := f.rest
	if w == "" {
		w = s.foldAt(f.to)
		if w == "-" {
			w = s.foldAt(f.to + 1) // "a 49-day gap"
		}
	}
	if u := spanUnits[w]; u != "" {
		return u
	}
	return spanUnits[koreanStem(trimmed(w))]
}

// trimmed is a Korean counter of time without what ends its sentence.
func trimmed(w string) string {
	for _, u := range []string{"시간", "개월", "분", "초", "일", "주", "달", "년", "해"} {
		if len(w) > len(u) && w[:len(u)] == u && (isEnding(w[len(u):]) || hasPrefix(w[len(u):], "간", "만", "이", "동안", "차", "쯤", "가량", "여", "정도", "째")) {
			return u
		}
	}
	return w
}

// spoken is a duration that a text says, such as five years and three months.
type spoken struct {
	figures []int // by place
	units   []string
	values  []float64
	hedge   hedge
	slight  bool // "just over", "nearly": close to it
}

// durationAt is the duration that begins with, or holds, a figure.
func (s *sentence) durationAt(i int) (spoken, bool) {
	first := i
	for first > 0 && s.goesOnAsDuration(first-1) {
		first--
	}
	d := spoken{hedge: s.figures[first].hedge}
	for k := first; k < len(s.figures); k++ {
		f := &s.figures[k]
		unit, value := s.unitAndValue(k)
		if unit == "" || len(f.amounts) == 0 {
			break
		}
		d.figures, d.units, d.values = append(d.figures, k), append(d.units, unit), append(d.values, value)
		if !s.goesOnAsDuration(k) {
			break
		}
	}
	if len(d.figures) == 0 {
		return d, false
	}
	s.hedgeDuration(&d)
	return d, true
}

// goesOnAsDuration reports whether the next figure has a smaller unit of the same duration.
func (s *sentence) goesOnAsDuration(k int) bool {
	if k+1 >= len(s.figures) || s.figures[k+1].at-s.figures[k].to > 3 {
		return false
	}
	rank := []string{"second", "minute", "hour", "day", "week", "month", "year"}
	a, b := slices.Index(rank, s.spanUnit(&s.figures[k])), slices.Index(rank, s.spanUnit(&s.figures[k+1]))
	return b >= 0 && a > b && !s.hasAny(s.figures[k].to, s.figures[k+1].at, "or", "(", ")", "to")
}

// unitAndValue are the unit and the number of a figure that tells a time. "Half an hour"
// has its unit behind the article, and "a little over five" that of the figure before it.
func (s *sentence) unitAndValue(k int) (string, float64) {
	f := &s.figures[k]
	if len(f.amounts) == 0 || f.ordinal || f.ratio {
		return "", 0
	}
	value, _ := f.amounts[0].value.Float64()
	if f.percent {
		if s.foldAt(f.to) == "an" || s.foldAt(f.to) == "a" {
			return spanUnits[s.foldAt(f.to+1)], value / 100
		}
		return "", 0
	}
	unit := s.spanUnit(f)
	if unit == "" && !s.is(f.to, word) {
		for g := k - 1; g >= 0 && unit == ""; g-- {
			unit = s.spanUnit(&s.figures[g])
		}
	}
	if next := s.gluedAt(f.to) + s.foldAt(f.to) + s.foldAt(f.to+1); unit != "" && strings.Contains(next, "반") && !strings.Contains(next, "반면") && !strings.Contains(next, "반품") {
		value += 0.5
	}
	if s.hasAny(f.to+1, f.to+4, "half") && s.hasAny(f.to+1, f.to+3, "and") {
		value += 0.5
	}
	return unit, value
}

// hedgeDuration takes the words around a duration that bound it.
func (s *sentence) hedgeDuration(d *spoken) {
	first, last := &s.figures[d.figures[0]], &s.figures[d.figures[len(d.figures)-1]]
	if d.hedge == exact {
		d.hedge = last.hedge
	}
	behind := s.text[s.tokens[min(last.to, len(s.tokens))-1].begin:]
	behind = behind[:min(len(behind), 60)]
	for _, w := range []string{"못 미", "못미", "안 되", "안되", "안 돼", "모자라", "모자란", "이내", "미만", "안에"} {
		if at := strings.Index(behind, w); at >= 0 && at < 30 {
			d.hedge = under
			d.slight = d.slight || strings.Contains(behind[:at], "조금") || strings.Contains(behind[:at], "살짝")
		}
	}
	if s.hasAny(first.at-3, first.at, "within", "inside") {
		d.hedge = under
	}
	if d.hedge == exact && s.hasAny(first.at-4, first.at, "about", "around", "roughly", "approximately", "some", "almost", "nearly") {
		d.hedge = about
	}
	d.slight = d.slight || s.hasAny(first.at-4, first.at, "just", "nearly", "almost", "slightly", "little", "shy", "barely") || strings.Contains(behind, "남짓") || s.anyCue(first.at-2, first.at, nil, "거의", "불과")
}

// isDuration checks the time between two moments: two of one row, those of two rows that
// the sentence or the one before names, or those of two dates.
func (s *sentence) isDuration(i int, r *referent) bool {
	f := &s.figures[i]
	d, ok := s.durationAt(i)
	if !ok {
		return false
	}
	if n, whole := f.count(); whole && s.isSpanOfYears(f, n) {
		return true
	}
	for _, p := range s.momentPairs(i, r) {
		if s.lasts(&d, p[0], p[1]) {
			for _, k := range d.figures {
				s.proved[k] = true
			}
			return true
		}
	}
	return false
}

// lasts reports whether a duration is the time between two moments.
func (s *sentence) lasts(d *spoken, a, b *period) bool {
	from, exactly, known := a.instant()
	to, exactlyTo, ok := b.instant()
	if !known || !ok {
		return false
	}
	if to.Before(from) {
		from, to = to, from
	}
	last := len(d.units) - 1
	f := &s.figures[d.figures[last]]
	smallest := d.units[last]
	if !(exactly && exactlyTo) {
		if smallest == "hour" || smallest == "minute" || smallest == "second" {
			return false
		}
		const day = 24 * time.Hour
		from, to = from.Truncate(day), to.Truncate(day)
	}
	have := timeIn(smallest, from, to)
	said := 0.0
	for k, u := range d.units {
		said += d.values[k] * ratio(u, smallest)
	}
	inclusive := smallest == "day" && s.hasAny(f.at-4, f.to+5, "inclusive", "including")
	if smallest == "day" && d.hedge == exact {
		days := int(to.Truncate(24*time.Hour).Sub(from.Truncate(24*time.Hour)).Hours() / 24)
		return said == float64(days) || inclusive && said == float64(days+1) || said == math.Floor(have) && said > 0
	}
	return d.agrees(said, have)
}

// agrees reports whether a duration that is said stands for the true one, in its smallest
// unit. What is said with a bound is held to it.
func (d *spoken) agrees(said, have float64) bool {
	close := math.Max(1, said/10)
	switch d.hedge {
	case over, atLeast:
		return have >= said && (!d.slight || have < said+close)
	case under, atMost:
		return have <= said && (!d.slight || have > said-close) && (d.slight || have > said-2*close || said <= 3)
	case about:
		return math.Abs(said-have) <= math.Max(0.5, said/20)
	}
	return said == math.Floor(have) || math.Abs(said-have) <= 0.1
}

// timeIn is the time between two moments in a unit.
func timeIn(unit string, from, to time.Time) float64 {
	gap := to.Sub(from)
	switch unit {
	case "second":
		return gap.Seconds()
	case "minute":
		return gap.Minutes()
	case "hour":
		return gap.Hours()
	case "day":
		return gap.Hours() / 24
	case "week":
		return gap.Hours() / (7 * 24)
	case "month":
		return monthsBetween(from, to)
	}
	return monthsBetween(from, to) / 12
}

// ratio is how many of the smaller unit one of the larger has.
func ratio(unit, of string) float64 {
	worth := map[string]float64{"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800, "month": 86400 * 30.4375, "year": 86400 * 30.4375 * 12}
	if unit == "year" && of == "month" {
		return 12
	}
	return worth[unit] / worth[of]
}

// momentPairs are the moments between which a sentence may measure the time.
func (s *sentence) momentPairs(i int, r *referent) [][2]*period {
	var out [][2]*period
	for index, t := range s.checker.tables {
		row := s.rowOf(t, index, r)
		if row < 0 && t.rows == 1 && t.count == 1 {
			row = 0
		}
		for _, own := range s.rowsSpoken(index, row) {
			var list []*period
			for col := range t.columns {
				if p := t.columns[col].cells[own].period; t.columns[col].temporal && p != nil {
					list = append(list, p)
				}
			}
			out = append(out, pairsOf(list)...)
			if row >= 0 {
				break
			}
		}
		out = append(out, s.pairsOfRows(i, r, t, index, row)...)
	}
	list := s.datesNamed()
	if len(list) < 2 && s.before != nil {
		list = append(list, s.before.datesNamed()...)
	}
	if s.comesLater(i) != 0 && len(s.referents) > 0 && len(list) != len(s.dates) {
		return out
	}
	return append(out, pairsOf(list)...)
}

// rowsSpoken are the rows that the sentence, or where it names none the one before, names
// each by itself; that of the figure comes first.
func (s *sentence) rowsSpoken(index, own int) []int {
	var out []int
	if own >= 0 {
		out = append(out, own)
	}
	add := func(from *sentence) {
		for k := range from.referents {
			rows := from.referents[k].rows[index]
			if len(rows) == 1 && !slices.Contains(out, rows[0]) {
				out = append(out, rows[0])
			}
		}
	}
	add(s)
	if s.before != nil && len(out) < 2 {
		add(s.before)
	}
	if t := s.checker.tables[index]; t.whole && t.rows == 2 && len(out) < 2 && (own >= 0 || s.anyCue(0, len(s.tokens), set("two both apart between other"), "두", "둘", "양")) {
		out = append(out[:0], 0, 1)
		if own == 1 {
			out = []int{1, 0}
		}
	}
	return out
}

// comesLater is 1 where the words at a duration say that what it is said of is the later
// one, -1 where it is the earlier one.
func (s *sentence) comesLater(i int) int {
	f := &s.figures[i]
	_, to := s.clauseSpan(f.at)
	for k := f.to; k < min(to, f.to+5); k++ {
		t := s.tokens[k]
		switch {
		case laterWords[t.fold] && !s.taken[k], t.hangul && hasPrefix(t.text, laterKorean...), hasSuffix(t.text, "늦게"):
			return 1
		case earlierWords[t.fold] && !s.taken[k], t.hangul && hasPrefix(t.text, earlierKorean...), t.text == "전", t.text == "전인", t.text == "전에":
			return -1
		}
	}
	return 0
}

// nameBehind is the name that a duration with its verb stands in front of, in Korean: "나흘
// 먼저 들어온 B".
func (s *sentence) nameBehind(i int) *referent {
	f := &s.figures[i]
	for k := range s.referents {
		r := &s.referents[k]
		if r.at > f.to && r.at <= f.to+4 && !r.parts[0].date && s.tokens[r.at-1].hangul && hasSuffix(s.tokens[r.at-1].text, "은", "는", "한", "된", "온", "간", "연", "인", "난", "진", "던") {
			return r
		}
	}
	return nil
}

// measuredFrom is the name from whose moment a duration is measured, as words say: "49 days
// before B", "later than B", "B보다".
func (s *sentence) measuredFrom(i int) *referent {
	f := &s.figures[i]
	_, to := s.clauseSpan(f.at)
	for k := range s.referents {
		r := &s.referents[k]
		if r.at < f.at && s.endsWith(r, "보다") || r.at < f.at && s.nounEndsWith(r, min(r.to+2, to), "보다") {
			return r
		}
		if r.at >= f.to && r.at < f.to+7 && s.hasAny(max(f.to, r.at-5), r.at, "before", "after", "than") {
			return r
		}
	}
	return nil
}

// pairsOfRows are the moments of two rows in one column: of the row of the figure and
// another one, in the order that the words say, else of any two.
func (s *sentence) pairsOfRows(i int, r *referent, t *table, index, own int) [][2]*period {
	var out [][2]*period
	rows := s.rowsSpoken(index, own)
	direction := s.comesLater(i)
	if name := s.nameBehind(i); name != nil && direction != 0 && len(name.rows[index]) == 1 && !s.hasAny(s.figures[i].to, name.at, "before", "after", "than") {
		first := name.rows[index][0]
		rows = append([]int{first}, slices.DeleteFunc(rows, func(row int) bool { return row == first })...)
	} else if object := s.measuredFrom(i); object != nil && len(object.rows[index]) == 1 && slices.Contains(rows, object.rows[index][0]) {
		from := object.rows[index][0]
		rows = slices.DeleteFunc(rows, func(row int) bool { return row == from })
		if own == from || own < 0 {
			rows = rows[:min(len(rows), 1)]
		} else {
			rows = []int{own}
		}
		rows = append(rows, from)
	} else if own < 0 && direction != 0 && len(rows) > 2 {
		return nil
	}
	for x := range rows {
		for y := x + 1; y < len(rows); y++ {
			if direction != 0 && x > 0 {
				continue
			}
			for col := range t.columns {
				c := &t.columns[col]
				a, b := c.cells[rows[x]].period, c.cells[rows[y]].period
				if !c.temporal || a == nil || b == nil || direction != 0 && comparePeriods(a, b) != direction {
					continue
				}
				out = append(out, [2]*period{a, b})
			}
		}
	}
	return out
}

func (s *sentence) datesNamed() []*period {
	var out []*period
	for _, d := range s.dates {
		if len(d.readings) == 1 {
			out = append(out, &d.readings[0])
		}
	}
	return out
}

func pairsOf(list []*period) [][2]*period {
	var out [][2]*period
	for i, a := range list {
		for _, b := range list[i+1:] {
			if !slices.Contains(out, [2]*period{a, b}) {
				out = append(out, [2]*period{b, a})
			}
		}
	}
	return out
}
