package decomposer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"querent.dev/querent/core/nodes/engineaggregator"
)

// The clauses of a step. A column is bare words, or anything in backticks.
const (
	column  = "(`[^`]+`|[\\pL_][\\pL\\pN\\pM_]*(?: [\\pL\\pN\\pM_]+)*?)"
	labeled = `(?:\s+as\s+` + column + `)?`
)

var (
	itemForm    = regexp.MustCompile(`(?i)^` + column + labeled + `$`)
	measureForm = regexp.MustCompile(`(?i)^(count|sum|avg|min|max)\s*\(\s*(?:(\*)|` + column + `)\s*\)` + labeled + `$`)
	orderForm   = regexp.MustCompile(`(?i)^` + column + `(?:\s+(asc|desc))?$`)
	testForm    = regexp.MustCompile(`(?i)^` + column + `\s*(=|<>|!=|<=|>=|<|>)\s*(?:'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?|true|false))$`)
	nullForm    = regexp.MustCompile(`(?i)^` + column + `\s+is\s+(not\s+)?null$`)
	pairForm    = regexp.MustCompile(`^(?:(\w+)\.)?` + column + `(?:\s*=\s*(?:(\w+)\.)?` + column + `)?$`)
)

// bare is a column's name without backticks.
func bare(name string) string { return strings.Trim(name, "`") }

// readItems reads the items of a step as its operation has them.
func readItems(s *engineaggregator.Step, items []string, n int64) error {
	read, ok := map[engineaggregator.Op]func(*engineaggregator.Step, string) error{
		engineaggregator.Filter: readCondition, engineaggregator.Summarize: readMeasure,
		engineaggregator.Project: readColumn, engineaggregator.Sort: readOrder,
	}[s.Op]
	switch {
	case s.Op == engineaggregator.Limit:
		if n < 1 || n > maxLimit || len(items) > 0 {
			return fmt.Errorf("limit takes a number of rows from 1 to %d and no items", maxLimit)
		}
		s.N = n
		return nil
	case !ok:
		return fmt.Errorf("%q is no operation on one result", s.Op)
	case len(items) == 0:
		return fmt.Errorf("%s has no items", s.Op)
	case n != 0:
		return fmt.Errorf("%s has no use for n", s.Op)
	}
	for _, item := range items {
		if err := read(s, strings.TrimSpace(item)); err != nil {
			return err
		}
	}
	return nil
}

func readCondition(s *engineaggregator.Step, text string) error {
	if m := nullForm.FindStringSubmatch(text); m != nil {
		c := engineaggregator.Condition{Column: bare(m[1]), Compare: engineaggregator.IsNull}
		if m[2] != "" {
			c.Compare = engineaggregator.IsNotNull
		}
		s.Where = append(s.Where, c)
		return nil
	}
	m := testForm.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("the condition %q is not understood: expected a column, a comparison and a literal", text)
	}
	c := engineaggregator.Condition{Column: bare(m[1]), Compare: engineaggregator.Comparison(m[2]), Literal: strings.ToLower(m[4])}
	if m[2] == "!=" {
		c.Compare = engineaggregator.NotEqual
	}
	if m[4] == "" {
		c.Literal, c.Quoted = strings.ReplaceAll(m[3], "''", "'"), true
	}
	s.Where = append(s.Where, c)
	return nil
}

func readMeasure(s *engineaggregator.Step, text string) error {
	if m := measureForm.FindStringSubmatch(text); m != nil {
		s.Measure = append(s.Measure, engineaggregator.Measure{Func: strings.ToLower(m[1]), Column: m[2] + bare(m[3]), Label: bare(m[4])})
		return nil
	}
	m := itemForm.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("%q is neither a column nor an aggregate of one", text)
	}
	s.Group = append(s.Group, engineaggregator.Item{Column: bare(m[1]), Label: bare(m[2])})
	return nil
}

func readColumn(s *engineaggregator.Step, text string) error {
	m := itemForm.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("%q is no column", text)
	}
	s.Columns = append(s.Columns, engineaggregator.Item{Column: bare(m[1]), Label: bare(m[2])})
	return nil
}

func readOrder(s *engineaggregator.Step, text string) error {
	m := orderForm.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("%q is no column to sort by", text)
	}
	s.Order = append(s.Order, engineaggregator.Order{Column: bare(m[1]), Desc: strings.EqualFold(m[2], "desc")})
	return nil
}

// readPair reads the columns that must agree. Either may be qualified by the input
// that has it; the pair of two inputs may be written the other way round.
func readPair(text string, inputs []string) (engineaggregator.Pair, error) {
	m := pairForm.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return engineaggregator.Pair{}, fmt.Errorf("%q is no pair of columns", text)
	}
	for _, of := range []string{m[1], m[3]} {
		if of != "" && !slices.Contains(inputs, of) {
			return engineaggregator.Pair{}, fmt.Errorf("%q in %q is none of the inputs", of, text)
		}
	}
	left, right := bare(m[2]), bare(m[4])
	if right == "" {
		return engineaggregator.Pair{Left: left, Right: left}, nil
	}
	if m[1] != "" && m[1] == m[3] {
		return engineaggregator.Pair{}, fmt.Errorf("%q is about one input alone", text)
	}
	if len(inputs) == 2 && (m[1] == inputs[1] || m[3] == inputs[0]) {
		left, right = right, left
	}
	return engineaggregator.Pair{Left: left, Right: right}, nil
}
