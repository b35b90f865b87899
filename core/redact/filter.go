package redact

import "strings"

// Filter takes out what a level takes out, with the placeholders of a run. The
// zero value takes nothing out.
type Filter struct {
	run   *Run
	level Level
	weak  bool // known secrets that may be ordinary words are taken out, too
}

// At is the filter of a way out.
func (u *Run) At(s Sink) Filter {
	if u == nil {
		return Filter{}
	}
	return Filter{u, u.r.levels[s], s == Logs || s == Traces}
}

// Level is the filter of a level, whatever the configuration says.
func (u *Run) Level(l Level) Filter {
	if u == nil {
		return Filter{}
	}
	return Filter{u, l, false}
}

// Text is s without secrets and personal data of any kind.
func (u *Run) Text(s string) string { return u.Level(All).Text(s) }

// JSON is a JSON text without secrets and personal data of any kind.
func (u *Run) JSON(text []byte) []byte { return u.Level(All).JSON(text) }

// Active reports whether the filter takes anything out.
func (f Filter) Active() bool { return f.run != nil && f.level > None }

// Stricter is the filter of the two that takes out more.
func (f Filter) Stricter(g Filter) Filter {
	if g.level > f.level {
		return g
	}
	return f
}

// Text is s without what the filter takes out. Applied again it changes nothing.
func (f Filter) Text(s string) string {
	if !f.Active() || s == "" {
		return s
	}
	return f.replace(s, f.spans(s))
}

func (f Filter) replace(s string, spans []span) string {
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	at := 0
	for _, p := range spans {
		b.WriteString(s[at:p.from])
		b.WriteString(f.run.name(p.kind, s[p.from:p.to]))
		at = p.to
	}
	b.WriteString(s[at:])
	return b.String()
}

// spans are the places of s that are taken out, in order.
func (f Filter) spans(s string) []span {
	folded := fold(s)
	text := folded.text
	if text == "" {
		return nil
	}
	found := f.run.r.known.find(s, f.weak)
	shaped := f.shaped(text)
	var inFolded []span
	if folded.at != nil {
		inFolded = append(inFolded, f.run.r.known.find(text, f.weak)...)
	}
	if f.level >= Tagged {
		inFolded = append(inFolded, f.run.findTagged(text)...)
	}
	inFolded = append(inFolded, shaped...)
	return merge(s, again(s, append(found, folded.original(inFolded)...)))
}

// shaped are the places that are taken out for what they look like.
func (f Filter) shaped(text string) []span {
	plain := f.run.r.plain.entry(f.level, text)
	if plain.known() {
		return nil
	}
	found := secrets(text)
	if f.level >= Tagged {
		for _, p := range f.run.r.patterns {
			for _, m := range p.re.FindAllStringIndex(text, -1) {
				found = append(found, span{m[0], m[1], p.kind})
			}
		}
	}
	if f.level >= All {
		found = append(found, personal(text, f.run.r.regions)...)
	}
	if len(found) == 0 {
		plain.keep()
	}
	return found
}

// again adds the other places of what was found: a value that one place says to be
// secret is so where nothing around it says so.
func again(s string, found []span) []span {
	seen := map[string]bool{}
	for _, p := range found {
		if value := s[p.from:p.to]; len(value) >= shortestAgain && len(seen) < mostAgain && !seen[value] {
			seen[value] = true
			if strings.Count(s, value) > 1 {
				found = append(found, occurrences(s, value, p.kind, true)...)
			}
		}
	}
	return found
}

const (
	shortestAgain = 6  // shorter values stand in ordinary words
	mostAgain     = 64 // so that a text full of them takes no longer than its length
)
