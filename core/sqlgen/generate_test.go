package sqlgen_test

import (
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// generator makes random catalogs and plans of a string of choices. When the
// choices run out it takes the simplest of everything, so that it ends.
type generator struct {
	choices []byte
	names   []string // hostile names, for tables, columns, labels
	text    string   // what text constants hold
	cat     *schema.Catalog
	blocks  []*plan.Block
}

// pick chooses one of n.
func (g *generator) pick(n int) int {
	if len(g.choices) == 0 {
		return 0
	}
	c := int(g.choices[0])
	g.choices = g.choices[1:]
	return c % n
}

func (g *generator) chance() bool { return g.pick(3) == 1 }

func (g *generator) name() string { return g.names[g.pick(len(g.names))] }

// columnKinds are the types and storages that columns take in turn.
var columnKinds = []schema.Column{
	{Type: wire.Type{Kind: wire.KindInt}},
	{Type: wire.Type{Kind: wire.KindText}, Nullable: true, Collation: "NOCASE"},
	{Type: wire.Type{Kind: wire.KindDecimal, Precision: 10, Scale: 2}, Nullable: true},
	{Type: wire.Type{Kind: wire.KindDate}, Storage: schema.StorageISO},
	{Type: wire.Type{Kind: wire.KindTimestamp}, Nullable: true},
	{Type: wire.Type{Kind: wire.KindInt}, Storage: schema.StorageEpochMS},
	{Type: wire.Type{Kind: wire.KindText}, Storage: schema.StorageDMY, Nullable: true},
	{Type: wire.Type{Kind: wire.KindFloat}, Storage: schema.StorageJulian},
	{Type: wire.Type{Kind: wire.KindBool}},
}

// catalog makes up to three tables with columns of every kind.
func (g *generator) catalog() *schema.Catalog {
	var tables []*schema.Table
	seen := map[string]bool{}
	for i := range 1 + g.pick(3) {
		name := unique(seen, g.names[i%len(g.names)])
		t := &schema.Table{Schema: "main", Name: name, Kind: schema.KindTable}
		inTable := map[string]bool{}
		for j := range columnKinds {
			c := columnKinds[j]
			c.Name = unique(inTable, g.names[(i+j)%len(g.names)])
			t.Columns = append(t.Columns, &c)
		}
		if i != 1 {
			t.PrimaryKey = t.Columns[:1]
		}
		tables = append(tables, t)
	}
	return schema.Build("fuzz", schema.SQLite, tables)
}

// unique makes the name one that SQLite takes beside those seen.
func unique(seen map[string]bool, name string) string {
	if name == "" || strings.HasPrefix(strings.ToLower(name), "sqlite_") {
		name = "x" + name
	}
	for seen[strings.ToLower(name)] {
		name += "'"
	}
	seen[strings.ToLower(name)] = true
	return name
}

func (g *generator) query() *plan.Query {
	for range g.pick(3) {
		g.add(g.helper())
	}
	g.add(g.block())
	return &plan.Query{Blocks: g.blocks}
}

func (g *generator) add(b *plan.Block) {
	b.Index = len(g.blocks)
	g.blocks = append(g.blocks, b)
}

func (g *generator) helper() *plan.Block {
	if len(g.blocks) > 0 && g.chance() {
		of := g.blocks[g.pick(len(g.blocks))]
		ops := []plan.BlockOp{plan.OpUnion, plan.OpUnionAll, plan.OpIntersect, plan.OpExcept}
		return &plan.Block{Name: g.name(), Op: ops[g.pick(len(ops))], Of: []*plan.Block{of, of}}
	}
	b := g.block()
	b.Name = g.name()
	return b
}

func (g *generator) block() *plan.Block {
	b := &plan.Block{Op: plan.OpSelect}
	s := &scope{g: g, block: b}
	kinds := []plan.JoinKind{plan.JoinInner, plan.JoinLeft, plan.JoinRight, plan.JoinFull, plan.JoinCross, plan.JoinSemi, plan.JoinAnti}
	for i := range 1 + g.pick(3) {
		src := &plan.Source{Index: i, Alias: g.name()}
		if len(g.blocks) > 0 && g.chance() {
			src.Block = g.blocks[g.pick(len(g.blocks))]
		} else {
			src.Table = g.cat.Tables[g.pick(len(g.cat.Tables))]
		}
		if i > 0 {
			src.Join = kinds[g.pick(len(kinds))]
		}
		s.join(src)
	}
	if g.chance() {
		b.Where = s.condition(3)
	}
	b.Aggregated = g.chance()
	if b.Aggregated {
		for range g.pick(3) {
			b.Group = append(b.Group, s.expr(2))
		}
	}
	for range 1 + g.pick(3) {
		e := s.item()
		// SQLite does not take a HAVING where all aggregates stand in windows.
		if g.pick(4) == 1 && (!b.Aggregated || len(b.Group) > 0) {
			e = s.window()
		}
		b.Select = append(b.Select, plan.Item{Label: g.name(), Expr: e})
	}
	if b.Aggregated && g.chance() {
		b.Having = &plan.IsNull{X: s.item(), Negate: true}
	}
	b.Distinct = g.chance()
	for range g.pick(3) {
		e := b.Select[g.pick(len(b.Select))].Expr
		if !b.Distinct {
			e = s.item()
		}
		b.Order = append(b.Order, plan.Order{Expr: e, Desc: g.chance(), Nulls: []plan.NullOrder{"", plan.NullsFirst, plan.NullsLast}[g.pick(3)]})
	}
	b.Limit, b.Offset = int64(g.pick(4)), int64(g.pick(3))
	if b.Limit > 0 && g.chance() {
		b.Per = []plan.Expr{b.Select[0].Expr}
	}
	return b
}

// scope makes expressions over the sources of a block.
type scope struct {
	g     *generator
	block *plan.Block
	// visible are the sources that expressions may read.
	visible []*plan.Source
}

// join adds a source with a condition; one that only filters is visible in its
// condition alone.
func (s *scope) join(src *plan.Source) {
	s.block.Sources = append(s.block.Sources, src)
	before := s.visible
	s.visible = append(s.visible[:len(s.visible):len(s.visible)], src)
	if src.Join != plan.JoinNone && src.Join != plan.JoinCross {
		src.On = s.condition(2)
		if s.g.chance() {
			src.On = &plan.Binary{Op: plan.OpEq, L: s.leaf(), R: s.leaf(), T: wire.Type{Kind: wire.KindBool}}
		}
	}
	if src.Join == plan.JoinSemi || src.Join == plan.JoinAnti {
		s.visible = before
	}
}

// item makes what a select may hold: in a grouped block a key, an aggregate or a
// calculation with them.
func (s *scope) item() plan.Expr {
	if !s.block.Aggregated {
		return s.expr(3)
	}
	if len(s.block.Group) > 0 && s.g.chance() {
		key := s.block.Group[s.g.pick(len(s.block.Group))]
		return &plan.Case{Whens: []plan.When{{Cond: &plan.IsNull{X: key}, Then: key}}, T: key.Type()}
	}
	return s.aggregate()
}

// window makes a call over rows, in a grouped block over its groups.
func (s *scope) window() plan.Expr {
	w := &plan.Window{Partition: []plan.Expr{s.item()}, Order: []plan.Order{{Expr: s.item(), Desc: s.g.chance()}}}
	names := []string{"row_number", "rank", "lag", "first_value", "nth_value", "ntile"}
	f, _ := plan.FindFunction(names[s.g.pick(len(names))])
	w.Call = &plan.Call{Func: f, T: wire.Type{Kind: wire.KindInt}}
	for i := range f.MaxArgs {
		if _, bounded := f.Constants[i]; bounded {
			w.Call.Args = append(w.Call.Args, &plan.Literal{Value: wire.Int(31337), T: wire.Type{Kind: wire.KindInt}})
			continue
		}
		w.Call.Args = append(w.Call.Args, s.item())
		w.Call.T = w.Call.Args[0].Type()
	}
	if s.g.chance() {
		sum, _ := plan.FindFunction("count")
		w.Call = &plan.Call{Func: sum, Args: []plan.Expr{s.item()}, T: wire.Type{Kind: wire.KindInt}}
		w.Frame = &plan.Frame{Unit: plan.FrameRows, From: plan.Bound{Kind: plan.Preceding, Offset: 31337}, To: plan.Bound{Kind: plan.CurrentRow}}
	}
	return w
}

func (s *scope) aggregate() plan.Expr {
	names := []string{"count", "min", "max", "count", "sum", "avg", "median", "string_agg"}
	f, _ := plan.FindFunction(names[s.g.pick(len(names))])
	arg := s.expr(2)
	t, err := f.Check([]wire.Type{arg.Type()})
	if err != nil {
		f, _ = plan.FindFunction("count")
		t = wire.Type{Kind: wire.KindInt}
	}
	c := &plan.Call{Func: f, Args: []plan.Expr{arg}, T: t, Distinct: s.g.chance() && f.Name != "median"}
	if f.Name == "string_agg" {
		c.Order = []plan.Order{{Expr: arg, Desc: s.g.chance()}}
	}
	if s.g.chance() {
		c.Filter = s.condition(2)
	}
	return c
}

func (s *scope) expr(depth int) plan.Expr {
	if depth <= 0 {
		return s.leaf()
	}
	switch s.g.pick(9) {
	case 1:
		return s.call(depth)
	case 2:
		return s.condition(depth - 1)
	case 3:
		then := s.expr(depth - 1)
		return &plan.Case{Whens: []plan.When{{Cond: s.condition(depth - 1), Then: then}}, Else: &plan.Literal{T: then.Type()}, T: then.Type()}
	case 4:
		kinds := []wire.Type{{Kind: wire.KindInt}, {Kind: wire.KindFloat}, {Kind: wire.KindTimestamp}, {Kind: wire.KindDecimal}, {Kind: wire.KindDecimal, Precision: 9, Scale: 3}}
		return &plan.Cast{X: s.expr(depth - 1), T: kinds[s.g.pick(len(kinds))]}
	case 5:
		ops := []plan.BinaryOp{plan.OpAdd, plan.OpSub, plan.OpMul, plan.OpDiv, plan.OpMod, plan.OpConcat}
		decimal := wire.Type{Kind: wire.KindDecimal, Precision: 38, Scale: 2}
		return &plan.Binary{Op: ops[s.g.pick(len(ops))], L: s.expr(depth - 1), R: s.expr(depth - 1), T: decimal}
	case 6:
		return &plan.Neg{X: s.expr(depth - 1)}
	}
	return s.leaf()
}

// leaf is a column of a visible source or a constant.
func (s *scope) leaf() plan.Expr {
	if s.g.chance() {
		return s.literal()
	}
	src := s.visible[s.g.pick(len(s.visible))]
	if src.Block != nil {
		items := src.Block.Columns()
		i := s.g.pick(len(items))
		return &plan.Output{Source: src, Item: i, T: items[i].Expr.Type()}
	}
	return &plan.Column{Source: src, Column: src.Table.Columns[s.g.pick(len(src.Table.Columns))]}
}

func (s *scope) literal() plan.Expr {
	decimal, _ := wire.Decimal("31337.25")
	list := []wire.Value{
		wire.Text(s.g.text), wire.Int(31337), decimal, wire.Date(now), wire.Timestamp(now), wire.TimestampTZ(now), wire.Bool(true), wire.Null(), wire.Float(3133.7),
	}
	v := list[s.g.pick(len(list))]
	return &plan.Literal{Value: v, T: wire.Type{Kind: v.Kind()}}
}

// call calls a scalar function with arguments that it takes; when none is found
// it is a leaf.
func (s *scope) call(depth int) plan.Expr {
	all := plan.Functions()
	f, _ := plan.FindFunction(all[s.g.pick(len(all))].Name)
	if f.Kind != plan.ScalarFunction {
		return s.leaf()
	}
	n := f.MinArgs
	if f.MaxArgs > n {
		n += s.g.pick(f.MaxArgs - n + 1)
	}
	var args []plan.Expr
	var types []wire.Type
	for i := range n {
		arg := s.argument(f, i, depth)
		args, types = append(args, arg), append(types, arg.Type())
	}
	t, err := f.Check(types)
	if err != nil {
		return s.leaf()
	}
	return &plan.Call{Func: f, Args: args, T: t}
}

func (s *scope) argument(f *plan.Function, i, depth int) plan.Expr {
	limit, ok := f.Constants[i]
	switch {
	case !ok:
		return s.expr(depth - 1)
	case len(limit.OneOf) > 0:
		return &plan.Literal{Value: wire.Text(limit.OneOf[s.g.pick(len(limit.OneOf))]), T: wire.Type{Kind: wire.KindText}}
	case limit.Text:
		return &plan.Literal{Value: wire.Text(s.g.text), T: wire.Type{Kind: wire.KindText}}
	}
	return &plan.Literal{Value: wire.Int(limit.Min + int64(s.g.pick(int(limit.Max-limit.Min)+1))), T: wire.Type{Kind: wire.KindInt}}
}

func (s *scope) condition(depth int) plan.Expr {
	x := s.expr(depth - 1)
	switch s.g.pick(10) {
	case 1:
		return &plan.Not{X: s.condition(depth - 1)}
	case 2:
		return &plan.InList{X: x, List: []plan.Expr{s.leaf(), s.leaf()}, Negate: s.g.chance()}
	case 3:
		return &plan.Between{X: x, Low: s.leaf(), High: s.leaf(), Negate: s.g.chance()}
	case 4:
		return &plan.Like{X: x, Pattern: s.leaf(), Negate: s.g.chance()}
	case 5:
		return &plan.During{X: x, Text: "2024", From: wire.Date(now), To: wire.Timestamp(now.AddDate(1, 0, 0))}
	case 6:
		return s.subquery(x, depth)
	case 7:
		ops := []plan.BinaryOp{plan.OpAnd, plan.OpOr}
		return &plan.Binary{Op: ops[s.g.pick(2)], L: s.condition(depth - 1), R: s.condition(depth - 1), T: wire.Type{Kind: wire.KindBool}}
	case 8:
		return &plan.InList{X: x, Negate: s.g.chance()}
	case 9:
		return &plan.IsNull{X: x, Negate: s.g.chance()}
	}
	ops := []plan.BinaryOp{plan.OpEq, plan.OpNe, plan.OpLt, plan.OpLe, plan.OpGt, plan.OpGe}
	return &plan.Binary{Op: ops[s.g.pick(len(ops))], L: x, R: s.leaf(), T: wire.Type{Kind: wire.KindBool}}
}

// subquery tests an earlier block.
func (s *scope) subquery(x plan.Expr, depth int) plan.Expr {
	if len(s.g.blocks) == 0 {
		return &plan.IsNull{X: x}
	}
	b := s.g.blocks[s.g.pick(len(s.g.blocks))]
	switch s.g.pick(4) {
	case 3:
		src := &plan.Source{Index: -1, Alias: s.g.name(), Block: b}
		inner := &scope{g: s.g, block: s.block, visible: append(s.visible[:len(s.visible):len(s.visible)], src)}
		ofRows := &scope{g: s.g, block: s.block, visible: []*plan.Source{src}}
		value := ofRows.aggregate()
		return &plan.IsNull{X: &plan.Lookup{Source: src, Value: value, Cond: inner.condition(depth - 1), T: value.Type()}}
	case 1:
		return &plan.InBlock{X: x, Block: b, Negate: s.g.chance()}
	case 2:
		return &plan.Binary{Op: plan.OpGt, L: x, R: &plan.Scalar{Block: b, T: b.Columns()[0].Expr.Type()}, T: wire.Type{Kind: wire.KindBool}}
	}
	src := &plan.Source{Index: -1, Alias: s.g.name(), Block: b}
	inner := &scope{g: s.g, block: s.block, visible: append(s.visible[:len(s.visible):len(s.visible)], src)}
	return &plan.Exists{Source: src, Cond: inner.condition(depth - 1), Negate: s.g.chance()}
}
