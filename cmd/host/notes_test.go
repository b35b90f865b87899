package main

import (
	"strings"
	"testing"

	"querent.dev/querent/core/notes"
	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/sdk/reason"
)

// TestNotesAndTemplatesTellACauseAlike holds the causes in the host's Korean notes to
// those of the built-in pack: the host words notes also where no pack is read.
func TestNotesAndTemplatesTellACauseAlike(t *testing.T) {
	packs, err := pack.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	set, err := pack.NewSet(packs)
	if err != nil {
		t.Fatal(err)
	}
	korean := set.Language("ko")
	for _, row := range reason.Rows() {
		phrase, ok := korean.Phrase(pack.Key{Code: row.Code, Reason: row.Reason})
		if !ok {
			t.Errorf("%s (%s) has no phrase", row.Code, row.Reason)
			continue
		}
		note := notes.Fallback("ko", reason.New(row.Code, row.Reason, "a failure"))
		if !strings.HasSuffix(note.Message, phrase.Says) {
			t.Errorf("%s (%s): the note says %q, the pack %q", row.Code, row.Reason, note.Message, phrase.Says)
		}
	}
}
