package sqlimport

import (
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

// later reports whether a condition has to wait: for the query around, or, since
// SQLite lets an inner join read any table of the query, for tables behind it.
func (r *reading) later(err error) bool {
	if _, is := err.(*crossing); is {
		return true
	}
	e, is := err.(*Error)
	return is && e.Kind == UnknownName && r.t.sqlite()
}

// using joins by columns of the same name, which then count as one. An empty list
// stands for all that both sides have.
func (r *reading) using(src *source, before []*source, kind string, names []string) ([]value, error) {
	s := r.scope
	left := &scope{sources: before, merged: s.merged}
	if len(names) == 0 {
		for _, c := range src.columns {
			if _, ok, _ := r.t.find(left, &tree.Name{Parts: []string{c.name}}); ok && !c.hidden {
				names = append(names, c.name)
			}
		}
	}
	var out []value
	for _, name := range names {
		n := &tree.Name{Pos: -1, Parts: []string{name}}
		l, ok, err := r.t.find(left, n)
		if err != nil {
			return nil, err
		}
		c, there := src.column(name)
		if !ok || !there {
			return nil, r.t.fault(UnknownName, n, "the column "+name, "both sides of a join by name need it")
		}
		rv := src.value(c)
		eq, err := r.t.compare("=", l, rv, n)
		if err != nil {
			return nil, err
		}
		out = append(out, eq)
		if s.merged == nil {
			s.merged = map[string]value{}
		}
		if _, known := s.merged[strings.ToLower(name)]; !known {
			s.order = append(s.order, name)
		}
		s.merged[strings.ToLower(name)] = mergedValue(kind, l, rv)
	}
	return out, nil
}

// mergedValue is the one column that using makes of two.
func mergedValue(kind string, l, r value) value {
	switch kind {
	case "right":
		return r
	case "full":
		out := fn("coalesce", l, r)
		out.typ, out.nullable = l.typ, true
		return out
	}
	return l
}

// conjuncts cuts a condition at its ands.
func conjuncts(e tree.Expr) []tree.Expr {
	if e == nil {
		return nil
	}
	if b, ok := e.(*tree.Binary); ok && b.Op == "and" {
		return append(conjuncts(b.L), conjuncts(b.R)...)
	}
	return []tree.Expr{e}
}

func conjunction(list []tree.Expr) tree.Expr {
	out := list[0]
	for _, e := range list[1:] {
		out = &tree.Binary{Pos: tree.Pos(e.At()), Op: "and", L: out, R: e}
	}
	return out
}
