package redact

import "strings"

// Restorer puts the values of a run's placeholders back into a JSON object that a
// model writes, piece by piece. It is not safe for concurrent use.
type Restorer struct {
	run *Run
	// literals restores only what stands inside a text literal of the plan language,
	// '…': no value becomes part of the language itself.
	literals bool

	held    string
	text    bool // inside a JSON string
	escaped bool // behind its backslash
	quoted  bool // inside a literal of it
}

// Restorer begins an object. With plan it is a plan in wire form, and a placeholder
// counts only inside a text literal of a clause.
func (u *Run) Restorer(plan bool) *Restorer { return &Restorer{run: u, literals: plan} }

// Restore is the object with the values in it.
func (u *Run) Restore(object string, plan bool) string {
	r := u.Restorer(plan)
	return r.Write(object) + r.Flush()
}

// longestName bounds a placeholder, in bytes.
const longestName = 40

// Write takes a piece and returns what can be passed on.
func (r *Restorer) Write(piece string) string {
	if r.run == nil {
		return piece
	}
	text := r.held + piece
	r.held = ""
	if i := strings.LastIndexByte(text, '['); i >= 0 && len(text)-i < longestName && !strings.Contains(text[i:], "]") {
		text, r.held = text[:i], text[i:]
	}
	return r.restore(text)
}

// Flush ends the object and returns the rest.
func (r *Restorer) Flush() string {
	rest := r.held
	r.held = ""
	return r.restore(rest)
}

func (r *Restorer) restore(text string) string {
	if r.run == nil || text == "" {
		return text
	}
	var b strings.Builder
	at := 0
	for _, m := range placeholder.FindAllStringIndex(text, -1) {
		b.WriteString(text[at:m[0]])
		r.read(text[at:m[0]])
		b.WriteString(r.value(text[m[0]:m[1]]))
		at = m[1]
	}
	b.WriteString(text[at:])
	r.read(text[at:])
	return b.String()
}

// value is what stands for a placeholder at this place of the object.
func (r *Restorer) value(name string) string {
	v, ok := r.run.value(name)
	if !ok || r.literals && !r.quoted {
		return name
	}
	if r.literals {
		v = strings.ReplaceAll(v, "'", "''")
	}
	if r.text {
		quoted := quote(v)
		v = string(quoted[1 : len(quoted)-1])
	}
	return v
}

// read keeps track of where in the object the reader is.
func (r *Restorer) read(text string) {
	for i := range len(text) {
		c := text[i]
		switch {
		case r.escaped:
			r.escaped = false
		case r.text && c == '\\':
			r.escaped = true
		case c == '"':
			r.text, r.quoted = !r.text, false
		case r.text && c == '\'':
			r.quoted = !r.quoted
		}
	}
}
