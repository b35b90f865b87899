package pack

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
)

// Unreadable is why a file cannot be read as YAML whatever it says, and what to do;
// "" if it can be tried.
func Unreadable(content []byte) string {
	text := bytes.TrimPrefix(content, []byte("\ufeff"))
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return "the file is empty: write into it what it is to hold, or name it no more"
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		return fmt.Sprintf("the file is no text in UTF-8 (it begins with %q): name a YAML file", text[:min(len(text), shownBytes)])
	}
	return ""
}

// shownBytes show what kind of file it is, such as a program or an archive.
const shownBytes = 8

// widestShown is about a line of a terminal.
const widestShown = 160

// Told is an error of the YAML library with the lines it is about, cut, and without
// the characters that would act on a terminal.
func Told(err error) string {
	lines := strings.Split(yaml.FormatError(err, false, true), "\n")
	for i, line := range lines {
		line = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) && r != '\t' {
				return '·'
			}
			return r
		}, line)
		if shown := []rune(line); len(shown) > widestShown {
			line = string(shown[:widestShown]) + "…"
		}
		lines[i] = line
	}
	text := strings.Join(lines, "\n")
	if text == "EOF" {
		return "the file holds nothing but comments: write into it what it is to hold, or name it no more"
	}
	return text
}
