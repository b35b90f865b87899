package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// ID is the plan's id, "p_" and a hash of its normal form. Plans that mean the
// same by the same tables, columns and labels have the same id, however they are
// spelled and whatever they call tables and blocks.
func (q *Query) ID() string {
	w := writer{names: placeNames, query: q, table: tableText}
	text, err := json.Marshal(w.plan())
	if err != nil {
		panic("plan: the normal form does not encode: " + err.Error()) // strings and numbers always do
	}
	sum := sha256.Sum256(text)
	return "p_" + hex.EncodeToString(sum[:])
}

// Wire is the plan in normal form, with the names that it was given. Bind makes
// the same query of it, with the same id.
func (q *Query) Wire() wire.Plan {
	w := writer{names: writtenNames, query: q, short: true}
	w.table = w.tableName
	return w.plan()
}

// writer writes a query as a wire plan.
type writer struct {
	names
	query   *Query
	table   func(*schema.Table) string
	short   bool     // leave out aliases and labels that follow from the rest
	earlier []*Block // the blocks before the one that is written
}

func (w *writer) plan() wire.Plan {
	out := wire.Plan{Version: wire.PlanVersion, Clauses: w.clauses(w.query.Result())}
	for _, b := range w.query.Blocks[:len(w.query.Blocks)-1] {
		block := wire.Block{Name: w.block(b), Op: string(b.Op)}
		for _, input := range b.Of {
			block.Of = append(block.Of, w.block(input))
		}
		if block.Recursive = b.Recursive; b.Op == OpSelect || b.Recursive {
			block.Clauses = w.clauses(b)
		}
		out.With = append(out.With, block)
	}
	return out
}

func (w *writer) clauses(b *Block) wire.Clauses {
	w.earlier = w.query.Blocks[:b.Index]
	if b.Recursive {
		w.earlier = w.query.Blocks[:b.Index+1]
	}
	c := wire.Clauses{
		Where: w.optional(b.Where), Group: w.exprs(b.Group),
		Having: w.optional(b.Having), Limit: b.Limit, Offset: b.Offset, Per: w.exprs(b.Per), Distinct: b.Distinct,
	}
	for i, s := range b.Sources {
		if i == 0 {
			c.From = w.sourceText(s)
			continue
		}
		c.Joins = append(c.Joins, w.join(s))
	}
	for _, item := range b.Select {
		c.Select = append(c.Select, w.item(item))
	}
	for _, o := range b.Order {
		c.Order = append(c.Order, w.term(b, o))
	}
	return c
}

func (w *writer) optional(e Expr) string {
	if e == nil {
		return ""
	}
	return w.expr(e)
}

func (w *writer) exprs(list []Expr) []string {
	var out []string
	for _, e := range list {
		out = append(out, w.expr(e))
	}
	return out
}

func (w *writer) join(s *Source) string {
	text := w.sourceText(s)
	if s.Join != JoinInner {
		text = string(s.Join) + " " + text
	}
	if s.On != nil {
		text += " on " + w.expr(s.On)
	}
	return text
}

// sourceText writes a source as it stands in from and joins: its name, and its
// alias unless it follows from the name.
func (w *writer) sourceText(s *Source) string {
	name := ""
	if s.Block != nil {
		name = w.block(s.Block)
	} else {
		name = w.table(s.Table)
	}
	if alias := w.source(s); !w.short || alias != nameText(defaultAlias(s)) {
		return name + " " + alias
	}
	return name
}

// tableName is the name of a table as plans write it: with its schema where its
// own name has another meaning.
func (w *writer) tableName(t *schema.Table) string {
	catalog := w.query.catalog
	if catalog == nil || catalog.MultiSchema {
		return tableText(t)
	}
	found, ok := catalog.Table(t.Name)
	taken := slices.ContainsFunc(w.earlier, func(b *Block) bool { return strings.EqualFold(b.Name, t.Name) })
	if taken || !ok || found != t {
		return tableText(t)
	}
	return nameText(t.Name)
}

func (w *writer) item(item Item) string {
	text := w.expr(item.Expr)
	if w.short && sourceOf(item.Expr) != nil && item.Label == defaultLabel(item.Expr) {
		return text
	}
	return text + " as " + nameText(item.Label)
}

// term writes an order entry, by the label of the item that it orders by.
func (w *writer) term(b *Block, o Order) string {
	text := w.expr(o.Expr)
	for _, item := range b.Select {
		if w.short && key(item.Expr) == key(o.Expr) {
			text = nameText(item.Label)
			break
		}
	}
	return text + o.direction()
}
