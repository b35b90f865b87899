package answer

import (
	"slices"

	"querent.dev/querent/core/notes"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// resultLimits are the outcome's own limit notes, completed by one for every cut
// result that has none.
func resultLimits(o wire.Outcome) []string {
	limits := slices.Clone(o.ResultLimits)
	for _, p := range o.Results {
		if note := notes.ResultCut(o.Language, p); p.Truncated && !slices.Contains(limits, note) {
			limits = append(limits, note)
		}
	}
	return limits
}

// inWords is an outcome and its options with what the host says about it in the
// outcome's language.
func (opts Options) inWords(o wire.Outcome) (wire.Outcome, Options) {
	if opts.Say == nil {
		return o, opts
	}
	o.ResultLimits, o.DataNotes = opts.sentences(o.Language, o.ResultLimits), opts.sentences(o.Language, o.DataNotes)
	opts.Notes = opts.words(o.Language, opts.Notes)
	return o, opts
}

func (opts Options) sentences(language string, list []string) []string {
	out := slices.Clone(list)
	for i, text := range out {
		out[i] = opts.Say(language, text)
	}
	return out
}

// words are notes with their messages in the language.
func (opts Options) words(language string, list []wire.Note) []wire.Note {
	out := slices.Clone(list)
	for i := range out {
		if opts.Say != nil {
			out[i].Message = opts.Say(language, out[i].Message)
		}
	}
	return out
}

// spoken is the language of words about an outcome: the wanted one where a model wrote
// them, else the one that who wrote them has.
func (opts Options) spoken(wanted string, by provider.SynthesisOutcome) string {
	switch {
	case by.Call.Provider == Host && !notes.English(wanted):
		return "en"
	case len(by.TemplateIDs) > 0 && opts.Spoken != nil:
		return opts.Spoken(wanted)
	}
	return wanted
}

// allNotes are the run's notes and those of its limits and unmapped parts.
func allNotes(o wire.Outcome, found []wire.Note) []wire.Note {
	all := slices.Clone(found)
	for _, limit := range o.ResultLimits {
		all = append(all, wire.Note{Code: reason.ResultTruncated, Message: limit})
	}
	for _, u := range o.Unmapped {
		all = append(all, notes.Unmapped(o.Language, u))
	}
	return all
}

// warnings are what the synthesizer wrote and every note of the host, once each.
func warnings(written []string, o wire.Outcome, found []wire.Note) []string {
	all := append(slices.Clone(written), o.DataNotes...)
	for _, n := range found {
		all = append(all, n.Message)
	}
	return orEmpty(distinct(all))
}

// holdValues reports whether a note names a value of the database, which a model
// sees only if it may see rows.
func holdValues(found []wire.Note) bool {
	return slices.ContainsFunc(found, func(n wire.Note) bool { return n.Code == reason.ValueNotFound && n.Detail["suggestion"] != "" })
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
