package sqlimport

import (
	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// pairs are the sums over the pairs (y, x) of a group that have no null, in
// PostgreSQL's order of arguments.
type pairs struct {
	n, x, y, xx, xy, yy value
}

// spread is n*sum(ab) - sum(a)*sum(b).
func (p pairs) spread(ab, a, b value) value {
	return binary(binary(p.n, "*", ab, powMul, tFloat), "-", binary(a, "*", b, powMul, tFloat), powAdd, tFloat)
}

func over(a, b value) value { return binary(a, "/", b, powMul, tFloat).mayBeNull() }

// square is n*n.
func (p pairs) square() value { return binary(p.n, "*", p.n, powMul, tFloat) }

// pairStatistics are the statistics of pairs by their formulas. A division by zero
// is null, as each of them is.
var pairStatistics = map[string]func(p pairs) value{
	"regr_count": func(p pairs) value { return p.n },
	"regr_avgx":  func(p pairs) value { return over(p.x, p.n) },
	"regr_avgy":  func(p pairs) value { return over(p.y, p.n) },
	"covar_pop":  func(p pairs) value { return over(p.spread(p.xy, p.x, p.y), p.square()) },
	"covar_samp": func(p pairs) value {
		return over(p.spread(p.xy, p.x, p.y), binary(p.n, "*", binary(p.n, "-", intValue(1), powAdd, tInt), powMul, tFloat))
	},
	"corr": func(p pairs) value {
		return over(p.spread(p.xy, p.x, p.y), binary(fn("sqrt", p.spread(p.xx, p.x, p.x)), "*", fn("sqrt", p.spread(p.yy, p.y, p.y)), powMul, tFloat))
	},
	"regr_slope": func(p pairs) value { return over(p.spread(p.xy, p.x, p.y), p.spread(p.xx, p.x, p.x)) },
	"regr_intercept": func(p pairs) value {
		up := binary(binary(p.y, "*", p.xx, powMul, tFloat), "-", binary(p.x, "*", p.xy, powMul, tFloat), powAdd, tFloat)
		return over(up, p.spread(p.xx, p.x, p.x))
	},
	"regr_r2": func(p pairs) value {
		flat := binary(p.spread(p.yy, p.y, p.y), "=", intValue(0), powCompare, tBool)
		up := p.spread(p.xy, p.x, p.y)
		down := binary(p.spread(p.xx, p.x, p.x), "*", p.spread(p.yy, p.y, p.y), powMul, tFloat)
		part := over(binary(up, "*", up, powMul, tFloat), down)
		some := binary(p.spread(p.xx, p.x, p.x), "<>", intValue(0), powCompare, tBool)
		return choice(tFloat, &part, allOf(flat, some), made("1.0", atom, tFloat, false)).mayBeNull()
	},
}

// ofPairs translates a statistic of pairs.
func (t *translator) ofPairs(n *tree.Call, s *scope) (value, error) {
	args := make([]value, 2)
	for i, e := range n.Args {
		v, err := t.expr(e, s)
		if err != nil {
			return v, err
		}
		if v, err = t.numeric(v, n); err != nil {
			return v, err
		}
		if v.isNull() || v.constant {
			return v, t.unsupported(n, n.Name, "plans compare two columns there")
		}
		args[i] = v
	}
	whole := allOf(notNull(args[0]), notNull(args[1])).text
	if n.Filter != nil {
		own, err := t.condition(n.Filter, s)
		if err != nil {
			return value{}, err
		}
		whole += " and (" + own + ")"
	}
	filter := " filter (where " + whole + ")"
	y, x := double(args[0]), double(args[1])
	sum := func(v value) value { return made("sum("+v.text+")"+filter, atom, tFloat, true) }
	times := func(a, b value) value { return binary(a, "*", b, powMul, tFloat) }
	p := pairs{n: made("count(*)"+filter, atom, tInt, false), x: sum(x), y: sum(y), xx: sum(times(x, x)), xy: sum(times(x, y)), yy: sum(times(y, y))}
	return pairStatistics[n.Name](p), nil
}

// double is a number as a float.
func double(v value) value {
	if v.typ.Kind == wire.KindFloat {
		return v
	}
	return made("cast("+v.text+" as float)", atom, tFloat, v.nullable)
}

// mode is the value that most rows of the group have; the least of several.
func (t *translator) mode(n *tree.Call, s *scope) (value, error) {
	fail := t.unsupported(n, "mode", "plans find the most frequent value of one column in the groups of a plain select")
	if len(n.Args) != 0 || len(n.Order) != 1 || s.selecting == nil || s.export != nil {
		return value{}, fail
	}
	around := s.selecting
	x, err := t.expr(n.Order[0].Expr, s)
	if err != nil {
		return x, err
	}
	keys, err := around.keys()
	if err != nil {
		return x, err
	}
	c := wire.Clauses{From: around.c.From, Joins: around.c.Joins, Where: both(around.c.Where, notNull(x).text)}
	if n.Filter != nil {
		cond, err := t.condition(n.Filter, s)
		if err != nil {
			return x, err
		}
		c.Where = both(c.Where, cond)
	}
	var columns []column
	for i, v := range append(keys, x) {
		label := "c" + itoa(i+1)
		c.Group = append(c.Group, v.text)
		c.Select = append(c.Select, v.text+" as "+quoteName(label))
		columns = append(columns, column{name: label, label: label, value: v})
	}
	c.Select = append(c.Select, "count(*) as `n`")
	counted := t.add("", c, columns)
	top := wire.Clauses{From: quoteName(counted.block), Order: []string{"`n` desc"}, Limit: 1}
	for i, col := range columns {
		text := quoteName(counted.block) + "." + quoteName(col.label)
		top.Select = append(top.Select, text+" as "+quoteName(col.label))
		if i < len(keys) {
			top.Per = append(top.Per, text)
			continue
		}
		if n.Order[0].Desc {
			text += " desc"
		}
		top.Order = append(top.Order, text)
	}
	if len(keys) == 0 {
		// Its rows are one group, whatever else is selected.
		around.c.Having = both(around.c.Having, "count(*) >= 0")
	}
	return around.lookedUp(t.add("", top, columns), keys, columns[len(keys)], x), nil
}
