package pack_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func builtin(t testing.TB) []*pack.Pack {
	t.Helper()
	packs, err := pack.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return packs
}

func TestBuiltinPacksCoverEveryOutcomeAndReason(t *testing.T) {
	set, err := pack.NewSet(builtin(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"en", "ko"} {
		l := set.Language(language)
		if l.Tag.String() != language {
			t.Fatalf("the language %s is spoken as %s", language, l.Tag)
		}
		for _, row := range reason.Rows() {
			if p, ok := l.Phrase(pack.Key{Code: row.Code, Reason: row.Reason}); !ok || p.Says == "" || p.Do == "" {
				t.Errorf("%s: no phrase for %s/%s", language, row.Code, row.Reason)
			}
			for _, kind := range wire.OutcomeKinds() {
				if l.Find(pack.Facts{Outcome: kind, Shape: pack.ShapeNone, Code: row.Code, Reason: row.Reason}) == nil {
					t.Errorf("%s: no template for %s, %s/%s", language, kind, row.Code, row.Reason)
				}
			}
		}
	}
}

// A reason or outcome that a built-in pack leaves out keeps the plugin from
// starting, and the test above from passing: each is left out once here.
func TestEachPhraseAndTemplateIsMissed(t *testing.T) {
	for i := range builtin(t) {
		for _, row := range reason.Rows() {
			packs := builtin(t)
			delete(packs[i].Phrases, pack.Key{Code: row.Code, Reason: row.Reason})
			_, err := pack.NewSet(packs)
			want := fmt.Sprintf("the language %s lacks a phrase for %s/%s", packs[i].Language, row.Code, row.Reason)
			if err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("without its phrase: %v, want %q", err, want)
			}
		}
		for _, missing := range []string{"answered.none", "needs_clarification", "cannot_answer", "refused", "failed", "cancelled"} {
			packs := builtin(t)
			packs[i].Templates = slices.DeleteFunc(packs[i].Templates, func(t *pack.Template) bool { return strings.Contains(t.ID, "/"+missing+"@") })
			if _, err := pack.NewSet(packs); err == nil || !strings.Contains(err.Error(), "lacks a template for") {
				t.Errorf("without %s: %v", missing, err)
			}
		}
	}
}

// The page for those who write packs names every placeholder, word, shape and style.
func TestThePageNamesEverything(t *testing.T) {
	text, err := os.ReadFile("../../../docs/templates.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range pack.Fields() {
		names = append(names, fmt.Sprintf("`{%s}`", f))
	}
	for _, w := range pack.Words() {
		names = append(names, fmt.Sprintf("`%s`", w))
	}
	for _, s := range pack.Shapes() {
		names = append(names, fmt.Sprintf("`%s`", s))
	}
	for _, s := range pack.DateStyles() {
		names = append(names, fmt.Sprintf("`%s`", s))
	}
	for _, name := range names {
		if !strings.Contains(string(text), name) {
			t.Errorf("docs/templates.md does not name %s", name)
		}
	}
	_, example, _ := strings.Cut(string(text), "```yaml\n")
	example, _, ok := strings.Cut(example, "```")
	if !ok {
		t.Fatal("docs/templates.md has no example")
	}
	own, err := pack.Parse("docs/templates.md", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	if problems := pack.Lint([]*pack.Pack{own}); len(problems) > 0 {
		t.Error(problems)
	}
	if _, err := pack.NewSet(append(builtin(t), own)); err != nil {
		t.Error(err)
	}
}

// A reason says the same whether the host or the pack words it.
func TestEnglishPhrasesAreThoseOfTheTable(t *testing.T) {
	set, err := pack.NewSet(builtin(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range reason.Rows() {
		p, _ := set.Language("en").Phrase(pack.Key{Code: row.Code, Reason: row.Reason})
		if p.Says != row.SafeMessage || p.Do != row.NextAction {
			t.Errorf("%s/%s: the pack says %q, %q and the table %q, %q", row.Code, row.Reason, p.Says, p.Do, row.SafeMessage, row.NextAction)
		}
	}
}

func TestLanguages(t *testing.T) {
	set, err := pack.NewSet(builtin(t))
	if err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[string]string{"ko": "ko", "ko-KR": "ko", "en-GB": "en", "fr": "en", "": "en", "not a tag": "en"} {
		if got := set.Language(asked).Tag.String(); got != want {
			t.Errorf("%q is answered in %s, want %s", asked, got, want)
		}
	}
}

const small = `id: acme.ko
version: 2
language: ko
templates:
  - id: answered.scalar
    version: 3
    when: {outcome: [answered], shape: [scalar]}
    format: text
    summary: "답: {value}"
  - id: acme.revenue
    version: 1
    when: {outcome: [answered], shape: [scalar], verified: [demo/revenue]}
    summary: "매출: {value}"
phrases:
  - {code: INTERNAL, reason: internal, says: 내부 오류입니다., do: 문의해 주세요.}
`

func TestPackOverridesAndExtends(t *testing.T) {
	own, err := pack.Parse("acme.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	set, err := pack.NewSet(append(builtin(t), own))
	if err != nil {
		t.Fatal(err)
	}
	ko := set.Language("ko")
	for _, test := range []struct {
		facts pack.Facts
		want  string
	}{
		{pack.Facts{Outcome: wire.Answered, Shape: pack.ShapeScalar}, "acme.ko/answered.scalar@3"},
		{pack.Facts{Outcome: wire.Answered, Shape: pack.ShapeScalar, Verified: "demo/revenue"}, "acme.ko/acme.revenue@1"},
		{pack.Facts{Outcome: wire.Answered, Shape: pack.ShapeTable}, "builtin.ko/answered.table@1"},
	} {
		if got := ko.Find(test.facts); got == nil || got.ID != test.want {
			t.Errorf("%+v: %v, want %s", test.facts, got, test.want)
		}
	}
	if p, _ := ko.Phrase(pack.Key{Code: reason.Internal, Reason: reason.ReasonInternal}); p.Says != "내부 오류입니다." || p.ID != "acme.ko/INTERNAL.internal@2" {
		t.Errorf("phrase %+v", p)
	}
	if got := set.Language("en").Find(pack.Facts{Outcome: wire.Answered, Shape: pack.ShapeScalar}).ID; got != "builtin.en/answered.scalar@1" {
		t.Errorf("the English template is %s", got)
	}
}

func TestIncompleteLanguageIsRefused(t *testing.T) {
	own, err := pack.Parse("acme.yaml", []byte(strings.Replace(small, "language: ko", "language: fr", 1)))
	if err != nil {
		t.Fatal(err)
	}
	_, err = pack.NewSet(append(builtin(t), own))
	for _, part := range []string{`the language fr lacks the word "and"`, "a phrase for POLICY_DENIED/not_permitted", "a template for failed"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %q: %.200v", part, err)
		}
	}
}

func TestPacksWithMistakes(t *testing.T) {
	tests := []struct{ old, changed, want string }{
		{"id: acme.ko", "id: Acme KO", "id is"},
		{"version: 2", "version: 0", "versions count from 1"},
		{"language: ko", "language: xx-yy-zz-1", "BCP 47"},
		{"phrases:", "phrase:", "phrase"},
		{"{value}", "{valeu}", "{valeu}"},
		{"{value}", "{value", "brace"},
		{"{value}", "{?value}x", "not closed"},
		{"{value}", "x{/value}", "closes no section"},
		{"{value}", "{column|one=#|other=#}", "is no number"},
		{"{value}", "{value|date=longish}", "no style of dates"},
		{"{value}", "{value|currency=XYZW}", "ISO 4217"},
		{"{value}", "{value|one=#}", "no way to write a value"},
		{"{value}", "{row_count|one=#}", "other is missing"},
		{"{value}", "{row_count|some=#|other=#}", "no plural form"},
		{"{value}", "{}", "empty placeholder"},
		{"outcome: [answered]", "outcome: [answerd]", `"answerd"`},
		{"shape: [scalar]", "shape: [cube]", `"cube"`},
		{"code: INTERNAL", "code: INTERN", "no such code"},
		{"do: 문의해 주세요.", `do: ""`, "both needed"},
		{"acme.revenue", "answered.scalar", "used twice"},
		{"format: text", "format: chart", `"chart"`},
		{`summary: "답: {value}"`, `summary: ""`, "summary is missing"},
		{"templates:", "words: {nul: x}\ntemplates:", `"nul"`},
	}
	for _, test := range tests {
		if !strings.Contains(small, test.old) {
			t.Fatalf("%q is not in the pack", test.old)
		}
		_, err := pack.Parse("acme.yaml", []byte(strings.Replace(small, test.old, test.changed, 1)))
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "acme.yaml") {
			t.Errorf("%s: error %v, want %q", test.changed, err, test.want)
		}
	}
}

func TestTextForms(t *testing.T) {
	values := func(n int64) pack.Values {
		return pack.Values{pack.RowCount: {Text: "#" + string(rune('0'+n)), Number: n}, pack.Column: {Text: "a{b}"}}
	}
	set, err := pack.NewSet(builtin(t))
	if err != nil {
		t.Fatal(err)
	}
	en := set.Language("en").Tag
	for _, test := range []struct {
		source string
		n      int64
		want   string
	}{
		{"{column}", 1, "a{b}"},
		{"{{x}} {row_count|one=# row|other=# rows}", 1, "{x} #1 row"},
		{"{row_count|one=# row|other=# rows}", 2, "#2 rows"},
		{"{?column}[{column}]{/column}{!column}none{/column}", 1, "[a{b}]"},
		{"{?value}[{value}]{/value}{!value}none{?column} {column}{/column}{/value}", 1, "none a{b}"},
	} {
		text, err := pack.ParseText(test.source)
		if err != nil {
			t.Fatalf("%s: %v", test.source, err)
		}
		if got := text.Render(values(test.n), en); got != test.want {
			t.Errorf("%s: %q, want %q", test.source, got, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(small)
	for _, name := range []string{"builtin/en.yaml", "builtin/ko.yaml"} {
		content, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(content[:len(content)/2]))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := pack.Parse("f.yaml", []byte(text)); (p == nil) == (err == nil) {
			t.Fatalf("pack %v, error %v", p, err)
		}
	})
}

func FuzzParseText(f *testing.F) {
	for _, seed := range []string{"{value}", "{?column}{row_count|one=#|other=#s}{/column}", "{{}}", "{!value}{?value}{/value}{/value}", "{", "}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		text, err := pack.ParseText(source)
		if err != nil {
			return
		}
		text.Render(pack.Values{pack.Column: {Text: "x"}}, builtin(t)[0].Language)
	})
}
