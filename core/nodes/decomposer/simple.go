package decomposer

import (
	"regexp"
	"strings"
)

// signs are what tells that a question may have several parts. The list is short
// on purpose: a query can do much by itself, and each sign costs a call to a model.
var signs = []*regexp.Regexp{
	// Two questions, or an enumeration.
	regexp.MustCompile(`[?？]\s*\pL`),
	regexp.MustCompile(`\pL{4,}[.!。]\s+\pL`), // not behind St. and the like
	regexp.MustCompile(`;\s*\pL`),
	regexp.MustCompile(`(?m)^\s*(?:[-*•]|\d+[.)])\s+\pL[^\n]*\n\s*(?:[-*•]|\d+[.)])\s+\pL`),
	// Things set against each other.
	regexp.MustCompile(`(?i)\b(?:compar(?:e|ed|ing|ison)|versus|vs|difference between|relative to|in contrast to|side by side)\b`),
	regexp.MustCompile(`비교|대비|차이`),
	// A second request behind a conjunction.
	regexp.MustCompile(`(?i)\b(?:and|then|also|plus)\s+(?:also\s+)?(?:how|what|which|who|whose|when|where|show|list|give|tell|find|count)\b`),
	regexp.MustCompile(`(?i)\b(?:as well as|together with|along with|in addition|combined with|respectively)\b`),
	regexp.MustCompile(`그리고|또한|아울러|각각`),
}

// Simple reports whether a question shows no sign of several parts: neither two
// questions nor an enumeration, nothing that is compared with something else, and
// no second request behind a conjunction. "Orders and returns by month" is simple:
// it is for the planner of one query.
func Simple(question string) bool {
	question = strings.TrimSpace(question)
	for _, sign := range signs {
		if sign.MatchString(question) {
			return false
		}
	}
	return true
}
