package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// reference is ${env:NAME} or ${file:PATH}, anywhere in a text.
var reference = regexp.MustCompile(`\$\{([^{}:]*):?([^{}]*)\}`)

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// maxSecretBytes bounds a file that ${file:…} names; keys and DSNs are short.
const maxSecretBytes = 64 << 10

// Path is name as the program opens it: relative names start from Dir.
func (c *Config) Path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(c.dir, name)
}

// Resolve is settings as JSON with every ${env:NAME} replaced by the variable's
// value and every ${file:PATH} by the file's content without the newline at its
// end. The result holds secrets: it is for the plugin alone, never for a log. A
// variable that is not set, or a file that cannot be read, is Problems that
// names the setting and the reference, never a value.
func (c *Config) Resolve(settings map[string]any) (json.RawMessage, error) {
	var problems Problems
	resolved := c.resolveValue(nil, settings, &problems)
	if len(problems) > 0 {
		return nil, problems
	}
	if settings == nil {
		resolved = map[string]any{}
	}
	text, err := json.Marshal(resolved)
	if err != nil {
		return nil, problem("", "the settings cannot be written as JSON: %v", err)
	}
	return text, nil
}

func (c *Config) resolveValue(at path, v any, problems *Problems) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range sortedKeys(v) {
			out[key] = c.resolveValue(at.with(key), v[key], problems)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = c.resolveValue(at.with(fmt.Sprint(i)), e, problems)
		}
		return out
	case string:
		text, err := c.expand(v)
		if err != nil {
			*problems = append(*problems, Problem{Place{Key: at.String()}, err.Error()})
		}
		return text
	}
	return v
}

// expand replaces the references in text.
func (c *Config) expand(text string) (string, error) {
	var failed error
	out := reference.ReplaceAllStringFunc(text, func(ref string) string {
		value, err := c.lookUp(ref)
		if err != nil && failed == nil {
			failed = err
		}
		return value
	})
	return out, failed
}

// namesFile reports whether text holds a ${file:…}.
func namesFile(text string) bool {
	for _, m := range reference.FindAllStringSubmatch(text, -1) {
		if m[1] == "file" {
			return true
		}
	}
	return false
}

func (c *Config) lookUp(ref string) (string, error) {
	m := reference.FindStringSubmatch(ref)
	switch m[1] {
	case "env":
		value := os.Getenv(m[2])
		if value == "" {
			return "", fmt.Errorf("the environment variable %s is not set", m[2])
		}
		return value, nil
	case "file":
		return c.secretFile(m[2])
	}
	return "", fmt.Errorf("%s is no reference: expected ${env:NAME} or ${file:PATH}", ref)
}

func (c *Config) secretFile(name string) (string, error) {
	info, err := os.Stat(c.Path(name))
	if err != nil {
		return "", fmt.Errorf("the file %s cannot be read: %s", name, reasonOf(err))
	}
	if !info.Mode().IsRegular() || info.Size() > maxSecretBytes {
		return "", fmt.Errorf("%s is no file of at most %s", name, Bytes(maxSecretBytes))
	}
	content, err := os.ReadFile(c.Path(name))
	if err != nil {
		return "", fmt.Errorf("the file %s cannot be read: %s", name, reasonOf(err))
	}
	return strings.TrimRight(string(content), "\r\n"), nil
}

// unclosed finds a reference that lacks its end: as text, it would be sent for
// the secret.
var unclosed = regexp.MustCompile(`\$\{(env|file):`)

// checkReferences says which references in text are malformed. It repeats nothing
// of what stands in them, which may be the secret itself.
func checkReferences(text string) error {
	for _, m := range reference.FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] != "env" && m[1] != "file":
			return fmt.Errorf("${…} is no reference: expected ${env:NAME} or ${file:PATH}%s", suggestOnly(m[1], []string{"env", "file"}))
		case m[2] == "":
			return fmt.Errorf("${%s:} names nothing", m[1])
		case m[1] == "env" && !envName.MatchString(m[2]):
			return errors.New("${env:…} holds no name of an environment variable: expected letters, digits and underscores")
		}
	}
	if m := unclosed.FindStringSubmatch(reference.ReplaceAllString(text, "")); m != nil {
		return fmt.Errorf("${%s:… is not closed: expected ${env:NAME} or ${file:PATH}", m[1])
	}
	return nil
}
