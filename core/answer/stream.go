package answer

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Stream takes the words of an answer while a model writes them. Both functions
// are called one at a time, before the answer is there.
//
// What was passed to Delta since the last Replaced is, field by field, the summary
// and the content of the answer, unless Replaced follows.
type Stream struct {
	// Grounded passes on only what agrees with the result so far, sentence by
	// sentence; else everything is passed on as it comes.
	Grounded bool
	// Delta gets the next words of a field, provider.FieldSummary or
	// provider.FieldContent.
	Delta func(field, text string)
	// Replaced says that what a provider wrote so far does not count.
	Replaced func(from config.ProviderName, why reason.Reason)
}

// release passes words on to a Stream. A nil release passes on nothing.
type release struct {
	out   *Stream
	check func(wire.AggregatedResponse) error

	from   config.ProviderName // who writes, "" while nobody does
	wrote  config.ProviderName // who wrote what the reader has
	fields []*fieldText
}

// fieldText is a field that is being written: what has come of it, and what the
// reader has. When a model begins again, what the reader has stays: the new text may
// begin with it.
type fieldText struct {
	name  string
	text  string
	shown string
}

func newRelease(out *Stream, check func(wire.AggregatedResponse) error) *release {
	if out == nil {
		return nil
	}
	return &release{out: out, check: check}
}

// sink is what a task streams to, nil for none.
func (r *release) sink() func(provider.Piece) {
	if r == nil {
		return nil
	}
	return r.take
}

// binds reports whether words that were passed on keep the model from beginning again.
// They never do: sentences that hold stand, and others are taken back.
func (r *release) binds() bool { return false }

func (r *release) take(p provider.Piece) {
	r.from = p.Provider
	if p.Failed != nil {
		r.again(p.Failed.Reason)
		return
	}
	f := r.field(p.Field)
	begin := len(f.text)
	f.text += p.Text
	if !r.out.Grounded {
		r.send(f, len(f.text))
		return
	}
	end := sentenceEnd(f.text, max(len(f.shown), begin-utf8.UTFMax))
	for _, g := range r.fields { // those before it are whole
		if g == f || len(g.shown) == len(g.text) {
			continue
		}
		// What a summary says may be proved by the text below it alone.
		if !r.holds(g, len(g.text)) && (end <= len(f.shown) || !r.holds(f, end)) {
			return
		}
		r.send(g, len(g.text))
	}
	if end > len(f.shown) && r.holds(f, end) {
		r.send(f, end)
	}
}

// again is for a model that failed, or whose text did not hold: what was written does
// not count, but sentences that were found to hold stand.
func (r *release) again(why reason.Reason) {
	if !r.out.Grounded {
		r.drop(why)
		return
	}
	for _, f := range r.fields {
		f.text = ""
	}
}

func (r *release) field(name string) *fieldText {
	if i := slices.IndexFunc(r.fields, func(f *fieldText) bool { return f.name == name }); i >= 0 {
		return r.fields[i]
	}
	f := &fieldText{name: name}
	r.fields = append(r.fields, f)
	return f
}

// send passes on a field up to end, unless the reader has other words.
func (r *release) send(f *fieldText, end int) {
	if rest, ok := strings.CutPrefix(f.text[:end], f.shown); ok && rest != "" {
		r.out.Delta(f.name, rest)
		f.shown, r.wrote = f.text[:end], r.from
	}
}

// maxHeld bounds the text that is checked each time a sentence ends. What comes
// after it waits for the whole.
const maxHeld = 8 << 10 // bytes

// holds reports whether the answer as far as it may be shown, with field f up to
// end, agrees with the result.
func (r *release) holds(f *fieldText, end int) bool {
	if end > maxHeld {
		return false
	}
	var shown wire.AggregatedResponse
	for _, g := range r.fields {
		text := g.shown
		switch {
		case g == f:
			text = g.text[:end]
		case f.name == provider.FieldContent && len(g.text) > len(g.shown):
			text = g.text // it is whole
		}
		switch g.name {
		case provider.FieldSummary:
			shown.Summary = text
		case provider.FieldContent:
			shown.Content = text
		}
	}
	var more lacking
	err := r.check(shown)
	return err == nil || errors.As(err, &more) && f.name == provider.FieldSummary
}

// finish passes on the rest of an answer that holds. Where other words were
// passed on, they are taken back first.
func (r *release) finish(a wire.AggregatedResponse) {
	if r == nil || r.from == "" {
		return
	}
	whole := []*fieldText{{name: provider.FieldSummary, text: a.Summary}, {name: provider.FieldContent, text: a.Content}}
	for _, f := range whole {
		f.shown = r.field(f.name).shown
		if !strings.HasPrefix(f.text, f.shown) {
			r.drop(reason.Reason(reason.InvalidOutput))
			return
		}
	}
	for _, f := range whole {
		r.send(f, len(f.text))
	}
}

// drop takes back what was passed on.
func (r *release) drop(why reason.Reason) {
	if r == nil {
		return
	}
	if slices.ContainsFunc(r.fields, func(f *fieldText) bool { return f.shown != "" }) {
		r.out.Replaced(r.wrote, why)
	}
	r.fields, r.from = nil, ""
}

// sentenceEnd is the end of the last whole sentence or line of text that ends
// behind from, 0 for none.
func sentenceEnd(text string, from int) int {
	end := 0
	var before rune
	for i, c := range text[runeStart(text, from):] {
		at := runeStart(text, from) + i
		switch {
		case c == '\n', strings.ContainsRune("。！？", c):
			end = at + utf8.RuneLen(c)
		case unicode.IsSpace(c) && strings.ContainsRune(".!?", before):
			end = at
		}
		before = c
	}
	return end
}

func runeStart(text string, at int) int {
	at = min(at, len(text))
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
