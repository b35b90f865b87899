package main

import (
	"fmt"
	"strings"

	"querent.dev/querent/plugins/template/pack"
)

// summed are problems as lines: those of one kind that a template or a pack has
// several times are one line, with their number behind the first of them.
func summed(problems pack.Problems) string {
	type kind struct{ file, id, what string }
	var order []kind
	first, count := map[kind]pack.Problem{}, map[kind]int{}
	for _, p := range problems {
		k := kind{p.File, p.ID, kindOfProblem(p)}
		if count[k] == 0 {
			order, first[k] = append(order, k), p
		}
		count[k]++
	}
	lines := make([]string, 0, len(order))
	for _, k := range order {
		line := first[k].Error()
		if n := count[k]; n > 1 {
			line += fmt.Sprintf(" (the first of %d like it; --output json lists them all)", n)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// kindOfProblem is a message without what it is an example of.
func kindOfProblem(p pack.Problem) string {
	for _, before := range []string{" with ", " for "} {
		if what, _, ok := strings.Cut(p.Message, before); ok && strings.Contains(what, " lacks a ") {
			return what
		}
	}
	if what, _, ok := strings.Cut(p.Message, " comes out badly"); ok {
		return what
	}
	return p.Message
}
