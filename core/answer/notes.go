package answer

import (
	"fmt"
	"slices"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// ResultLimitNote says at which limit a truncated result was cut.
func ResultLimitNote(p wire.Preview) string {
	rows, limit := p.RowCap, "row limit"
	if rows == 0 {
		rows, limit = p.RowCount, "byte limit"
	}
	return message.NewPrinter(language.English).Sprintf(
		"The result was cut at %d rows, the %s, so it is incomplete. "+
			"Narrow the question, for example to a shorter period or to one group, to see all of it.", rows, limit)
}

// resultLimits are the outcome's own limit notes, completed by one for every cut
// result that has none.
func resultLimits(o wire.Outcome) []string {
	limits := slices.Clone(o.ResultLimits)
	for _, p := range o.Results {
		if note := ResultLimitNote(p); p.Truncated && !slices.Contains(limits, note) {
			limits = append(limits, note)
		}
	}
	return limits
}

// unmappedNote says which part of the question was not answered.
func unmappedNote(u wire.Unmapped) string {
	return fmt.Sprintf("Not answered: %q (%s).", u.Part, u.Reason)
}

// allNotes are the run's notes and those of its limits and unmapped parts.
func allNotes(o wire.Outcome, notes []wire.Note) []wire.Note {
	all := slices.Clone(notes)
	for _, limit := range o.ResultLimits {
		all = append(all, wire.Note{Code: reason.ResultTruncated, Message: limit})
	}
	for _, u := range o.Unmapped {
		all = append(all, wire.Note{Code: reason.UnmappedPart, Message: unmappedNote(u)})
	}
	return all
}

// warnings are what the synthesizer wrote and every note of the host, once each.
func warnings(written []string, o wire.Outcome, notes []wire.Note) []string {
	all := append(slices.Clone(written), o.DataNotes...)
	for _, n := range notes {
		all = append(all, n.Message)
	}
	return orEmpty(distinct(all))
}

// holdValues reports whether a note names a value of the database, which a model
// sees only if it may see rows.
func holdValues(notes []wire.Note) bool {
	return slices.ContainsFunc(notes, func(n wire.Note) bool { return n.Code == reason.ValueNotFound && n.Detail["suggestion"] != "" })
}

// distinctNotes keeps the first of the notes that say the same.
func distinctNotes(list []wire.Note) []wire.Note {
	var out []wire.Note
	for _, n := range list {
		if !slices.ContainsFunc(out, func(o wire.Note) bool { return o.Code == n.Code && o.Message == n.Message }) {
			out = append(out, n)
		}
	}
	return out
}

// distinct keeps the first of equal elements.
func distinct[T comparable](list []T) []T {
	seen := map[T]bool{}
	return slices.DeleteFunc(list, func(v T) bool {
		defer func() { seen[v] = true }()
		return seen[v]
	})
}
