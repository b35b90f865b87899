package pack_test

import (
	"testing"

	"querent.dev/querent/plugins/template/pack"
)

func TestSentencesOfTheHost(t *testing.T) {
	set, err := pack.NewSet(builtin(t))
	if err != nil {
		t.Fatal(err)
	}
	ko := set.Language("ko")
	for english, want := range map[string]string{
		"ran the query":                                         "쿼리를 실행함",
		`There is no datasource "sales".`:                       `데이터 소스 "sales"이(가) 없습니다.`,
		`Provider "fixed", model "m"`:                           `제공자 "fixed", 모델 "m"`,
		`Provider "fixed"`:                                      `제공자 "fixed"`,
		"The question can be read in more than one way: All a.": "질문을 두 가지 이상으로 읽을 수 있습니다: All a.",
		"The database expects to go through about 900 rows in one step, more than the 5 that are allowed. A filter, or a join by more columns, would make it less.": "데이터베이스가 한 단계에서 약 900행을 거칠 것으로 예상하며, 이는 허용된 5행보다 많습니다. 조건을 더하거나 더 많은 열로 결합하면 줄어듭니다.",
		"What nobody foresaw.": "What nobody foresaw.",
	} {
		if got := ko.Sentence(english); got != want {
			t.Errorf("%q is %q, want %q", english, got, want)
		}
	}
	if got := set.Language("en").Sentence("ran the query"); got != "ran the query" {
		t.Errorf("in English it is %q", got)
	}
}

func TestSentencesWithMistakes(t *testing.T) {
	for _, sentence := range []string{`"a {1}": "{2}"`, `"a {1} {1}": "{1}"`, `"a": ""`, `"a": "{1}"`} {
		if _, err := pack.Parse("x.yaml", []byte("id: x\nversion: 1\nlanguage: en\nsentences: {"+sentence+"}\n")); err == nil {
			t.Errorf("%s was taken", sentence)
		}
	}
}
