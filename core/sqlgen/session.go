package sqlgen

import (
	"slices"

	"querent.dev/querent/core/schema"
)

// sessions are the settings under which the text of a dialect means what it
// should.
var sessions = map[schema.Dialect][]string{
	schema.Postgres: {
		"SET TIME ZONE 'UTC'",  // a moment without an offset is one of UTC
		"SET search_path = ''", // every name is qualified; functions are the server's own
		"SET client_encoding = 'UTF8'",
		"SET standard_conforming_strings = on", // a backslash in a text is one
		"SET DateStyle = 'ISO, YMD'",
		"SET IntervalStyle = 'iso_8601'",
		"SET bytea_output = 'hex'",
		"SET extra_float_digits = 1", // a double as text keeps all its digits
	},
	schema.MySQL: {
		"SET time_zone = '+00:00'",
		// Texts that are no column compare by code point, too.
		"SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin",
		// Without ANSI_QUOTES, PIPES_AS_CONCAT, NO_BACKSLASH_ESCAPES and
		// PAD_CHAR_TO_FULL_LENGTH, whichever the server has. ONLY_FULL_GROUP_BY is not
		// among them either: MariaDB does not see that a selected calculation is the one
		// that is grouped, and the plan has been checked for it.
		"SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_UNSIGNED_SUBTRACTION,NO_ENGINE_SUBSTITUTION'",
		// MariaDB stops a recursion after 1,000 rounds with a warning alone. The time
		// limit of the query bounds it here.
		"SET SESSION max_recursive_iterations = 4294967295",
		// Joined texts are cut at this length with a warning. No cell is longer than
		// 16 MiB.
		"SET SESSION group_concat_max_len = 16777216",
		// The cache finds the result of a sub-query by the values outside, which it
		// compares in the collation of their columns: abc would have that of ABC.
		"SET SESSION optimizer_switch = 'subquery_cache=off'",
		"SET SESSION lc_time_names = 'en_US'", // names of days and months
		"SET SESSION sql_auto_is_null = 0",    // x IS NULL is just that
		"SET SESSION sql_select_limit = DEFAULT",
		"SET SESSION div_precision_increment = 4",
	},
}

// Session lists the statements with which an adapter sets up every connection of a
// dialect before it runs what Render wrote. They are constant and safe to repeat.
func Session(d schema.Dialect) []string { return slices.Clone(sessions[d]) }
