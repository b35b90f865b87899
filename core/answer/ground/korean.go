package ground

import "strings"

// particles are the endings that Korean glues to nouns, the longer ones first.
var particles = strings.Fields(`으로부터 에서부터 에서는 에서도 에서의 으로는 으로도 이라는 라는 이라고 라고 이었고 였고 이었으며 였으며 이었습니다 였습니다 입니다만 입니다 이에요 예요 이며 이고 이지만 인데 이다 처럼 까지 부터 에게 에는 에도 에서 보다는 보다 만큼 마다 조차 이나 이랑
	들은 들이 들의 들을 으로 로서 로써 로는 로 과의 와의 과 와 하고 의 을 를 은 는 이 가 도 만 에 께 인 이란 란 이자 씨는 씨가 씨의 씨 들 뿐 이라 랑 이었으나 였으나 이었다 였다 이어서 순으로 순 별로 별 등 등이 등은 등의 산 산은 산이 산의 쪽이 쪽은 쪽 점은 점이 점의 점 생 생은 생이 생의 대생 출생 출생은 출생이 국적 국적은 국적이 국적의 소속 소속은 소속이`)

var particleSet = func() map[string]bool {
	out := map[string]bool{}
	for _, p := range particles {
		out[p] = true
	}
	return out
}()

// isEnding reports whether a Korean text is an ending that may stand behind a noun
// or a counter.
func isEnding(text string) bool {
	if text == "" || text == "다" || particleSet[text] {
		return true
	}
	for _, p := range particles {
		if rest, ok := strings.CutPrefix(text, p); ok && particleSet[rest] {
			return true
		}
	}
	return false
}

// koreanStem takes the longest ending off a Korean word.
func koreanStem(w string) string {
	if !isHangul(w) || koreanWords[w] || synonyms[w] != "" {
		return w
	}
	longest := w
	for _, p := range particles {
		s, ok := strings.CutSuffix(w, p)
		switch {
		case !ok || len(s) < len("가"):
		case synonyms[s] != "":
			return s // 나라 of 나라는, and not 나
		case longest == w:
			longest = s
		}
	}
	return longest
}

// koreanWords are nouns and adverbs of answers that name no row.
var koreanWords = set(`고객 수 고객수 국가 나라 매출 매출액 금액 합계 총합 총계 총 전체 평균 평균값 최대 최대값 최소 최소값 최고 최저 최댓값 최솟값 가장 제일 결과 행 데이터 표 목록 항목 질문 답 답변 값 수치 숫자 비율 비중 점유율 차이 격차 순위 상위 하위 다음 그다음 뒤 나머지 기타 다른 각 각각 모든 모두 전부 이 그 저 님 직무 직책 직급 직위
	이것 그것 해당 여기 이번 이곳 그곳 제품 상품 품목 매장 점포 지점 직원 사원 주문 주문수 주문량 건수 개수 인원 판매 판매량 수량 반품 반품률 결제 방법 방식 수단 카테고리 분류 범주 장르 앨범 아티스트 곡 트랙 영화 도시 지역 월 년 연도 분기 기간 기준 날짜 일자 시간 시점 올해 작년 지난해 전년 전월 최근 현재 오늘
	증가 감소 상승 하락 성장 증가율 성장률 변화 추이 규모 수준 가격 비용 단가 원가 급여 연봉 재고 사람 사람들 고객들 경우 중 가운데 사이 대비 이상 이하 초과 미만 약 대략 순 내용 요약 정보 부분 한도 제한 미리보기 조회 검색 조건 일치 원산지 이름 명단 회사 기업 상태 유형 종류 그룹 단위 원 달러 유로 명 개 건 곳 위 번째 배 중에서
	반면 한편 그리고 그러나 하지만 또한 특히 반대로 이어 이어서 뒤이어 다만 즉 따라서 결과적으로 전반적 전반 합 둘 셋 넷 두 세 네 한 하나 첫 첫번째 마지막 처음 1위 2위 3위 것 수가 실적 선두 꼴찌 우위 많 적 높 낮 크 작 위치 기록 차지 포함 집계 확인 등록 보유 나타 방문 가입 활동 국내 해외 온라인 오프라인 화면 여기 정확히 구독 미구독 이메일 전화 전화번호 뉴스레터 생일 주소 취소 환불 배송 상세 줄 첫줄 마진 할인 세금 이익 손실 적자 흑자 손님 거래 거래액 결제액 결제수단 사용자 회원 계정 이용 이용자 응답 조건 필터 범위 구간 급여액 총액 총합 총수 총매출 누적 최종 중앙값 중간값 편차 표준 목표 달성 달성률 이탈 유지 재구매 신규 기존 활성 비활성 상반기 하반기 전반기 후반기 연말 연초 봄 여름 가을 겨울 주말 평일 요일 오전 오후 편 쪽 점 차 간 내 외 전 후 말 초`)
