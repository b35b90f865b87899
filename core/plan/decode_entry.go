package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// asText reads an entry that is a string.
func asText(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	}
	return "", fmt.Errorf("a string is needed, not %s", jsonName(v))
}

// entry is an object that stands for a clause, with its keys checked.
func entry(v any, known ...string) (map[string]any, error) {
	f, ok := v.(*fields)
	if !ok {
		return nil, fmt.Errorf("a string is needed, not %s", jsonName(v))
	}
	for _, key := range f.keys {
		if !slices.Contains(known, key) {
			return nil, fmt.Errorf("there is no key %s here; %s", quote(key), keyHint(key, known))
		}
	}
	return f.values, nil
}

// part reads a string of an entry; absent and null are "".
func part(values map[string]any, key string) (string, error) {
	s, err := asText(values[key])
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	return strings.TrimSpace(s), nil
}

// parts reads several strings of an entry.
func stringsOf(values map[string]any, keys ...string) ([]string, error) {
	out := make([]string, len(keys))
	for i, key := range keys {
		var err error
		if out[i], err = part(values, key); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// asItem reads an expression with an optional label: {"expr","as"}.
func asItem(v any) (string, error) {
	switch v := v.(type) {
	case nil, string:
		return asText(v)
	case json.Number:
		return v.String(), nil
	}
	values, err := entry(v, "expr", "as")
	if err != nil {
		return "", err
	}
	s, err := stringsOf(values, "expr", "as")
	if err != nil {
		return "", err
	}
	if s[0] == "" {
		return "", errors.New("\"expr\" is empty")
	}
	return labelledText(s[0], s[1]), nil
}

func labelledText(expr, label string) string {
	if label == "" {
		return expr
	}
	return expr + " as " + nameText(label)
}

// asTerm reads an order: {"expr","dir","nulls"} or {"expr","desc"}.
func asTerm(v any) (string, error) {
	switch v.(type) {
	case nil, string, json.Number:
		return asItem(v)
	}
	values, err := entry(v, "expr", "label", "dir", "direction", "nulls", "desc")
	if err != nil {
		return "", err
	}
	s, err := stringsOf(values, "expr", "label", "dir", "direction", "nulls")
	if err != nil {
		return "", err
	}
	text := s[0] + s[1]
	if text == "" || s[0] != "" && s[1] != "" {
		return "", errors.New("\"expr\" says what is ordered by")
	}
	dir := strings.ToLower(s[2] + s[3])
	if desc, ok := values["desc"].(bool); ok && desc && dir == "" {
		dir = "desc"
	}
	switch dir {
	case "":
	case "asc", "ascending", "desc", "descending":
		text += " " + dir
	default:
		return "", fmt.Errorf("the direction is asc or desc, not %s", quote(dir))
	}
	switch nulls := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(strings.ToLower(s[4]), "nulls "))); nulls {
	case "":
	case "first", "last":
		text += " nulls " + nulls
	default:
		return "", fmt.Errorf("nulls stand first or last, not %s", quote(nulls))
	}
	return text, nil
}

// asSource reads a table: {"table","as"} or {"block","as"}.
func asSource(v any) (string, error) {
	switch v.(type) {
	case nil, string:
		return asText(v)
	}
	values, err := entry(v, "table", "block", "as", "alias")
	if err != nil {
		return "", err
	}
	s, err := stringsOf(values, "table", "block", "as", "alias")
	if err != nil {
		return "", err
	}
	return aliasedText(s[0]+s[1], s[2]+s[3])
}

func aliasedText(name, alias string) (string, error) {
	switch {
	case name == "":
		return "", errors.New("\"table\" is empty")
	case alias == "":
		return name, nil
	}
	return name + " as " + nameText(alias), nil
}

// asJoin reads a join: {"kind","table","as","via","on"}.
func asJoin(v any) (string, error) {
	switch v.(type) {
	case nil, string:
		return asText(v)
	}
	values, err := entry(v, "kind", "type", "table", "block", "as", "alias", "via", "on")
	if err != nil {
		return "", err
	}
	s, err := stringsOf(values, "kind", "type", "table", "block", "as", "alias", "via", "on")
	if err != nil {
		return "", err
	}
	source, err := aliasedText(s[2]+s[3], s[4]+s[5])
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(s[0] + s[1] + " " + source)
	switch {
	case s[6] != "" && s[7] != "":
		return "", errors.New("a join has either \"via\" or \"on\"")
	case s[6] != "":
		text += " via " + s[6]
	case s[7] != "":
		text += " on " + s[7]
	}
	return text, nil
}
