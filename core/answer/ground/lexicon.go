package ground

import (
	_ "embed"
	"sort"
	"strings"
	"sync"
)

// english are the common words of English, one a line, sorted: those that are
// names of nobody. They come from SCOWL; see words/COPYRIGHT.
//
//go:embed words/english.txt
var english string

func onceFunc(f func()) func() { return sync.OnceFunc(f) }

// isCommon reports whether a folded word is one of everyday English.
func isCommon(w string) bool {
	if w == "a" || w == "i" {
		return true
	}
	for _, form := range []string{w, strings.TrimSuffix(w, "n't"), before(w, "'")} {
		at := sort.Search(len(english), func(i int) bool { return lineAt(i) >= form })
		if at < len(english) && lineAt(at) == form {
			return true
		}
	}
	return extraWords[w]
}

func before(text, mark string) string {
	text, _, _ = strings.Cut(text, mark)
	return text
}

// lineAt is the line of the list in which byte i stands.
func lineAt(i int) string {
	begin := strings.LastIndexByte(english[:i], '\n') + 1
	end := strings.IndexByte(english[begin:], '\n')
	if end < 0 {
		return english[begin:]
	}
	return english[begin : begin+end]
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// extraWords are words of answers that no dictionary of common words has.
var extraWords = set(`ok approx nope yep sql kpi id ids csv json eur usd gbp krw jpy gmt utc am pm avg max min qty vs etc yoy mom ytd fy api url faq app apps email emails online dataset datasets
	monday tuesday wednesday thursday friday saturday sunday english korean european asian american outlier outliers preview previews
	january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec q1 q2 q3 q4`)

// stopWords name nothing by themselves.
var stopWords = set(`a an the of in on at to for from by with without and or but nor so as if than then that this these those it its he she they them their his her we our you your i my me us
	is are was were be been being am do does did has have had will would can could may might shall should must not no none nothing yes all any each every both either neither some many much more most
	less least few fewer only just also too very there here what which who whom whose when where why how per total count sum avg average number amount value name id first last top up down out over under
	one two three new other another same such own about into between through during before after above below again further once while whereas however list show give tell me get find sort by`)

// genericNouns are the words for the rows of any result.
var genericNouns = set(`row rows result results record records entry entries item items line lines match matches hit hits value values option options group groups category categories member members name names case cases row(s) unique distinct different separate
	행 개의 건의 결과 항목 레코드 줄 데이터 종류 그룹 이름 값`)

// synonyms are words that answers use in the place of a column's.
var synonyms = func() map[string]string {
	out := map[string]string{}
	for _, group := range []string{
		"country nation market territory origin 국가 나라 개국 원산지", "customer client buyer shopper 고객 손님 구매자", "employee staff worker person people headcount hire hiring 직원 사원 인원", "store shop outlet branch location 매장 점포 지점 스토어",
		"product item article sku good 제품 상품 품목", "month 월 개월 달", "year 연도 년 해", "season 시즌", "owner 소유자 주인 소유주", "teacher instructor lecturer tutor 강사 교사 선생님", "course class lesson 강좌 수업", "quarter 분기", "category group 카테고리 분류 범주", "city town 도시", "order purchase 주문",
		"track song tune 곡 트랙 노래", "album record 앨범", "artist band musician performer singer 아티스트", "movie film title 영화", "method way 방법 방식 수단", "status state 상태", "revenue sale turnover 매출 판매액", "genre style 장르",
		"supplier vendor 공급업체 공급사", "department dept team division 부서", "manager boss supervisor 관리자 매니저 상사 상급자", "payment transaction 결제 지불 거래", "return 반품", "refund 환불", "price 가격", "cost 원가 비용", "region area district 지역", "unit piece quantity 수량", "speed velocity fast 속도 시속", "height high tall elevation altitude 높이 고도 해발", "latitude lat 위도", "longitude lng lon 경도", "population inhabitant resident 인구 주민", "budget 예산", "temperature 기온 온도", "length duration long last minute 길이",
		"weight heavy 무게 중량 체중", "age old 나이 연령", "score point 점수 득점", "rating 평점 별점", "distance 거리", "profit earning 이익 수익 순이익", "salary wage earn 급여 연봉 월급", "stock inventory 재고", "area size 면적 크기", "depth 깊이", "width 너비 폭", "capacity 용량 정원",
		"discount 할인", "tax 세금 세액", "balance 잔액 잔고", "amount 금액", "diff delta change 증감 순증감 변동", "spending spent spend expense 지출 집행", "officer 경찰관", "rate 율", "margin 마진", "prominence", "reason cause 사유 이유", "name 이름", "race 경주 대회", "driver player athlete 드라이버 선수", "trip ride 운행 여행", "dock 도크", "station 정류장 역", "horse 말", "cow cattle 소", "pig 돼지", "sheep 양",
		"visitor guest attendance visit 방문자 방문 방문객 관람객", "passenger rider 승객 탑승객 이용객", "win victory 승리 승", "wind 바람 풍속", "rain precipitation rainfall 강수량 비", "humidity 습도", "loss 패배 패", "goal 골", "member membership 회원 멤버", "game match 경기", "team club 팀 구단 클럽", "player 선수", "vote 득표 표", "email mail 이메일 메일", "phone telephone 전화 전화번호", "international 국제선 국제", "domestic 국내선 국내", "claimed claim 청구액 청구", "settled settlement 정산액 정산", "death 사망 사망자", "birth 출생 출생아", "line 줄 라인",
		"review 리뷰 후기", "ticket 티켓", "inquiry enquiry 문의", "view 조회수", "session 세션", "user account 사용자 이용자 계정 계좌", "subscriber subscription newsletter 구독자 구독 뉴스레터", "student pupil 학생",
		"delay 지연", "flight 항공편", "income 수입 소득", "debt 부채", "deposit 예금 입금", "withdrawal 출금", "loan 대출", "warehouse 창고", "book 책 도서", "author writer 저자 작가", "error 오류 에러", "incident accident 사고", "outage 장애", "patient 환자",
		"room 객실", "seat 좌석", "floor 층", "bed 침대 병상", "doctor physician 의사", "nurse 간호사", "task 작업 과제", "bonus 보너스 상여금", "fee commission 수수료",
		"grant subsidy 보조금", "car vehicle automobile 자동차 차량", "bike bicycle 자전거", "school 학교", "exam 시험", "subject 과목", "credit 학점", "crime 범죄", "arrest 체포 검거", "device 기기 장치", "machine 기계",
	} {
		words := strings.Fields(group)
		for _, w := range words {
			if out[w] == "" {
				out[w] = words[0]
			}
		}
	}
	return out
}()

// measureEndings make the name of a measure of a Korean noun: 환불액, 주문건수.
var measureEndings = []string{"금액", "건수", "액", "수", "량"}

// concept is the word that stands for a noun and its synonyms.
func concept(w string) string {
	w = stem(w)
	if c := synonyms[w]; c != "" {
		return c
	}
	for _, measure := range measureEndings {
		if c := synonyms[strings.TrimSuffix(w, measure)]; c != "" {
			return c
		}
	}
	return w
}
