package policy

import (
	"strings"
	"unicode"
)

// maxNameWords is the longest name, in words, that Restricted finds in a
// question: longer ones are not spoken.
const maxNameWords = 5

// Restricted reports whether the words, in their order, name a table or a column
// that exists and that the caller may not read, and that no permitted object
// shares its name with. It turns "not understood" into "not permitted" without
// saying which object it was. Case and plural do not matter, and a name of
// several words matches only as a whole.
func (v *View) Restricted(words []string) bool {
	restricted := v.restricted()
	if len(restricted) == 0 {
		return false
	}
	var spoken []string
	for _, w := range words {
		spoken = append(spoken, nameWords(w)...)
	}
	for start := range spoken {
		for end := start + 1; end <= min(len(spoken), start+maxNameWords); end++ {
			if restricted[strings.Join(spoken[start:end], " ")] {
				return true
			}
		}
	}
	return false
}

// makeRestricted collects the names of what is not permitted, less those that
// something permitted has too.
func (v *View) makeRestricted() map[string]bool {
	hidden, shown := map[string]bool{}, map[string]bool{}
	add := func(permitted bool, name string, synonyms []string) {
		set := hidden
		if permitted {
			set = shown
		}
		set[strings.Join(nameWords(name), " ")] = true
		for _, s := range synonyms {
			set[strings.Join(nameWords(s), " ")] = true
		}
	}
	for _, t := range v.catalog.Tables {
		add(v.Table(t), t.Name, t.Synonyms)
		for _, c := range t.Columns {
			add(v.Column(c), c.Name, c.Synonyms)
		}
	}
	for name := range shown {
		delete(hidden, name)
	}
	delete(hidden, "")
	return hidden
}

// nameWords splits a name or a word of a question into lower-case singular
// words: order_lines, OrderLines and "order line" are the same.
func nameWords(name string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, singular(strings.ToLower(string(word))))
			word = nil
		}
	}
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			flush()
			continue
		case unicode.IsUpper(r) && len(word) > 0 && !unicode.IsUpper(word[len(word)-1]):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return out
}

// singular takes the plural ending off an English word. Both sides of a
// comparison pass through it, so it has to be consistent more than right: house
// and houses both become hous.
func singular(word string) string {
	if len(word) <= 2 || strings.HasSuffix(word, "ss") || strings.HasSuffix(word, "us") || strings.HasSuffix(word, "is") {
		return word
	}
	if stem, ok := strings.CutSuffix(word, "ies"); ok {
		return stem + "y"
	}
	for _, sibilant := range []string{"s", "x", "z", "ch", "sh"} {
		for _, ending := range []string{"es", "e"} {
			if stem, ok := strings.CutSuffix(word, sibilant+ending); ok {
				return stem + sibilant
			}
		}
	}
	return strings.TrimSuffix(word, "s")
}
