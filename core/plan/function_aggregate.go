package plan

import "querent.dev/querent/sdk/wire"

func aggregates() []Function {
	list := []Function{
		define(Function{Name: "count", Signature: "count(*) or count([distinct] x)",
			Doc: "The number of rows, or of rows whose x is not null."}, 1, always(wire.KindInt), anyValue),
		define(Function{Name: "sum", Signature: "sum([distinct] number)",
			Doc: "The total; null over no rows."}, 0, sumType, number),
		define(Function{Name: "avg", Aliases: []string{"mean", "average"}, Signature: "avg([distinct] number)",
			Doc: "The mean; null over no rows."}, 0, always(wire.KindFloat), number),
		define(Function{Name: "min", Aliases: []string{"minimum"}, Signature: "min(x)",
			Doc: "The smallest value."}, 0, asFirst, sortable),
		define(Function{Name: "max", Aliases: []string{"maximum"}, Signature: "max(x)",
			Doc: "The largest value."}, 0, asFirst, sortable),
	}
	for i := range list {
		list[i].Kind = AggregateFunction
	}
	return list
}

// sumType keeps integers and decimals exact: a sum has the scale of its terms.
func sumType(args []wire.Type) (wire.Type, error) {
	t := args[0]
	switch {
	case t.Kind == wire.KindNull:
		return wire.Type{Kind: wire.KindInt}, nil
	case t.Kind == wire.KindDecimal && t.Precision > 0:
		return decimalOf(t.Scale), nil
	}
	return t, nil
}
