package sqlimport

import (
	"strings"
	"unicode/utf8"

	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// selecting is a select on its way into clauses.
type selecting struct {
	t     *translator
	n     *tree.Select
	q     *tree.Query // the order and the limit around it
	scope *scope
	c     wire.Clauses
	names []column // of the items
	items []value
	exprs []tree.Expr // of the items; nil for what a star stands for
}

// selectClauses translates a select with the order and the limit around it.
func (t *translator) selectClauses(n *tree.Select, q *tree.Query, parent *scope) (wire.Clauses, []column, error) {
	if len(n.Sets) > 0 {
		return t.groupingSets(n, q, parent)
	}
	n = seriesInFrom(n)
	s := &selecting{t: t, n: n, q: q, scope: &scope{parent: parent, items: n.Items, windows: n.Windows}}
	s.scope.selecting = s
	moved, err := t.from(n.From, s.scope, &s.c)
	if err != nil {
		return s.c, nil, err
	}
	where := append(moved, conjuncts(n.Where)...)
	if len(where) > 0 {
		if s.c.Where, err = t.condition(conjunction(where), s.scope); err != nil {
			return s.c, nil, err
		}
	}
	for _, step := range []func() error{s.list, s.group, s.bare, s.having, s.order} {
		if err := step(); err != nil {
			return s.c, nil, err
		}
	}
	return s.finish(parent)
}

// list translates the select list.
func (s *selecting) list() error {
	for _, item := range s.n.Items {
		if star, ok := item.Expr.(*tree.Star); ok {
			if err := s.star(star); err != nil {
				return err
			}
			continue
		}
		v, err := s.t.expr(item.Expr, s.scope)
		if err != nil {
			return err
		}
		name := item.Alias
		if name == "" {
			name = itemName(item)
		}
		s.take(name, v, item.Expr)
	}
	return nil
}

func itemName(item tree.Item) string {
	if n, ok := item.Expr.(*tree.Name); ok {
		return n.Parts[len(n.Parts)-1]
	}
	return item.Text
}

func (s *selecting) take(name string, v value, e tree.Expr) {
	s.names = append(s.names, column{name: name})
	s.items = append(s.items, v)
	s.exprs = append(s.exprs, e)
}

// star spells out * and t.*. The columns of using come first, once.
func (s *selecting) star(n *tree.Star) error {
	known := n.Table == "" && len(s.scope.sources) > 0
	if n.Table == "" {
		for _, name := range s.scope.order {
			s.take(name, s.scope.merged[strings.ToLower(name)], &tree.Name{Pos: n.Pos, Parts: []string{name}})
		}
	}
	for _, src := range s.scope.sources {
		if n.Table != "" && !strings.EqualFold(src.name, n.Table) {
			continue
		}
		known = true
		for _, c := range src.columns {
			if _, merged := s.scope.merged[strings.ToLower(c.name)]; c.hidden || merged && n.Table == "" {
				continue
			}
			s.take(c.name, src.value(c), &tree.Name{Pos: n.Pos, Parts: []string{src.name, c.name}})
		}
	}
	if !known {
		return s.t.fault(UnknownName, n, "the table "+n.Table, "it is not in from")
	}
	return nil
}

// group translates the keys.
func (s *selecting) group() error {
	constants := 0
	for _, e := range s.n.Group {
		v, err := s.key(e)
		if err != nil {
			return err
		}
		if v.constant || v.isNull() {
			constants++
			continue
		}
		s.c.Group = append(s.c.Group, v.text)
	}
	if constants > 0 && len(s.c.Group) == 0 {
		// All rows are one group, and no rows are none.
		s.c.Having = "count(*) > 0"
	}
	return nil
}

// keys are the values of the grouping terms that are not constant.
func (s *selecting) keys() ([]value, error) {
	var out []value
	for _, e := range s.n.Group {
		k, err := s.key(e)
		if err != nil {
			return nil, err
		}
		if !k.constant && !k.isNull() {
			out = append(out, k)
		}
	}
	return out, nil
}

// key is a grouping term: the place of an item, a column, or an alias.
func (s *selecting) key(e tree.Expr) (value, error) {
	i, ok, err := s.t.ordinal(e, max(len(s.items), len(s.n.Items)))
	if err != nil {
		return value{}, err
	}
	switch {
	case ok && i < len(s.items):
		return s.items[i], nil
	case ok:
		return s.t.expr(s.n.Items[i].Expr, s.scope)
	}
	return s.t.expr(e, s.scope)
}

func (s *selecting) having() error {
	if s.n.Having == nil {
		return nil
	}
	text, err := s.t.condition(s.n.Having, s.scope)
	if err != nil {
		return err
	}
	if !s.aggregated() {
		s.c.Where = both(s.c.Where, text)
		return nil
	}
	s.c.Having = both(s.c.Having, text)
	return nil
}

func both(a, b string) string {
	if a == "" {
		return b
	}
	return "(" + a + ") and (" + b + ")"
}

// aggregated reports whether the select gives groups.
func (s *selecting) aggregated() bool {
	if len(s.n.Group) > 0 {
		return true
	}
	for _, e := range s.read() {
		if hasAggregate(e) {
			return true
		}
	}
	return false
}

// read lists what is read after grouping.
func (s *selecting) read() []tree.Expr {
	var out []tree.Expr
	for _, item := range s.n.Items {
		out = append(out, item.Expr)
	}
	if s.n.Having != nil {
		out = append(out, s.n.Having)
	}
	for _, term := range s.q.Order {
		out = append(out, term.Expr)
	}
	return out
}

// order translates the ordering terms. An item is named by its place, which is
// never taken for something else.
func (s *selecting) order() error {
	for _, term := range s.q.Order {
		i, ok, err := s.t.ordinal(term.Expr, len(s.items))
		if err != nil {
			return err
		}
		if !ok {
			i, ok = s.named(term.Expr)
		}
		if ok {
			v := s.items[i]
			if sorted := s.t.sorted(v); sorted.text == v.text {
				s.c.Order = append(s.c.Order, itoa(i+1)+s.t.direction(term, v))
				continue
			}
		}
		v, err := s.term(term.Expr, i, ok)
		if err != nil {
			return err
		}
		if v.constant || v.isNull() {
			continue
		}
		s.c.Order = append(s.c.Order, v.text+s.t.direction(term, v))
	}
	return nil
}

// term is the value that is ordered by: that of item i if known.
func (s *selecting) term(e tree.Expr, i int, known bool) (value, error) {
	if known {
		return s.t.sorted(s.items[i]), nil
	}
	v, err := s.t.expr(e, s.scope)
	return s.t.sorted(v), err
}

// named finds the item that a bare name orders by: an alias, else an item that is
// the column of that name.
func (s *selecting) named(e tree.Expr) (int, bool) {
	n, ok := e.(*tree.Name)
	if !ok || len(n.Parts) != 1 {
		return 0, false
	}
	at := 0
	for _, item := range s.n.Items {
		if _, star := item.Expr.(*tree.Star); star {
			return 0, false
		}
		if item.Alias != "" && strings.EqualFold(item.Alias, n.Parts[0]) {
			return at, true
		}
		at++
	}
	return 0, false
}

// finish adds the limits, and makes of distinct what plans have for it.
func (s *selecting) finish(parent *scope) (wire.Clauses, []column, error) {
	if len(s.n.DistinctOn) > 0 {
		return s.distinctOn(parent)
	}
	columns := s.t.label(&s.c, s.names, s.items)
	if s.n.Distinct && !s.oneRow() {
		s.c.Distinct = true
		if err := s.orderDistinct(); err != nil {
			return s.c, nil, err
		}
	}
	return s.c, columns, s.t.limits(s.q, &s.c)
}

// oneRow reports whether the select aggregates without groups.
func (s *selecting) oneRow() bool { return len(s.n.Group) == 0 && s.aggregated() }

// label writes the items with their labels, which differ from each other.
func (t *translator) label(c *wire.Clauses, names []column, items []value) []column {
	taken := map[string]bool{}
	out := make([]column, len(items))
	for i, v := range items {
		v = t.shown(v)
		label := cleanLabel(names[i].name)
		if label == "" {
			label = "column " + itoa(i+1)
		}
		for n := 2; taken[strings.ToLower(label)]; n++ {
			label = cleanLabel(names[i].name) + " (" + itoa(n) + ")"
		}
		taken[strings.ToLower(label)] = true
		c.Select = append(c.Select, v.text+" as "+quoteName(label))
		v.constant = false
		out[i] = column{name: names[i].name, label: label, value: v}
	}
	return out
}

// cleanLabel is a name as a label may be: one line of moderate length.
func cleanLabel(name string) string {
	name = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if !shows(r) {
			return ' '
		}
		return r
	}, name)), " ")
	if utf8.RuneCountInString(name) > 60 {
		name = string([]rune(name)[:60])
	}
	return strings.TrimSpace(strings.Trim(name, "`'\""))
}
