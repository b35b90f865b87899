package plan

import "querent.dev/querent/sdk/wire"

// maxOffset bounds how far a window looks, in rows. It leaves every database room
// to count from any row.
const maxOffset = 1_000_000

func windowFunctions() []Function {
	steps := Constant{Min: 0, Max: maxOffset}
	from1 := Constant{Min: 1, Max: maxOffset}
	whole, fraction := always(wire.KindInt), always(wire.KindFloat)
	list := []Function{
		define(Function{Name: "row_number", Signature: "row_number()", Doc: "The number of the row, from 1."}, 0, whole),
		define(Function{Name: "rank", Signature: "rank()", Doc: "The rank of the row; ties share it and leave gaps."}, 0, whole),
		define(Function{Name: "dense_rank", Signature: "dense_rank()", Doc: "The rank of the row; ties share it and leave no gaps."}, 0, whole),
		define(Function{Name: "percent_rank", Signature: "percent_rank()", Doc: "The rank as a part from 0 to 1."}, 0, fraction),
		define(Function{Name: "cume_dist", Signature: "cume_dist()", Doc: "The part of the rows up to this one and its ties."}, 0, fraction),
		define(Function{Name: "ntile", Signature: "ntile(n)", Doc: "The number of the row's bucket of n of equal size.",
			Constants: map[int]Constant{0: from1}}, 0, whole, wholeNum),
		define(Function{Name: "lag", Signature: "lag(x [, n])", Doc: "x of the row n before, 1 if left out.",
			Constants: map[int]Constant{1: steps}}, 1, asFirst, anyValue, wholeNum),
		define(Function{Name: "lead", Signature: "lead(x [, n])", Doc: "x of the row n behind, 1 if left out.",
			Constants: map[int]Constant{1: steps}}, 1, asFirst, anyValue, wholeNum),
		define(Function{Name: "first_value", Signature: "first_value(x)", Doc: "x of the first row of the window."}, 0, asFirst, anyValue),
		define(Function{Name: "last_value", Signature: "last_value(x)", Doc: "x of the last row of the window."}, 0, asFirst, anyValue),
		define(Function{Name: "nth_value", Signature: "nth_value(x, n)", Doc: "x of the n-th row of the window.",
			Constants: map[int]Constant{1: from1}}, 0, asFirst, anyValue, wholeNum),
	}
	for i := range list {
		list[i].Kind = WindowFunction
	}
	return list
}
