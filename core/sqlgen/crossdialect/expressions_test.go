//go:build databases

package crossdialect_test

import (
	"math/rand/v2"
	"strconv"
)

// generator writes random plans of the test's tables, of expressions that have
// the same value everywhere: what docs/dialects.md excepts is left out.
type generator struct {
	*rand.Rand
	sources []source
}

// source is a table in scope, under its alias, with its columns by what they are.
type source struct {
	alias   string
	columns map[string][]string
}

func (g *generator) one(list ...string) string { return list[g.IntN(len(list))] }

func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

var sourceColumns = map[string]map[string][]string{
	"samples": {"int": {"n", "short", "id"}, "dec": {"m"}, "float": {"f"}, "text": {"s", "word", "latin", "fixed"}, "bool": {"flag"},
		"date": {"day", "dmy"}, "time": {"at", "jul"}, "zone": {"z", "ms"}},
	"items": {"int": {"qty", "sample_id", "id"}, "dec": {"price"}, "text": {"name", "city"}, "date": {"sold"}},
	"tree":  {"int": {"parent", "id"}, "dec": {"weight"}, "text": {"name"}},
	"loose": {"int": {"c1", "sample_id"}, "text": {"c2"}},
}

func (g *generator) column(kind string) (string, bool) {
	var list []string
	for _, s := range g.sources {
		for _, c := range s.columns[kind] {
			list = append(list, s.alias+"."+c)
		}
	}
	if len(list) == 0 {
		return "", false
	}
	return list[g.IntN(len(list))], true
}

// literals are constants by what they are.
func (g *generator) literal(kind string) string {
	switch kind {
	case "int":
		return strconv.Itoa(g.IntN(9) - 2)
	case "dec":
		return g.one("0.5", "-1.25", "100.10", "3.00", "0.1")
	case "float":
		return g.one("cast(2.5 as float)", "cast(-3 as float)")
	case "text":
		return g.one("'abc'", "'ABC'", "'é'", "'a'", "''", "'Zebra'", "'가'", "'a%b'", "'12.5'", "'it''s'")
	case "bool":
		return g.one("true", "false")
	case "time":
		return g.one("cast('2024-02-29 12:30:15' as timestamp)", "cast('2023-12-31 23:59:59.999' as timestamp)")
	case "date":
		return g.one("date('2024-02-29')", "date('2023-12-31')", "make_date(2024, 1, 31)")
	}
	return "null"
}

func (g *generator) expr(kind string, depth int) string {
	if depth <= 0 || g.chance(4) {
		if c, ok := g.column(kind); ok && !g.chance(6) {
			return c
		}
		if kind == "zone" {
			if c, ok := g.column(kind); ok {
				return c
			}
			kind = "time"
		}
		return g.literal(kind)
	}
	e := func(k string) string { return g.expr(k, depth-1) }
	switch kind {
	case "int":
		return g.intExpr(e)
	case "dec":
		return g.decExpr(e)
	case "float":
		return g.floatExpr(e)
	case "text":
		return g.textExpr(e)
	case "date":
		return g.dateExpr(e)
	case "time":
		return g.timeExpr(e)
	case "zone":
		if _, ok := g.column("zone"); !ok {
			return g.timeExpr(e)
		}
		return g.one("add_days("+g.expr("zone", 0)+", 1)", g.expr("zone", 0), "add_hours("+g.expr("zone", 0)+", 7)")
	}
	return g.condition(depth)
}

func (g *generator) choice(kind string, e func(string) string) string {
	return g.one(
		"case when "+e("bool")+" then "+e(kind)+" else "+e(kind)+" end",
		"case when "+e("bool")+" then "+e(kind)+" end",
		"coalesce("+e(kind)+", "+e(kind)+")",
	)
}

func (g *generator) intExpr(e func(string) string) string {
	switch g.IntN(12) {
	case 0, 1:
		return "(" + e("int") + g.one(" + ", " - ") + e("int") + ")"
	case 2:
		return "(" + e("int") + " * " + g.literal("int") + ")"
	case 3:
		return "(" + e("int") + " % " + g.one("3", "-4", e("int")) + ")"
	case 4:
		return g.one("abs", "sign", "-") + "(" + e("int") + ")"
	case 5:
		return "div(" + e("int") + ", " + g.one("3", "-2", e("int")) + ")"
	case 6:
		return g.one("length("+e("text")+")", "position("+e("text")+", "+e("text")+")", "cast("+e("text")+" as int)")
	case 7:
		return g.one("year", "month", "day", "quarter", "weekday", "iso_week", "iso_year", "day_of_year") + "(" + g.expr(g.one("date", "time"), 1) + ")"
	case 8:
		return g.one("days_between", "months_between", "years_between") + "(" + g.expr("date", 1) + ", " + g.expr("date", 1) + ")"
	case 9:
		return g.one("floor", "ceil") + "(" + e("dec") + ")"
	case 10:
		return g.one("greatest", "least", "coalesce") + "(" + e("int") + ", " + e("int") + ")"
	}
	return g.choice("int", e)
}

func (g *generator) decExpr(e func(string) string) string {
	switch g.IntN(7) {
	case 0, 1:
		return "(" + e("dec") + g.one(" + ", " - ") + e("dec") + ")"
	case 2:
		return "(" + e("dec") + " * " + g.one("2", "0.5", "-1.1") + ")"
	case 3:
		return g.one("round", "trunc") + "(" + e("dec") + ", " + g.one("0", "1", "-1") + ")"
	case 4:
		return "abs(" + e("dec") + ")"
	case 5:
		return g.one("greatest", "least", "nullif") + "(" + e("dec") + ", " + e("dec") + ")"
	}
	return g.choice("dec", e)
}

func (g *generator) floatExpr(e func(string) string) string {
	switch g.IntN(6) {
	case 0, 1:
		return "(" + e("int") + " / " + e("int") + ")"
	case 2:
		return "(" + e("dec") + " / " + e("int") + ")"
	case 3:
		return "(" + e("float") + g.one(" + ", " - ", " * ") + g.literal("float") + ")"
	case 4:
		return g.one("sqrt", "ln", "log10", "atan", "sin") + "(" + g.expr("int", 1) + ")"
	}
	return g.choice("float", e)
}

func (g *generator) textExpr(e func(string) string) string {
	switch g.IntN(12) {
	case 0:
		return g.one("lower", "upper", "trim", "ltrim", "rtrim", "reverse") + "(" + e("text") + ")"
	case 1:
		return "substr(" + e("text") + ", " + strconv.Itoa(1+g.IntN(3)) + ", " + strconv.Itoa(g.IntN(4)) + ")"
	case 2:
		return g.one("left", "right", "repeat") + "(" + e("text") + ", " + strconv.Itoa(g.IntN(4)) + ")"
	case 3:
		return "replace(" + e("text") + ", " + g.literal("text") + ", " + g.literal("text") + ")"
	case 4:
		return "concat(" + e("text") + ", '-', " + e("text") + ")"
	case 5:
		return "(" + e("text") + " || " + e("text") + ")"
	case 6:
		return g.one("lpad", "rpad") + "(" + e("text") + ", " + strconv.Itoa(g.IntN(7)) + ", '*-')"
	case 7:
		return "text(" + g.expr(g.one("int", "bool", "date"), 1) + ")"
	case 8:
		return g.one("year_month", "day_name", "month_name") + "(" + g.expr("date", 1) + ")"
	case 9:
		return "nullif(" + e("text") + ", " + g.literal("text") + ")"
	case 10:
		return g.one("greatest", "least") + "(" + e("text") + ", " + e("text") + ")"
	}
	return g.choice("text", e)
}

func (g *generator) dateExpr(e func(string) string) string {
	switch g.IntN(7) {
	case 0:
		return "date_trunc('" + g.one("year", "quarter", "month", "week") + "', " + e("date") + ")"
	case 1:
		return "add_days(" + e("date") + ", " + strconv.Itoa(g.IntN(90)-45) + ")"
	case 2:
		return g.one("add_months", "add_years") + "(" + e("date") + ", " + strconv.Itoa(g.IntN(6)-3) + ")"
	case 3:
		return "last_day(" + e("date") + ")"
	case 4:
		return "date(" + g.expr("time", 0) + ")"
	case 5:
		return g.one("greatest", "least") + "(" + e("date") + ", " + e("date") + ")"
	}
	return g.choice("date", e)
}

func (g *generator) timeExpr(e func(string) string) string {
	return g.one("add_days(", "add_hours(", "add_minutes(", "add_months(") + g.expr("time", 0) + ", " + strconv.Itoa(g.IntN(20)-10) + ")"
}

func (g *generator) condition(depth int) string {
	e := func(k string) string { return g.expr(k, depth-1) }
	compare := func() string { return g.one(" = ", " <> ", " < ", " <= ", " > ", " >= ") }
	switch g.IntN(14) {
	case 0:
		return "(" + e("bool") + g.one(" and ", " or ") + e("bool") + ")"
	case 1:
		return "not (" + e("bool") + ")"
	case 2:
		return "(" + e("int") + compare() + e(g.one("int", "dec")) + ")"
	case 3:
		return "(" + e("dec") + compare() + e("dec") + ")"
	case 4, 5:
		return "(" + e("text") + compare() + e("text") + ")"
	case 6:
		return "(" + e("date") + compare() + e("date") + ")"
	case 7:
		return "(" + g.expr("time", 1) + compare() + g.expr("time", 1) + ")"
	case 8:
		return "(" + e("text") + g.one(" in ", " not in ") + "('abc', 'é', " + g.expr("text", 1) + "))"
	case 9:
		return "(" + e("int") + g.one(" between ", " not between ") + g.expr("int", 0) + " and " + g.expr("int", 0) + ")"
	case 10:
		return "(" + e("text") + g.one(" like ", " not like ") + g.one("'a%'", "'%B%'", "'_'", "'%é'", "'%!%'", "'%\\%'") + ")"
	case 11:
		return g.one("contains", "starts_with", "ends_with") + "(" + e("text") + ", " + g.expr("text", 0) + ")"
	case 12:
		return "during(" + g.expr(g.one("date", "time"), 0) + ", '" + g.one("2024", "2024-Q1", "2024-02", "2023-12-31", "2024-02-29", "since 2024-03", "2023..2024") + "')"
	}
	return "(" + g.expr(g.one("int", "text", "date", "dec"), 1) + g.one(" is null", " is not null") + ")"
}
