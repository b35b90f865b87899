package ground

import (
	"slices"
	"strings"
)

// weekdayColumn is a column of weekdays: the rows of each, from Monday.
type weekdayColumn struct {
	table, column int
	rows          [7][]int
}

// weekdayOf is the weekday that a folded word names, from 1 for Monday; 0 for none.
func weekdayOf(w string) int {
	if isHangul(w) {
		if name, ok := strings.CutSuffix(w, "요일"); ok {
			return weekdays[name]
		}
		return 0
	}
	w = strings.TrimSuffix(strings.TrimSuffix(w, "s"), ".")
	if name, ok := strings.CutSuffix(w, "day"); ok {
		return weekdays[name]
	}
	return map[string]int{"mon": 1, "tue": 2, "wed": 3, "thu": 4, "thur": 4, "fri": 5, "sat": 6, "sun": 7}[w]
}

// addWeekdays finds the columns of weekdays.
func (c *Checker) addWeekdays() {
	for i, t := range c.tables {
		for col := range t.columns {
			w := weekdayColumn{table: i, column: col}
			all := t.rows > 1
			for row, v := range t.columns[col].cells {
				day := weekdayOf(fold(v.text))
				if day == 0 && t.rows > 3 {
					day = weekdays[v.text]
				}
				if day == 0 {
					all = false
					break
				}
				w.rows[day-1] = append(w.rows[day-1], row)
			}
			if all {
				c.weekdays = append(c.weekdays, w)
			}
		}
	}
}

// findWeekdays finds the weekdays that are not named as the rows have them: in short, in
// lists of their first syllables, and together as the weekend and the days of work.
func (s *sentence) findWeekdays() {
	for _, w := range s.checker.weekdays {
		for i, t := range s.tokens {
			first, last := s.weekdaysAt(i)
			if s.taken[i] || first == 0 || t.kind != word {
				continue
			}
			r := ref{at: i, to: i + 1, rows: make([][]int, len(s.checker.tables)), columns: []int{w.table*columnStride + w.column}}
			for day := first; day <= last; day++ {
				r.rows[w.table] = union(r.rows[w.table], w.rows[day-1])
			}
			if len(r.rows[w.table]) > 0 {
				s.taken[i] = true
				s.refs = append(s.refs, r)
			}
		}
	}
	slices.SortStableFunc(s.refs, func(a, b ref) int { return a.at - b.at })
}

// weekdaysAt are the first and the last weekday that a word names, 0 for none.
func (s *sentence) weekdaysAt(i int) (first, last int) {
	t := s.tokens[i]
	w := koreanStem(t.text)
	switch {
	case t.fold == "weekend" || t.fold == "weekends" || w == "주말":
		return 6, 7
	case t.fold == "weekdays" && !s.is(i-1, number) && !isNumberWord(s.foldAt(i-1)) || w == "평일":
		return 1, 5
	}
	if day := weekdayOf(koreanStem(t.fold)); day != 0 && (t.hangul || t.capital) {
		return day, day
	}
	day := weekdays[t.text]
	if !t.hangul || day == 0 || len(t.text) != len("월") {
		return 0, 0
	}
	joins := func(mark, other int) bool {
		return s.is(other, word) && strings.Contains("·~,-–/", s.foldAt(mark)) && s.foldAt(mark) != "" && (weekdays[s.tokens[other].text] != 0 || weekdayOf(koreanStem(s.tokens[other].text)) != 0)
	}
	if joins(i+1, i+2) || joins(i-1, i-2) {
		return day, day
	}
	return 0, 0
}

// weekdaysBetween are the rows from one weekday to another: "from Monday to Friday".
func (s *sentence) weekdaysBetween(a, b ref) ([][]int, bool) {
	for _, w := range s.checker.weekdays {
		id := w.table*columnStride + w.column
		if !slices.Contains(a.columns, id) || !slices.Contains(b.columns, id) || !s.bounds(a, b) {
			continue
		}
		dayOf := func(r ref) int {
			return slices.IndexFunc(w.rows[:], func(rows []int) bool { return len(rows) > 0 && slices.Equal(rows, r.rows[w.table]) })
		}
		from, to := dayOf(a), dayOf(b)
		if from < 0 || to < 0 {
			continue
		}
		out := make([][]int, len(a.rows))
		for day := from; ; day = (day + 1) % 7 {
			out[w.table] = union(out[w.table], w.rows[day])
			if day == to {
				return out, true
			}
		}
	}
	return nil, false
}
