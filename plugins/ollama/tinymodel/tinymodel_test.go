package tinymodel_test

import (
	"bytes"
	"strings"
	"testing"

	"querent.dev/querent/plugins/ollama/tinymodel"
)

func TestScriptsThatNoModelCanSay(t *testing.T) {
	many := []tinymodel.Line{{Say: "x"}}
	for _, phrase := range strings.Split("abcdefghijklm", "") {
		many = append(many, tinymodel.Line{When: phrase, Say: "said at " + phrase})
	}
	for name, tc := range map[string]struct {
		lines []tinymodel.Line
		want  string
	}{
		"no line":                   {nil, "first line for any prompt"},
		"a first line with a when":  {[]tinymodel.Line{{When: "a", Say: "b"}}, "first line for any prompt"},
		"too many lines":            {many, "at most 12"},
		"a second without a when":   {[]tinymodel.Line{{Say: "b"}, {Say: "c"}}, "line 1 of the script has no phrase of its own"},
		"a phrase twice":            {[]tinymodel.Line{{Say: "b"}, {When: "p", Say: "c"}, {When: "p", Say: "d"}}, "line 2 of the script has no phrase of its own"},
		"a line that says nothing":  {[]tinymodel.Line{{}}, "line 0 of the script says nothing"},
		"text that is none":         {[]tinymodel.Line{{Say: "\xff"}}, `"\xff" is no text`},
		"the mark of spaces":        {[]tinymodel.Line{{Say: "a\u2581b"}}, "is no text"},
		"the same letter elsewhere": {[]tinymodel.Line{{Say: "a"}, {When: "p", Say: "a"}}, `line 1 of the script: "a" is said elsewhere already`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tinymodel.Scripted(tc.lines...)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is %v, want %q", err, tc.want)
			}
		})
	}
}

// The same script is the same file, so that a server that has it need not get it
// again; and the file is as small as tests want it.
func TestModelsAreSmallAndAlike(t *testing.T) {
	encoded := func(say string) []byte {
		m, err := tinymodel.Scripted(tinymodel.Line{Say: say}, tinymodel.Line{When: "p", Say: "word word word", Endless: "w"})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := m.Encode(&out); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	text := strings.Repeat("Text that comes again and again, and a little more. ", 40)
	first := encoded(text)
	if !bytes.Equal(first, encoded(text)) {
		t.Error("the same script gives different files")
	}
	if bytes.Equal(first, encoded(text+"!")) {
		t.Error("different scripts give the same file")
	}
	if len(first) > 4<<20 {
		t.Errorf("a script of %d letters takes %d bytes", len(text), len(first))
	}
}
