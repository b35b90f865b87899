package plan

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"querent.dev/querent/sdk/wire"
)

// What a plan may measure. The plans of real questions stay far below; the
// limits keep a hostile or a broken one from costing time and memory.
const (
	// MaxPlanBytes bounds a plan as JSON and all of its strings together. The
	// largest of the measured plans has less than 1 KiB.
	MaxPlanBytes = 64 << 10
	// maxJSONDepth is the nesting of the spelled-out form (plan, list of blocks,
	// block, list of items, item) with one level to spare.
	maxJSONDepth = 6
	// maxClause bounds one string of a plan, in bytes. The schema asks models for
	// at most 1000 characters, which have up to four bytes each.
	maxClause = 4000
	// maxDepth bounds how deep expressions nest. PostgreSQL and MariaDB take more;
	// SQLite is opened with an expression depth of 200, and a level of a plan may
	// become two of SQL.
	maxDepth = 100
	// maxNodes bounds the parts of an expression once labels and whole days are
	// spelled out, which can repeat an operand. A clause of the greatest length has
	// less than half as many as it is written.
	maxNodes = 5000
	// maxBlocks bounds the helper blocks.
	maxBlocks = 30
	// maxJoins bounds the tables of a block: SQLite and MariaDB join at most 64 and
	// 61, and the policy may add more.
	maxJoins = 30
	// maxItems bounds the entries of each list of clauses as they are written.
	maxItems = 100
	// maxColumns bounds the selected columns after * is spelled out.
	maxColumns = 500
	// maxList bounds the values of an in list: the databases take 32,766 arguments
	// and more, and a list of a thousand is data rather than a question.
	maxList = 1000
	// maxLabel bounds a label, in characters. It is a header for people.
	maxLabel = 120
	// maxName bounds the name of a block and an alias, in characters.
	maxName = 64
	// maxLimit bounds limit and offset, so that sums of both stay in an int64.
	maxLimit = 1 << 40
)

// checkSize refuses a plan that is larger than any question needs.
func checkSize(p wire.Plan) error {
	if p.Version != 0 && p.Version != wire.PlanVersion {
		return &Error{Field: "version", Message: fmt.Sprintf("version %d of the plan language is not known; this is version %d", p.Version, wire.PlanVersion)}
	}
	if len(p.With) > maxBlocks {
		return &Error{Field: "with", Message: fmt.Sprintf("%d blocks are too many; at most %d are taken", len(p.With), maxBlocks)}
	}
	total := 0
	for i := range p.With {
		n, err := sizeOf(p.With[i].Clauses, p.With[i].Name, p.With[i].Of)
		if err != nil {
			err.Block = p.With[i].Name
			return err
		}
		total += n
	}
	n, err := sizeOf(p.Clauses, "", nil)
	if err != nil {
		return err
	}
	if total += n; total > MaxPlanBytes {
		return &Error{Message: fmt.Sprintf("the plan is too long: %d bytes, at most %d are taken", total, MaxPlanBytes)}
	}
	return nil
}

func sizeOf(c wire.Clauses, name string, of []string) (int, *Error) {
	total := 0
	for _, list := range clauseLists(c, name, of) {
		if len(list.items) > maxItems {
			return 0, &Error{Field: list.field, Message: fmt.Sprintf("%d entries are too many; at most %d are taken", len(list.items), maxItems)}
		}
		for i, s := range list.items {
			index := i + 1
			if !list.many {
				index = 0
			}
			if len(s) > maxClause {
				return 0, &Error{Field: list.field, Index: index, Message: fmt.Sprintf("the clause is too long: %d bytes, at most %d are taken", len(s), maxClause)}
			}
			if !utf8.ValidString(s) {
				return 0, &Error{Field: list.field, Index: index, Message: "the clause is not valid UTF-8"}
			}
			total += len(s)
		}
	}
	return total, nil
}

type clauseList struct {
	field string
	items []string
	many  bool
}

func clauseLists(c wire.Clauses, name string, of []string) []clauseList {
	return []clauseList{
		{"name", []string{name}, false}, {"of", of, true}, {"from", []string{c.From}, false}, {"joins", c.Joins, true},
		{"where", []string{c.Where}, false}, {"group", c.Group, true}, {"select", c.Select, true},
		{"having", []string{c.Having}, false}, {"order", c.Order, true}, {"per", c.Per, true},
	}
}

// hidden reports whether r does not show as itself: control characters, line
// ends, and the marks that turn the direction of text around.
func hidden(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
