package policy

import (
	"fmt"
	"hash"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

// Secure checks every table and column that the query touches, in every block
// and every clause, against the caller's rights, and is the only maker of
// Secured. The query itself is not changed: where rows, values or small groups are
// withheld from the caller, the Secured holds a copy that leaves them out. The
// error is POLICY_DENIED when the caller may not read all of it (its safe message
// names no object), CALLER_AUTH_REQUIRED or UNMAPPED as View says, also when the
// caller lacks an attribute that a row filter needs, and SCHEMA_CHANGED when the
// query was bound to another snapshot of the catalog.
func (p *Policy) Secure(cat *schema.Catalog, q *plan.Query, caller Caller) (Secured, error) {
	view, err := p.View(cat, caller)
	if err != nil {
		return Secured{}, err
	}
	if q == nil || len(q.Blocks) == 0 {
		return Secured{}, reason.New(reason.InvalidState, reason.ReasonInvalidState, "there is no query to secure")
	}
	s := &securing{
		view: view, caller: caller, query: q,
		seenColumns: map[*schema.Column]bool{}, hostColumns: map[*schema.Column]bool{}, seenTables: map[*schema.Table]bool{},
	}
	for i, b := range q.Blocks {
		if err := s.block(i, b); err != nil {
			return Secured{}, fmt.Errorf("securing block %d of the plan: %w", i, err)
		}
	}
	s.hash = securedHash(q.ID(), view.hash)
	if s.limited() {
		if err := s.rewrite(); err != nil {
			return Secured{}, err
		}
	}
	return Secured{
		query: s.query, view: view, reads: s.reads, tables: s.tables, id: securedID(s.hash), minGroup: s.minGroup,
	}, nil
}

// securing is the state of one call of Secure.
type securing struct {
	view   *View
	caller Caller
	query  *plan.Query

	reads       []*schema.Column
	tables      []*schema.Table
	seenColumns map[*schema.Column]bool // by the plan
	hostColumns map[*schema.Column]bool // by the policy alone
	seenTables  map[*schema.Table]bool

	hash     hash.Hash // becomes the id of the secured plan
	minGroup int       // the size below which groups are left out; 0: none are
}

func (s *securing) block(index int, b *plan.Block) error {
	switch last := len(s.query.Blocks) - 1; {
	case b.Index != index:
		return invalid("block %d says that it is block %d", index, b.Index)
	case b.Op == plan.OpSelect && len(b.Select) == 0, b.Op != plan.OpSelect && len(b.Of) == 0:
		return invalid("block %d selects nothing", index)
	case b.Op != plan.OpSelect && index == last:
		return invalid("the result is no select")
	}
	for _, input := range b.Of {
		if input == b {
			return invalid("block %d begins with itself", index)
		}
		if err := s.earlier(input, b); err != nil {
			return err
		}
	}
	for _, src := range b.Sources {
		if err := s.source(src, b); err != nil {
			return err
		}
	}
	var first error
	err := b.Walk(func(e plan.Expr) bool {
		if first == nil {
			first = s.expr(e, b)
		}
		return first == nil
	})
	if first != nil {
		return first
	}
	if err != nil {
		return invalid("%s", err)
	}
	return nil
}

func (s *securing) source(src *plan.Source, b *plan.Block) error {
	if (src.Table == nil) == (src.Block == nil) {
		return invalid("the source %q must be either a table or a block", src.Alias)
	}
	if src.Filter != nil || src.Masked != nil || src.Stored != nil {
		return invalid("the source %q has what only a policy puts on it", src.Alias)
	}
	if src.Block != nil {
		return s.earlier(src.Block, b)
	}
	return s.table(src.Table)
}

func (s *securing) expr(e plan.Expr, b *plan.Block) error {
	switch e := e.(type) {
	case *plan.Column:
		if e.Source == nil || e.Source.Table != e.Column.Table {
			return invalid("the column %s is not of its source", e.Column.ID())
		}
		return s.column(e.Column)
	case *plan.Output:
		if e.Source == nil || e.Source.Block == nil || e.Item < 0 || e.Item >= len(e.Source.Block.Columns()) {
			return invalid("an output names no column of its block")
		}
		return s.earlier(e.Source.Block, b)
	case *plan.Exists:
		return s.source(e.Source, b)
	case *plan.Lookup:
		return s.source(e.Source, b)
	}
	if read := plan.Reads(e); read != nil {
		return s.earlier(read, b)
	}
	return nil
}

// earlier demands that a block reads only blocks that were checked before it, or
// itself if it is recursive: its rows are then of what it starts from and of what
// is checked here.
func (s *securing) earlier(read, by *plan.Block) error {
	if read != nil && read == by && by.Recursive && s.query.Blocks[by.Index] == by {
		return nil
	}
	if read == nil || read.Index < 0 || read.Index >= by.Index || s.query.Blocks[read.Index] != read {
		return invalid("block %d reads a block that does not come before it", by.Index)
	}
	return nil
}

func (s *securing) table(t *schema.Table) error {
	if s.seenTables[t] {
		return nil
	}
	if _, known := s.view.tables[t]; !known {
		return reason.New(reason.SchemaChanged, reason.ReasonSchemaChanged,
			"the table %s is not of the catalog that the policy was asked about", t.ID())
	}
	if !s.view.Table(t) {
		return s.denied("table " + t.ID())
	}
	s.seenTables[t] = true
	s.tables = append(s.tables, t)
	return nil
}

func (s *securing) column(c *schema.Column) error {
	if s.seenColumns[c] {
		return nil
	}
	if err := s.table(c.Table); err != nil {
		return err
	}
	if !s.view.Column(c) {
		return s.denied("column " + c.ID())
	}
	s.seenColumns[c] = true
	s.reads = append(s.reads, c)
	return nil
}

func (s *securing) denied(what string) error {
	return reason.New(reason.PolicyDenied, reason.ReasonNotPermitted,
		"caller %q with roles %v may not read the %s of datasource %s", s.caller.Name, s.caller.Roles, what, s.view.catalog.Datasource)
}

// invalid is the error of a query that binding cannot have made.
func invalid(format string, args ...any) error {
	return reason.New(reason.InvalidState, reason.ReasonInvalidState, "the query is not of the form that binding makes: "+format, args...)
}
