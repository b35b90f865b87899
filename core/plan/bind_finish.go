package plan

import (
	"fmt"

	"querent.dev/querent/sdk/wire"
)

func (bb *blockBinder) limits(c wire.Clauses) error {
	for _, l := range []struct {
		field string
		n     int64
	}{{"limit", c.Limit}, {"offset", c.Offset}} {
		if l.n < 0 || l.n > maxLimit {
			return &Error{Field: l.field, Message: fmt.Sprintf("%d is out of range", l.n), Suggestion: "use a number of rows, or 0 for none"}
		}
	}
	bb.block.Limit, bb.block.Offset = c.Limit, c.Offset
	if len(bb.block.Per) > 0 && c.Limit == 0 {
		return &Error{Field: "per", Message: "\"per\" counts \"limit\" in each group, but there is no limit", Suggestion: "set \"limit\""}
	}
	if len(bb.block.Per) > 0 && c.Offset > 0 {
		return &Error{Field: "offset", Message: "\"offset\" cannot stand with \"per\""}
	}
	return nil
}

// finish checks what depends on the whole block.
func (bb *blockBinder) finish(wire.Clauses) error {
	if err := bb.grouping(); err != nil {
		return err
	}
	if bb.priors || bb.compared && bb.block.Having != nil {
		if err := bb.split(); err != nil {
			return err
		}
	}
	bb.block.types = nil
	for _, item := range bb.block.Select {
		bb.block.types = append(bb.block.types, item.Expr.Type())
	}
	if !bb.block.Distinct {
		return nil
	}
	shown := map[string]bool{}
	for _, item := range bb.block.Select {
		shown[key(item.Expr)] = true
	}
	for i, o := range bb.block.Order {
		if !shown[key(o.Expr)] {
			return &Error{Field: "order", Index: i + 1, Message: "distinct rows can be ordered by what they show only",
				Suggestion: "select the expression too"}
		}
	}
	return nil
}
