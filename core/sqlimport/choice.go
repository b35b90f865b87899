package sqlimport

import (
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
)

// in tests membership. A null among the values makes "not in" never true.
func (t *translator) in(n *tree.In, s *scope) (value, error) {
	if n.Query != nil {
		return t.inQuery(n, s)
	}
	if row, ok := n.X.(*tree.Row); ok {
		return t.rowIn(n, row, s)
	}
	x, err := t.expr(n.X, s)
	if err != nil {
		return x, err
	}
	var tests, plain []value
	for _, e := range n.List {
		y, err := t.expr(e, s)
		if err != nil {
			return x, err
		}
		if y.isNull() && n.Not {
			return made("null", atom, tNull, true), nil
		}
		if y.isNull() {
			continue
		}
		test, err := t.compare("=", x, y, e)
		if err != nil {
			return x, err
		}
		tests = append(tests, test)
		if prefix := x.in(powCompare+1) + " = "; strings.HasPrefix(test.text, prefix) {
			plain = append(plain, made(strings.TrimPrefix(test.text, prefix), atom, y.typ, y.nullable))
		}
	}
	out := boolValue(false)
	if len(plain) == len(tests) && len(tests) > 0 {
		texts := make([]string, len(plain))
		for i, p := range plain {
			texts[i] = p.text
		}
		out = made(x.in(powCompare+1)+" in ("+strings.Join(texts, ", ")+")", powCompare, tBool, x.nullable)
	} else if len(tests) > 0 {
		out = anyOf(tests...)
	}
	if n.Not {
		return negate(out), nil
	}
	return out, nil
}

// rowIn tests a row of values against rows.
func (t *translator) rowIn(n *tree.In, row *tree.Row, s *scope) (value, error) {
	var tests []value
	for _, e := range n.List {
		v, err := t.binary(&tree.Binary{Pos: n.Pos, Op: "=", L: row, R: e}, s)
		if err != nil {
			return v, err
		}
		tests = append(tests, v)
	}
	if n.Not {
		return negate(anyOf(tests...)), nil
	}
	return anyOf(tests...), nil
}

func (t *translator) caseOf(n *tree.Case, s *scope) (value, error) {
	var operand value
	var err error
	if n.Operand != nil {
		if operand, err = t.expr(n.Operand, s); err != nil {
			return operand, err
		}
	}
	var conds, results []value
	for _, w := range n.Whens {
		c, err := t.expr(w.Cond, s)
		if err != nil {
			return c, err
		}
		if n.Operand != nil {
			c, err = t.compare("=", operand, c, w.Cond)
		} else {
			c, err = t.truth(c, w.Cond)
		}
		if err != nil {
			return c, err
		}
		r, err := t.expr(w.Then, s)
		if err != nil {
			return r, err
		}
		conds, results = append(conds, c), append(results, r)
	}
	if n.Else != nil {
		r, err := t.expr(n.Else, s)
		if err != nil {
			return r, err
		}
		results = append(results, r)
	}
	return t.chosen(conds, results, n)
}

// chosen is a case of conditions and results; a result more is the else.
func (t *translator) chosen(conds, results []value, n tree.Expr) (value, error) {
	results, typ, err := t.unified(results, n)
	if err != nil {
		return value{}, err
	}
	var otherwise *value
	if len(results) > len(conds) {
		otherwise = &results[len(conds)]
	}
	var pairs []value
	scale := unscaled
	for i, c := range conds {
		if c.isNull() {
			c = boolValue(false)
		}
		pairs = append(pairs, c, results[i])
		scale = max(scale, results[i].scale)
	}
	out := choice(typ, otherwise, pairs...)
	out.scale = scale
	return out, nil
}
