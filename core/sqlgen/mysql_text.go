package sqlgen

import (
	"strings"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// mysqlCase writes text with A to Z folded: MariaDB's own functions fold all
// letters, but as ASCII it knows those alone.
func mysqlCase(function string, text any) func(r *renderer) {
	return func(r *renderer) {
		r.put("CONVERT(CAST(", function, "(CONVERT(BINARY ", text, " USING ascii)) AS BINARY) USING utf8mb4)")
	}
}

func mysqlFold(function string) callWriter {
	return func(r *renderer, c *plan.Call) { mysqlCase(function, c.Args[0])(r) }
}

// folded writes text in small letters, to be compared.
func (mysql) folded(r *renderer, e plan.Expr) {
	if l, ok := e.(*plan.Literal); ok && l.Value.Kind() == wire.KindText {
		r.put(wire.Text(foldASCII(l.Value.String())), nopad)
		return
	}
	mysqlCase("LOWER", e)(r)
	r.put(nopad)
}

// foldASCII makes small letters of A to Z alone.
func foldASCII(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' {
			return c + 'a' - 'A'
		}
		return c
	}, s)
}

// mysqlFound tests where the second text stands in the first, folding A to Z.
func mysqlFound(test string) callWriter {
	return func(r *renderer, c *plan.Call) {
		r.put("(LOCATE(", func() { mysql{}.folded(r, c.Args[1]) }, ", ", func() { mysql{}.folded(r, c.Args[0]) }, ")", test)
	}
}

func mysqlEndsWith(r *renderer, c *plan.Call) {
	text, part := c.Args[0], c.Args[1]
	r.put("(RIGHT(", func() { mysql{}.folded(r, text) }, ", CHAR_LENGTH(", part, ")) = ", func() { mysql{}.folded(r, part) }, ")")
}

// like folds A to Z. The plan's patterns have no escape character, so that every
// one of MariaDB's is doubled.
func (d mysql) like(r *renderer, e *plan.Like) {
	word := " LIKE "
	if e.Negate {
		word = " NOT LIKE "
	}
	r.put("(", func() { d.folded(r, e.X) }, word, func() { d.pattern(r, e.Pattern, true) }, " ESCAPE '!')")
}

func (d mysql) pattern(r *renderer, e plan.Expr, fold bool) {
	if l, ok := e.(*plan.Literal); ok && l.Value.Kind() == wire.KindText {
		text := strings.ReplaceAll(l.Value.String(), "!", "!!")
		if fold {
			text = foldASCII(text)
		}
		r.put(wire.Text(text))
		return
	}
	r.put("REPLACE(")
	if fold {
		d.folded(r, e)
	} else {
		r.put(exact{e})
	}
	r.put(", '!', '!!')")
}

func mysqlLikeCase(r *renderer, c *plan.Call) {
	r.put("(", c.Args[0], nopad, " LIKE ", func() { mysql{}.pattern(r, c.Args[1], false) }, " ESCAPE '!')")
}

// mysqlReplace is null where the replacement is: MariaDB gives the text if there
// is nothing to replace.
func mysqlReplace(r *renderer, c *plan.Call) {
	call := func() { r.put("REPLACE(", exact{c.Args[0]}, ", ", exact{c.Args[1]}, ", ", exact{c.Args[2]}, ")") }
	if isLiteral(c.Args[2]) {
		call()
		return
	}
	r.put("CASE WHEN ", c.Args[2], " IS NOT NULL THEN ", call, " END")
}

func mysqlPad(name string) callWriter {
	return func(r *renderer, c *plan.Call) {
		r.put(name, "(", exact{c.Args[0]}, ", ", c.Args[1], ", ")
		if len(c.Args) > 2 {
			r.put(exact{c.Args[2]}, ")")
			return
		}
		r.put("' ')")
	}
}

// separator stands between the texts of an aggregate until the wanted one takes
// its place: MariaDB takes no argument there. No text holds this character, which
// is none by Unicode.
const separator = "\ufdd0"

func mysqlStringAgg(r *renderer, c *plan.Call) {
	r.put("REPLACE(GROUP_CONCAT(")
	if c.Distinct {
		r.put("DISTINCT ")
	}
	r.filtered(c, func() { r.put(exact{c.Args[0]}) })
	r.aggregateOrder(c)
	r.put(" SEPARATOR '", separator, "'), '", separator, "', ")
	if len(c.Args) > 1 {
		r.put(c.Args[1], ")")
		return
	}
	r.put("',')")
}
