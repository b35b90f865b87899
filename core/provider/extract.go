package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	// maxOutput is far above any plan or answer; a longer text is a runaway.
	maxOutput = 1 << 20 // bytes
	// maxCandidates bounds the braces tried in prose before the object.
	maxCandidates = 64
	// byteOrderMark stands in front of what some servers take for a file.
	byteOrderMark = "\uFEFF"
)

// extractObject finds the JSON object in a model's text: past think blocks,
// code fences and prose, in a list of its own, or in a text that holds it as JSON.
// The first object that is whole and not empty counts. An object that breaks off
// ends the search, since what stands inside it would be taken for the answer, and
// so does a list of several objects.
func extractObject(text string) (string, error) {
	if len(text) > maxOutput {
		return "", fmt.Errorf("the answer has %d bytes; at most %d are read", len(text), maxOutput)
	}
	text = stripThinking(text)
	if text == "" {
		return "", errors.New("the answer is empty")
	}
	if inner, ok := quoted(text); ok {
		text = stripThinking(inner)
	}
	if err := listOfSeveral(text); err != nil {
		return "", err
	}
	return firstObject(text)
}

func firstObject(text string) (string, error) {
	start := 0
	for range maxCandidates {
		brace := strings.IndexByte(text[start:], '{')
		if brace < 0 {
			return "", errNoObject
		}
		start += brace
		var object json.RawMessage
		err := json.NewDecoder(strings.NewReader(text[start:])).Decode(&object)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return "", errors.New("the JSON object in the answer breaks off before its end")
		}
		if err == nil && !emptyObject(object) {
			return string(object), nil
		}
		start++
	}
	return "", errNoObject
}

var errNoObject = errors.New("the answer holds no JSON object")

func emptyObject(object json.RawMessage) bool {
	return strings.TrimSpace(strings.Trim(string(object), "{}")) == ""
}

// quoted is what a text that is a JSON text of its own holds.
func quoted(text string) (string, bool) {
	if !strings.HasPrefix(text, `"`) {
		return "", false
	}
	var inner string
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&inner); err != nil || !strings.Contains(inner, "{") {
		return "", false
	}
	return inner, true
}

// fence begins a block of code, as models put around JSON.
var fence = regexp.MustCompile("^```[a-zA-Z]*\\s*")

// listOfSeveral refuses a list of objects of which it is not clear which is meant.
func listOfSeveral(text string) error {
	text = fence.ReplaceAllString(text, "")
	if !strings.HasPrefix(text, "[") {
		return nil
	}
	var list []json.RawMessage
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&list); err != nil || len(list) < 2 {
		return nil
	}
	return fmt.Errorf("the answer is a list of %d values, and one JSON object is asked for", len(list))
}

// thought names the tags around a model's spoken thoughts.
const thought = `(think|thinking|thought|thoughts|reasoning|reflection)`

var (
	thinkBlock = regexp.MustCompile(`(?is)<` + thought + `>.*?</` + thought + `>|\[THINK\].*?\[/THINK\]`)
	thinkOpen  = regexp.MustCompile(`(?i)<` + thought + `>|\[THINK\]`)
	thinkClose = regexp.MustCompile(`(?is)^.*(</` + thought + `>|\[/THINK\])`)
)

// stripThinking removes a model's spoken thoughts: whole blocks, a block that is
// never closed, and one whose opening tag the server swallowed. A text that is
// JSON from its first character holds none.
func stripThinking(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), byteOrderMark))
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, `"`) {
		return text
	}
	text = thinkBlock.ReplaceAllString(text, "")
	text = thinkClose.ReplaceAllString(text, "")
	if open := thinkOpen.FindStringIndex(text); open != nil {
		text = text[:open[0]]
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), byteOrderMark))
}

// runeStart is the start of the character at a byte of text.
func runeStart(text string, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
