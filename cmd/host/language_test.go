package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/sdk/reason"
)

// An answer says in which language it is, and where that is not the one that was asked
// for, a note says why.
func TestAnAnswerTellsTheLanguageThatItIsIn(t *testing.T) {
	m := &speaker{plan: modelPlan}
	i := install(t, m.cloud(t), "http://127.0.0.1:1")
	for _, c := range []struct {
		provider, asked, spoken string
		text                    string // of the model
		summary                 string // is in the answer's
	}{
		{"fixed", "pt", "en", "", "19 rows match."},
		{"fixed", "pt-BR", "en", "", "19 rows match."},
		{"fixed", "en-GB", "en-GB", "", "19 rows match."},
		{"fixed", "ko", "ko", "", "19"},
		{"fixed", "ko-KR", "ko-KR", "", "19"},
		{"cloud", "pt", "pt", "A Alemanha tem 2 lojas: 2 stores, Germany.", "Alemanha"},
		{"cloud", "pt", "en", "Germany tem 99 lojas.", "19 rows match."},
		{"cloud", "pt-PT", "pt-PT", "Germany: 2 stores.", "Germany"},
	} {
		m.starts(spoken{text: written(c.text, "")}, spoken{text: written(c.text, "")})
		got := i.ask(t, i.configure(t, c.provider), question, "--language", c.asked)
		a := got.answer
		if a.Language != c.spoken || !strings.Contains(a.Summary, c.summary) {
			t.Errorf("%s, asked for %s: in %s: %q, want %s", c.provider, c.asked, a.Language, a.Summary, c.spoken)
		}
		noted := false
		for _, n := range a.Notes {
			if n.Code == reason.SettingIgnored && strings.Contains(n.Message, "no template pack for the language "+c.asked) && n.Detail["spoken"] == c.spoken {
				noted = strings.Contains(strings.Join(a.Warnings, "\n"), n.Message)
			}
		}
		if noted != (c.asked != c.spoken) {
			t.Errorf("%s, asked for %s: the notes are %+v", c.provider, c.asked, a.Notes)
		}
	}
}

// A receipt of an answer in another language than was asked for holds.
func TestAReceiptOfAnotherLanguageHolds(t *testing.T) {
	i := install(t, "http://127.0.0.1:1/v1", "http://127.0.0.1:1")
	file := filepath.Join(t.TempDir(), "receipt.json")
	config := i.configure(t, "fixed")
	i.ask(t, config, question, "--language", "pt", "--receipt", file)
	if exit, said := i.querent(t, "receipt", "verify", "--config", config, file); exit != 0 {
		t.Errorf("exit %d\n%s", exit, said)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var receipt struct{ Question struct{ Language string } }
	if err := json.Unmarshal(text, &receipt); err != nil || receipt.Question.Language != "en" {
		t.Errorf("%v, the receipt says %q", err, receipt.Question.Language)
	}
}
