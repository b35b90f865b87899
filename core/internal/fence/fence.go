// Package fence keeps text from outside, such as cells, names and questions, between the
// tags of a prompt: nothing in it can close its tag, open another, or pass for the marks
// that models put between speakers, also where it only looks like that.
package fence

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Section writes content between tags.
func Section(out *strings.Builder, tag, content string) {
	fmt.Fprintf(out, "<%s>\n%s\n</%s>\n", tag, Text(strings.TrimRight(content, "\n")), tag)
}

// Text is content with a blank inside of everything that could be taken for a tag. What
// a question or a plan compares stays as it is.
func Text(content string) string {
	if plain(content) {
		return content
	}
	return marks.ReplaceAllStringFunc(content, func(mark string) string {
		if strings.HasPrefix(mark, "[") {
			return "[ " + mark[1:]
		}
		return "< " + behind(mark)
	})
}

// JSON is v as JSON for a place between tags. Its strings decode to what they were.
func JSON(v any) (string, error) {
	text, err := json.Marshal(v) // which escapes every plain < and &
	if err != nil {
		return "", err
	}
	if plain(string(text)) {
		return string(text), nil
	}
	return marks.ReplaceAllStringFunc(string(text), func(mark string) string {
		if strings.HasPrefix(mark, `\`) {
			return mark
		}
		first := []rune(mark)[0]
		return fmt.Sprintf(`\u%04x`, first) + mark[len(string(first)):]
	}), nil
}

const (
	// opening are the less-than sign, what looks like it, and what is read as it.
	opening = `(?:[` + signs + `]|&(?:lt|#0*60|#x0*3c);?|\\u003c|\\x3c|%3c)`
	// unseen may stand inside a tag without being seen.
	unseen = `[\s\p{Cf}\x{115f}\x{1160}\x{3164}\x{ffa0}\x{fe0f}]*`
	// slash closes a tag, bar begins a mark between speakers.
	slash = `[` + slashes + `\\]`
	bar   = `[|｜│∣ǀ]`
	// tags are those of our prompts, and the marks of common models.
	tags = `(?:data|datasources?|schema|clock|values|question|part|columns|refused|rules|system|assistant|user|sys|s|bos|eos|im_start|im_end|start_of_turn|end_of_turn|think|tool_call|instructions?)`
)

// marks finds the beginnings of tags and of marks between speakers.
var marks = regexp.MustCompile(`(?i)` + opening + unseen + `(?:` + slash + `|` + bar + `|` + tags + `\b` + unseen + `[>＞﹥›»〉》⟩⟫〉❯❱ᐳ˃⧽≻|&\\])` +
	`|\[` + slash + `?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS|TOOL_CALLS)\b`)

// plain reports whether content has nothing with which a mark may begin, as most texts
// and most tables do not.
func plain(content string) bool {
	for i, c := range content {
		switch {
		case c == '[':
			if next, _ := utf8.DecodeRuneInString(content[i+1:]); strings.ContainsRune(inBrackets, next) {
				return false
			}
		case c == '<', c == '&', c == '\\', c == '%', c >= utf8.RuneSelf && strings.ContainsRune(signs, c):
			return false
		}
	}
	return true
}

const (
	// signs are the less-than sign and what looks like it.
	signs = `<＜﹤‹«〈《⟨⟪〈❮❰ᐸ˂⧼≺`
	// slashes close a tag.
	slashes = `/／∕⁄⧸╱＼`
	// inBrackets begins the names of marks in brackets, in any case.
	inBrackets = slashes + `\ISATisatſ`
)

// head is the sign of a mark with what is not seen behind it.
var head = regexp.MustCompile(`(?i)^` + opening + unseen)

// behind is a mark without its sign.
func behind(mark string) string { return mark[len(head.FindString(mark)):] }
