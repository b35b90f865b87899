// Package prompttext writes the parts of prompts that several nodes have alike.
package prompttext

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"querent.dev/querent/sdk/wire"
)

// longestNote is, in characters, how much of a description goes into a prompt: a
// sentence or two. Small models have short contexts.
const longestNote = 160

// Note is a text on one line, cut to a sentence or two.
func Note(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > longestNote {
		s = string([]rune(s)[:longestNote]) + "…"
	}
	return s
}

// mostColumns is how many columns an outline spells out. Beyond it the tables
// alone stand there, so that a large database leaves room for the question.
const mostColumns = 400

// Outline is a datasource in few words: a line for it and one for each table
// that the caller may read, with the columns' names where there are not too many.
func Outline(out *strings.Builder, v wire.CatalogView) {
	fmt.Fprintf(out, "datasource %s", v.Datasource)
	if v.Description != "" {
		fmt.Fprintf(out, " -- %s", Note(v.Description))
	}
	out.WriteString("\n")
	columns := 0
	for _, t := range v.Tables {
		columns += len(t.Columns)
	}
	for _, t := range v.Tables {
		fmt.Fprintf(out, "  %s", t.Name)
		if columns > 0 && columns <= mostColumns {
			names := make([]string, len(t.Columns))
			for i, c := range t.Columns {
				names[i] = c.Name
			}
			fmt.Fprintf(out, "(%s)", strings.Join(names, ", "))
		}
		if t.Description != "" {
			fmt.Fprintf(out, " -- %s", Note(t.Description))
		}
		out.WriteString("\n")
	}
}
