package sqlimport

import (
	"slices"
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// aggregateNames are the aggregates of the three flavours.
var aggregateNames = words(`count sum total avg min max group_concat string_agg listagg array_agg stddev stddev_samp stddev_pop std
	variance var_samp var_pop median percentile_cont percentile_disc mode bool_and bool_or every bit_and bit_or bit_xor
	json_agg jsonb_agg json_group_array json_group_object json_arrayagg json_objectagg corr any_value
	covar_pop covar_samp regr_slope regr_intercept regr_r2 regr_count regr_avgx regr_avgy`)

func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

// isAggregate reports whether e itself is a call of an aggregate over a group.
// SQLite's min and max of several arguments are none.
func isAggregate(e tree.Expr) bool {
	c, ok := e.(*tree.Call)
	if !ok || c.Over != nil || !aggregateNames[c.Name] {
		return false
	}
	return c.Name != "min" && c.Name != "max" || len(c.Args) < 2
}

func hasAggregate(e tree.Expr) bool { return tree.Find(e, isAggregate) }

// bare handles columns that are read outside of aggregates and are no keys. One
// that the keys determine is fine; SQLite takes others from the row that has the
// one minimum or maximum, and anything else is up to the database.
func (s *selecting) bare() error {
	if !s.aggregated() || s.scope.export != nil {
		return nil
	}
	open, err := s.undetermined()
	if err != nil || len(open) == 0 {
		return err
	}
	extreme, ok := s.extreme()
	if !s.t.sqlite() || !ok {
		n := open[0].name
		return s.t.fault(NotPortable, n, "the column "+strings.Join(n.Parts, "."),
			"it is neither grouped nor inside an aggregate, and the grouped columns do not determine it: the database may take it from any row")
	}
	if err := s.fromExtreme(extreme, open); err != nil {
		return err
	}
	s.names, s.items, s.exprs = nil, nil, nil
	return s.list()
}

// bareColumn is a column that is read beside aggregates.
type bareColumn struct {
	name  *tree.Name
	value value
}

// undetermined lists the bare columns that the keys do not determine.
func (s *selecting) undetermined() ([]bareColumn, error) {
	var found []bareColumn
	seen := map[string]bool{}
	for _, g := range s.c.Group {
		seen[g] = true
	}
	var visit func(e tree.Expr) error
	visit = func(e tree.Expr) error {
		if e == nil || isAggregate(e) || s.lacks(e) {
			return nil
		}
		if n, ok := e.(*tree.Name); ok {
			v, ok, err := s.t.find(s.scope, n)
			if ok && err == nil && !seen[v.text] {
				seen[v.text] = true
				found = append(found, bareColumn{n, v})
			}
			return err
		}
		if v, err := s.t.trial(e, s.scope); err == nil && seen[v.text] {
			return nil
		}
		for _, c := range tree.Children(e) {
			if err := visit(c); err != nil {
				return err
			}
		}
		return nil
	}
	for _, e := range s.exprs {
		if err := visit(e); err != nil {
			return nil, err
		}
	}
	for _, e := range s.read()[len(s.n.Items):] {
		if _, isPlace, _ := s.t.ordinal(e, len(s.items)); !isPlace && !s.aliased(e) {
			if err := visit(e); err != nil {
				return nil, err
			}
		}
	}
	return s.open(found), nil
}

// lacks reports whether e is a key that the grouping set at hand does not have.
func (s *selecting) lacks(e tree.Expr) bool {
	if !s.scope.nulled {
		return false
	}
	v, err := s.t.trial(e, s.scope)
	return err == nil && v.isNull()
}

// aliased reports whether e is an alias of the select list.
func (s *selecting) aliased(e tree.Expr) bool {
	_, ok := s.named(e)
	return ok
}

// open leaves out the columns that the keys determine, as the binder sees it.
func (s *selecting) open(found []bareColumn) []bareColumn {
	if len(s.c.Group) == 0 {
		return found
	}
	var out []bareColumn
	for _, b := range found {
		if !s.binds(b.value.text) && s.binds(s.c.Group[0]) {
			out = append(out, b)
		}
	}
	return out
}

// binds reports whether a column can be selected beside the keys.
func (s *selecting) binds(text string) bool {
	c := wire.Clauses{From: s.c.From, Joins: s.c.Joins, Where: s.c.Where, Group: s.c.Group, Select: []string{text}}
	_, err := plan.Bind(wire.Plan{With: s.t.blocks, Clauses: c}, s.t.planScope())
	return err == nil
}

// trial translates an expression and leaves no trace of it.
func (t *translator) trial(e tree.Expr, s *scope) (value, error) {
	m := t.mark()
	v, err := t.expr(e, s)
	t.back(m)
	return v, err
}

// extreme is the one min or max of a select.
func (s *selecting) extreme() (*tree.Call, bool) {
	var found *tree.Call
	text := ""
	many := false
	for _, e := range s.read() {
		tree.Find(e, func(x tree.Expr) bool {
			c, ok := x.(*tree.Call)
			if !ok || !isAggregate(c) || c.Name != "min" && c.Name != "max" || len(c.Args) != 1 {
				return false
			}
			v, err := s.t.trial(c, s.scope)
			many = many || err != nil || found != nil && v.text != text
			found, text = c, v.text
			return false
		})
	}
	return found, found != nil && !many
}

// fromExtreme reads bare columns from the row with the extreme value of its group.
func (s *selecting) fromExtreme(call *tree.Call, open []bareColumn) error {
	t := s.t
	x, err := t.expr(call.Args[0], s.scope)
	if err != nil {
		return err
	}
	c := wire.Clauses{From: s.c.From, Joins: s.c.Joins, Where: s.c.Where, Per: s.c.Group, Limit: 1}
	if call.Filter != nil {
		cond, err := t.condition(call.Filter, s.scope)
		if err != nil {
			return err
		}
		c.Where = both(c.Where, cond)
	}
	x = t.sorted(x)
	c.Order = []string{x.text}
	if call.Name == "max" {
		c.Order[0] += " desc"
	}
	c.Order = append(c.Order, t.natural(s.scope)...)
	var columns []column
	pick := func(v value) {
		label := "c" + itoa(len(columns)+1)
		c.Select = append(c.Select, v.text+" as "+quoteName(label))
		columns = append(columns, column{name: label, label: label, value: v})
	}
	var keys []value
	for _, e := range s.n.Group {
		k, err := s.key(e)
		if err != nil {
			return err
		}
		if !k.constant {
			keys = append(keys, k)
			pick(k)
		}
	}
	for _, b := range open {
		pick(b.value)
	}
	rel := t.add("", c, columns)
	s.scope.replaced = map[string]value{}
	for i, b := range open {
		s.scope.replaced[b.value.text] = s.lookedUp(rel, keys, columns[len(keys)+i], b.value)
	}
	return nil
}

// lookedUp reads a column of a block that has one row for each group.
func (s *selecting) lookedUp(rel *relation, keys []value, c column, v value) value {
	src := &source{relation: rel, alias: rel.block}
	got := src.value(c)
	if len(keys) == 0 {
		one := s.t.add("", wire.Clauses{From: quoteName(rel.block), Select: []string{quoteName(c.label)}, Limit: 1}, []column{c})
		v.text, v.power, v.nullable = "scalar("+one.block+")", atom, true
		return v
	}
	conds := make([]value, len(keys))
	for i, k := range keys {
		conds[i] = sameKey(src.value(rel.columns[i]), k)
	}
	if !columnsAll(keys) {
		// PostgreSQL finds no expression that is grouped by in a query within.
		join := "left " + quoteName(rel.block) + " on " + allOf(conds...).text
		if !slices.Contains(s.c.Joins, join) {
			s.c.Joins = append(s.c.Joins, join)
		}
		v.text, v.power, v.nullable = s.t.one(got).text, s.t.one(got).power, true
		return v
	}
	v.text, v.power, v.nullable = "scalar("+rel.block+", "+s.t.one(got).text+", "+allOf(conds...).text+")", atom, true
	return v
}

// columnsAll reports whether the values are columns and nothing else.
func columnsAll(list []value) bool {
	for _, v := range list {
		if !strings.HasPrefix(v.text, "`") || !strings.HasSuffix(v.text, "`") || strings.Count(strings.ReplaceAll(v.text, "``", ""), "`") != 4 {
			return false
		}
	}
	return true
}

// one is the value of a column where there is one row.
func (t *translator) one(v value) value {
	if v.typ.Kind == wire.KindBool {
		return binary(fn("max", t.asNumber(v)), "=", intValue(1), powCompare, tBool)
	}
	return fn("max", v)
}

// orderDistinct makes distinct rows that are ordered by what they do not show
// groups, where what they show determines it.
func (s *selecting) orderDistinct() error {
	shown := map[string]bool{}
	for _, v := range s.items {
		shown[v.text] = true
	}
	hidden := false
	for i, text := range s.c.Order {
		if s.orderedByPlace(i) {
			continue
		}
		text = strings.TrimSuffix(strings.TrimSuffix(text, " nulls first"), " desc")
		hidden = hidden || !shown[text]
	}
	if !hidden {
		return nil
	}
	fail := s.t.fault(NotPortable, s.n, "distinct with this order", "its rows are ordered by what they do not show, and one of them may stand for rows that differ in it")
	if s.aggregated() {
		return fail
	}
	for _, v := range s.items {
		if !v.constant {
			s.c.Group = append(s.c.Group, v.text)
		}
	}
	s.c.Distinct = false
	if len(s.c.Group) == 0 {
		return fail
	}
	for i, text := range s.c.Order {
		text = strings.TrimSuffix(strings.TrimSuffix(text, " nulls first"), " desc")
		if !s.orderedByPlace(i) && !s.binds(text) {
			return fail
		}
	}
	return nil
}

func (s *selecting) orderedByPlace(i int) bool {
	text := strings.TrimSuffix(strings.TrimSuffix(s.c.Order[i], " nulls first"), " desc")
	return strings.Trim(text, "0123456789") == ""
}

// distinctOn keeps the first row of each group in a block and orders those.
func (s *selecting) distinctOn(parent *scope) (wire.Clauses, []column, error) {
	c := s.c
	for _, e := range s.n.DistinctOn {
		v, err := s.key(e)
		if err != nil {
			return c, nil, err
		}
		c.Per = append(c.Per, v.text)
	}
	c.Limit = 1
	columns := s.t.label(&c, s.names, s.items)
	var terms []string
	for i, text := range s.c.Order {
		rest := strings.TrimPrefix(text, strings.TrimSuffix(strings.TrimSuffix(text, " nulls first"), " desc"))
		key := strings.TrimSuffix(text, rest)
		if s.orderedByPlace(i) {
			terms = append(terms, key+rest)
			continue
		}
		label := "order " + itoa(i+1)
		c.Select = append(c.Select, key+" as "+quoteName(label))
		terms = append(terms, "`r`."+quoteName(label)+rest)
	}
	rel := s.t.add("", c, columns)
	out, got, err := s.t.readAll(rel, &tree.Query{Pos: s.q.Pos, Limit: s.q.Limit, Offset: s.q.Offset}, parent)
	out.Order = terms
	return out, got, err
}
