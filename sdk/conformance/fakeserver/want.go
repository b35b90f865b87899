package fakeserver

import (
	"fmt"
	"strings"
	"time"

	"querent.dev/querent/sdk"
)

// String is the expectation in words, for readers.
func (w Want) String() string {
	said := w.failure()
	if len(w.Kinds) == 0 {
		said = w.answer()
	}
	if w.Requests > 1 {
		said += fmt.Sprintf(", in at most %d requests", w.Requests)
	}
	if w.Or != nil {
		said += "; or " + w.Or.String()
	}
	return said
}

func (w Want) failure() string {
	kinds := make([]string, len(w.Kinds))
	for i, k := range w.Kinds {
		kinds[i] = "`" + string(k) + "`"
	}
	said := strings.Join(kinds, " or ")
	switch least, most := w.RetryAfter[0], w.RetryAfter[1]; {
	case most == 0:
	case least == most:
		said += fmt.Sprintf(", to be tried again after %v", most)
	default:
		said += fmt.Sprintf(", to be tried again after %v to %v", least.Round(time.Millisecond), most)
	}
	return said
}

func (w Want) answer() string {
	var parts []string
	for _, part := range []struct{ name, text string }{{"the thinking", w.Thinking}, {"the text", w.Text}, {"the tool call", w.Tool}} {
		if part.text != "" {
			parts = append(parts, part.name)
		}
	}
	said := strings.Join(parts, " and ") + ", finish `" + string(w.Finish) + "`"
	if u := w.Usage; u != nil {
		said += ", input " + inWords(u.Input) + ", output " + inWords(u.Output)
	}
	if w.Warning != "" {
		said += ", with a warning of `" + w.Warning + "`"
	}
	return said
}

func inWords(c sdk.Count) string {
	if !c.Known {
		return "unknown"
	}
	return fmt.Sprint(c.N)
}
