package plan

func choiceFunctions() []Function {
	return []Function{
		defineMany(Function{alike: true, Name: "coalesce", Aliases: []string{"ifnull", "nvl"}, Signature: "coalesce(x, y, …)",
			Doc: "The first value that is not null."}, common, anyValue),
		define(Function{alike: true, Name: "nullif", Signature: "nullif(x, y)", Doc: "x, or null where it equals y."},
			0, nullifType, sortable, sortable),
		defineMany(Function{alike: true, Name: "greatest", Signature: "greatest(x, y, …)", Doc: "The largest value that is not null."},
			common, sortable),
		defineMany(Function{alike: true, Name: "least", Signature: "least(x, y, …)", Doc: "The smallest value that is not null."},
			common, sortable),
	}
}
