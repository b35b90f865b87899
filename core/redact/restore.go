package redact

import "strings"

// Restore puts the values of the run's placeholders back into a text that a model
// wrote.
func (u *Run) Restore(s string) string {
	if u == nil || !strings.Contains(s, "[") {
		return s
	}
	return placeholder.ReplaceAllStringFunc(s, func(name string) string {
		if v, ok := u.value(name); ok {
			return v
		}
		return name
	})
}

// RestoreJSON is Restore for the strings of a JSON object.
func (u *Run) RestoreJSON(object string) string {
	if u == nil || !placeholder.MatchString(object) {
		return object
	}
	out, err := mapStrings([]byte(object), func(_, s string) string { return u.Restore(s) })
	if err != nil {
		return object
	}
	return string(out)
}

// RestorePlan is Restore for a plan in wire form: a placeholder counts only inside a
// text literal of a clause, so that no value becomes part of the plan's language.
func (u *Run) RestorePlan(object string) string {
	if u == nil || !placeholder.MatchString(object) {
		return object
	}
	out, err := mapStrings([]byte(object), func(_, s string) string { return u.literals(s) })
	if err != nil {
		return object
	}
	return string(out)
}

// literals restores what stands between the quotes of a clause.
func (u *Run) literals(clause string) string {
	parts := strings.Split(clause, "'")
	// An odd part stands behind an opening quote; '' inside a literal makes an empty
	// part between two, which changes nothing of that.
	for i := 1; i < len(parts); i += 2 {
		parts[i] = placeholder.ReplaceAllStringFunc(parts[i], func(name string) string {
			if v, ok := u.value(name); ok {
				return strings.ReplaceAll(v, "'", "''")
			}
			return name
		})
	}
	return strings.Join(parts, "'")
}

// restorer restores a text that comes in pieces.
type restorer struct {
	run  *Run
	held string
}

// Restorer returns a function that restores a text in pieces: it is called with each
// piece and returns what can be passed on. An empty piece ends the text.
func (u *Run) Restorer() func(piece string) string {
	if u == nil {
		return func(piece string) string { return piece }
	}
	r := &restorer{run: u}
	return r.take
}

// longestName bounds a placeholder, in bytes.
const longestName = 40

func (r *restorer) take(piece string) string {
	text := r.held + piece
	r.held = ""
	if i := strings.LastIndexByte(text, '['); piece != "" && i >= 0 && len(text)-i < longestName && !strings.Contains(text[i:], "]") {
		text, r.held = text[:i], text[i:]
	}
	return r.run.Restore(text)
}
