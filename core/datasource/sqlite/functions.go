package sqlite

// functions are the SQLite functions that a statement may call: those that
// sqlgen writes. None of them reads files, loads code, tells of the host or makes
// values without bound.
var functions = setOf(
	"abs", "avg", "ceil", "coalesce", "count", "date", "exp", "floor", "glob", "instr", "julianday", "length",
	"like", "ln", "log10", "lower", "ltrim", "max", "min", "nullif", "pow", "printf", "replace", "round",
	"row_number", "rtrim", "sign", "sqrt", "strftime", "substr", "sum", "trim", "trunc", "upper",
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
