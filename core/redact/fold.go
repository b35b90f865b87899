package redact

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// folded is a text as detectors read it: escapes of JSON and URLs are resolved,
// full-width characters are narrow, and characters that are not seen are left out.
// at maps each of its bytes to the place in the original; it has one entry more
// than text has bytes. A text that needs none of this has no at.
type folded struct {
	text string
	at   []int
}

// invisible characters stand in words without being seen.
const invisible = "\u200b\u200c\u200d\u2060\ufeff\u00ad"

func fold(text string) folded {
	if !needsFolding(text) {
		return folded{text: text}
	}
	var b strings.Builder
	b.Grow(len(text))
	at := make([]int, 0, len(text)+1)
	for i := 0; i < len(text); {
		piece, size := foldOne(text[i:])
		for range len(piece) {
			at = append(at, i)
		}
		b.WriteString(piece)
		i += size
	}
	return folded{b.String(), append(at, len(text))}
}

func needsFolding(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= utf8.RuneSelf || c == '\\' || c == '%' {
			return true
		}
	}
	return false
}

// foldOne is the first character of text as it is read, and how many bytes it takes.
func foldOne(text string) (string, int) {
	switch c := text[0]; {
	case c == '\\' && len(text) > 1:
		return unescape(text)
	case c == '%' && len(text) > 2:
		if n, err := strconv.ParseUint(text[1:3], 16, 8); err == nil && n > ' ' && n < 0x7f {
			return string(rune(n)), 3
		}
		return "%", 1
	case c < utf8.RuneSelf:
		return text[:1], 1
	}
	r, size := utf8.DecodeRuneInString(text)
	if strings.ContainsRune(invisible, r) {
		return "", size
	}
	if narrow := width.LookupRune(r).Narrow(); narrow != 0 && narrow < utf8.RuneSelf {
		return string(narrow), size
	}
	if r == '\u00a0' || r == '\u202f' || r == '\u2009' {
		return " ", size
	}
	return text[:size], size
}

func unescape(text string) (string, int) {
	switch text[1] {
	case '"', '/', '\\', '\'':
		return text[1:2], 2
	case 'n', 'r', 't':
		return "\n", 2
	case 'u':
		if len(text) >= 6 {
			if n, err := strconv.ParseUint(text[2:6], 16, 16); err == nil && n >= ' ' && n < 0x7f {
				return string(rune(n)), 6
			}
		}
	}
	return "\\", 1
}

// original maps spans of the folded text to the text it was made of.
func (f folded) original(spans []span) []span {
	if f.at == nil {
		return spans
	}
	for i := range spans {
		from := f.at[spans[i].from]
		// The end is behind the last character that was read.
		to := f.at[spans[i].to]
		if last := f.at[spans[i].to-1]; to <= last {
			to = last + 1
		}
		spans[i].from, spans[i].to = from, to
	}
	return spans
}
