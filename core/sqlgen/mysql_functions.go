package sqlgen

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// mysqlFunctions has a line for every function of the plan.
var mysqlFunctions = map[string]callWriter{
	"count": aggregated("COUNT"), "min": aggregated("min"), "max": aggregated("max"),
	"sum": mysqlSum, "avg": overFloats("AVG"), "stddev": overFloats("STDDEV_SAMP"), "variance": overFloats("VAR_SAMP"),
	"bool_and": aggregated("min"), "bool_or": aggregated("max"),
	"median": mysqlPercentile, "percentile": mysqlPercentile, "string_agg": mysqlStringAgg,

	"abs": form("ABS(", arg(0), ")"), "sign": form("SIGN(", arg(0), ")"),
	"floor": form("CAST(FLOOR(", arg(0), ") AS SIGNED)"), "ceil": form("CAST(CEILING(", arg(0), ") AS SIGNED)"),
	"round": func(r *renderer, c *plan.Call) { mysqlRound(r, c.Args[0], digits(c)) },
	"trunc": mysqlCut, "div": mysqlDiv,
	"sqrt":  mysqlMath("SQRT", " >= 0"),
	"exp":   mysqlMath("EXP", " BETWEEN -700 AND 709.7"),
	"ln":    mysqlMath("LN", " > 0"),
	"log10": mysqlMath("LOG10", " > 0"),
	"log2":  mysqlMath("LOG2", " > 0"),
	"power": mysqlPower,
	"sin":   mysqlMath("SIN", ""), "cos": mysqlMath("COS", ""), "tan": mysqlMath("TAN", ""),
	"asin": mysqlMath("ASIN", " BETWEEN -1 AND 1"), "acos": mysqlMath("ACOS", " BETWEEN -1 AND 1"), "atan": mysqlMath("ATAN", ""),
	"radians": mysqlMath("RADIANS", ""), "degrees": mysqlMath("DEGREES", ""), "pi": form("(PI() + 0e0)"),
	"atan2": func(r *renderer, c *plan.Call) { r.put("ATAN2(", asFloat(c.Args[0]), ", ", asFloat(c.Args[1]), ")") },

	"lower": mysqlFold("LOWER"), "upper": mysqlFold("UPPER"),
	"length": form("CHAR_LENGTH(", arg(0), ")"),
	"trim":   form("TRIM(", arg(0), ")"), "ltrim": form("LTRIM(", arg(0), ")"), "rtrim": form("RTRIM(", arg(0), ")"),
	"substr": substr("SUBSTR", ""),
	"left":   form("LEFT(", arg(0), ", ", arg(1), ")"), "right": form("RIGHT(", arg(0), ", ", arg(1), ")"),
	"replace":     mysqlReplace,
	"concat":      chain("CONCAT(", ", ", ")", func(r *renderer, e plan.Expr) { r.put("COALESCE(", exact{e}, ", '')") }),
	"contains":    mysqlFound(" > 0)"),
	"starts_with": mysqlFound(" = 1)"),
	"ends_with":   mysqlEndsWith,
	"position":    form("LOCATE(", exactArg(1), ", ", exactArg(0), ")"),
	"like_case":   mysqlLikeCase,
	"lpad":        mysqlPad("LPAD"), "rpad": mysqlPad("RPAD"),
	"mask_hash": maskHash("LEFT(SHA2(CONCAT(", ", ", "), 256), 32)"),
	"repeat":    form("REPEAT(", arg(0), ", ", arg(1), ")"), "reverse": form("REVERSE(", arg(0), ")"),
	"text": mysqlText, "number": mysqlNumber,

	"coalesce": named("COALESCE"), "greatest": mysqlExtreme("GREATEST"), "least": mysqlExtreme("LEAST"), "nullif": nullifCall,

	"year": mysqlTime("YEAR(", ")"), "quarter": mysqlTime("QUARTER(", ")"), "month": mysqlTime("MONTH(", ")"), "day": mysqlTime("DAYOFMONTH(", ")"),
	"weekday": mysqlTime("(WEEKDAY(", ") + 1)"), "iso_week": mysqlTime("WEEK(", ", 3)"), "iso_year": mysqlTime("(YEARWEEK(", ", 3) DIV 100)"),
	"day_of_year": mysqlTime("DAYOFYEAR(", ")"),
	"hour":        mysqlTime("HOUR(", ")"), "minute": mysqlTime("MINUTE(", ")"), "second": mysqlTime("SECOND(", ")"),
	"year_month": mysqlTime("DATE_FORMAT(", ", '%Y-%m')"), "day_name": mysqlTime("DAYNAME(", ")"), "month_name": mysqlTime("MONTHNAME(", ")"),
	"date_trunc": mysqlTrunc, "date": mysqlDate,
	"add_days": mysqlShift("DAY"), "add_months": mysqlShift("MONTH"), "add_years": mysqlShift("YEAR"),
	"add_hours": mysqlShift("HOUR"), "add_minutes": mysqlShift("MINUTE"), "add_seconds": mysqlShift("SECOND"),
	"days_between": mysqlDaysBetween, "seconds_between": mysqlSecondsBetween,
	"months_between": mysqlMonthsBetween(false), "years_between": mysqlMonthsBetween(true),
	"last_day": mysqlTime("LAST_DAY(", ")"), "make_date": mysqlMakeDate,
	"epoch":      form("TIMESTAMPDIFF(SECOND, TIMESTAMP '1970-01-01 00:00:00', CAST(DATE_FORMAT(", arg(0), ", '%Y-%m-%d %H:%i:%s') AS DATETIME))"),
	"from_epoch": form("(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL ", arg(0), " SECOND)"),
}

// mysqlSum keeps a sum of integers one: here it becomes a decimal. A cast would cut
// one beyond 64 bits to the greatest number that there is; the division is an error.
func mysqlSum(r *renderer, c *plan.Call) {
	if c.T.Kind != wire.KindInt {
		r.aggregate("SUM", c)
		return
	}
	r.put("(", func() { r.aggregate("SUM", c) }, " DIV 1)")
}

// mysqlPercentile interpolates between the neighbours. It stands in a derived
// table, over the rows of each group. The server gives the result as many digits
// as the part has and cuts a greater one to them without an error: 0.5 alone would
// end at 100,000,000. The part is as wide as a number can be.
func mysqlPercentile(r *renderer, c *plan.Call) {
	if r.besides == nil {
		r.fail(invalid("The median and percentiles cannot be used here on this database. Compute them in a block with the groups, and read that."))
		return
	}
	r.put("PERCENTILE_CONT(CAST(")
	if len(c.Args) > 1 {
		r.put(c.Args[1])
	} else {
		r.put("0.5")
	}
	r.put(" AS DOUBLE(65,30))) WITHIN GROUP (ORDER BY ", func() { r.filtered(c, func() { r.put(asFloat(c.Args[0])) }) }, ") OVER (")
	r.dialect.partition(r, r.besides.Group)
	r.put(")")
}

// mysqlMath writes a function of doubles, null outside of its domain.
func mysqlMath(name, domain string) callWriter {
	return func(r *renderer, c *plan.Call) {
		x := asFloat(c.Args[0])
		if domain == "" {
			r.put(name, "(", x, ")")
			return
		}
		r.put("CASE WHEN ", x, domain, " THEN ", name, "(", x, ") END")
	}
}

// mysqlPower is null where the power is no number.
func mysqlPower(r *renderer, c *plan.Call) {
	x, y := asFloat(c.Args[0]), asFloat(c.Args[1])
	r.put("CASE WHEN ", x, " > 0 OR ", x, " = 0 AND ", y, " >= 0 OR ", x, " < 0 AND ", y, " = TRUNCATE(", y, ", 0) THEN POW(", x, ", ", y, ") END")
}

// mysqlExtreme takes the greatest or the least and skips nulls, which MariaDB's
// own function does not: each argument stands in with the next ones behind it.
func mysqlExtreme(name string) callWriter {
	return func(r *renderer, c *plan.Call) {
		n := len(c.Args)
		r.put(name, "(")
		r.list(n, ", ", func(i int) {
			r.put("COALESCE(")
			r.list(n, ", ", func(j int) { r.put(exact{c.Args[(i+j)%n]}) })
			r.put(")")
		})
		r.put(")")
	}
}
