package pack

import (
	"fmt"
	"strings"
)

// Problem is something that is wrong with a pack.
type Problem struct {
	File    string // "": the message names it
	Line    int    // 0: the file as a whole
	ID      string // of the template or phrase, "" for the pack itself
	Message string
}

// Error names file, line and id before the message.
func (p Problem) Error() string {
	var out strings.Builder
	out.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&out, ":%d", p.Line)
	}
	if p.File != "" {
		out.WriteString(": ")
	}
	if p.ID != "" {
		out.WriteString(p.ID + ": ")
	}
	return out.String() + p.Message
}

// Problems is all that is wrong with packs, as one error.
type Problems []Problem

// Error is a line for each problem.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.Error()
	}
	return strings.Join(lines, "\n")
}

// err is p as an error, nil for none.
func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}
