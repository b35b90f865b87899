package plan

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Sources as patterns of a schema, for the servers that enforce them. Such servers
// read a pattern as one over the text between the quotes of the JSON: it must not
// let through what JSON escapes, and it stands between ^ and $.
const (
	// mostTables bounds the tables of a pattern: the measured servers take 2,000
	// alternatives, in half a second a request.
	mostTables = 2000
	// mostPatternBytes bounds the alternatives, which stand in the schema four times:
	// the whole then stays below the 256 KiB from which a server would cut its grammar.
	mostPatternBytes = 60 << 10
	// mostTail is how many characters of via and on are asked for.
	mostTail = 300

	// blockPattern is the names of blocks where the tables are given by a pattern,
	// one more than askedBlocks: a name that could be anything would let any table in.
	blockPattern = "b[1-9]"
	aliasPattern = "( (as )?([A-Za-z_][A-Za-z0-9_]{0,39}|`[^`;\"\\\\\\x00-\\x1f]{1,40}`))?"
	joinPattern  = "(left |right |full |cross |semi |anti )?"
)

// conditionPattern is what may follow a joined table.
var conditionPattern = `( (via|on) [^;"\\\x00-\x1f]{1,` + strconv.Itoa(mostTail) + `})?`

// sourcePattern is the tables and blocks as one group of a pattern. It is "" where
// the tables cannot be given so: none, too many, or a name that JSON must escape.
func sourcePattern(tables []string) string {
	if len(tables) == 0 || len(tables) > mostTables {
		return ""
	}
	options := []string{blockPattern}
	size := 0
	for _, name := range tables {
		forms := sourceForms(name)
		if len(forms) == 0 {
			return ""
		}
		for _, form := range forms {
			form = regexp.QuoteMeta(form)
			text, err := json.Marshal(form)
			if err != nil {
				return ""
			}
			size += len(text) - len(`""`) + len("|")
			options = append(options, form)
		}
	}
	if size > mostPatternBytes {
		return ""
	}
	return "(" + strings.Join(options, "|") + ")"
}

// sourceForms are the ways to write the plan name of a table: as it is, which is how
// prompts show it, and in backticks where it is odd. A name with its schema has no
// form in backticks, since either part may hold a dot.
func sourceForms(name string) []string {
	if name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, escaped) {
		return nil
	}
	parts := strings.Split(name, ".")
	if !slices.ContainsFunc(parts, func(part string) bool { return !plainName(part) }) {
		return []string{name}
	}
	var forms []string
	if startsBare(name) {
		forms = append(forms, name)
	}
	if len(parts) == 1 {
		forms = append(forms, nameText(name))
	}
	return forms
}

// escaped reports whether a string of JSON cannot hold r as itself, or nobody could
// read it there.
func escaped(r rune) bool { return r == '"' || r == '\\' || hidden(r) }

// startsBare reports whether a table clause that begins with the name is read as
// that name, and not as a quoted one or as a kind of join.
func startsBare(name string) bool {
	first := lexer{src: name}
	word := first.next()
	return strings.TrimSpace(name) == name && !strings.HasPrefix(name, "`") && !strings.HasPrefix(name, "(") &&
		!(word.kind == tokenWord && joinWords[strings.ToLower(word.text)])
}
