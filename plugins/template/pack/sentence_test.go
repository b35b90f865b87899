package pack_test

import (
	"os"
	"strings"
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

// What the host notes is told by the sentences of a pack, with the numbers as its
// language writes them and the causes by its phrases.
func TestAPackTellsTheHostsNotes(t *testing.T) {
	content, err := os.ReadFile("../../../examples/packs/querent.de.yaml")
	if err != nil {
		t.Fatal(err)
	}
	german, err := pack.Parse("querent.de.yaml", content)
	if err != nil {
		t.Fatal(err)
	}
	set, err := pack.NewSet([]*pack.Pack{german})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ english, want string }{
		{"The result was cut at 10,000 rows, the row limit, so it is incomplete. Narrow the question, for example to a shorter period or to one group, to see all of it.", "Das Ergebnis wurde bei 10.000 Zeilen abgeschnitten, der Zeilengrenze, und"},
		{"The answer was not worded by the configured provider: The provider cannot be reached.", "Der konfigurierte Provider hat die Antwort nicht formuliert: Der Anbieter"},
		{"The answer was not worded by the configured provider: A figure or a name in its wording could not be traced to the result.", "Der konfigurierte Provider hat die Antwort nicht formuliert: Eine Zahl oder ein Name darin ließ sich nicht"},
		{"The total of o.total may count rows more than once, since each row of orders is joined to several of order_lines.", "Summe von o.total zählt Zeilen womöglich mehrfach, da jede Zeile von orders mit"},
		{`Not answered: "the weather" (no_datasource).`, `Nicht beantwortet: "the weather" (no_datasource).`},
		{"There is no customers with country 'germany'. Did you mean 'Germany'?", "In customers gibt es keine Zeile mit country 'germany'. Meinten Sie 'Germany'?"},
		{"Nobody has words for this.", "Nobody has words for this."},
	} {
		if got := set.Language("de").Sentence(c.english); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q is told as %q, want %q", c.english, got, c.want)
		}
	}
}
