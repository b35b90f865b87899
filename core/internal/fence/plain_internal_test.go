package fence

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestWhatIsPlainHoldsNoMark puts texts together of all that marks are made of.
func TestWhatIsPlainHoldsNoMark(t *testing.T) {
	parts := strings.Split(signs+slashes+`\|｜│∣ǀ>＞&;%[]"x ISAT시`+"\u200b\u00ad\ufffdſ\xff", "")
	parts = append(parts, "data", "system", "END_OF_TURN", "inst", "INST", "ſystem_prompt", "TOOL_CALLS", "available_tools", "lt", "&lt;", "&#60", "&#x3c", `\u003c`, `\x3C`, "%3c", "[/", "[[", "Seoul")
	random := rand.New(rand.NewPCG(1, 2))
	plains, marked := 0, 0
	for range 300_000 {
		var b strings.Builder
		for range 1 + random.IntN(6) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		text := b.String()
		found := marks.MatchString(text)
		if plain(text) {
			plains++
			if found {
				t.Fatalf("%q is plain and holds the mark %q", text, marks.FindString(text))
			}
		}
		if found {
			marked++
		}
	}
	if plains < 10_000 || marked < 10_000 {
		t.Errorf("%d plain texts and %d with marks", plains, marked)
	}
}

// TestTablesArePlain keeps what most prompts hold off the search for marks.
func TestTablesArePlain(t *testing.T) {
	for _, text := range []string{`[["대한민국",12],["France",null]]`, "customers(id int, name text) -- 고객", `[{"columns":[{"name":"n"}],"rows":[[1.5,"a"]]}]`} {
		if !plain(text) {
			t.Errorf("%q is searched", text)
		}
	}
}
