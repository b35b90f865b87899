package answer

import (
	"regexp"
	"strings"
)

var (
	isoDate = regexp.MustCompile(`\b\d{4}-\d{2}(?:-\d{2})?(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?\b`)
	// spokenDate is a day, a month or a time of day as people write it.
	spokenDate = regexp.MustCompile(`(?i)\b(?:` + monthNames + `)\.? \d{1,2}(?:st|nd|rd|th)?\b(?:,? \d{4}\b)?|` +
		`\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:` + monthNames + `)\b(?:,? \d{4}\b)?|` +
		`\b\d{1,2}:\d{2}(?::\d{2})?\b|\b\d{1,4}/\d{1,2}/\d{1,4}\b|\d{4}년|\d{1,2}월|\d{1,2}일`)
	year = regexp.MustCompile(`^(19|20|21)\d\d$`)
)

const monthNames = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"

// dateMarks are the texts of which every spoken date has one.
var dateMarks = []string{":", "/", "년", "월", "일", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// isISODate reports whether text is one date in ISO 8601 form and nothing else.
func isISODate(text string) bool {
	return len(text) >= len("2006-01") && text[4] == '-' && isoDate.FindString(text) == text
}

// cutISODates takes the dates in ISO 8601 form out of text.
func cutISODates(text string) (dates []string, rest string) {
	if !strings.Contains(text, "-") {
		return nil, text
	}
	return cutAll(isoDate, text)
}

// cutSpokenDates takes the dates out of text that people write in other forms.
func cutSpokenDates(text string) (dates []string, rest string) {
	lower := strings.ToLower(text)
	for _, mark := range dateMarks {
		if strings.Contains(lower, mark) {
			return cutAll(spokenDate, text)
		}
	}
	return nil, text
}

// cutAll puts a space in the place of all that the expression finds.
func cutAll(form *regexp.Regexp, text string) (found []string, rest string) {
	var kept strings.Builder
	from := 0
	for _, at := range form.FindAllStringIndex(text, -1) {
		found = append(found, text[at[0]:at[1]])
		kept.WriteString(text[from:at[0]] + " ")
		from = at[1]
	}
	if from == 0 {
		return nil, text
	}
	return found, kept.String() + text[from:]
}
