package plan

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"querent.dev/querent/core/schema"
)

// sourceText is a table clause behind its name: what the name stands for, and
// where the rest of the clause begins.
type sourceText struct {
	table *schema.Table
	block *Block
	rest  int
}

// findSource reads the NAME at offset from of a table clause: the longest that a
// block or a table has, visible ones before others.
func (b *binder) findSource(src string, from int) (sourceText, error) {
	from += len(src[from:]) - len(strings.TrimLeft(src[from:], " \t\r\n"))
	if from < len(src) && (src[from] == '`' || src[from] == '"' || src[from] == '(') {
		return b.quotedSource(src, from)
	}
	matches := b.matches(src, from)
	switch {
	case len(matches) > 0:
		return b.pick(src, from, matches)
	case strings.Contains(firstWord(src[from:]), ".`"):
		return b.quotedSource(src, from)
	}
	return sourceText{}, b.unknownTable(src, from, firstWord(src[from:]))
}

// matches lists the tables and blocks whose name the clause begins with.
func (b *binder) matches(src string, from int) []sourceText {
	var out []sourceText
	for _, block := range b.blocks {
		if n, ok := beginsWith(src[from:], block.Name); ok {
			out = append(out, sourceText{block: block, rest: from + n})
		}
	}
	for _, t := range b.scope.Catalog.Tables {
		n, ok := beginsWith(src[from:], t.ID())
		if !ok {
			n, ok = beginsWith(src[from:], t.Name)
		}
		if ok {
			out = append(out, sourceText{table: t, rest: from + n})
		}
	}
	return out
}

// beginsWith reports whether text begins with the name, in any case, as whole
// words, and how many bytes of text that is.
func beginsWith(text, name string) (int, bool) {
	n := 0
	for _, want := range name {
		got, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || !strings.EqualFold(string(got), string(want)) {
			return 0, false
		}
		n += size
	}
	next, _ := utf8.DecodeRuneInString(text[n:])
	return n, n > 0 && (n == len(text) || !inName(next) && next != '.')
}

// pick chooses among the readings of a name: visible before others, then the
// longest, then blocks before tables. Two tables that are left share a name.
func (b *binder) pick(src string, from int, found []sourceText) (sourceText, error) {
	if visible := slices.DeleteFunc(slices.Clone(found), func(s sourceText) bool { return !b.seesSource(s) }); len(visible) > 0 {
		found = visible
	}
	slices.SortStableFunc(found, func(x, y sourceText) int { return cmp.Compare(y.rest, x.rest) })
	best := found[0]
	ties := slices.DeleteFunc(slices.Clone(found), func(s sourceText) bool { return s.rest < best.rest || s.table == nil })
	switch {
	case best.block != nil:
		return best, nil
	case !b.seesSource(best):
		b.denied = true
		return best, nil
	case len(ties) > 1:
		return b.tie(src, from, best.rest, ties)
	}
	return best, nil
}

// tie decides between tables whose names are written alike: the one that is
// written exactly, else none.
func (b *binder) tie(src string, from, to int, ties []sourceText) (sourceText, error) {
	text := src[from:to]
	exact := slices.DeleteFunc(slices.Clone(ties), func(s sourceText) bool { return s.table.ID() != text && s.table.Name != text })
	byID := slices.DeleteFunc(slices.Clone(exact), func(s sourceText) bool { return s.table.ID() != text })
	switch {
	case len(byID) == 1:
		return byID[0], nil
	case len(exact) == 1:
		return exact[0], nil
	}
	names := make([]string, len(ties))
	for i, s := range ties {
		names[i] = clip(tableText(s.table))
	}
	return sourceText{}, fault(src, from, "%s can be more than one table", quote(text)).hint("write one of %s", strings.Join(names, ", "))
}

// quotedSource reads a name in backticks, with or without its schema.
func (b *binder) quotedSource(src string, from int) (sourceText, error) {
	p := &clauseParser{lex: lexer{src: src, at: from}}
	p.advance()
	if p.tok.is("(") {
		return sourceText{}, p.unexpected("the name of a table").hint("a sub-query is a block of \"with\", which is named here")
	}
	if p.tok.kind != tokenQuoted && p.tok.kind != tokenWord {
		return sourceText{}, p.unexpected("the name of a table")
	}
	var parts []string
	end := from
	for {
		if p.tok.kind != tokenQuoted && p.tok.kind != tokenWord {
			return sourceText{}, p.unexpected("a name after '.'")
		}
		end = p.tok.end
		parts = append(parts, p.advance().text)
		if !p.accept(".") {
			break
		}
	}
	var found []sourceText
	if block, ok := b.block(parts[0]); ok && len(parts) == 1 {
		found = append(found, sourceText{block: block, rest: end})
	}
	for _, t := range b.scope.Catalog.Tables {
		if namesTable(parts, t) {
			found = append(found, sourceText{table: t, rest: end})
		}
	}
	if len(found) == 0 {
		return sourceText{}, b.unknownTable(src, from, strings.Join(parts, "."))
	}
	return b.pickQuoted(src, from, end, parts, found)
}

// pickQuoted prefers the spelling of the catalog where case alone differs.
func (b *binder) pickQuoted(src string, from, end int, parts []string, found []sourceText) (sourceText, error) {
	exact := slices.DeleteFunc(slices.Clone(found), func(s sourceText) bool {
		return s.table != nil && (s.table.Name != parts[len(parts)-1] || len(parts) == 2 && s.table.Schema != parts[0])
	})
	if len(exact) > 0 {
		found = exact
	}
	return b.pick(src[:end], from, found)
}

// namesTable reports whether the parts are [schema,] table, in any case.
func namesTable(parts []string, t *schema.Table) bool {
	switch len(parts) {
	case 1:
		return strings.EqualFold(parts[0], t.Name)
	case 2:
		return strings.EqualFold(parts[0], t.Schema) && strings.EqualFold(parts[1], t.Name)
	}
	return false
}

func (b *binder) seesTable(t *schema.Table) bool {
	return b.scope.Visible == nil || b.scope.Visible.Table(t)
}

func (b *binder) seesColumn(c *schema.Column) bool {
	return b.scope.Visible == nil || b.scope.Visible.Column(c)
}

func (b *binder) seesSource(s sourceText) bool { return s.table == nil || b.seesTable(s.table) }

func (b *binder) unknownTable(src string, from int, name string) error {
	if name == "" {
		return fault(src, from, "the name of a table is missing")
	}
	names := b.blockNames()
	for _, t := range b.scope.Catalog.Tables {
		if b.seesTable(t) {
			names = append(names, b.scope.Catalog.PlanName(t))
		}
	}
	err := fault(src, from, "there is no table or earlier block %s", quote(name))
	if strings.ContainsAny(name, ",(") || strings.EqualFold(name, "select") {
		return err.hint("one table stands in \"from\" and one in each entry of \"joins\"; a sub-query is a block of \"with\"")
	}
	return err.hint("%s", suggest(name, names))
}

// firstWord is what a clause seems to name.
func firstWord(text string) string {
	if i := strings.IndexAny(text, " \t\r\n"); i >= 0 {
		return text[:i]
	}
	return text
}
