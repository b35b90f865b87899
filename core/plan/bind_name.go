package plan

import (
	"strings"
)

// name binds a column by its name: in the innermost scope that knows it, then,
// where labels may stand, as a label of select.
func (e *exprBinder) name(n *nameNode) (Expr, error) {
	if x, ok, err := e.callerAttribute(n); ok {
		return x, err
	}
	var x Expr
	var err error
	for _, sources := range e.scopes {
		if x, err = e.lookUp(sources, n); x != nil || err != nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	if e.labels && len(n.parts) == 1 && (x == nil || !e.sees(x)) {
		for _, item := range e.block.Select {
			if strings.EqualFold(item.Label, n.parts[0]) {
				return item.Expr, e.forbidAggregates(item.Expr, n.offset())
			}
		}
	}
	if x == nil {
		return nil, e.unknownColumn(n)
	}
	e.denied = e.denied || !e.sees(x)
	return x, nil
}

// lookUp finds a name in one scope; nil if it does not know it.
func (e *exprBinder) lookUp(sources []*Source, n *nameNode) (Expr, error) {
	if len(n.parts) > 1 {
		s, err := e.qualified(sources, n)
		if s == nil || err != nil {
			return nil, err
		}
		name := n.parts[len(n.parts)-1]
		x, ok := e.column(s, name)
		if !ok {
			return nil, e.notIn(s, name, n)
		}
		return x, nil
	}
	var found, seen []Expr
	for _, s := range sources {
		if x, ok := e.column(s, n.parts[0]); ok {
			found = append(found, x)
			if e.sees(x) {
				seen = append(seen, x)
			}
		}
	}
	if len(seen) > 0 {
		found = seen
	}
	switch {
	case len(found) == 0:
		return nil, nil
	case len(seen) > 1:
		return nil, e.ambiguous(n, seen)
	}
	return found[0], nil
}

func (b *binder) sees(x Expr) bool {
	c, ok := x.(*Column)
	return !ok || b.seesColumn(c.Column)
}

// column finds a column of a source by its name.
func (b *binder) column(s *Source, name string) (Expr, bool) {
	if s.Table != nil {
		c, ok := s.Table.Column(name)
		if !ok {
			return nil, false
		}
		return &Column{Source: s, Column: c}, true
	}
	for i, item := range s.Block.Columns() {
		if strings.EqualFold(item.Label, name) {
			return &Output{Source: s, Item: i, T: s.Block.types[i]}, true
		}
	}
	return nil, false
}

// qualified finds the source that a qualifier names: by its alias, else by its
// table if that stands there once.
func (e *exprBinder) qualified(sources []*Source, n *nameNode) (*Source, error) {
	qualifier := n.parts[:len(n.parts)-1]
	if len(qualifier) == 1 {
		for _, s := range sources {
			if strings.EqualFold(s.Alias, qualifier[0]) {
				return s, nil
			}
		}
	}
	var found []*Source
	for _, s := range sources {
		if s.Table != nil && namesTable(qualifier, s.Table) {
			found = append(found, s)
		}
	}
	if len(found) > 1 {
		return nil, fault(e.src, n.offset(), "the table %s stands there more than once", quote(strings.Join(qualifier, "."))).
			hint("write one of its aliases: %s", strings.Join(aliases(found), ", "))
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return nil, nil
}

func (e *exprBinder) ambiguous(n *nameNode, found []Expr) error {
	names := make([]string, len(found))
	for i, x := range found {
		names[i] = clip(key(x))
	}
	return fault(e.src, n.offset(), "%s can be more than one column", quote(n.parts[0])).hint("write one of %s", strings.Join(names, ", "))
}

// notIn says that a source has no such column, and which it has.
func (e *exprBinder) notIn(s *Source, name string, n *nameNode) error {
	return fault(e.src, n.offset(), "there is no column %s in %s", quote(name), quote(s.Alias)).hint("%s", suggest(name, e.columnNames(s)))
}

// columnNames lists the columns of a source that the caller may see.
func (b *binder) columnNames(s *Source) []string {
	var out []string
	if s.Block != nil {
		for _, item := range s.Block.Columns() {
			out = append(out, item.Label)
		}
		return out
	}
	for _, c := range s.Table.Columns {
		if b.seesColumn(c) {
			out = append(out, c.Name)
		}
	}
	return out
}

// unknownColumn explains a name that no scope knows.
func (e *exprBinder) unknownColumn(n *nameNode) error {
	name := n.parts[len(n.parts)-1]
	if len(e.block.Sources) == 0 {
		return errNoFrom()
	}
	if len(n.parts) > 1 {
		return e.unknownQualifier(n)
	}
	err := fault(e.src, n.offset(), "there is no column %s", quote(name))
	if _, ok := e.binder.block(name); ok {
		return err.hint("%s is a block: use in(x, %s), exists(%s, condition) or scalar(%s)", name, name, name, name)
	}
	if x, ok := e.blockBinder.labelled(name); ok && x != nil {
		if hasWindow(x) {
			return err.hint("it is the label of a window: put this select into a block of \"with\", and filter in one that reads it")
		}
		return err.hint("it is a label of select, which \"order\", \"group\" and \"having\" can use; write its expression here")
	}
	var names []string
	for _, sources := range e.scopes {
		for _, s := range sources {
			names = append(names, e.columnNames(s)...)
		}
	}
	return err.hint("%s", suggest(name, names))
}

func (e *exprBinder) unknownQualifier(n *nameNode) error {
	qualifier := strings.Join(n.parts[:len(n.parts)-1], ".")
	err := fault(e.src, n.offset(), "there is no table %s in \"from\" or \"joins\"", quote(qualifier))
	for _, s := range e.block.Sources {
		if strings.EqualFold(s.Alias, qualifier) && (s.Join == JoinSemi || s.Join == JoinAnti) {
			return err.hint("%s joins only test for rows: its columns stand in its own \"on\" only", s.Join)
		}
	}
	var names []string
	for _, sources := range e.scopes {
		names = append(names, aliases(sources)...)
	}
	return err.hint("%s", suggest(qualifier, names))
}
