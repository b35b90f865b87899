package sqlgen

import (
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// sqliteRepeat makes a row of spaces and puts the text for each.
func sqliteRepeat(r *renderer, text, times any) {
	r.put("replace(printf('%*s', ", times, ", ''), ' ', ", text, ")")
}

// pad fills a text up to a number of characters, before or behind it, or cuts it.
func pad(before bool) callWriter {
	return func(r *renderer, c *plan.Call) {
		text, n := c.Args[0], c.Args[1]
		var filling any = wire.Text(" ")
		if len(c.Args) > 2 {
			filling = c.Args[2]
		}
		missing := func() {
			r.put("substr(", func() { sqliteRepeat(r, filling, n) }, ", 1, ", n, " - length(", text, "))")
		}
		r.put("CASE WHEN length(", text, ") >= ", n, " THEN substr(", text, ", 1, ", n, ") ELSE ")
		if before {
			r.put(missing, " || ", text, " END")
			return
		}
		r.put(text, " || ", missing, " END")
	}
}

// globs are the characters that mean something in a GLOB, or in a LIKE.
var globs = strings.NewReplacer("%", "*", "_", "?", "*", "[*]", "?", "[?]", "[", "[[]")

// sqliteLikeCase writes a pattern as a GLOB, which minds the case of letters.
func sqliteLikeCase(r *renderer, c *plan.Call) {
	pattern, ok := c.Args[1].(*plan.Literal)
	if !ok {
		r.fail(malformed("the pattern of like_case is no constant"))
		return
	}
	r.put("(", c.Args[0], " GLOB ", wire.Text(globs.Replace(pattern.Value.String())), ")")
}

// sqliteStringAgg joins texts in their order. SQLite takes no separator with
// distinct texts, so those are collected as JSON and joined by the host.
func sqliteStringAgg(r *renderer, c *plan.Call) {
	separator := func() { r.put(wire.Text(",")) }
	if len(c.Args) > 1 {
		separator = func() { r.put(c.Args[1]) }
	}
	one := *c
	one.Args = c.Args[:1]
	if c.Distinct {
		r.put("querent_join(")
		r.aggregateOf("json_group_array", &one, nil)
		r.put(", ", separator, ")")
		return
	}
	r.aggregateOf("group_concat", &one, func() { r.put(", ", separator) })
}
