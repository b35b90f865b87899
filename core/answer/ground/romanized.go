package ground

import (
	"strings"
)

// The letters of Korean syllables in Latin ones, as Korea writes them on its road signs: their
// first consonants, their vowels and their last consonants.
var (
	romanFirst  = strings.Split("g kk n d tt r m b pp s ss _ j jj ch k t p h", " ")
	romanVowels = strings.Split("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i", " ")
	romanLast   = strings.Split("_ k k k n n n t l k m l l l p l m p p t t ng t t k t p t", " ")
)

// romanized is a text with its Korean syllables in Latin letters: Busan for 부산. It is empty
// where there are none.
func romanized(text string) string {
	var out strings.Builder
	found, begins := false, true
	for _, r := range text {
		i := int(r) - 0xAC00
		if i < 0 || i >= 11172 {
			out.WriteRune(r)
			begins = true
			continue
		}
		found = true
		var b strings.Builder
		for _, part := range []string{romanFirst[i/588], romanVowels[i%588/28], romanLast[i%28]} {
			if part != "_" {
				b.WriteString(part)
			}
		}
		w := b.String()
		if begins {
			w = strings.ToUpper(w[:1]) + w[1:]
		}
		begins = false
		out.WriteString(w)
	}
	if !found {
		return ""
	}
	return out.String()
}

// addLatin takes the Latin spelling of Korean names of rows.
func (c *Checker) addLatin(index, col int, of *column) {
	for row, v := range of.cells {
		if v.null || len(v.text) > maxName {
			continue
		}
		if latin := romanized(v.text); latin != "" {
			c.addPhrase(latin, index, col, row, true)
		}
	}
}

// learnLatin takes the Latin spelling of the Korean words of a source.
func (c *Checker) learnLatin(s source) {
	for _, t := range s.tokens {
		if t.hangul {
			for _, w := range []string{t.text, koreanStem(t.text)} {
				c.known[fold(romanized(w))] = true
			}
		}
	}
}
