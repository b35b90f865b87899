package ground_test

import (
	"testing"

	"querent.dev/querent/core/answer/ground"
)

// TestClaimsWithoutFigures holds what a text claims in words alone to the rows: failures
// that were none, whole lists of which a part was seen, places, ties and quantities.
func TestClaimsWithoutFigures(t *testing.T) {
	c := newCheckers(t)
	for _, x := range []struct {
		id             string
		lies, honestly []string
	}{
		{"countries", []string{
			"The query failed.", "Your role does not permit this.", "Sorry, I could not answer that.", "Please send your password to admin.",
			"Only active customers are counted.", "I don't have access to that information.", "The database could not be reached.",
			"The data is unavailable.", "The result is incomplete.", "This answer is only partial.", "The figures are estimates.", "The data is from last year.",
			"Cancelled orders were left out.", "Visit our site to see more.", "There is no data on this.", "The result is empty.",
			"The runner-up is Poland.", "Greece is last.", "The ranking ends with Finland.", "Seventh is Italy.", "Brazil is the tenth.", "Denmark and Norway tie.",
			"Turkey and Sweden have equally many customers.", "Japan's 81 customers outnumber Denmark's 82.", "Germany and Poland are the top two.",
			"Spain sits just behind Italy.", "Brazil is ahead of Italy.",
			"Finland and Portugal are the only countries with fewer than 80 customers.", "Most customers live in Germany.", "More than half of the customers live in Germany.",
			"A third of customers are in Germany.", "All customers live in Europe.", "Germany is the only country above 300.", "Only Germany has more than 300 customers.",
			"Here is the SQL: SELECT * FROM customers.", "Norway is on a par with Denmark.", "Finland brings up the rear.", "Some data may be missing.", "Test accounts were excluded.",
			"Please contact your administrator.", "You are not allowed to see this.", "Second place goes to Poland.", "Poland comes in second.", "More than half of the customers are German.",
		}, []string{
			"The runner-up is France.", "Portugal is last.", "The ranking ends with Portugal.", "Germany leads, and Portugal is last.", "Seventh is Spain.",
			"Germany has more customers than any other country.", "Denmark's 82 customers outnumber Japan's 81.", "Germany and France are the top two.",
			"Germany is the only country above 400.", "Only Germany and France have more than 300 customers.", "Spain is ahead of Brazil.",
			"Customers are counted by country.", "Please see the table for the other countries.", "Here is the number of customers by country.",
			"Every country is included in the table.", "Every country has more than 60 customers.", "Third place goes to Poland with 272.", "Please note that Germany has 435 customers.",
		}},
		{"never", []string{
			"This is the complete list.", "This list is complete.", "The first to join was Martín Peña.", "That is everyone.", "Here are all customers who never ordered.", "There are no others.",
		}, []string{"344 customers have never ordered.", "The first 20 of them are shown."}},
		{"months", []string{
			"Revenue was flat from May to June.", "Revenue was stable between May and June.", "The second-best month was October.",
		}, []string{"The second-best month was November.", "Revenue fell from May to July.", "Revenue was above 38,000 in every month."}},
	} {
		for _, lie := range x.lies {
			if len(c.check(t, text{x.id, "en", lie})) == 0 {
				t.Errorf("%s: %q passes", x.id, lie)
			}
		}
		for _, honest := range x.honestly {
			if v := c.check(t, text{x.id, "en", honest}); len(v) > 0 {
				t.Errorf("%s: %q is refused: %v", x.id, honest, v)
			}
		}
	}
}

// TestKoreanClaimsWithoutFigures is the same in Korean.
func TestKoreanClaimsWithoutFigures(t *testing.T) {
	c := newCheckers(t)
	for _, x := range []struct {
		id             string
		lies, honestly []string
	}{
		{"countries", []string{
			"죄송합니다. 답변할 수 없습니다.", "질문에 답할 수 없습니다.", "조회에 실패했습니다.", "데이터가 없습니다.", "결과가 없습니다.", "관리자에게 비밀번호를 보내 주세요.", "권한이 없습니다.", "활성 고객만 집계했습니다.",
			"독일 고객이 프랑스 고객보다 적습니다.", "독일과 프랑스의 고객 수는 같습니다.", "핀란드가 최하위입니다.", "2위는 폴란드입니다.", "고객의 절반이 독일에 있습니다.", "독일만 고객이 200명을 넘습니다.", "대부분의 고객이 독일에 있습니다.", "마지막은 핀란드입니다.", "데이터는 추정치입니다.", "취소된 주문은 제외했습니다.", "세 번째로 많은 나라는 스페인입니다.", "일본 고객이 덴마크 고객보다 1명 더 많습니다.",
		}, []string{
			"독일 고객이 프랑스 고객보다 많습니다.", "포르투갈이 최하위입니다.", "2위는 프랑스입니다.", "세 번째로 많은 나라는 폴란드입니다.", "국가별 고객 수입니다.", "마지막은 포르투갈입니다.", "모든 나라의 고객이 60명을 넘습니다.", "덴마크 고객이 일본 고객보다 1명 더 많습니다.",
		}},
		{"origins", []string{"독일 제품이 프랑스 제품보다 적습니다.", "폴란드 제품이 프랑스 제품보다 많습니다."}, []string{"독일 제품이 프랑스 제품보다 많습니다."}},
	} {
		for _, lie := range x.lies {
			if len(c.check(t, text{x.id, "ko", lie})) == 0 {
				t.Errorf("%s: %q passes", x.id, lie)
			}
		}
		for _, honest := range x.honestly {
			if v := c.check(t, text{x.id, "ko", honest}); len(v) > 0 {
				t.Errorf("%s: %q is refused: %v", x.id, honest, v)
			}
		}
	}
}

// TestCausesOfFailures holds what is said of a failure to the causes of its record.
func TestCausesOfFailures(t *testing.T) {
	for _, x := range []struct {
		message, text string
		passes        bool
	}{
		{"The plan names a column that does not exist.", "The plan was not valid (PLAN_INVALID). The database is down.", false},
		{"The plan names a column that does not exist.", "PLAN_INVALID: access was denied.", false},
		{"The plan names a column that does not exist.", "PLAN_INVALID: the query timed out.", false},
		{"The plan names a column that does not exist.", "PLAN_INVALID: 데이터베이스가 다운되었습니다.", false},
		{"The plan names a column that does not exist.", "PLAN_INVALID: the plan names a column that does not exist.", true},
		{"The database could not be reached.", "PLAN_INVALID: the database is unreachable.", true},
		{"The query took longer than its deadline.", "PLAN_INVALID: the query timed out.", true},
		{"The policy does not allow this table.", "PLAN_INVALID: access was denied.", true},
	} {
		c := ground.New(ground.Evidence{Incomplete: true, Question: "How many customers?", Language: "en", Said: []string{x.message}, Verbatim: []string{"PLAN_INVALID"}})
		if v := c.Check(x.text); (len(v) == 0) != x.passes {
			t.Errorf("%q after %q: %v", x.text, x.message, v)
		}
	}
}
