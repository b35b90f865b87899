package ground

import (
	"slices"
	"strings"
)

// turns are the words for the turns in the life of a thing of which columns of moments
// tell, in English as they are and in Korean by their beginnings.
var turns = []map[string]bool{
	set("hired hire joined join started start 입사 채용 가입 들어온 들어왔"), set("left leave leaving ended end quit 퇴사 퇴직 탈퇴 종료 그만 나간 떠났 떠난"), set("opened open opening launched 개점 개업 오픈 열었 열어 열린 열렸 연"), set("closed close closing shut 폐점 폐업 마감 닫"),
	set("ordered order placed 주문"), set("shipped ship shipping 발송 출고"), set("delivered delivery arrived arrives arrival landed landing 배송 도착 착륙"), set("departed depart departs departure left leaves 출발 이륙"), set("paid payment 결제 지불"), set("returned return 반품"), set("born birth birthday 생일 출생 태어 생년월일 생"), set("introduced released launch 출시 도입"),
	set("signed sign signing 체결 서명"), set("raised raise created reported 발생 생성"), set("cleared clear resolved solved fixed 해제 해결"), set("expired expires expiry 만료"), set("updated update modified changed 수정 갱신 변경"), set("due 만기 기한"),
}

// sameState reports whether two words tell of one turn in the life of a thing.
func sameState(a, b string) bool {
	return slices.ContainsFunc(turns, func(words map[string]bool) bool {
		if !words[b] {
			return false
		}
		if !isHangul(a) {
			return words[a]
		}
		for w := range words {
			if isHangul(w) && strings.HasPrefix(a, w) && (len(w) > len("가") || w == "닫" || isEnding(a[len(w):])) {
				return true
			}
		}
		return false
	})
}

// checkDateWords refuses a date of a column where the words at it name another one: the
// day of opening as that of closing.
func (s *sentence) checkDateWords() {
	for i, r := range s.refs {
		if !r.date || len(r.columns) == 0 {
			continue
		}
		index := r.columns[0] / columnStride
		said := s.columnSaid(i, index)
		if said >= 0 && !slices.Contains(r.columns, index*columnStride+said) {
			s.violate(r.at, r.to, "the result has another date for this")
		}
	}
}

// columnSaid is the column of moments that the words at a date name, -1 for none: in
// Korean the label right before it, else the nearest word behind; in English the nearest
// one before, else behind. The two dates of a pair of brackets, or of "from" and "to", go
// without: they are the first and the last column.
func (s *sentence) columnSaid(i, index int) int {
	r, t := s.refs[i], s.checker.tables[index]
	from, to := s.clauseSpan(r.at)
	for k, o := range s.refs {
		switch {
		case !o.date || k == i:
		case k < i && o.to <= r.at:
			from = max(from, o.to)
		case k > i && o.at >= r.to:
			to = min(to, o.at)
		}
	}
	if s.inBrackets(r.at) || s.isEndOfRange(r) {
		return -1
	}
	near := func(at, end, step int) int {
		for ; at != end; at += step {
			if col := s.turnAt(t, at); col >= 0 {
				return col
			}
		}
		return -1
	}
	if !s.korean(r.at, to) {
		if col := near(r.at-1, from-1, -1); col >= 0 {
			return col
		}
		return near(r.to, to, 1)
	}
	if label := r.at - 1; label >= from && (s.tokens[label].kind != word || hasSuffix(s.foldAt(label), "은", "는", "이", "가", "일", "일자", "일시", "시각", "날짜")) {
		if col := s.turnAt(t, label-boolInt(s.tokens[label].kind != word)); label >= 0 && col >= 0 {
			return col
		}
	}
	return near(r.to, to, 1)
}

// korean reports whether what follows a date is in Korean, or, where nothing does, what
// stands before it.
func (s *sentence) korean(at, to int) bool {
	for i := at; i < to; i++ {
		if s.tokens[i].kind == word {
			return s.tokens[i].hangul
		}
	}
	return at > 0 && s.tokens[at-1].hangul
}

// isEndOfRange reports whether a date is one of two that a dash joins.
func (s *sentence) isEndOfRange(r ref) bool {
	dash := func(w string) bool { return w == "–" || w == "~" || w == "-" || w == "→" }
	return dash(s.foldAt(r.to)) || dash(s.foldAt(r.at-1))
}

// turnAt is the one column of moments of which a word speaks, -1 for none.
func (s *sentence) turnAt(t *table, i int) int {
	if !s.is(i, word) {
		return -1
	}
	found := -1
	for col := range t.columns {
		if c := &t.columns[col]; c.temporal && s.saysColumn(c, t, i, i+1) {
			if found >= 0 {
				return -1
			}
			found = col
		}
	}
	return found
}

// checkDateOfAll refuses a date that is said of both, or of all, and that not all rows
// have.
func (s *sentence) checkDateOfAll() {
	if len(s.dates) != 1 || len(s.refs) != 1 || !s.refs[0].date {
		return
	}
	both := s.hasAny(0, len(s.tokens), "both") || s.anyCue(0, len(s.tokens), nil, "모두", "전부", "전원", "둘") && slices.ContainsFunc(s.figures, func(f figure) bool {
		n, ok := f.count()
		return ok && s.isRowCount(&f, n)
	})
	if !both || s.denies() || len(s.figures) > 1 {
		return
	}
	r := s.refs[0]
	for index, t := range s.checker.tables {
		if len(r.rows[index]) == 0 || t.rows < 2 || s.hasAny(0, len(s.tokens), "both") && t.rows != 2 {
			continue
		}
		moments := 0
		for _, c := range t.columns {
			moments += boolInt(c.temporal)
		}
		if len(r.rows[index]) < t.rows && moments > 0 {
			s.violate(r.at, r.to, "not all rows have this date")
		}
	}
}
