package toproto

import (
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/wire"
)

// Plan converts a plan.
func Plan(p wire.Plan) *pluginv1.Plan {
	return &pluginv1.Plan{
		Version: int64(p.Version), Reasoning: Text(p.Reasoning), With: each(p.With, block), Clauses: clauses(p.Clauses),
	}
}

func block(b wire.Block) *pluginv1.Block {
	return &pluginv1.Block{
		Name: Text(b.Name), Op: Text(b.Op), Of: Texts(b.Of), Recursive: b.Recursive, Clauses: clauses(b.Clauses),
	}
}

func clauses(c wire.Clauses) *pluginv1.Clauses {
	return &pluginv1.Clauses{
		From: Text(c.From), Joins: Texts(c.Joins), Where: Text(c.Where), Group: Texts(c.Group), Select: Texts(c.Select),
		Having: Text(c.Having), Order: Texts(c.Order), Limit: c.Limit, Offset: c.Offset, Per: Texts(c.Per), Distinct: c.Distinct,
	}
}
