package redact

import (
	"regexp"
	"strings"
	"unicode"
)

// mostHeld bounds what a stream holds back: beyond it, what is held is passed on
// as it is judged then.
const mostHeld = 8 << 10

// Stream takes out of a text that comes in pieces what Filter.Text takes out of the
// whole. It holds back what the next piece could make part of something. It is not
// safe for concurrent use.
type Stream struct {
	filter Filter
	before string // what was passed on last, which says what the held text is
	held   string
	judged int // how much was held when it was judged last
}

// Stream begins a text.
func (f Filter) Stream() *Stream { return &Stream{filter: f} }

// Write takes a piece and returns what can be passed on.
func (s *Stream) Write(piece string) string {
	if !s.filter.Active() {
		return piece
	}
	s.held += piece
	// Judging costs as much as what is held is long: it waits for some more of it.
	if len(s.held) < fewestJudged {
		return ""
	}
	return s.judge("")
}

// Sentence is Write for a piece that ends a sentence: white space comes next, or the end,
// and it may be long in coming. The piece is judged however short it is.
func (s *Stream) Sentence(piece string) string {
	if !s.filter.Active() {
		return piece
	}
	s.held += piece
	return s.judge(" ")
}

// judge passes on what is safe before what comes next as far as that is known, if there
// is enough more of it than when it was judged last.
func (s *Stream) judge(next string) string {
	if len(s.held) < s.judged+s.judged/4 {
		return ""
	}
	out := s.pass(s.safe(next))
	s.judged = len(s.held)
	return out
}

// fewestJudged is about a line of words of a stream, in bytes.
const fewestJudged = 48

// Flush ends the text and returns the rest.
func (s *Stream) Flush() string { return s.pass(len(s.held)) }

// pass passes on the first n bytes of what is held.
func (s *Stream) pass(n int) string {
	if n == 0 {
		return ""
	}
	whole := s.before + s.held
	shift := len(s.before)
	var out []span
	for _, p := range s.filter.spans(whole) {
		// Of what began in what was passed on, the rest is taken out.
		if p.to > shift && p.from < shift+n {
			out = append(out, span{max(0, p.from-shift), min(n, p.to-shift), p.kind})
		}
	}
	text := s.held[:n]
	s.before = tail(s.before + text)
	s.held = s.held[n:]
	return s.filter.replace(text, out)
}

// mostContext is how much of what was passed on is looked at again: the words before
// a value that say what it is.
const mostContext = 256

func tail(text string) string {
	if len(text) <= mostContext {
		return text
	}
	text = text[len(text)-mostContext:]
	if i := strings.IndexByte(text, ' '); i >= 0 {
		return text[i:]
	}
	return text
}

// open is the beginning of what goes on over several words.
var open = regexp.MustCompile(`(?i)(?:-----BEGIN[^\x00]*|(?:set-)?cookie2?["']?\s{0,3}[:=][^\r\n]*|authorization["']?\s{0,3}[:=][^\r\n]*|(?:bearer|basic|digest|token|negotiate)\s*\S*|(?:` + passwordWord + `|` + keyWord + `)[\w.-]{0,40}["']?\s{0,3}(?:=|:|is|는|은)?\s{0,3}\S*|"[^"\r\n]*|` + pair + `\s?=\s?[^\r\n]*|--?[a-z-]*\s*\S*|\b(?:echo|printf|net\s+use|sp_addlogin)\s[^\r\n]*|PuTTY-User-Key-File[^\x00]*)$`)

// spelled is an at or a dot that is written out, with the word behind it.
var spelled = regexp.MustCompile(`^[\[({](?:at|dot)[\])}]\s?\S*\s*$`)

// goesOnInWords are words that may be part of something with the next: numbers, pairs,
// short codes in capitals, an at that is written out, what ends a quotation.
var goesOnInWords = regexp.MustCompile(`[0-9=;"]|,$|^[A-Z]{1,4}$|^[\[({](?:at|dot)[\])}]$`)

// safe is how much of what is held no further piece can make part of something: up
// to the last blank before words that may go on. next is what is known to come behind.
func (s *Stream) safe(next string) int {
	if len(s.held) > mostHeld {
		return len(s.held) - mostHeld/2
	}
	whole := s.before + s.held + next
	shift := len(s.before)
	n := len(whole)
	if m := open.FindStringIndex(whole); m != nil && !strings.Contains(whole[m[0]:], "-----END") {
		n = min(n, m[0])
	}
	n = lastWord(whole[:n])
	if at := strings.LastIndexAny(whole[:n], "[({"); at >= 0 && spelled.MatchString(whole[at:n]) {
		n = lastWord(strings.TrimRightFunc(whole[:at], unicode.IsSpace))
	}
	// Numbers in groups, and what stands between them, stay together.
	for n > 0 {
		at := lastWord(strings.TrimRightFunc(whole[:n], unicode.IsSpace))
		if !goesOnInWords.MatchString(strings.TrimSpace(whole[at:n])) {
			break
		}
		n = at
	}
	for _, p := range s.filter.spans(whole) {
		if p.from < n && n < p.to {
			n = p.from
		}
	}
	return min(max(0, n-shift), len(s.held))
}

// lastWord is where the last word of text begins.
func lastWord(text string) int {
	i := strings.LastIndexFunc(text, unicode.IsSpace)
	if i < 0 {
		return 0
	}
	return i + 1
}
