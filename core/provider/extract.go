package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

const (
	// maxOutput is far above any plan or answer; a longer text is a runaway.
	maxOutput = 1 << 20 // bytes
	// maxCandidates bounds the braces tried in prose before the object.
	maxCandidates = 64
)

// extractObject finds the JSON object in a model's text: past think blocks,
// code fences and prose. The first object that is whole and not empty counts. An
// object that breaks off ends the search, since what stands inside it would be
// taken for the answer.
func extractObject(text string) (string, error) {
	if len(text) > maxOutput {
		return "", fmt.Errorf("the answer has %d bytes; at most %d are read", len(text), maxOutput)
	}
	text = stripThinking(text)
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

func emptyObject(object json.RawMessage) bool {
	return strings.TrimSpace(strings.Trim(string(object), "{}")) == ""
}

var (
	thinkBlock = regexp.MustCompile(`(?is)<(think|thinking|reasoning)>.*?</(think|thinking|reasoning)>`)
	thinkOpen  = regexp.MustCompile(`(?i)<(think|thinking|reasoning)>`)
	thinkClose = regexp.MustCompile(`(?is)^.*</(think|thinking|reasoning)>`)
)

// stripThinking removes a model's spoken thoughts: whole blocks, a block that is
// never closed, and one whose opening tag the server swallowed. A text that is
// JSON from its first character holds none.
func stripThinking(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") {
		return text
	}
	text = thinkBlock.ReplaceAllString(text, "")
	text = thinkClose.ReplaceAllString(text, "")
	if open := thinkOpen.FindStringIndex(text); open != nil {
		text = text[:open[0]]
	}
	return text
}
