package planner

import (
	"fmt"
	"slices"
	"strings"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// maxItems is as many columns as the plan language takes in one list.
const maxItems = 100

// fewItems is as many columns as a proposal names.
const fewItems = 3

// tooWide reports whether the plan would list more columns than one can.
func (c candidate) tooWide() bool { return len(c.plan.Select) > maxItems }

// tooWide asks which of the columns are wanted: some alone would pass for all.
func (l *lexicon) tooWide(c candidate) *sdk.Refusal {
	t := c.table
	r := &sdk.Refusal{
		Reason:   string(reason.ReasonNeedsClarification),
		Readings: []string{fmt.Sprintf("All rows of %s, whose %d columns are too many for one list (at most %d).", t.Name, len(t.columns), maxItems)},
	}
	columns := slices.Clone(t.columns[:fewItems])
	if title := t.title(); len(title) == 1 && !slices.Contains(columns, title[0]) {
		columns[0] = title[0]
	}
	for n := 1; n <= fewItems; n++ {
		list := func(names []string) string {
			return "List the " + strings.Join(names[1:], " and ") + " of " + plural(names[0])
		}
		if text, ok := l.spell(t, proposal{list, columns[:n]}); ok {
			r.Proposals = append(r.Proposals, text)
		}
	}
	return r
}
