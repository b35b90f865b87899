package provider

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// The fields of an answer that are passed on while a model writes it.
const (
	FieldSummary = "summary"
	FieldContent = "content"
)

// fieldReader finds the words of an answer in a model's output while that is
// being written: the texts of the fields above, of the object's own level. It
// judges nothing: whether the output is an answer is found out when it is whole.
type fieldReader struct {
	emit func(field, text string)

	lead     []byte // what stands before the object
	thoughts int    // of it, where spoken thoughts end
	inside   bool   // the object has begun
	depth    int
	key      bool            // the next text is a key
	text     bool            // inside a text
	escape   bool            // the byte before was a backslash
	name     strings.Builder // the key, as written
	field    string          // the field that is being read; "" for none of ours
	raw      []byte          // of its text, as written, what was not passed on
}

// maxLead is how much may stand before the object: a long page of thoughts. What
// begins later is not passed on while it is written.
const maxLead = 64 << 10 // bytes

// write takes the next piece of output, of whole characters.
func (r *fieldReader) write(piece string) {
	if !r.inside {
		if len(r.lead) > maxLead {
			return
		}
		start, ok := r.objectStart(piece)
		if !ok {
			return
		}
		piece, r.lead, r.inside = string(r.lead[start:]), nil, true
	}
	for i := range len(piece) {
		r.byte(piece[i])
	}
	r.pass(false)
}

// Spoken thoughts stand at the head of an output.
var (
	thoughtsBegin = regexp.MustCompile(`(?i)^\s*(<` + thought + `>|\[THINK\])`)
	thoughtsEnd   = regexp.MustCompile(`(?i)(</` + thought + `>|\[/THINK\])`)
)

const longestTag = len("</reflection>")

// objectStart adds a piece to the lead and is where in it the object begins, past
// spoken thoughts. What was looked through before is not looked through again.
func (r *fieldReader) objectStart(piece string) (int, bool) {
	from := max(r.thoughts, len(r.lead)-longestTag)
	r.lead = append(r.lead, piece...)
	if r.thoughts == 0 && couldBeThoughts(r.lead) {
		end := thoughtsEnd.FindIndex(r.lead[from:])
		if end == nil || !thoughtsBegin.Match(r.lead) {
			return 0, false
		}
		r.thoughts = from + end[1]
		from = r.thoughts
	}
	brace := bytes.IndexByte(r.lead[from:], '{')
	return from + brace, brace >= 0
}

func couldBeThoughts(lead []byte) bool {
	lead = bytes.TrimLeftFunc(lead, unicode.IsSpace)
	return bytes.HasPrefix(lead, []byte("<")) || bytes.HasPrefix(lead, []byte("[T"))
}

func (r *fieldReader) byte(b byte) {
	if r.text {
		r.inText(b)
		return
	}
	switch b {
	case '{', '[':
		r.depth++
		r.key = b == '{'
	case '}', ']':
		r.depth--
	case ',':
		r.key = r.depth == 1
	case ':':
		r.key = false
	case '"':
		r.text = true
		if r.depth != 1 {
			return
		}
		if r.key {
			r.name.Reset()
		} else if name := r.name.String(); name == FieldSummary || name == FieldContent {
			r.field = name
		}
	}
}

func (r *fieldReader) inText(b byte) {
	closes := b == '"' && !r.escape
	switch {
	case closes:
		r.text = false
		r.pass(true)
		r.field = ""
		return
	case r.key && r.depth == 1:
		r.name.WriteByte(b)
	case r.field != "":
		r.raw = append(r.raw, b)
	}
	r.escape = b == '\\' && !r.escape
}

// pass hands on what can be read of the field so far; all of it when the field
// is whole.
func (r *fieldReader) pass(whole bool) {
	if r.field == "" || len(r.raw) == 0 {
		return
	}
	end := len(r.raw)
	if !whole {
		end = readable(r.raw)
	}
	quoted := slices.Concat([]byte{'"'}, r.raw[:end], []byte{'"'})
	var text string
	if err := json.Unmarshal(quoted, &text); err == nil && text != "" {
		r.emit(r.field, text)
	}
	r.raw = append(r.raw[:0], r.raw[end:]...)
}

// readable is how much of a JSON text that is being written can be read: as far as
// no escape, no pair of surrogates and no character is in two parts.
func readable(raw []byte) int {
	for i := 0; i < len(raw); {
		size := unit(raw[i:])
		if size == 0 {
			return i
		}
		i += size
	}
	return len(raw)
}

// unit is the length of the character or the escape at the head of raw, 0 for one
// that is not there as a whole.
func unit(raw []byte) int {
	const short, long = 2, 6 // \n and \u00e9
	switch {
	case raw[0] != '\\' && !utf8.FullRune(raw):
		return 0
	case raw[0] != '\\':
		_, size := utf8.DecodeRune(raw)
		return size
	case len(raw) < short:
		return 0
	case raw[1] != 'u':
		return short
	case len(raw) < long:
		return 0
	}
	code, err := strconv.ParseUint(string(raw[short:long]), 16, 32)
	if err != nil || !utf16.IsSurrogate(rune(code)) {
		return long
	}
	rest := raw[long:]
	switch {
	case len(rest) == 0 || rest[0] == '\\' && len(rest) < long:
		return 0
	case bytes.HasPrefix(rest, []byte(`\u`)):
		return 2 * long
	}
	return long
}
