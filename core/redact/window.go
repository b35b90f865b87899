package redact

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	ahocorasick "github.com/BobuSumisu/aho-corasick"
)

// finder finds secrets of a kind. It is asked only about what is near one of its
// words, which stand in lower case, so that a text without any costs one pass.
type finder struct {
	find          func(text string) []span
	before, after int // how far from a word what it finds may reach, in bytes
	words         []string
}

// lookup knows the words without which no secret stands in a text, in lower case, and
// whose they are: of which finders, of which rules of gitleaks.
type lookup struct {
	trie           *ahocorasick.Trie
	finders, rules map[string][]int
}

var secretWords = sync.OnceValue(func() lookup {
	l := lookup{finders: map[string][]int{}, rules: ruleBook().byWord}
	for i, f := range finders {
		for _, word := range f.words {
			l.finders[word] = append(l.finders[word], i)
		}
	}
	builder := ahocorasick.NewTrieBuilder()
	for word := range l.finders {
		builder.AddString(word)
	}
	for word := range l.rules {
		if l.finders[word] == nil {
			builder.AddString(word)
		}
	}
	l.trie = builder.Build()
	return l
})

// met are the words of finders and of rules in a text: what is near the former, by
// finder, nil for none, and the latter's rules. Finders know letters of ASCII alone in
// upper case, rules all of them.
func (l lookup) met(text string) (near [][]window, rules map[int]bool) {
	addRules := func(word []byte) {
		for _, i := range l.rules[string(word)] {
			if rules == nil {
				rules = map[int]bool{}
			}
			rules[i] = true
		}
	}
	lower := lowerASCII(text)
	whole := strings.ToLower(text)
	l.each(lower, func(at int, word []byte) {
		for _, i := range l.finders[string(word)] {
			if near == nil {
				near = make([][]window, len(finders))
			}
			near[i] = widen(near[i], text, at-finders[i].before, at+len(word)+finders[i].after)
		}
		if whole == lower {
			addRules(word)
		}
	})
	if whole != lower {
		l.each(whole, func(_ int, word []byte) { addRules(word) })
	}
	return near, rules
}

// each calls found with every word in a text and where it begins.
func (l lookup) each(text string, found func(at int, word []byte)) {
	b := []byte(text)
	l.trie.Walk(b, func(end, length, _ int64) bool {
		at := int(end - length + 1)
		found(at, b[at:end+1])
		return true
	})
}

// window is a part of a text.
type window struct{ from, to int }

// secrets are the places of secrets in a folded text.
func secrets(text string) []span {
	near, rules := secretWords().met(text)
	var out []span
	for i, list := range near {
		out = append(out, within(text, list, finders[i].find)...)
	}
	if unbroken(text, hexLength) {
		out = append(out, longHexes(text)...)
		if unbroken(text, awsSecretLength) {
			out = append(out, awsSecrets(text)...)
		}
	}
	return append(out, ruled(text, rules)...)
}

// within are what find finds in parts of a text.
func within(text string, list []window, find func(string) []span) []span {
	var out []span
	for _, w := range list {
		for _, s := range find(text[w.from:w.to]) {
			out = append(out, span{s.from + w.from, s.to + w.from, s.kind})
		}
	}
	return out
}

// widen adds a part to those before it, put together with the last if they touch. It
// begins and ends between words, or at least between characters.
func widen(list []window, text string, from, to int) []window {
	from, to = max(0, from), min(len(text), to)
	if from > 0 {
		if i := strings.LastIndexAny(text[max(0, from-40):from], " \t\n"); i >= 0 {
			from = max(0, from-40) + i
		}
	}
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	if to < len(text) {
		if i := strings.IndexAny(text[to:min(len(text), to+4096)], " \t\n"); i >= 0 {
			to += i
		}
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	if n := len(list); n > 0 && from <= list[n-1].to {
		list[n-1].to = max(list[n-1].to, to)
		list[n-1].from = min(list[n-1].from, from)
		return list
	}
	return append(list, window{from, to})
}

// lowerASCII is text with its ASCII letters in lower case, of the same length.
func lowerASCII(text string) string {
	first := 0
	for first < len(text) && (text[first] < 'A' || text[first] > 'Z') {
		first++
	}
	if first == len(text) {
		return text
	}
	b := []byte(text)
	for i, c := range b[first:] {
		if c >= 'A' && c <= 'Z' {
			b[first+i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// unbroken reports whether text holds n characters of base64 in a row.
func unbroken(text string, n int) bool {
	run := 0
	for i := range len(text) {
		c := text[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '/' || c == '+' {
			if run++; run >= n {
				return true
			}
			continue
		}
		run = 0
	}
	return false
}

// cluster is digits that stand together, with a few other characters between them.
type cluster struct {
	window
	digits int
}

// widestGap is how many bytes may stand between the digits of a cluster: a sign with
// blanks on both sides, or one of the longer dashes.
const widestGap = 5

// breaks are the signs that no number has inside.
const breaks = "|,;:=\"'`<>{}[]\n\r\t"

// clusters are those of at least least digits.
func clusters(text string, least int) []cluster {
	var out []cluster
	var c cluster
	open := false
	end := func() {
		if open && c.digits >= least {
			out = append(out, c)
		}
		open = false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			if strings.IndexByte(breaks, text[i]) >= 0 {
				end()
			}
			continue
		}
		if open && i-c.to > widestGap {
			end()
		}
		if !open {
			c, open = cluster{window{i, i}, 0}, true
		}
		c.digits++
		c.to = i + 1
	}
	end()
	return out
}

// nearDigits are the parts of a text around clusters, with room for the words before
// a number.
func nearDigits(text string, list []cluster, least int) []window {
	var out []window
	for _, c := range list {
		if c.digits >= least {
			out = widen(out, text, c.from-wordRoom, c.to+wordRoom/2)
		}
	}
	return slices.Clip(out)
}

// wordRoom is how far before a number the words may stand that say what it is.
const wordRoom = 64
