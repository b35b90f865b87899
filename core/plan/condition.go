package plan

import (
	"errors"
	"fmt"
	"strings"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// attributeMark is how a condition names an attribute of the caller: :user.name.
const attributeMark = ":user."

// ConditionScope is what a condition of a policy is bound to.
type ConditionScope struct {
	Catalog *schema.Catalog
	Clock   Clock
	// Attribute gives the caller's attributes by name.
	Attribute func(name string) (string, bool)
}

// MissingAttributeError says that a condition names an attribute that the caller
// does not have.
type MissingAttributeError struct{ Name string }

// Error names the attribute.
func (e *MissingAttributeError) Error() string {
	return "the caller has no attribute " + quote(e.Name)
}

// ParseCondition checks how a condition over one table is written, as far as that
// needs no catalog, and lists the attributes of the caller that it names, each
// once. An error tells its writer what is wrong and where.
func ParseCondition(text string) (attributes []string, err error) {
	marked, names, err := markAttributes(text)
	if err != nil {
		return nil, err
	}
	if blank(text) {
		return nil, errors.New("the condition is empty")
	}
	if _, err := parseExpr(marked); err != nil {
		return nil, err
	}
	return names, nil
}

// BindCondition binds a condition that a policy puts on the rows of a table. It
// is written in the language of plans, over the columns of s, whose Table is set;
// :user.name stands for an attribute of the caller, which becomes a constant of the
// type that it meets. All columns are visible to it. The error is a
// *MissingAttributeError around which nothing is wrapped, or says what is wrong;
// it may hold the value of an attribute and is for operators alone. It is pure
// and safe for concurrent use.
func BindCondition(text string, s *Source, scope ConditionScope) (Expr, error) {
	marked, _, err := markAttributes(text)
	if err != nil {
		return nil, err
	}
	b := &binder{scope: Scope{Catalog: scope.Catalog, Clock: scope.Clock}}
	bb := &blockBinder{binder: b, block: &Block{Op: OpSelect, Sources: []*Source{s}}, visible: []*Source{s}}
	e := bb.clause(marked, "an aggregate cannot stand in the condition on a row")
	e.attribute = scope.Attribute
	x, err := e.condition()
	var missing *MissingAttributeError
	if errors.As(err, &missing) {
		return nil, missing
	}
	if err != nil {
		return nil, fmt.Errorf("the condition %s: %w", quote(text), err)
	}
	return x, nil
}

// markAttributes writes :user.name, where it stands outside of quotes, as the name
// `:user.name`, which no parser has to know; only a condition's binder reads it
// as an attribute.
func markAttributes(text string) (marked string, names []string, err error) {
	var out strings.Builder
	seen := map[string]bool{}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'' || c == '`':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return text, names, nil // the parser says which quote is not closed
			}
			out.WriteString(text[i : i+end+2])
			i += end + 2
		case c == ':' && i+1 < len(text) && text[i+1] == ':':
			out.WriteString("::")
			i += 2
		case c == ':':
			name := attributeName(text[i:])
			if name == "" {
				return "", nil, fmt.Errorf("a : begins the name of an attribute of the caller: %sname", attributeMark)
			}
			out.WriteString("`" + attributeMark + name + "`")
			if i += len(attributeMark) + len(name); !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		default:
			out.WriteByte(c)
			i++
		}
	}
	return out.String(), names, nil
}

// attributeName reads the name behind the mark; empty if there is none.
func attributeName(text string) string {
	rest, ok := strings.CutPrefix(text, attributeMark)
	if !ok {
		return ""
	}
	for i, r := range rest {
		if i == 0 && !startsName(r) || !inName(r) {
			return rest[:i]
		}
	}
	return rest
}

// callerAttribute reads a name as an attribute of the caller, in a condition of a
// policy. In a plan there are none.
func (e *exprBinder) callerAttribute(n *nameNode) (Expr, bool, error) {
	if e.attribute == nil || len(n.parts) != 1 {
		return nil, false, nil
	}
	name, ok := strings.CutPrefix(n.parts[0], attributeMark)
	if !ok {
		return nil, false, nil
	}
	value, ok := e.attribute(name)
	if !ok {
		return nil, true, &MissingAttributeError{Name: name}
	}
	return literal(wire.Text(value)), true, nil
}
