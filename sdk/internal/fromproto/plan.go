package fromproto

import (
	"querent.dev/querent/sdk/internal/pluginv1"
	"querent.dev/querent/sdk/wire"
)

// Plan converts a plan.
func Plan(m *pluginv1.Plan) wire.Plan {
	return wire.Plan{
		Version: int(m.GetVersion()), Reasoning: m.GetReasoning(), With: each(m.GetWith(), block), Clauses: clauses(m.GetClauses()),
	}
}

func block(m *pluginv1.Block) wire.Block {
	return wire.Block{
		Name: m.GetName(), Op: m.GetOp(), Of: m.GetOf(), Recursive: m.GetRecursive(), Clauses: clauses(m.GetClauses()),
	}
}

func clauses(m *pluginv1.Clauses) wire.Clauses {
	return wire.Clauses{
		From: m.GetFrom(), Joins: m.GetJoins(), Where: m.GetWhere(), Group: m.GetGroup(), Select: m.GetSelect(),
		Having: m.GetHaving(), Order: m.GetOrder(), Limit: m.GetLimit(), Offset: m.GetOffset(), Per: m.GetPer(), Distinct: m.GetDistinct(),
	}
}
