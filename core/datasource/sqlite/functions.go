package sqlite

// functions are the SQLite functions that a statement may call: those that
// rendered plans use, none of which reads files, loads code, tells of the host
// or makes values without bound.
var functions = setOf(
	"abs", "avg", "ceil", "ceiling", "coalesce", "count", "cume_dist", "date", "datetime", "dense_rank",
	"exp", "first_value", "floor", "glob", "group_concat", "ifnull", "iif", "instr", "julianday", "lag",
	"last_value", "lead", "length", "like", "ln", "log10", "lower", "ltrim", "max", "min", "mod",
	"nth_value", "ntile", "nullif", "percent_rank", "pow", "power", "printf", "format", "rank", "replace",
	"round", "row_number", "rtrim", "sign", "sqrt", "strftime", "string_agg", "substr", "substring", "sum",
	"time", "total", "trim", "trunc", "typeof", "unixepoch", "upper",
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
