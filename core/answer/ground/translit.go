package ground

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The sounds of Korean syllables: their first and last consonants, in classes of sounds
// that one Latin name may be written with, and their vowels.
var (
	hangulFirst  = strings.Split("k k n d d r m p p s s _ j j j k d p h", " ")
	hangulVowels = strings.Split("a a a a o e o e o a a o o u o e i u _ i i", " ")
	hangulLast   = strings.Split("_ k k k n n n d r k m p r r p r m p p s s n j j k d p h", " ")
)

// soundsOf are the consonants and the vowels of a word in the order of their syllables.
// Vowels that only carry a consonant are left out.
func soundsOf(w string) (consonants, vowels string) {
	if isHangul(w) {
		return hangulSounds(w)
	}
	return latinSounds(w)
}

func hangulSounds(w string) (consonants, vowels string) {
	var c, v strings.Builder
	for _, r := range w {
		i := int(r) - 0xAC00
		if i < 0 || i >= 11172 {
			return "", ""
		}
		for at, sound := range []string{hangulFirst[i/588], hangulVowels[i%588/28], hangulLast[i%28]} {
			switch {
			case sound == "_":
			case at == 1:
				v.WriteString(sound)
			default:
				c.WriteString(sound)
			}
		}
	}
	return squeezed(c.String()), v.String()
}

// latinClusters are letters that one sound is written with.
var latinClusters = strings.NewReplacer("ngk", "nk", "ph", "p", "th", "d", "sch", "s", "sh", "s", "ch", "j", "ck", "k", "qu", "k", "x", "ks", "tz", "j", "ts", "j", "ng", "n", "gh", "k", "rh", "r",
	"ou", "u", "oo", "u", "eu", "o", "eo", "o", "ee", "i", "ea", "i", "ie", "i", "ai", "e", "ay", "e", "ei", "e", "au", "o", "oa", "o", "ae", "e", "oe", "o", "ue", "u")

func latinSounds(w string) (consonants, vowels string) {
	var c, v strings.Builder
	for _, r := range latinClusters.Replace(w) {
		switch r {
		case 'a', 'e', 'i', 'o', 'u':
			v.WriteRune(r)
		case 'y':
			v.WriteByte('i')
		case 'l', 'r':
			c.WriteByte('r')
		case 'g', 'k', 'c', 'q':
			c.WriteByte('k')
		case 't', 'd':
			c.WriteByte('d')
		case 'b', 'v', 'f', 'p':
			c.WriteByte('p')
		case 'w':
			v.WriteByte('u')
		case 's', 'z':
			c.WriteByte('s')
		case 'j', 'n', 'm', 'h':
			c.WriteRune(r)
		default:
			return "", ""
		}
	}
	return squeezed(c.String()), v.String()
}

// squeezed is a text without what repeats the letter before.
func squeezed(text string) string { return string(slices.Compact([]byte(text))) }

// soundsLike reports whether a Korean word is a Latin one by its sounds: all consonants,
// and most vowels where these are few.
func soundsLike(korean, latin string) bool {
	c, v := soundsOf(korean)
	d, w := soundsOf(latin)
	if c == "" || len(c) < 2 || c != d && c+"h" != d && !(len(c) > 3 && c == strings.ReplaceAll(d, "h", "")) {
		return false
	}
	switch {
	case len(c) >= 4:
		return len(v)-len(w) <= 2 && len(w)-len(v) <= 2
	case len(c) == 3 && (len(v) == len(w) || len(v)+1 == len(w)):
		return true
	}
	w = squeezed(w)
	return squeezed(v) == w || strings.TrimSuffix(w, "e") == squeezed(v)
}

// transliterated are the names in Latin letters that a Korean word at i sounds like,
// where they are those of one text alone.
func (s *sentence) transliterated(i int) (to int, list []*phrase) {
	t := s.tokens[i]
	if !t.hangul || !t.gap || utf8.RuneCountInString(t.text) < 2 || strings.HasSuffix(t.text, "니다") || s.checker.knownKorean(t.text) || i > 0 && hasPrefix(s.tokens[i-1].text, mostKorean...) {
		return 0, nil
	}
	for _, group := range s.checker.phrases {
		for _, p := range group {
			if end := i + len(p.tokens); end <= len(s.tokens) && end >= to && s.soundsAt(p, i) {
				if end > to {
					list = nil
				}
				to, list = end, append(list, p)
			}
		}
	}
	if len(list) == 0 || slices.ContainsFunc(list, func(p *phrase) bool { return p.text != list[0].text && !slices.Equal(p.rows, list[0].rows) }) {
		return 0, nil
	}
	return to, list
}

// soundsAt reports whether a name in Latin letters is spelled in Korean from token i on.
func (s *sentence) soundsAt(p *phrase, i int) bool {
	for k, want := range p.tokens {
		t := s.tokens[i+k]
		if !t.hangul || !plain(want) || isHangul(want) || k > 0 && !t.gap {
			return false
		}
		said := soundsLike(t.text, want)
		for at := range t.text {
			said = said || k == len(p.tokens)-1 && at > len("가") && isEnding(t.text[at:]) && soundsLike(t.text[:at], want)
		}
		if !said {
			return false
		}
	}
	return true
}

// knownKorean reports whether a Korean word, with an ending or without, is an ordinary one.
func (c *Checker) knownKorean(w string) bool {
	ordinary := func(w string) bool { return koreanWords[w] || synonyms[w] != "" || c.known[w] || c.nouns[w] }
	for at := range w {
		if at > 0 && isEnding(w[at:]) && ordinary(w[:at]) {
			return true
		}
	}
	return ordinary(w)
}
