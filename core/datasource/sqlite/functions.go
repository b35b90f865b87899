package sqlite

// functions are the SQLite functions that a statement may call: those that
// sqlgen writes. None of them reads files, loads code, tells of the host or makes
// values without bound.
var functions = setOf(
	"abs", "acos", "asin", "atan", "atan2", "avg", "ceil", "coalesce", "cos", "count", "cume_dist", "date",
	"degrees", "dense_rank", "exp", "first_value", "floor", "glob", "group_concat", "instr", "json_group_array",
	"julianday", "lag", "last_value", "lead", "length", "like", "ln", "log10", "log2", "lower", "ltrim", "max",
	"min", "nth_value", "ntile", "nullif", "percent_rank", "pi", "pow", "printf", "querent_join",
	"querent_mask_hash", "querent_percentile", "querent_reverse", "querent_stddev", "querent_variance", "radians", "rank", "replace",
	"round", "row_number", "rtrim", "sign", "sin", "sqrt", "strftime", "substr", "sum", "tan", "trim", "trunc",
	"upper",
)

// catalogPragmas are the questions that introspection asks.
var catalogPragmas = setOf("table_list", "table_xinfo", "index_list", "index_xinfo", "foreign_key_list")

func setOf(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}
