package sqlgen

import (
	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// postgresFunctions has a line for every function of the plan.
var postgresFunctions = map[string]callWriter{
	"count": aggregated("count"), "min": aggregated("min"), "max": aggregated("max"),
	"sum": postgresSum, "avg": overFloats("avg"), "stddev": overFloats("stddev_samp"), "variance": overFloats("var_samp"),
	"bool_and": aggregated("bool_and"), "bool_or": aggregated("bool_or"),
	"median": postgresPercentile, "percentile": postgresPercentile, "string_agg": postgresStringAgg,

	"abs": form("abs(", arg(0), ")"), "sign": form("sign(", arg(0), ")::bigint"),
	"floor": form("floor(", arg(0), ")::bigint"), "ceil": form("ceil(", arg(0), ")::bigint"),
	"round": func(r *renderer, c *plan.Call) { postgresRound(r, c.Args[0], digits(c)) },
	"trunc": postgresCut, "div": postgresDiv,
	"sqrt":  postgresMath("sqrt", " >= 0"),
	"exp":   postgresMath("exp", " BETWEEN -700 AND 709.7"),
	"ln":    postgresMath("ln", " > 0"),
	"log10": postgresMath("log10", " > 0"),
	"log2":  postgresLog2,
	"power": postgresPower,
	"sin":   postgresMath("sin", ""), "cos": postgresMath("cos", ""), "tan": postgresMath("tan", ""),
	"asin": postgresMath("asin", " BETWEEN -1 AND 1"), "acos": postgresMath("acos", " BETWEEN -1 AND 1"), "atan": postgresMath("atan", ""),
	"radians": postgresMath("radians", ""), "degrees": postgresMath("degrees", ""), "pi": form("pi()"),
	"atan2": func(r *renderer, c *plan.Call) { r.put("atan2(", asFloat(c.Args[0]), ", ", asFloat(c.Args[1]), ")") },

	"lower": form("lower(", arg(0), ` COLLATE "C")`), "upper": form("upper(", arg(0), ` COLLATE "C")`),
	"length": form("char_length(", arg(0), ")::bigint"),
	"trim":   form("btrim(", arg(0), ", ' ')"), "ltrim": form("ltrim(", arg(0), ", ' ')"), "rtrim": form("rtrim(", arg(0), ", ' ')"),
	"substr": substr("substr", "::int"),
	"left":   form("left(", arg(0), ", ", arg(1), "::int)"), "right": form("right(", arg(0), ", ", arg(1), "::int)"),
	"replace":     form("replace(", exactArg(0), ", ", exactArg(1), ", ", exactArg(2), ")"),
	"concat":      chain("(", " || ", ")", func(r *renderer, e plan.Expr) { r.put("coalesce(", exact{e}, ", '')") }),
	"contains":    postgresFound(" > 0)"),
	"starts_with": postgresFound(" = 1)"),
	"ends_with":   form("(right(lower(", arg(0), ` COLLATE "C"), char_length(`, arg(1), ")) = lower(", arg(1), ` COLLATE "C"))`),
	"position":    form("strpos(", exactArg(0), ", ", exactArg(1), ")::bigint"),
	"like_case":   form("(", arg(0), ` COLLATE "C" LIKE `, arg(1), " ESCAPE '')"),
	"lpad":        postgresPad("lpad"), "rpad": postgresPad("rpad"),
	"mask_hash": maskHash(`left(encode(sha256(convert_to(`, ` || `, `, 'UTF8')), 'hex'), 32)`),
	"repeat":    form("repeat(", arg(0), ", ", arg(1), "::int)"), "reverse": form("reverse(", arg(0), ")"),
	"text": postgresText, "number": postgresNumber,

	"coalesce": named("coalesce"), "greatest": named("greatest"), "least": named("least"), "nullif": nullifCall,

	"year": postgresPart("year"), "quarter": postgresPart("quarter"), "month": postgresPart("month"), "day": postgresPart("day"),
	"weekday": postgresPart("isodow"), "iso_week": postgresPart("week"), "iso_year": postgresPart("isoyear"), "day_of_year": postgresPart("doy"),
	"hour": postgresPart("hour"), "minute": postgresPart("minute"), "second": postgresSecond,
	"year_month": postgresFormat("YYYY-MM"), "day_name": postgresFormat("FMDay"), "month_name": postgresFormat("FMMonth"),
	"date_trunc": postgresTrunc, "date": postgresDate,
	"add_days": postgresShift("day"), "add_months": postgresShift("month"), "add_years": postgresShift("year"),
	"add_hours": postgresSpan("hour"), "add_minutes": postgresSpan("minute"), "add_seconds": postgresSpan("second"),
	"days_between": postgresDaysBetween, "seconds_between": postgresSecondsBetween,
	"months_between": postgresMonthsBetween(false), "years_between": postgresMonthsBetween(true),
	"last_day": func(r *renderer, c *plan.Call) {
		r.put("(date_trunc('month', ", func() { postgres{}.wall(r, c.Args[0]) }, ") + interval '1 month' - interval '1 day')::date")
	},
	"make_date": postgresMakeDate, "epoch": postgresEpoch,
	"from_epoch": form("(timestamp '1970-01-01' + ", arg(0), " * interval '1 second')"),
}

// postgresSum keeps a sum of integers one: here it becomes numeric.
func postgresSum(r *renderer, c *plan.Call) {
	r.aggregate("sum", c)
	if c.T.Kind == wire.KindInt {
		r.put("::bigint")
	}
}

// postgresPercentile interpolates between the neighbours.
func postgresPercentile(r *renderer, c *plan.Call) {
	r.put("percentile_cont(")
	if len(c.Args) > 1 {
		r.put(asFloat(c.Args[1]))
	} else {
		r.put("0.5")
	}
	value := asFloat(c.Args[0])
	if c.Filter != nil {
		r.put(") WITHIN GROUP (ORDER BY CASE WHEN ", c.Filter, " THEN ", value, " END)")
		return
	}
	r.put(") WITHIN GROUP (ORDER BY ", value, ")")
}

// postgresStringAgg joins texts in their order.
func postgresStringAgg(r *renderer, c *plan.Call) {
	r.put("string_agg(")
	if c.Distinct {
		r.put("DISTINCT ")
	}
	r.filtered(c, func() { r.put(exact{c.Args[0]}) })
	if len(c.Args) > 1 {
		r.put(", ", c.Args[1])
	} else {
		r.put(", ','")
	}
	r.aggregateOrder(c)
	r.put(")")
}

// postgresMath writes a function of doubles, null outside of its domain.
func postgresMath(name, domain string) callWriter {
	return func(r *renderer, c *plan.Call) {
		x := asFloat(c.Args[0])
		if domain == "" {
			r.put(name, "(", x, ")")
			return
		}
		r.put("CASE WHEN ", x, domain, " THEN ", name, "(", x, ") END")
	}
}

func postgresLog2(r *renderer, c *plan.Call) {
	x := asFloat(c.Args[0])
	r.put("CASE WHEN ", x, " > 0 THEN ln(", x, ") / ln(2::float8) END")
}

// postgresPower is null where the power is no number.
func postgresPower(r *renderer, c *plan.Call) {
	x, y := asFloat(c.Args[0]), asFloat(c.Args[1])
	r.put("CASE WHEN ", x, " > 0 OR ", x, " = 0 AND ", y, " >= 0 OR ", x, " < 0 AND ", y, " = trunc(", y, ") THEN power(", x, ", ", y, ") END")
}

// postgresFound tests where the second text stands in the first, folding A to Z.
func postgresFound(test string) callWriter {
	return form("(strpos(lower(", arg(0), ` COLLATE "C"), lower(`, arg(1), ` COLLATE "C"))`, test)
}

func postgresPad(name string) callWriter {
	return func(r *renderer, c *plan.Call) {
		r.put(name, "(", exact{c.Args[0]}, ", ", c.Args[1], "::int")
		if len(c.Args) > 2 {
			r.put(", ", exact{c.Args[2]})
		}
		r.put(")")
	}
}
