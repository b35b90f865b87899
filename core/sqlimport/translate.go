package sqlimport

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// translator makes a plan of one query.
type translator struct {
	sql    string
	o      Options
	blocks []wire.Block
	taken  map[string]bool // names that a block cannot have, in lower case
	notes  []string
	work   int // expressions translated so far
}

// maxWork bounds the expressions that are translated: a correlated query is tried
// as an uncorrelated one first, at every level.
const maxWork = 100_000

func newTranslator(sql string, o Options, q *tree.Query) *translator {
	t := &translator{sql: sql, o: o, taken: map[string]bool{}}
	for _, table := range o.Catalog.Tables {
		t.taken[strings.ToLower(table.Name)] = true
		t.taken[strings.ToLower(table.Schema)] = true
	}
	t.reserve(q)
	return t
}

func (t *translator) planScope() plan.Scope {
	return plan.Scope{Catalog: t.o.Catalog, Visible: t.o.Visible, Clock: t.o.Clock}
}

func (t *translator) sqlite() bool   { return t.o.Flavour == schema.SQLite }
func (t *translator) postgres() bool { return t.o.Flavour == schema.Postgres }
func (t *translator) mysql() bool    { return t.o.Flavour == schema.MySQL }

// plan translates the whole query. Its result is a select of its own.
func (t *translator) plan(q *tree.Query) (wire.Plan, error) {
	c, _, err := t.clauses(q, &scope{})
	if err != nil {
		return wire.Plan{}, err
	}
	return wire.Plan{Version: wire.PlanVersion, With: t.blocks, Clauses: c}, nil
}

// mark is a state of the translator to which a trial goes back.
type mark struct{ blocks, notes int }

func (t *translator) mark() mark { return mark{len(t.blocks), len(t.notes)} }

func (t *translator) back(m mark) {
	t.blocks, t.notes = t.blocks[:m.blocks], t.notes[:m.notes]
}

func (t *translator) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, n := range t.notes {
		if n == text {
			return
		}
	}
	t.notes = append(t.notes, text)
}

// blockName is a free name for a block: the one wished for, or a new one.
func (t *translator) blockName(wish string) string {
	name := wish
	for i := 1; name == "" || t.taken[strings.ToLower(name)] || !plainWord(name); i++ {
		name = "q" + strconv.Itoa(i)
	}
	t.taken[strings.ToLower(name)] = true
	return name
}

// plainWord reports whether a name is of the form that blocks have.
func plainWord(name string) bool {
	if len(name) > 60 || name[0] >= '0' && name[0] <= '9' || keyword[strings.ToLower(name)] {
		return false
	}
	return strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// keyword are the words with a meaning in clauses, which no block is named by.
var keyword = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`and or not in between like ilike is null true false case when then else end as on via distinct
		select from where current_date current_timestamp inner left right full cross semi anti outer join using exists scalar
		over filter partition order by rows range date time timestamp uuid interval`) {
		out[w] = true
	}
	return out
}()

// add makes a block of clauses and gives what its readers see of it.
func (t *translator) add(wish string, c wire.Clauses, columns []column) *relation {
	name := t.blockName(wish)
	t.blocks = append(t.blocks, wire.Block{Name: name, Op: string(plan.OpSelect), Clauses: c})
	return &relation{block: name, columns: columns}
}

// fault is an error at a node.
func (t *translator) fault(kind Kind, n interface{ At() int }, construct, format string, args ...any) error {
	e := &Error{Kind: kind, Construct: construct, Why: fmt.Sprintf(format, args...)}
	e.Line, e.Col = place(t.sql, n.At())
	return e
}

func (t *translator) unsupported(n interface{ At() int }, construct, format string, args ...any) error {
	return t.fault(NotSupported, n, construct, format, args...)
}

// crossing says that a query that was tried on its own reads the query around it.
type crossing struct {
	scope *scope // the barrier
	name  *tree.Name
}

func (c *crossing) Error() string { return "the sub-query reads the query around it" }

// explain makes an *Error of what ended the translation.
func (t *translator) explain(err error) error {
	var c *crossing
	if errors.As(err, &c) {
		return t.unsupported(c.name, "the column "+strings.Join(c.name.Parts, "."),
			"it belongs to the query around, and is read in a place where plans cannot: a derived table, a with query, or an outer join of a sub-query")
	}
	return err
}

// quoteName writes a name for a clause.
func quoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// quoteText writes a text for a clause.
func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
