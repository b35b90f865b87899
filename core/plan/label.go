package plan

import (
	"fmt"
	"strings"
)

// labelled is a select item on its way: label is "" where the plan gives none.
type labelled struct {
	expr  Expr
	label string
	index int
}

// label gives every item its label: the plan's own first, which must differ, and
// then what the expression is called, with a number where it is taken.
func label(list []labelled) ([]Item, error) {
	taken := map[string]bool{}
	for _, l := range list {
		if l.label == "" {
			continue
		}
		if folded := strings.ToLower(l.label); taken[folded] {
			return nil, &Error{Field: "select", Index: l.index, Message: "two items are labelled " + quote(l.label), Suggestion: "give each its own label"}
		}
		taken[strings.ToLower(l.label)] = true
	}
	out := make([]Item, len(list))
	for i, l := range list {
		if l.label == "" {
			l.label = freeLabel(defaultLabel(l.expr), taken)
			taken[strings.ToLower(l.label)] = true
		}
		out[i] = Item{Label: l.label, Expr: l.expr}
	}
	return out, nil
}

func freeLabel(name string, taken map[string]bool) string {
	free := name
	for n := 2; taken[strings.ToLower(free)]; n++ {
		free = fmt.Sprintf("%s (%d)", name, n)
	}
	return free
}

// labelRoom is what a number behind a label may take of its length.
const labelRoom = 8

// defaultLabel is what an expression is called: a column by its name, anything
// else by its normal form without qualifiers.
func defaultLabel(e Expr) string {
	name := ""
	switch e := e.(type) {
	case *Column:
		name = e.Column.Name
	case *Output:
		name = e.Source.Block.Columns()[e.Item].Label
	default:
		name = bareNames.expr(e)
	}
	return cutLabel(name)
}

// cutLabel makes a label of a text.
func cutLabel(name string) string {
	name = strings.Join(strings.Fields(strings.Map(visibleRune, name)), " ")
	if runes := []rune(name); len(runes) > maxLabel-labelRoom {
		name = string(runes[:maxLabel-labelRoom-1]) + "…"
	}
	if name == "" {
		return "column"
	}
	return name
}

func visibleRune(r rune) rune {
	if hidden(r) {
		return ' '
	}
	return r
}
