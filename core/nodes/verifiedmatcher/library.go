package verifiedmatcher

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// Query is a verified query with its plan as the file has it, slots and all, or
// with the SQL that it is imported from.
type Query struct {
	config.Verified
	Plan    wire.Plan
	SQL     string         // "": the plan is given
	Flavour schema.Dialect // of the SQL
}

// compiled is a query ready to be compared.
type compiled struct {
	Query
	templates []template
}

// template is one wording of a query: words and slots, and the words that carry
// its meaning.
type template struct {
	pieces  []piece
	content []string
}

// piece is a word, or the name of a slot.
type piece struct {
	word word
	slot string
}

func (q *compiled) id() string { return string(q.Datasource) + "/" + q.ID }

func (q *compiled) wire() wire.VerifiedMatch {
	return wire.VerifiedMatch{ID: q.id(), Description: q.Description, VerifiedBy: q.VerifiedBy, VerifiedAt: q.VerifiedAt}
}

func compile(queries []Query) ([]compiled, error) {
	var out []compiled
	var problems []error
	owner := map[string]string{}
	for _, q := range queries {
		c := compiled{Query: q}
		for _, text := range q.Questions {
			t, err := parse(text, q.Params)
			if err != nil {
				problems = append(problems, fmt.Errorf("verified query %s: question %q: %w", c.id(), text, err))
				continue
			}
			key := string(q.Datasource) + "\n" + t.key()
			if other, taken := owner[key]; taken && other != c.id() {
				problems = append(problems, fmt.Errorf("verified query %s: question %q belongs to %s already", c.id(), text, other))
			}
			owner[key] = c.id()
			c.templates = append(c.templates, t)
		}
		if err := checkPlan(q); err != nil {
			problems = append(problems, fmt.Errorf("verified query %s: %w", c.id(), err))
		}
		out = append(out, c)
	}
	return out, errors.Join(problems...)
}

// parse takes a question's wording apart.
func parse(text string, params map[string]config.Param) (template, error) {
	var t template
	last := 0
	words := func(s string) {
		split := split(s)
		for _, w := range split {
			t.pieces = append(t.pieces, piece{word: w})
		}
		t.content = append(t.content, content(split)...)
	}
	for _, at := range slotForm.FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		if _, ok := params[name]; !ok {
			return t, fmt.Errorf("{%s} is no parameter; the parameters are %s", name, strings.Join(slices.Sorted(maps.Keys(params)), ", "))
		}
		if after := firstRune(text[at[1]:]); touches(lastRune(text[:at[0]])) || touches(after) && !unspaced(after) {
			return t, fmt.Errorf("{%s} touches a word; put spaces around it", name)
		}
		words(text[last:at[0]])
		t.pieces = append(t.pieces, piece{slot: name})
		last = at[1]
	}
	words(text[last:])
	if len(t.content) == 0 {
		return t, errors.New("holds no word that says what is asked")
	}
	return t, nil
}

// key is the same for two wordings that the same questions match.
func (t template) key() string {
	parts := make([]string, len(t.pieces))
	for i, p := range t.pieces {
		parts[i] = p.word.text
		if p.slot != "" {
			parts[i] = "{}"
		}
	}
	return strings.Join(parts, " ")
}

// checkPlan demands that the plan can take any value of the parameters, and uses
// each of them: a value that goes nowhere would answer another question.
func checkPlan(q Query) error {
	if q.SQL != "" {
		return checkSQL(q)
	}
	probe := map[string]wire.Value{}
	for name := range q.Params {
		probe[name] = wire.Text("x")
	}
	if _, err := fill(q.Plan, probe); err != nil {
		return err
	}
	used := map[string]bool{}
	_, err := rewrite(q.Plan, func(s string) (string, error) {
		for _, m := range slotForm.FindAllStringSubmatch(s, -1) {
			used[m[1]] = true
		}
		return s, nil
	})
	for _, name := range slices.Sorted(maps.Keys(q.Params)) {
		if !used[name] {
			err = errors.Join(err, fmt.Errorf("the plan does not use the parameter {%s}", name))
		}
	}
	return err
}
