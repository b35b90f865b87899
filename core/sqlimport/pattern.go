package sqlimport

import (
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// like translates a pattern. Plans' like ignores the case of a to z, as SQLite's
// does, and like_case does not, as PostgreSQL's.
func (t *translator) like(n *tree.Like, s *scope) (value, error) {
	x, err := t.expr(n.X, s)
	if err != nil {
		return x, err
	}
	p, err := t.expr(n.Pattern, s)
	if err != nil {
		return p, err
	}
	if x.isNull() || p.isNull() {
		return nullValue(), nil
	}
	if x, err = t.textual(x, n); err != nil {
		return x, err
	}
	if p, err = t.textual(p, n); err != nil {
		return p, err
	}
	v, err := t.matched(n, x, p)
	if err != nil || !n.Not {
		return v, err
	}
	return negate(v), nil
}

func (t *translator) matched(n *tree.Like, x, p value) (value, error) {
	exact := n.Op == "like" && (t.postgres() || t.mysql() && binaryCollation(x.collation))
	switch n.Op {
	case "like", "ilike":
	case "glob":
		pattern, ok := fromGlob(p)
		if !ok {
			return x, t.unsupported(n, "this glob", "plans match with * and ? only")
		}
		p, exact = textValue(pattern), true
	default:
		return x, t.unsupported(n, n.Op, "plans match patterns of like only, since regular expressions differ between databases")
	}
	if n.Op != "glob" {
		escape, err := t.escape(n)
		if err != nil {
			return x, err
		}
		if pattern := p.literal; p.constant && escape != "" && strings.Contains(pattern, escape) {
			return t.escaped(n, x, pattern, escape, exact)
		}
	}
	if exact {
		return fn("like_case", x, p).typed(tBool), nil
	}
	return binary(x, "like", p, powCompare, tBool), nil
}

// binaryCollation reports whether MariaDB compares a column by code points. The
// empty collation is one that does.
func binaryCollation(name string) bool {
	return name == "" || strings.HasSuffix(name, "_bin") || strings.Contains(name, "_cs")
}

// escape is the character that takes a pattern's signs their meaning.
func (t *translator) escape(n *tree.Like) (string, error) {
	if n.Escape == nil {
		if t.sqlite() {
			return "", nil
		}
		return `\`, nil
	}
	l, ok := n.Escape.(*tree.Literal)
	if !ok || l.Kind != tree.Text || len(l.Text) > 1 {
		return "", t.unsupported(n, "this escape", "expected one character")
	}
	return l.Text, nil
}

// fromGlob is the pattern of like for one of glob.
func fromGlob(p value) (string, bool) {
	if !p.constant || p.typ.Kind != wire.KindText || strings.ContainsAny(p.literal, "[]%_") {
		return "", false
	}
	return strings.NewReplacer("*", "%", "?", "_").Replace(p.literal), true
}

// escaped translates a pattern with escaped signs, which plans' like has no way to
// write: one with % at its ends only is a test of a part.
func (t *translator) escaped(n *tree.Like, x value, pattern, escape string, exact bool) (value, error) {
	text, signs := "", []int{}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case string(c) == escape && i+1 < len(pattern):
			i++
			text += pattern[i : i+1]
		case c == '%':
			signs = append(signs, len(text))
		case c == '_':
			return x, t.unsupported(n, "this escaped pattern", "plans have no escape; only one with %% at its ends can be carried over")
		default:
			text += string(c)
		}
	}
	if !strings.ContainsAny(text, "%_") && len(signs) == strings.Count(pattern, "%") {
		signless := strings.ReplaceAll(pattern, escape+escape, escape)
		if !strings.Contains(signless, escape) {
			return binary(x, "like", textValue(signless), powCompare, tBool), nil
		}
	}
	starts, ends, inner := false, false, false
	for _, at := range signs {
		starts = starts || at == 0
		ends = ends || at == len(text)
		inner = inner || at > 0 && at < len(text)
	}
	part := textValue(text)
	switch {
	case inner || exact && (starts || ends):
		if !inner && starts && ends {
			return binary(fn("position", x, part).typed(tInt), ">", intValue(0), powCompare, tBool), nil
		}
		return x, t.unsupported(n, "this escaped pattern", "plans have no escape; only one with %% at its ends can be carried over")
	case starts && ends:
		return fn("contains", x, part).typed(tBool), nil
	case ends:
		return fn("starts_with", x, part).typed(tBool), nil
	case starts:
		return fn("ends_with", x, part).typed(tBool), nil
	}
	if exact {
		return binary(x, "=", part, powCompare, tBool), nil
	}
	return binary(t.folded(x), "=", textValue(lowerASCII(text)), powCompare, tBool), nil
}

// collate reads the one collation that plans have a word for.
func (t *translator) collate(n *tree.Collate, s *scope) (value, error) {
	v, err := t.expr(n.X, s)
	if err != nil {
		return v, err
	}
	switch name := strings.ToLower(n.Name); {
	case name == "nocase", strings.HasSuffix(name, "_ci"):
		v.collation = name
	case name == "binary", name == "c", name == "posix", binaryCollation(name):
		v.collation = ""
	default:
		return v, t.fault(NotPortable, n, "the collation "+n.Name, "plans compare by code point, or without regard to the case of a to z")
	}
	return v, nil
}
