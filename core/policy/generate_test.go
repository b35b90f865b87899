package policy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// field is a column of a random plan's table, or an output of a block.
type field struct {
	name string
	kind string // int, decimal, text, date, timestamp
}

// relation is what a random plan can read.
type relation struct {
	name   string
	fields []field
}

var companyRelations = []relation{
	{"people", []field{{"id", "int"}, {"boss_id", "int"}, {"name", "text"}, {"email", "text"}, {"region", "text"}, {"city", "text"},
		{"salary", "decimal"}, {"joined", "date"}, {"seen", "timestamp"}, {"grade", "int"}}},
	{"orders", []field{{"id", "int"}, {"person_id", "int"}, {"total", "decimal"}, {"placed", "timestamp"}, {"state", "text"}, {"qty", "int"}}},
	{"notes", []field{{"order_id", "int"}, {"no", "int"}, {"body", "text"}, {"day", "date"}}},
}

// planner makes random plans in wire form, which all bind.
type planner struct {
	*rand.Rand
	tables []relation // without what the caller is denied
	blocks []relation
	joined map[string]bool // kinds of joins that the database has
}

func (g *planner) chance(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *planner, list []T) T { return list[g.IntN(len(list))] }

func (g *planner) plan() wire.Plan {
	var p wire.Plan
	for i := range g.IntN(3) {
		name := fmt.Sprintf("w%d", i+1)
		c, out := g.clauses()
		p.With = append(p.With, wire.Block{Name: name, Op: "select", Clauses: c})
		g.blocks = append(g.blocks, relation{name, out})
	}
	if len(g.blocks) > 0 && g.chance(3) {
		p.With = append(p.With, g.setOperation()...)
	}
	if g.chance(4) {
		p.With = append(p.With, g.recursion()...)
	}
	p.Clauses, _ = g.clauses()
	return p
}

// recursion goes down from people to those whose boss they are.
func (g *planner) recursion() []wire.Block {
	s := &selection{g: g}
	seed := wire.Clauses{From: s.source("", g.tables[:1]), Where: s.where(), Select: []string{"t1.id as id", s.column("text") + " as v"}}
	step := wire.Clauses{From: "people c", Joins: []string{"down d on c.boss_id = d.id"}, Select: []string{"c.id", "c.name"}}
	if g.chance(2) {
		step.Where = (&selection{g, []relation{{"c", g.tables[0].fields}}}).condition()
	}
	g.blocks = append(g.blocks, relation{"down", []field{{"id", "int"}, {"v", "text"}}})
	return []wire.Block{{Name: "top", Op: "select", Clauses: seed}, {Name: "down", Op: "union", Of: []string{"top"}, Recursive: true, Clauses: step}}
}

// setOperation combines two blocks that each select one column.
func (g *planner) setOperation() []wire.Block {
	kind := pick(g, []string{"int", "text"})
	var out []wire.Block
	for _, name := range []string{"u1", "u2"} {
		s := &selection{g: g}
		c := wire.Clauses{From: s.source("", g.tables[:2])}
		c.Select = []string{s.column(kind) + " as v"}
		c.Where = s.where()
		out = append(out, wire.Block{Name: name, Op: "select", Clauses: c})
	}
	op := pick(g, []string{"union", "union_all", "intersect", "except"})
	g.blocks = append(g.blocks, relation{"u", []field{{"v", kind}}})
	return append(out, wire.Block{Name: "u", Op: op, Of: []string{"u1", "u2"}})
}

// selection is a block on its way.
type selection struct {
	g       *planner
	sources []relation // by alias
}

// source adds a relation and gives its text in from or joins.
func (s *selection) source(kind string, among []relation) string {
	r := pick(s.g, among)
	alias := fmt.Sprintf("t%d", len(s.sources)+1)
	s.sources = append(s.sources, relation{alias, r.fields})
	return strings.TrimSpace(kind + " " + r.name + " " + alias)
}

// column is a column of the kind, with its alias, or a constant if there is none.
func (s *selection) column(kind string) string {
	var found []string
	for _, r := range s.sources {
		for _, f := range r.fields {
			if f.kind == kind {
				found = append(found, r.name+"."+f.name)
			}
		}
	}
	if len(found) == 0 {
		return s.constant(kind)
	}
	return pick(s.g, found)
}

func (s *selection) constant(kind string) string {
	switch kind {
	case "int":
		return fmt.Sprint(s.g.IntN(40) - 5)
	case "decimal":
		return fmt.Sprintf("%d.%02d", s.g.IntN(600), s.g.IntN(100))
	case "text":
		return "'" + pick(s.g, []string{"EU", "Paris", "***", "Ann", "open", "late", "***test"}) + "'"
	case "date":
		return fmt.Sprintf("date '2024-%02d-01'", 1+s.g.IntN(12))
	}
	return fmt.Sprintf("timestamp '2024-%02d-03 12:00:00'", 1+s.g.IntN(12))
}

var kinds = []string{"int", "int", "decimal", "text", "text", "date", "timestamp"}

func (s *selection) condition() string {
	kind := pick(s.g, kinds)
	x := s.column(kind)
	if !strings.HasPrefix(x, "t") || strings.HasPrefix(x, "timestamp ") {
		kind, x = "int", s.column("int")
	}
	if !strings.HasPrefix(x, "t") {
		return "1 = 1"
	}
	switch s.g.IntN(9) {
	case 0:
		return x + pick(s.g, []string{" is null", " is not null"})
	case 1:
		return x + pick(s.g, []string{" in (", " not in ("}) + s.constant(kind) + ", " + s.constant(kind) + ")"
	case 2:
		if kind == "text" {
			return x + pick(s.g, []string{" like '%a%'", " like '***%'", " not like '%e'"})
		}
	case 3:
		if kind == "date" || kind == "timestamp" {
			return "during(" + x + ", '" + pick(s.g, []string{"2024-Q2", "2024-03", "2024-02..2024-08"}) + "')"
		}
	case 4:
		return "not (" + s.condition() + ")"
	case 5:
		if test, ok := s.subquery(kind, x); ok {
			return test
		}
	case 6:
		return "(" + s.condition() + pick(s.g, []string{" or ", " and "}) + s.condition() + ")"
	case 7:
		return x + pick(s.g, []string{" = ", " < ", " >= "}) + s.column(kind)
	}
	return x + pick(s.g, []string{" = ", " <> ", " < ", " > ", " <= ", " >= "}) + s.constant(kind)
}

// subquery tests a block that has a column of the kind.
func (s *selection) subquery(kind, x string) (string, bool) {
	if len(s.g.blocks) == 0 {
		return "", false
	}
	b := pick(s.g, s.g.blocks)
	for _, f := range b.fields {
		if f.kind != kind {
			continue
		}
		if len(b.fields) == 1 && s.g.chance(2) {
			return pick(s.g, []string{"in(", "not in("}) + x + ", " + b.name + ")", true
		}
		return pick(s.g, []string{"exists(", "not exists("}) + b.name + ", " + b.name + "." + f.name + pick(s.g, []string{" = ", " > "}) + x + ")", true
	}
	return "", false
}

func (s *selection) where() string {
	if s.g.chance(3) {
		return ""
	}
	return s.condition()
}

// join adds a source with a condition. The alias of a semi or anti join is known
// to its condition alone.
func (s *selection) join(among []relation) string {
	word := pick(s.g, []string{"", "", "left", "left", "right", "full", "cross", "semi", "anti"})
	text := s.source(word, among)
	if word == "cross" {
		return text
	}
	last := s.sources[len(s.sources)-1]
	f := pick(s.g, last.fields)
	before := &selection{s.g, s.sources[:len(s.sources)-1]}
	on := last.name + "." + f.name + " = " + before.column(f.kind)
	if word != "full" && s.g.chance(4) {
		on += " and " + (&selection{s.g, []relation{last}}).condition()
	}
	if word == "semi" || word == "anti" {
		s.sources = before.sources
	}
	return text + " on " + on
}

func (g *planner) clauses() (wire.Clauses, []field) {
	s := &selection{g: g}
	among := append(append([]relation(nil), g.tables...), g.blocks...)
	c := wire.Clauses{From: s.source("", among)}
	last := false
	for range g.IntN(3) {
		if last {
			break
		}
		join := s.join(among)
		last = strings.HasPrefix(join, "semi") || strings.HasPrefix(join, "anti")
		c.Joins = append(c.Joins, join)
	}
	c.Where = s.where()
	var out []field
	if g.chance(2) {
		out = s.plain(&c)
	} else {
		out = s.grouped(&c)
	}
	if g.chance(3) {
		for _, f := range out {
			c.Order = append(c.Order, f.name+pick(g, []string{"", " desc", " nulls first"}))
		}
		c.Limit = int64(1 + g.IntN(12))
		c.Offset = int64(g.IntN(3))
	}
	return c, out
}

func (s *selection) plain(c *wire.Clauses) []field {
	var out []field
	for i := range 1 + s.g.IntN(3) {
		f := field{fmt.Sprintf("c%d", i+1), pick(s.g, kinds)}
		x := s.column(f.kind)
		switch s.g.IntN(6) {
		case 0:
			x, f.kind = s.window(x)
		case 1:
			if lookup, ok := s.lookup(); ok {
				x, f.kind = lookup, "int"
			}
		}
		c.Select = append(c.Select, x+" as "+f.name)
		out = append(out, f)
	}
	// MariaDB takes the offset of distinct constants for none.
	constant := slices.ContainsFunc(c.Select, func(item string) bool { return !strings.HasPrefix(item, "t1.") && !strings.HasPrefix(item, "t2.") })
	c.Distinct = !constant && s.g.chance(3)
	return out
}

// window is an aggregate over the rows that share a value.
func (s *selection) window(x string) (text, kind string) {
	by := s.column(pick(s.g, kinds))
	if !strings.Contains(by, ".") || strings.Contains(by, " ") {
		by = "1"
	}
	over := " over (partition by " + by + ")"
	if by == "1" {
		over = " over ()"
	}
	if !strings.Contains(x, ".") || strings.Contains(x, " ") || s.g.chance(2) {
		return "count(*)" + over, "int"
	}
	return "count(" + x + ")" + over, "int"
}

// lookup counts the rows of a block that have the value of a column.
func (s *selection) lookup() (string, bool) {
	if len(s.g.blocks) == 0 {
		return "", false
	}
	b := pick(s.g, s.g.blocks)
	f := pick(s.g, b.fields)
	return "scalar(" + b.name + ", count(*), " + b.name + "." + f.name + " = " + s.column(f.kind) + ")", true
}

func (s *selection) grouped(c *wire.Clauses) []field {
	var out []field
	for i := range s.g.IntN(3) {
		f := field{fmt.Sprintf("g%d", i+1), pick(s.g, kinds)}
		x := s.column(f.kind)
		if !strings.Contains(x, ".") || strings.Contains(x, " ") || f.kind == "decimal" {
			continue
		}
		if f.kind == "date" && s.g.chance(2) {
			x = "year_month(" + x + ")"
			f.kind = "text"
		}
		c.Group = append(c.Group, x)
		c.Select = append(c.Select, x+" as "+f.name)
		out = append(out, f)
	}
	for i := range 1 + s.g.IntN(2) {
		f, x := s.aggregate()
		f.name = fmt.Sprintf("a%d", i+1)
		c.Select = append(c.Select, x+" as "+f.name)
		out = append(out, f)
	}
	if s.g.chance(3) {
		c.Having = "count(*) > " + fmt.Sprint(s.g.IntN(3))
	}
	return out
}

func (s *selection) aggregate() (field, string) {
	kind := pick(s.g, kinds)
	x := s.column(kind)
	if !strings.Contains(x, ".") || strings.Contains(x, " ") || s.g.chance(5) {
		return field{kind: "int"}, "count(*)"
	}
	filter := ""
	if s.g.chance(4) {
		filter = " filter (where " + s.condition() + ")"
	}
	switch s.g.IntN(4) {
	case 0:
		return field{kind: "int"}, "count(" + x + ")" + filter
	case 1:
		return field{kind: "int"}, "count(distinct " + x + ")" + filter
	case 2:
		if kind == "int" || kind == "decimal" {
			return field{kind: kind}, "sum(" + x + ")" + filter
		}
	}
	return field{kind: kind}, pick(s.g, []string{"min(", "max("}) + x + ")" + filter
}
