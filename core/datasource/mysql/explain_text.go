package mysql

import (
	"encoding/json"
	"regexp"
	"strings"
)

// The server's plan has a field a line. Names and constants of the query stand in it
// as the server writes SQL, with quotes and escapes that end a text of JSON.
var (
	textField = regexp.MustCompile(`^(\s*"\w+": )"(.*)"(,?)$`)
	listField = regexp.MustCompile(`^(\s*"\w+": )\[.+\](,?)$`)
)

// asJSON repairs the server's plan. Texts are what the server wrote; lists of names
// in one line, of which nothing is read, are left empty.
func asJSON(document string) ([]byte, error) {
	lines := strings.Split(document, "\n")
	for i, line := range lines {
		if parts := textField.FindStringSubmatch(line); parts != nil {
			value, err := json.Marshal(parts[2])
			if err != nil {
				return nil, err
			}
			lines[i] = parts[1] + string(value) + parts[3]
			continue
		}
		lines[i] = listField.ReplaceAllString(line, "$1[]$2")
	}
	return []byte(strings.Join(lines, "\n")), nil
}
