package notes_test

import (
	"strings"
	"testing"
	"unicode"

	"querent.dev/querent/core/notes"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// all are a note of every kind in a language.
func all(tag string) map[string]string {
	err := reason.Provider(reason.Unavailable, "inside")
	return map[string]string{
		"cut by rows":  notes.ResultCut(tag, wire.Preview{RowCount: 10000, RowCap: 10000, Truncated: true}),
		"cut by bytes": notes.ResultCut(tag, wire.Preview{RowCount: 12345, Truncated: true}),
		"unmapped":     notes.Unmapped(tag, wire.Unmapped{Part: "날씨", Reason: reason.ReasonNoDatasource}).Message,
		"unanswered":   notes.Unanswered(tag, "날씨", err).Message,
		"fallback":     notes.Fallback(tag, err).Message,
		"untraced":     notes.FallbackUntraced(tag).Message,
		"unworded":     notes.Unworded(tag, err).Message,
		"ignored":      notes.SettingIgnored(tag, "local", "seed").Message,
		"groups":       notes.GroupsLeftOut(tag, 5).Message,
		"left out":     notes.DatasourceLeftOut(tag).Message,
	}
}

func TestNotesSpeakTheLanguageOfTheAnswer(t *testing.T) {
	for name, want := range map[string]string{
		"cut by rows": "10,000행", "cut by bytes": "12,345행", "unmapped": `"날씨" 부분에는 답하지 못했습니다. 이유: 질문이 찾는`, "unanswered": "제공자에 연결할 수 없습니다",
		"fallback": "제공자에 연결할 수 없습니다", "untraced": "결과에서 확인할 수 없는 수치나 이름", "unworded": "제공자에 연결할 수 없습니다", "ignored": "local", "groups": "5개보다", "left out": "데이터 소스",
	} {
		text := all("ko-KR")[name]
		if !strings.Contains(text, want) || !strings.HasSuffix(text, ".") {
			t.Errorf("%s: %q lacks %q", name, text, want)
		}
		for word := range strings.FieldsSeq(text) {
			if len(word) > 2 && english(word) && !strings.Contains("local seed", strings.Trim(word, `"().,`)) {
				t.Errorf("%s: %q is English in %q", name, word, text)
			}
		}
	}
}

func english(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Hangul, r) }) && strings.ContainsFunc(word, unicode.IsLetter)
}

// Whoever has no words of their own is told in English, with the safe words of
// what failed and none of its inner ones.
func TestOtherLanguagesAreToldInEnglish(t *testing.T) {
	for _, tag := range []string{"en", "fr", "", "not a tag"} {
		got := all(tag)
		for name, want := range map[string]string{
			"cut by rows": "cut at 10,000 rows, the row limit,", "cut by bytes": "cut at 12,345 rows, the byte limit,",
			"fallback": "by the configured provider: The provider cannot be reached.", "untraced": "could not be traced to the result", "groups": "fewer than 5 rows",
		} {
			if !strings.Contains(got[name], want) {
				t.Errorf("%q, %s: %q lacks %q", tag, name, got[name], want)
			}
		}
		for name, text := range got {
			if strings.Contains(text, "inside") {
				t.Errorf("%q, %s: %q tells the inner words", tag, name, text)
			}
		}
	}
}

// A reason without words in Korean would be told by its name.
func TestEveryReasonIsToldInKorean(t *testing.T) {
	for _, row := range reason.Rows() {
		text := notes.Unanswered("ko", "x", &reason.Error{Code: row.Code, Reason: row.Reason, SafeMessage: row.SafeMessage}).Message
		if strings.Contains(text, string(row.Reason)) || strings.Contains(text, row.SafeMessage) || !strings.HasSuffix(text, "니다.") {
			t.Errorf("%s/%s is told as %q", row.Code, row.Reason, text)
		}
	}
}
