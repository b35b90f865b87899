package ground

import (
	"slices"
	"strings"
)

// kinds are common values of columns in English and in Korean: those of one kind on a
// line, the words for one value between commas. A kind that begins with a colon is one
// whose values say of a row what it is: a text may name none that no row has. With a
// question mark, it may name none beside that of a question for one number.
var kinds = func() []valueKind {
	var out []valueKind
	for _, line := range strings.Split(valueWords, "\n") {
		line = strings.TrimSpace(line)
		k := valueKind{closed: strings.HasPrefix(line, ":"), asked: strings.HasPrefix(line, "?")}
		for _, value := range strings.Split(strings.TrimLeft(line, ":?"), ",") {
			var words []string
			for _, w := range strings.Split(value, "/") {
				words = append(words, strings.TrimSpace(w))
			}
			k.values = append(k.values, words)
		}
		out = append(out, k)
	}
	return out
}()

// valueKind is a kind of values, each with the words for it.
type valueKind struct {
	closed bool
	asked  bool
	values [][]string
}

const valueWords = `delivered/배송 완료/배달 완료/배송완료/배송이 완료, cancelled/canceled/취소, shipped/dispatched/발송/출고/배송 중/배송중, open/미처리/접수/진행 중/미완료, closed/종료/종결/마감, new/신규, pending/대기/보류, completed/complete/done/완료, returned/반품, refunded/환불, paid/결제 완료/납부, unpaid/미납/미결제, failed/실패, active/활성, inactive/비활성/휴면, approved/승인, rejected/declined/거절/반려, confirmed/확정, provisional/잠정/가예약, processing/in progress/처리 중, resolved/해결, overdue/연체
:card/credit card/카드/신용카드/신용 카드, cash/현금, transfer/bank transfer/wire transfer/이체/계좌이체/계좌 이체/송금, invoice/인보이스/청구서/송장, wallet/e-wallet/지갑/전자지갑/전자 지갑/월렛, debit card/체크카드/직불카드, direct debit/자동이체/자동 이체, check/cheque/수표, voucher/gift card/상품권/기프트카드
?online/web/온라인/웹, store/in-store/offline/매장/오프라인, phone/전화, mobile/app/앱/모바일, email/이메일/메일
damaged/파손/손상/훼손, defective/faulty/불량, too small/작음/너무 작음/작아서/너무 작아서/사이즈가 작음/사이즈 작음, too large/too big/큼/너무 큼/커서/너무 커서/사이즈가 큼/사이즈 큼, changed my mind/change of mind/단순 변심/단순변심/변심/마음이 바뀜/마음이 바뀌어서, not as described/설명과 다름/설명과 달라서/설명과 다른, wrong item/오배송, late/지연
?female/women/woman/여성/여자, male/men/man/남성/남자, children/kids/아동/어린이
:store manager/점장/매장 관리자/매장 매니저, deputy manager/assistant manager/부점장/부매니저/부관리자, manager/매니저/관리자, cashier/계산원/캐셔/출납원, stock clerk/재고 담당/재고 담당자/재고 관리원/재고 직원, sales assistant/salesperson/판매원/판매 사원/판매 직원/판매 보조, head of retail/소매 총괄/리테일 총괄/소매 책임자, engineer/엔지니어/기술자, accountant/회계사, director/이사, analyst/분석가, developer/개발자, designer/디자이너, driver/운전사/기사, intern/인턴, secretary/비서, supervisor/감독, technician/정비사
:monday/월요일, tuesday/화요일, wednesday/수요일, thursday/목요일, friday/금요일, saturday/토요일, sunday/일요일
?clothing/clothes/apparel/의류, books/도서/책, toys/장난감/완구, electronics/전자제품/전자, sports/스포츠, home/가정/홈/집/자택, shoes/신발, furniture/가구, lighting/조명, kitchen/주방, games/게임, fiction/소설, food/식품, beauty/뷰티/미용, audio/오디오, computing/컴퓨터, cycling/자전거, fitness/피트니스, outdoor/아웃도어, building/건축
delivery/배송지/배송/배달, billing/청구지, work/직장
north/북부/북, south/남부/남, east/동부/동, west/서부/서, central/중부/중앙
high/높음, medium/보통/중간, low/낮음, small/소형, large/대형
yes/예, no/아니오, debit/직불, credit/신용, adult/성인, other/기타, unknown/미상/알 수 없음`

// valueNamed are the words for a value that is a cell, nil where no kind has it.
func valueNamed(cell string) []string {
	cell = fold(clean(cell))
	for _, k := range kinds {
		for _, v := range k.values {
			if slices.Contains(v, cell) {
				return v
			}
		}
	}
	return nil
}

// sameKind reports whether two words are for values of one kind.
func sameKind(a, b string) bool {
	return slices.ContainsFunc(kinds, func(k valueKind) bool {
		has := func(w string) bool {
			return slices.ContainsFunc(k.values, func(v []string) bool { return slices.Contains(v, w) })
		}
		return has(a) && has(b)
	})
}

// addTranslations takes the words of the other language for the cells of a column, where
// they are those of one cell alone.
func (c *Checker) addTranslations(index, col int, of *column) {
	cells := map[string]string{} // that a word stands for; "" for several
	for _, v := range of.cells {
		if v.null || len(v.text) > maxName {
			continue
		}
		for _, w := range valueNamed(v.text) {
			if have, known := cells[w]; known && have != fold(v.text) {
				cells[w] = ""
			} else {
				cells[w] = fold(v.text)
			}
		}
	}
	for row, v := range of.cells {
		if !v.null && isHangul(v.text) && valueNamed(v.text) != nil {
			c.loosen(clean(v.text))
		}
		for _, w := range valueNamed(v.text) {
			if !v.null && cells[w] == fold(v.text) && w != cells[w] && cells[w] != "" && !c.isCellText(of, w) && !c.inColumns(w) {
				c.addPhrase(w, index, col, row, false)
				c.loosen(w)
			}
		}
	}
}

// isCellText reports whether a text is itself a cell of a column.
func (c *Checker) isCellText(of *column, text string) bool {
	return slices.ContainsFunc(of.cells, func(v cell) bool { return !v.null && fold(v.text) == text })
}

// loosen lets a Korean name stand as a verb: 취소된, 파손된.
func (c *Checker) loosen(text string) {
	first := scan(text)[0].fold
	for _, p := range c.phrases[first] {
		p.loose = p.loose || p.text == text
	}
}

// isVerbEnding reports whether a Korean ending makes a verb of a noun.
func isVerbEnding(text string) bool {
	return hasPrefix(text, "된", "됨", "되", "돼", "한", "함", "했", "되어", "하는")
}

// addAbsent keeps the values that no row has of the kinds that the columns have.
func (c *Checker) addAbsent() {
	for _, k := range kinds {
		asked := (k.closed || k.asked) && c.isScalar() && c.asksKind(k)
		if !asked && !(k.closed && c.hasKind(k)) {
			continue
		}
		for _, value := range k.values {
			for _, w := range value {
				if asked && !c.asksWord(w) || !asked && !c.toldOf(w) {
					p := &phrase{text: w, loose: true}
					for _, t := range scan(w) {
						p.tokens = append(p.tokens, t.fold)
					}
					c.absent = append(c.absent, p)
				}
			}
		}
	}
}

// asksKind reports whether the question names a value of a kind.
func (c *Checker) asksKind(k valueKind) bool {
	return slices.ContainsFunc(k.values, func(words []string) bool { return slices.ContainsFunc(words, c.asksWord) })
}

// hasKind reports whether the cells of a column are values of a kind.
func (c *Checker) hasKind(k valueKind) bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(of column) bool {
			n := 0
			for _, v := range of.cells {
				if v.null {
					continue
				}
				if !slices.ContainsFunc(k.values, func(words []string) bool { return slices.Contains(words, fold(v.text)) }) {
					return false
				}
				n++
			}
			return n > 0
		})
	})
}

// toldOf reports whether all words of a value stand in the question, a column's name or
// a row.
func (c *Checker) toldOf(value string) bool {
	for _, t := range scan(value) {
		if !c.knows(t) && synonyms[t.fold] == "" && !c.isNoun(t.fold) {
			return false
		}
	}
	return true
}

// checkAbsent refuses a value of a kind that a column has, where no row has this one: cash
// payments of a result of cards and transfers.
func (s *sentence) checkAbsent() {
	for _, p := range s.checker.absent {
		for i := range s.tokens {
			if end, ok := s.matches(p, i); ok && !slices.Contains(s.taken[i:end], true) && !s.isNegated(i) && !s.isSynonymOfAsked(p) {
				s.violate(i, end, "neither the question nor the result speaks of this")
			}
		}
	}
}

// isSynonymOfAsked reports whether the question names the same value in other words.
func (s *sentence) isSynonymOfAsked(p *phrase) bool {
	return slices.ContainsFunc(kinds, func(k valueKind) bool {
		return slices.ContainsFunc(k.values, func(words []string) bool {
			return slices.Contains(words, p.text) && slices.ContainsFunc(words, s.checker.asksWord)
		})
	})
}

// isNegated reports whether a token is said not to be: "no cashiers", "not by cash".
func (s *sentence) isNegated(i int) bool {
	return s.hasAny(i-3, i, "no", "not", "without", "neither", "nor", "other", "than")
}
