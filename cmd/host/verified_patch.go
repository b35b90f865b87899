package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"

	"querent.dev/querent/core/config"
)

// entryOf is the query as an item of the configuration's list.
func entryOf(v config.Verified) (string, error) {
	text, err := yaml.MarshalWithOptions([]config.Verified{v}, yaml.Indent(2))
	if err != nil {
		return "", fmt.Errorf("write the entry: %w", err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		b.WriteString("  " + line)
	}
	return b.String(), nil
}

// addEntry puts the entry into the configuration and returns the file that holds
// it: the configuration's own, or for a folder a file of its own. The file is
// replaced only when what it says then is what it said, with the query added.
func addEntry(name string, v config.Verified, entry string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", usage("%v", err)
	}
	if info.IsDir() {
		own := filepath.Join(name, "verified-"+v.ID+".yaml")
		return own, writeNew(own, []byte("verified:\n"+entry))
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", usage("%v", err)
	}
	patched, err := withEntry(text, entry)
	if err != nil {
		return "", usage("%s: %v; add the entry by hand:\nverified:\n%s", name, err, entry)
	}
	if err := sameBut(name, text, patched, v); err != nil {
		return "", usage("%s: the entry cannot be put where it belongs (%v); add it by hand:\nverified:\n%s", name, err, entry)
	}
	return name, replace(name, patched, info.Mode().Perm())
}

// verifiedKey is the line that begins the list, when it is written in blocks.
var verifiedKey = regexp.MustCompile(`(?m)^verified:[ \t]*(#.*)?$`)

// verifiedNone is its line where the list is written as empty, as init does.
var verifiedNone = regexp.MustCompile(`(?m)^verified:[ \t]*(?:\[[ \t]*\]|null|~)([ \t]*(?:#.*)?)$`)

// withEntry is the text with the entry at the end of the list, or with a list.
func withEntry(text []byte, entry string) ([]byte, error) {
	text = verifiedNone.ReplaceAll(text, []byte("verified:$1"))
	at := verifiedKey.FindIndex(text)
	switch {
	case at == nil && regexp.MustCompile(`(?m)^verified:`).Match(text):
		return nil, fmt.Errorf("its list verified is not written in lines that begin with a dash")
	case at == nil:
		return fmt.Appendf(bytes.TrimRight(bytes.Clone(text), "\n"), "\n\nverified:\n%s", entry), nil
	}
	end, indent, place := at[1], "  ", at[1]
	if place < len(text) {
		place++ // the end of the key's line
	}
	for line := range bytes.Lines(text[place:]) {
		content := strings.TrimLeft(string(line), " ")
		blank := strings.TrimSpace(content) == "" || strings.HasPrefix(content, "#")
		if !blank && len(content) == len(line) && !strings.HasPrefix(content, "-") {
			break // the next section
		}
		place += len(line)
		if blank {
			continue
		}
		if end == at[1] {
			indent = string(line[:len(line)-len(content)])
		}
		end = place
	}
	return insert(text, end, indent, entry), nil
}

// insert puts the entry, its lines indented as the list's, at an offset.
func insert(text []byte, at int, indent, entry string) []byte {
	var b bytes.Buffer
	b.Write(bytes.TrimRight(text[:at], "\n"))
	b.WriteString("\n")
	for line := range strings.Lines(entry) {
		b.WriteString(indent + strings.TrimPrefix(line, "  "))
	}
	rest := text[at:]
	if at > 0 && text[at-1] != '\n' {
		rest = bytes.TrimPrefix(rest, []byte("\n"))
	}
	b.Write(rest)
	return b.Bytes()
}

// sameBut reports how the new text says something else than the old with v added.
func sameBut(name string, before, after []byte, v config.Verified) error {
	was, _, err := config.Parse(name, before)
	if err != nil {
		return err
	}
	is, _, err := config.Parse(name, after)
	if err != nil {
		return err
	}
	n := len(was.Verified)
	if len(is.Verified) != n+1 || is.Verified[n].ID != v.ID || is.Verified[n].Plan != v.Plan {
		return fmt.Errorf("it would not be the last of the list")
	}
	rest := *is
	rest.Verified = is.Verified[:n:n]
	if n == 0 {
		rest.Verified = was.Verified
	}
	if !reflect.DeepEqual(*was, rest) {
		return fmt.Errorf("other settings would change")
	}
	return nil
}

// replace writes the file anew, whole or not at all.
func replace(name string, text []byte, mode os.FileMode) error {
	temp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return usage("%v", err)
	}
	defer os.Remove(temp.Name()) // nothing to remove once it is renamed
	_, err = temp.Write(text)
	if closing := temp.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Chmod(temp.Name(), mode)
	}
	if err == nil {
		err = os.Rename(temp.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
