package answer

import (
	"regexp"
	"strings"

	"querent.dev/querent/core/answer/ground"
)

var (
	figure    = regexp.MustCompile(`\pN(?:[\pN.,]*\pN)?`)
	sentences = regexp.MustCompile(`[^\n]*?(?:[.!?](?:\s|$)|[。！？\n]|$)`)
	// ofTheRun is what a sentence of an explanation says of a figure that was asked for:
	// that it was asked, or what did not come of it.
	ofTheRun = regexp.MustCompile(`(?i)\b(?:ask\w*|questions?|request\w*|want\w*|requirement|quer(?:y|ies)|plan\w*|attempt\w*|tried|try|not|no|none|nothing|cannot|could|can't|\w+n't|fail\w*|refus\w*|stop\w*|unanswered|reject\w*|invalid|narrow)\b|질문|요청|못|않|없|실패|거부|중단|아닙|아니`)
)

// restated are the sentences of an explanation that state as a fact what only the
// question says: there is no result that could prove it.
func restated(text, question string, record []string) []ground.Violation {
	asked := map[string]bool{}
	for _, n := range figure.FindAllString(question, -1) {
		asked[n] = true
	}
	for _, line := range record {
		for _, n := range figure.FindAllString(line, -1) {
			delete(asked, n)
		}
	}
	var found []ground.Violation
	for _, sentence := range sentences.FindAllString(text, -1) {
		if strings.Contains(sentence, question) || ofTheRun.MatchString(sentence) {
			continue
		}
		for _, n := range figure.FindAllString(sentence, -1) {
			if asked[n] {
				found = append(found, ground.Violation{Item: n, Clause: strings.TrimSpace(sentence), Why: "only the question says so, and it was not answered"})
			}
		}
	}
	return found
}
