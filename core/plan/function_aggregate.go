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
	list = append(list, spreadAggregates()...)
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

// maxSeparator bounds the separator of string_agg, in characters.
const maxSeparator = 20

// spreadAggregates are those that say more of a group than a total.
func spreadAggregates() []Function {
	return []Function{
		define(Function{Name: "stddev", Aliases: []string{"stddev_samp", "std", "stdev"}, Signature: "stddev(number)",
			Doc: "The standard deviation of a sample; null for fewer than two numbers."}, 0, always(wire.KindFloat), number),
		define(Function{Name: "variance", Aliases: []string{"var_samp", "var"}, Signature: "variance(number)",
			Doc: "The variance of a sample; null for fewer than two numbers."}, 0, always(wire.KindFloat), number),
		define(Function{Name: "median", Signature: "median(number)",
			Doc: "The middle number, or the mean of the two in the middle."}, 0, always(wire.KindFloat), number),
		define(Function{Name: "percentile", Aliases: []string{"percentile_cont", "quantile"}, Signature: "percentile(number, 0.9)",
			Doc:       "The number below which the given part, 0 to 1, of the numbers lies, interpolated between neighbours.",
			Constants: map[int]Constant{1: {Fraction: true, Max: 1}}}, 0, always(wire.KindFloat), number, number),
		define(Function{Name: "string_agg", Aliases: []string{"group_concat", "listagg"},
			Signature: "string_agg([distinct] text [, ', '] [order by x])",
			Doc:       "The texts joined, with a comma between them unless another separator is given, in the order of x or of themselves.",
			Constants: map[int]Constant{1: {Text: true, Max: maxSeparator}}}, 1, always(wire.KindText), textValue, textValue),
		define(Function{Name: "bool_and", Aliases: []string{"every"}, Signature: "bool_and(condition)",
			Doc: "Whether the condition holds in all rows where it is not null."}, 0, always(wire.KindBool), condition),
		define(Function{Name: "bool_or", Signature: "bool_or(condition)",
			Doc: "Whether the condition holds in any row."}, 0, always(wire.KindBool), condition),
	}
}
