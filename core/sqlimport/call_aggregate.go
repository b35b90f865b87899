package sqlimport

import (
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// aggregate translates a call over the rows of a group.
func (t *translator) aggregate(n *tree.Call, s *scope) (value, error) {
	v, err := t.inside(s, func() (value, error) { return t.aggregateCall(n, s) })
	if err != nil {
		return v, err
	}
	if n.Name == "total" {
		v = fn("coalesce", v, intValue(0)).typed(tFloat)
		v.nullable = false
	}
	return v, nil
}

// inside translates what stands in an aggregate, where columns are those of rows.
func (t *translator) inside(s *scope, do func() (value, error)) (value, error) {
	for at := s; at != nil; at = at.parent {
		if (at.replaced != nil || at.absent != nil) && !at.inside {
			at.inside = true
			defer func() { at.inside = false }()
			break
		}
	}
	return do()
}

// planAggregates are the names that plans have for aggregates.
var planAggregates = map[string]string{
	"count": "count", "sum": "sum", "total": "sum", "avg": "avg", "min": "min", "max": "max",
	"stddev": "stddev", "stddev_samp": "stddev", "variance": "variance", "var_samp": "variance", "median": "median",
	"percentile_cont": "percentile", "group_concat": "string_agg", "string_agg": "string_agg", "listagg": "string_agg",
	"bool_and": "bool_and", "every": "bool_and", "bool_or": "bool_or",
}

func (t *translator) aggregateCall(n *tree.Call, s *scope) (value, error) {
	if sample := populations[n.Name]; sample != "" || t.mysql() && (n.Name == "stddev" || n.Name == "variance") {
		return t.population(n, s)
	}
	if pairStatistics[n.Name] != nil && len(n.Args) == 2 && !n.Distinct {
		return t.ofPairs(n, s)
	}
	if n.Name == "mode" && n.Within {
		return t.mode(n, s)
	}
	name, ok := planAggregates[n.Name]
	if !ok {
		return value{}, t.unsupported(n, "the aggregate "+n.Name, "plans have no such aggregate")
	}
	filter, err := t.filter(n, s)
	if err != nil {
		return value{}, err
	}
	if n.Star || name == "count" && len(n.Args) == 0 {
		v := made("count(*)"+filter, atom, tInt, false)
		v.big = true
		return v, nil
	}
	var args []value
	for _, e := range n.Args {
		v, err := t.expr(e, s)
		if err != nil {
			return v, err
		}
		args = append(args, v)
	}
	switch {
	case n.Within:
		return t.percentile(n, args, filter, s)
	case name == "string_agg":
		return t.joined(n, args, filter, s)
	case name == "count" && len(args) > 1:
		return t.countRows(n, args, filter)
	case len(args) != 1:
		return value{}, t.unsupported(n, "this call of "+n.Name, "plans take one argument there")
	}
	return t.plainAggregate(n, name, args[0], filter)
}

// populations are the aggregates over a whole population, by those over a sample.
var populations = map[string]string{"stddev_pop": "stddev", "var_pop": "variance"}

// population is the variance or the deviation of a population, from that of a
// sample: of one number it is 0.
func (t *translator) population(n *tree.Call, s *scope) (value, error) {
	count, sample := *n, *n
	count.Name, sample.Name = "count", "var_samp"
	c, err := t.aggregateCall(&count, s)
	if err != nil {
		return c, err
	}
	v, err := t.aggregateCall(&sample, s)
	if err != nil {
		return v, err
	}
	out := binary(binary(v, "*", binary(c, "-", intValue(1), powAdd, tInt), powMul, tFloat), "/", c, powMul, tFloat)
	if strings.HasPrefix(n.Name, "std") {
		out = fn("sqrt", out).typed(tFloat)
	}
	return choice(tFloat, &out, binary(c, "=", intValue(1), powCompare, tBool), intValue(0)).mayBeNull(), nil
}

func (t *translator) filter(n *tree.Call, s *scope) (string, error) {
	if n.Filter == nil {
		return "", nil
	}
	cond, err := t.condition(n.Filter, s)
	return " filter (where " + cond + ")", err
}

func (t *translator) plainAggregate(n *tree.Call, name string, x value, filter string) (value, error) {
	var err error
	switch name {
	case "sum", "avg", "stddev", "variance", "median":
		if x.isNull() {
			return nullValue(), nil
		}
		if x, err = t.numeric(x, n); err != nil {
			return x, err
		}
	case "bool_and", "bool_or":
		if x, err = t.truth(x, n); err != nil {
			return x, err
		}
	case "min", "max":
		if x.isNull() {
			return nullValue(), nil
		}
		if x.typ.Kind == wire.KindBool {
			x = t.asNumber(x)
		}
	}
	distinct := ""
	if n.Distinct {
		distinct = "distinct "
		if name == "count" {
			x = t.sorted(x)
		}
	}
	if name == "count" && x.isNull() {
		return intValue(0), nil
	}
	if name == "count" && !n.Distinct && x.typ.Kind == wire.KindBool && !x.nullable {
		return made("count(*)"+filter, atom, tInt, false), nil
	}
	out := fn(name, x)
	out.text = name + "(" + distinct + x.text + ")" + filter
	out.nullable = name != "count"
	out.affinity = x.affinity && (name == "min" || name == "max")
	if name == "min" || name == "max" {
		out.collation, out.asText, out.scale = x.collation, x.asText, x.scale
	}
	if t.mysql() && name == "avg" && digits(x) >= 0 {
		out.scale = digits(x) + 4
	}
	if name == "sum" {
		out.typ, out.scale = x.typ, x.scale
		if x.big && t.postgres() {
			out.typ = wire.Type{Kind: wire.KindDecimal, Precision: 38}
		}
		out.big = x.typ.Kind == wire.KindInt
		if x.typ.Kind == wire.KindDecimal {
			out.typ = wire.Type{Kind: wire.KindDecimal, Precision: 38, Scale: x.typ.Scale}
		}
	}
	return out, nil
}

// countRows is MariaDB's count(distinct a, b), which skips rows with a null.
func (t *translator) countRows(n *tree.Call, args []value, filter string) (value, error) {
	if !n.Distinct || filter != "" {
		return value{}, t.unsupported(n, "this count", "plans count one column")
	}
	var out value
	for i, a := range args {
		x, err := t.textual(a, n)
		if err != nil {
			return x, err
		}
		x = t.sorted(x)
		sized := binary(binary(fn("text", fn("length", x).typed(tInt)).typed(tText), "||", textValue(":"), powConcat, tText), "||", x, powConcat, tText)
		if i == 0 {
			out = sized
			continue
		}
		out = binary(out, "||", sized, powConcat, tText)
	}
	return made("count(distinct "+out.text+")", atom, tInt, false), nil
}

// percentile is percentile_cont(p) within group (order by x).
func (t *translator) percentile(n *tree.Call, args []value, filter string, s *scope) (value, error) {
	if n.Name != "percentile_cont" || len(args) != 1 || len(n.Order) != 1 {
		return value{}, t.unsupported(n, n.Name+" within group", "plans have percentile_cont over one number")
	}
	x, err := t.expr(n.Order[0].Expr, s)
	if err != nil {
		return x, err
	}
	p := args[0]
	if n.Order[0].Desc {
		return x, t.unsupported(n, "percentile_cont in descending order", "plans count from below; write 1 minus the part")
	}
	out := made("percentile("+x.text+", "+p.text+")"+filter, atom, tFloat, true)
	return out, nil
}

// joined joins texts of a group. Without an order of its own SQL joins them as it
// finds them; plans need one.
func (t *translator) joined(n *tree.Call, args []value, filter string, s *scope) (value, error) {
	if len(args) == 0 || len(args) > 2 {
		return value{}, t.unsupported(n, "this call of "+n.Name, "plans take a text and a separator")
	}
	x, err := t.textual(args[0], n)
	if err != nil {
		return x, err
	}
	list := []string{x.text}
	if n.Distinct {
		list[0] = "distinct " + x.text
	}
	if len(args) == 2 {
		if !args[1].constant {
			return x, t.unsupported(n, "this separator", "plans take a constant")
		}
		list = append(list, args[1].text)
	}
	order, err := t.terms(n.Order, s)
	if err != nil {
		return x, err
	}
	if n.Distinct && len(order) == 1 && (args[0].typ.Kind == wire.KindBool || args[0].typ.Kind == wire.KindText) {
		// Distinct texts are ordered by themselves.
		order[0] = x.text + t.direction(n.Order[0], x)
	}
	if len(n.Order) == 0 && !n.Distinct {
		order = t.natural(s)
		t.note("%s without an order joins its texts in the order of the keys of their rows; SQL promises none.", n.Name)
	}
	if len(order) > 0 {
		list[len(list)-1] += " order by " + strings.Join(order, ", ")
	}
	return made("string_agg("+strings.Join(list, ", ")+")"+filter, atom, tText, true), nil
}

// natural is the order in which a database finds rows in all likelihood.
func (t *translator) natural(s *scope) []string {
	var out []string
	for ; s != nil && len(s.sources) == 0; s = s.parent {
	}
	if s == nil {
		return nil
	}
	for _, src := range s.sources {
		for _, o := range src.order {
			out = append(out, src.value(o.column).text+o.direction)
		}
		if src.table == nil {
			continue
		}
		for _, k := range src.table.PrimaryKey {
			if c, ok := src.column(k.Name); ok {
				out = append(out, s.through(src.value(c)).text)
			}
		}
	}
	return out
}

// terms translates the ordering terms inside a call.
func (t *translator) terms(list []tree.Term, s *scope) ([]string, error) {
	var out []string
	for _, term := range list {
		v, err := t.expr(term.Expr, s)
		if err != nil {
			return nil, err
		}
		if v.constant || v.isNull() {
			continue
		}
		if v.typ.Kind == wire.KindBool {
			v = t.asNumber(v)
		}
		v = t.sorted(v)
		out = append(out, v.text+t.direction(term, v))
	}
	return out, nil
}
