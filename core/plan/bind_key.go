package plan

import (
	"slices"
	"strings"

	"querent.dev/querent/core/schema"
)

// keyLink is a declared key between two sources: from refers to to.
type keyLink struct {
	from, to *Source
	key      schema.ForeignKey
}

// via joins along the declared key that a column belongs to.
func (bb *blockBinder) via(p *clauseParser, s *Source, before []*Source) (Expr, error) {
	mark := p.tok
	if p.tok.kind != tokenWord && p.tok.kind != tokenQuoted {
		return nil, p.unexpected("the column of a key")
	}
	n, err := p.name()
	if err != nil {
		return nil, err
	}
	if err := p.end("the end of the join"); err != nil {
		return nil, err
	}
	name := n.(*nameNode)
	links := bb.links(s, before)
	chosen := slices.DeleteFunc(slices.Clone(links), func(l keyLink) bool { return !l.has(name.parts) })
	if len(chosen) == 1 {
		return bb.linked(chosen[0]), nil
	}
	if len(chosen) == 0 {
		bb.denied = bb.denied || slices.ContainsFunc(bb.declared(s, before), func(l keyLink) bool { return l.has(name.parts) })
	}
	err2 := fault(p.src(), mark.start, "%s is a column of no key between %s and the tables before it", quote(strings.Join(name.parts, ".")), quote(s.Alias))
	if len(chosen) > 1 {
		err2 = fault(p.src(), mark.start, "%s is a column of more than one key", quote(strings.Join(name.parts, ".")))
	}
	return nil, err2.hint("%s", bb.choices(links, s))
}

// has reports whether the named column, with or without the alias of the
// referring table, is part of the key.
func (l keyLink) has(parts []string) bool {
	column := parts[len(parts)-1]
	if len(parts) > 1 && !strings.EqualFold(parts[0], l.from.Alias) && !namesTable(parts[:len(parts)-1], l.from.Table) {
		return false
	}
	return slices.ContainsFunc(l.key.Columns, func(c *schema.Column) bool { return strings.EqualFold(c.Name, column) })
}

// keyPath joins along the one declared key between the new source and those
// before it.
func (bb *blockBinder) keyPath(src string, s *Source, before []*Source) (Expr, error) {
	if s.Block != nil {
		return nil, fault(src, 0, "a join with the block %s needs a condition", quote(s.Alias)).
			hint("write '%s on …'", clip(s.Alias))
	}
	links := bb.links(s, before)
	switch len(links) {
	case 1:
		return bb.linked(links[0]), nil
	case 0:
		return nil, fault(src, 0, "no declared key joins %s to the tables before it", quote(s.Alias)).hint("%s", bb.bridge(s, before))
	}
	return nil, fault(src, 0, "more than one declared key joins %s to the tables before it", quote(s.Alias)).hint("%s", bb.choices(links, s))
}

// links lists the declared keys that a join can follow. Between tables that the
// caller sees, only keys of visible columns count; a table that is not visible is
// refused by the policy in any case.
func (bb *blockBinder) links(s *Source, before []*Source) []keyLink {
	return slices.DeleteFunc(bb.declared(s, before), func(l keyLink) bool { return !bb.usable(l) })
}

// declared lists the declared keys between s and the sources before it, in both
// directions.
func (bb *blockBinder) declared(s *Source, before []*Source) []keyLink {
	if s.Table == nil {
		return nil
	}
	var out []keyLink
	for _, other := range before {
		if other.Table == nil {
			continue
		}
		for _, k := range other.Table.ForeignKeys {
			if k.RefTable == s.Table {
				out = append(out, keyLink{other, s, k})
			}
		}
		for _, k := range s.Table.ForeignKeys {
			if k.RefTable == other.Table {
				out = append(out, keyLink{s, other, k})
			}
		}
	}
	return out
}

func (b *binder) usable(l keyLink) bool {
	return !b.seesTable(l.from.Table) || !b.seesTable(l.to.Table) || b.seesKey(l.key)
}

func (b *binder) seesKey(k schema.ForeignKey) bool {
	hiddenColumn := func(c *schema.Column) bool { return !b.seesColumn(c) }
	return !slices.ContainsFunc(k.Columns, hiddenColumn) && !slices.ContainsFunc(k.RefColumns, hiddenColumn)
}

// linked is the condition of a key: all of its pairs of columns.
func (bb *blockBinder) linked(l keyLink) Expr {
	var out Expr
	for i, c := range l.key.Columns {
		pair := &Binary{Op: OpEq, T: boolType,
			L: &Column{Source: l.from, Column: c}, R: &Column{Source: l.to, Column: l.key.RefColumns[i]}}
		if out == nil {
			out = pair
			continue
		}
		out = &Binary{Op: OpAnd, T: boolType, L: out, R: pair}
	}
	return out
}

// choices names the keys that a join can follow, as the plan writes them.
func (bb *blockBinder) choices(links []keyLink, s *Source) string {
	var out []string
	for _, l := range links {
		if !bb.seesTable(l.from.Table) || !bb.seesTable(l.to.Table) || !bb.seesKey(l.key) {
			continue
		}
		via := quote("via " + key(&Column{Source: l.from, Column: l.key.Columns[0]}))
		if slices.Contains(out, via) { // the column leads to two occurrences of a table
			return "write 'on " + clip(key(bb.linked(links[0]))) + "' or the like behind the table"
		}
		out = append(out, via)
	}
	if len(out) == 0 {
		return "write '" + clip(s.Alias) + " on …'"
	}
	return "write " + strings.Join(out, " or ") + " behind the table, or a condition with 'on'"
}

// bridge names a visible table that has a key to both sides, or asks for a
// condition.
func (bb *blockBinder) bridge(s *Source, before []*Source) string {
	for _, t := range bb.scope.Catalog.Tables {
		if t == s.Table || !bb.seesTable(t) || !bb.seesTable(s.Table) || !bb.joined(t, s.Table) {
			continue
		}
		for _, other := range before {
			if other.Table != nil && other.Table != t && bb.seesTable(other.Table) && bb.joined(t, other.Table) {
				return quote(t.Name) + " has keys to both: join it before"
			}
		}
	}
	return "write '" + clip(s.Alias) + " on …'"
}

// joined reports whether a visible key leads from one table to the other, in
// either direction.
func (b *binder) joined(t, u *schema.Table) bool {
	leads := func(from, to *schema.Table) bool {
		return slices.ContainsFunc(from.ForeignKeys, func(k schema.ForeignKey) bool { return k.RefTable == to && b.seesKey(k) })
	}
	return leads(t, u) || leads(u, t)
}
