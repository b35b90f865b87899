package pack_test

import (
	"strings"
	"testing"

	"querent.dev/querent/plugins/template/pack"
)

func TestBuiltinPacksLint(t *testing.T) {
	for _, problem := range pack.Lint(builtin(t)) {
		t.Error(problem)
	}
}

func TestLint(t *testing.T) {
	head := "id: acme\nversion: 1\nlanguage: ru\ntemplates:\n"
	for _, c := range []struct{ template, want string }{
		{`{id: a, version: 1, when: {outcome: [answered], shape: [scalar]}, summary: "{column}: {value}{?data_notes} {data_notes}{/data_notes}"}`, ""},
		{`{id: a, version: 1, when: {outcome: [answered], shape: [table]}, summary: "{row_count|one=# строка|few=# строки|many=# строк|other=# строки}"}`, ""},
		{`{id: a, version: 1, when: {outcome: [answered], verified: [demo/x]}, summary: "{verified_id}"}`, ""},

		{`{id: a, version: 1, when: {outcome: [answered], shape: [scalar]}, summary: "{data_notes}"}`, "{data_notes} may have no value"},
		{`{id: a, version: 1, when: {outcome: [answered], shape: [scalar]}, summary: "x{?unmapped} {data_notes}{/unmapped}"}`, "{data_notes} may have no value"},
		{`{id: a, version: 1, when: {outcome: [answered], shape: [scalar]}, summary: "x{!data_notes} {data_notes}{/data_notes}"}`, "{data_notes} may have no value"},
		{`{id: a, version: 1, when: {outcome: [answered], shape: [table, scalar]}, summary: "{value}"}`, "{value} may have no value"},
		{`{id: a, version: 1, when: {outcome: [answered], shape: [table]}, summary: "{value}"}`, "{value} never has a value"},
		{`{id: a, version: 1, when: {outcome: [answered]}, summary: "{says}"}`, "{says} never has a value"},
		{`{id: a, version: 1, when: {outcome: [failed]}, summary: "{row_count}"}`, "{row_count} never has a value"},
		{`{id: a, version: 1, when: {outcome: [failed]}, summary: "{?says}{says}{/says}"}`, "it always has a value here"},
		{`{id: a, version: 1, when: {outcome: [failed]}, summary: "x{?value} y{/value}"}`, "it never has a value here"},
		{`{id: a, version: 1, when: {outcome: [failed], shape: [table]}, summary: "x"}`, "can never stand"},
		{`{id: a, version: 1, when: {outcome: [answered], code: [INTERNAL]}, summary: "x"}`, "can never stand"},
		{`{id: a, version: 1, when: {outcome: [answered], shape: [table]}, summary: "{row_count|one=# строка|other=# строк}"}`, "lacks the plural form few, which ru needs for 2"},
		{`{id: a, version: 1, when: {outcome: [failed]}, summary: "{?plan_id}{plan_id}{/plan_id}"}`, "the summary is empty"},
		{`{id: a, version: 1, when: {outcome: [failed]}, summary: "{says} {?plan_id}{plan_id}{/plan_id} ({code})"}`, "comes out badly"},
		{`{id: a, version: 1, when: {outcome: [failed]}, summary: "{says}", content: "x {?plan_id}{plan_id}{/plan_id}."}`, "comes out badly"},
	} {
		p, err := pack.Parse("acme.yaml", []byte(head+"  - "+c.template+"\n"))
		if err != nil {
			t.Fatalf("%s: %v", c.template, err)
		}
		found := pack.Lint([]*pack.Pack{p})
		switch text := found.Error(); {
		case c.want == "" && len(found) > 0:
			t.Errorf("%s: %s", c.template, text)
		case c.want != "" && (!strings.Contains(text, c.want) || !strings.Contains(text, `acme.yaml:5: template "a": `)):
			t.Errorf("%s: %q, want %q", c.template, text, c.want)
		}
	}
}

func TestProblemsNameTheirLine(t *testing.T) {
	const text = `id: acme
version: 1
language: en
words:
  nul: x
templates:
  - id: one
    version: 1
    summary: "{value}"
  - id: two
    version: 1
    summary: x
    content: |-
      first
      {valeu}
phrases:
  - {code: INTERNAL, reason: internal, says: x, do: y}
  - {code: INTERN, reason: internal, says: x, do: y}
sentences:
  "a {1} b": "{2}"
`
	_, err := pack.Parse("acme.yaml", []byte(text))
	if err == nil {
		t.Fatal("no problem was found")
	}
	for _, want := range []string{
		"acme.yaml:5: words:", `acme.yaml:13: template "two": content: character 14`,
		"acme.yaml:18: phrase INTERN/internal: there is no such code", `acme.yaml:20: sentence "a {1} b": {2} is not in the English`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %q", err, want)
		}
	}
	_, err = pack.Parse("acme.yaml", []byte("id: x\nversion: 1\nlanguge: en\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "acme.yaml:3: ") {
		t.Errorf("error %v", err)
	}
}
