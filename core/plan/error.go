package plan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"querent.dev/querent/sdk/reason"
)

// Error says what is wrong with a plan, and where. Its text is for the model
// that is to correct the plan and for the user: it holds names of objects that
// the caller may see, and text of the plan itself, and nothing else. Decode and
// Bind return it inside a *reason.Error; errors.As finds it.
type Error struct {
	Block    string // name of the block; "" for the result
	Field    string // the key of the plan: "where", "select", …; "" for the whole
	Index    int    // the entry of a list, from 1; 0 for a key that holds no list
	Position int    // the character of the clause, from 1; 0 for the whole clause
	Message  string // what is wrong
	Expected string // what could stand there; may be empty
	Got      string // what stands there; may be empty
	// Suggestion is a sentence on what to write instead; may be empty.
	Suggestion string
}

// Error is one line: the place, what is wrong, and what to do.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.place())
	b.WriteString(e.Message)
	if e.Expected != "" {
		b.WriteString("expected " + e.Expected)
	}
	if e.Got != "" {
		b.WriteString(", got " + e.Got)
	}
	if e.Suggestion != "" {
		b.WriteString("; " + e.Suggestion)
	}
	return b.String()
}

func (e *Error) place() string {
	var parts []string
	if e.Block != "" {
		parts = append(parts, "block "+clip(e.Block))
	}
	if e.Field != "" {
		field := e.Field
		if e.Index > 0 {
			field += " item " + strconv.Itoa(e.Index)
		}
		parts = append(parts, field)
	}
	if e.Position > 0 {
		parts = append(parts, "character "+strconv.Itoa(e.Position))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + ": "
}

// maxQuoted bounds what a message repeats of the plan, in characters: enough to
// recognise a name, too little to flood a prompt.
const maxQuoted = 60

// clip shortens text of a plan for a message and makes it one line.
func clip(s string) string {
	s = strings.Map(func(r rune) rune {
		if hidden(r) {
			return '�'
		}
		return r
	}, s)
	if utf8.RuneCountInString(s) <= maxQuoted {
		return s
	}
	return string([]rune(s)[:maxQuoted]) + "…"
}

// quote shows text of a plan in a message.
func quote(s string) string { return "'" + clip(s) + "'" }

// fault is an Error whose place is filled in on the way up: the parser and the
// binder know the position in the clause, their callers the rest.
func fault(src string, offset int, format string, args ...any) *Error {
	return &Error{Position: position(src, offset), Message: fmt.Sprintf(format, args...)}
}

// hint adds what to write instead.
func (e *Error) hint(format string, args ...any) *Error {
	e.Suggestion = fmt.Sprintf(format, args...)
	return e
}

// position counts characters, from 1, as people and models do.
func position(src string, offset int) int {
	if offset < 0 || offset > len(src) {
		return 0
	}
	return utf8.RuneCountInString(src[:offset]) + 1
}

// in names the clause in which err arose, unless a place is named already.
func in(err error, field string, index int) error {
	var e *Error
	if errors.As(err, &e) && e.Field == "" {
		e.Field, e.Index = field, index
	}
	return err
}

// refuse makes the error that Decode and Bind return.
func refuse(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return reason.From(err)
	}
	out := reason.New(reason.PlanInvalid, reason.ReasonPlanInvalid, "%w", e).WithSafe("%s", e.Error())
	for key, value := range map[string]string{"block": e.Block, "field": e.Field, "suggestion": e.Suggestion} {
		if value != "" {
			out = out.WithEvidence(key, value)
		}
	}
	if e.Index > 0 {
		out = out.WithEvidence("index", strconv.Itoa(e.Index))
	}
	if e.Position > 0 {
		out = out.WithEvidence("position", strconv.Itoa(e.Position))
	}
	return out
}
