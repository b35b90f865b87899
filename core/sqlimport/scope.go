package sqlimport

import (
	"slices"
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// relation is a table or a block that a from can read.
type relation struct {
	table   *schema.Table
	block   string
	columns []column
	order   []order // in which SQL finds its rows; nil: not known
}

// column is a column of a relation. name is what SQL calls it; label is its name
// in the plan.
type column struct {
	name, label string
	value            // its type and nature; text is empty
	hidden      bool // no star stands for it
	// computed is the value of a column that no relation has; nil: the relation has it.
	computed *value
}

// source is an occurrence of a relation in a select.
type source struct {
	*relation
	name   string // what SQL calls it
	alias  string // what the plan calls it
	outer  bool   // a join may fill it with nulls
	schema string
}

// scope is the names that an expression can use: those of a select, then those of
// the queries around it.
type scope struct {
	parent  *scope
	sources []*source
	ctes    map[string]*relation // by lower-case name
	merged  map[string]value     // the columns of using, by lower-case name
	order   []string             // the merged columns, in their order
	items   []tree.Item          // of the select, whose aliases may stand for them
	open    map[string]bool      // aliases that are being translated
	windows map[string]*tree.Window
	// replaced are the columns that stand for another value outside of aggregates,
	// by their text; inside is set within an aggregate.
	replaced map[string]value
	// absent tells of the keys of grouping sets, by their text, whether the set at
	// hand lacks them; nulled is set where those are null.
	absent    map[string]bool
	nulled    bool
	inside    bool
	selecting *selecting // whose scope it is; nil: of another kind
	export    *export    // set while the names of the select are read through a block

	barrier bool // of a sub-query: what is found beyond makes it correlated
	allowed bool // the barrier may be crossed
}

// export is a block in the making: its columns are what conditions outside need.
type export struct {
	name    string
	items   []string
	columns []column
}

func (e *export) column(v value) value {
	i := slices.Index(e.items, v.text)
	if i < 0 {
		i = len(e.items)
		label := "c" + itoa(i+1)
		e.items = append(e.items, v.text)
		e.columns = append(e.columns, column{name: label, label: label, value: v})
	}
	out := e.columns[i].value
	out.text, out.power = quoteName(e.name)+"."+quoteName(e.columns[i].label), atom
	return out
}

// selects is the select list of the block: at least one column.
func (e *export) selects() []string {
	if len(e.items) == 0 {
		return []string{"1 as `c1`"}
	}
	out := make([]string, len(e.items))
	for i, text := range e.items {
		out[i] = text + " as " + quoteName(e.columns[i].label)
	}
	return out
}

// cte finds a query of a with clause.
func (s *scope) cte(name string) (*relation, bool) {
	for ; s != nil; s = s.parent {
		if r, ok := s.ctes[strings.ToLower(name)]; ok {
			return r, true
		}
	}
	return nil, false
}

// lookup finds a column. ok is false when no scope knows it.
func (t *translator) lookup(s *scope, n *tree.Name) (v value, ok bool, err error) {
	for at := s; at != nil; at = at.parent {
		if at.barrier {
			continue
		}
		v, ok, err = t.find(at, n)
		if err != nil {
			return v, false, err
		}
		if !ok && len(n.Parts) == 1 {
			v, ok, err = t.alias(at, n)
		}
		if err != nil || !ok {
			if err != nil {
				return v, false, err
			}
			continue
		}
		for b := s; b != at; b = b.parent {
			if b.barrier && !b.allowed {
				return v, true, &crossing{scope: b, name: n}
			}
		}
		return v, true, nil
	}
	return v, false, nil
}

// find finds a column among the sources of one scope.
func (t *translator) find(s *scope, n *tree.Name) (value, bool, error) {
	name := n.Parts[len(n.Parts)-1]
	if len(n.Parts) == 1 {
		if v, ok := s.merged[strings.ToLower(name)]; ok {
			return s.through(v), true, nil
		}
	}
	var found []value
	for _, src := range s.sources {
		if !src.named(n.Parts[:len(n.Parts)-1]) {
			continue
		}
		if c, ok := src.column(name); ok {
			found = append(found, src.value(c))
		} else if len(n.Parts) > 1 {
			if v, ok := t.rowid(src, name); ok {
				found = append(found, v)
			}
		}
	}
	if len(found) == 0 {
		return value{}, false, nil
	}
	if len(found) > 1 && found[0].text != found[1].text {
		return value{}, false, t.fault(UnknownName, n, "the column "+name, "it is ambiguous: more than one table has it")
	}
	return s.through(found[0]), true, nil
}

// rowid reads SQLite's rowid where a column of the table is it.
func (t *translator) rowid(src *source, name string) (value, bool) {
	if !t.sqlite() || src.table == nil || len(src.table.PrimaryKey) != 1 || !strings.EqualFold(src.table.PrimaryKey[0].Native, "integer") {
		return value{}, false
	}
	switch strings.ToLower(name) {
	case "rowid", "oid", "_rowid_":
		c, ok := src.column(src.table.PrimaryKey[0].Name)
		return src.value(c), ok
	}
	return value{}, false
}

// through reads a value of the scope by way of the block that is made of it.
func (s *scope) through(v value) value {
	if s.export != nil {
		return s.export.column(v)
	}
	if other, ok := s.replaced[v.text]; ok && !s.inside {
		return other
	}
	return v
}

// alias reads an alias of the select list as what it stands for.
func (t *translator) alias(s *scope, n *tree.Name) (value, bool, error) {
	name := strings.ToLower(n.Parts[0])
	if s.open[name] {
		return value{}, false, nil
	}
	for _, item := range s.items {
		if !strings.EqualFold(item.Alias, name) || item.Alias == "" {
			continue
		}
		if s.open == nil {
			s.open = map[string]bool{}
		}
		s.open[name] = true
		v, err := t.expr(item.Expr, s)
		delete(s.open, name)
		return v, err == nil, err
	}
	return value{}, false, nil
}

func (s *source) named(qualifier []string) bool {
	switch len(qualifier) {
	case 0:
		return true
	case 1:
		return strings.EqualFold(qualifier[0], s.name)
	}
	return strings.EqualFold(qualifier[1], s.name) && strings.EqualFold(qualifier[0], s.schema)
}

func (r *relation) column(name string) (column, bool) {
	for _, c := range r.columns {
		if c.name == name {
			return c, true
		}
	}
	for _, c := range r.columns {
		if strings.EqualFold(c.name, name) {
			return c, true
		}
	}
	return column{}, false
}

// value is the column as it is read from the source.
func (s *source) value(c column) value {
	v := c.value
	if c.computed != nil {
		v = *c.computed
		v.nullable = v.nullable || s.outer
		return v
	}
	v.text, v.power = quoteName(s.alias)+"."+quoteName(c.label), atom
	v.nullable = v.nullable || s.outer
	return v
}

// tableRelation is a table of the catalog.
func (t *translator) tableRelation(table *schema.Table) *relation {
	r := &relation{table: table}
	for _, c := range table.Columns {
		v := value{typ: (&plan.Column{Column: c}).Type(), nullable: c.Nullable, scale: unscaled, affinity: true, collation: c.Collation}
		if c.Type.Kind == wire.KindDecimal && c.Type.Precision > 0 {
			v.scale = int(c.Type.Scale)
		}
		v.big = strings.HasPrefix(c.Native, "bigint") || c.Native == "int8"
		v.asText = c.Type.Kind == wire.KindText && v.typ.Kind.Temporal()
		hidden := t.o.Visible != nil && !t.o.Visible.Column(c)
		r.columns = append(r.columns, column{name: c.Name, label: c.Name, value: v, hidden: hidden})
	}
	return r
}
