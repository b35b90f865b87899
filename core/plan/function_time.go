package plan

import (
	"fmt"

	"querent.dev/querent/sdk/wire"
)

// The units of date_trunc. The first five cut to a day.
var (
	dayUnits  = []string{"year", "quarter", "month", "week", "day"}
	timeUnits = []string{"hour", "minute", "second"}
)

func timeFunctions() []Function {
	var list []Function
	part := func(name, doc string, takes class, aliases ...string) {
		list = append(list, define(Function{Name: name, Aliases: aliases, Signature: name + "(" + argName(takes) + ")", Doc: doc},
			0, always(wire.KindInt), takes))
	}
	part("year", "The year.", aMoment)
	part("quarter", "The quarter, 1 to 4.", aMoment)
	part("month", "The month, 1 to 12.", aMoment)
	part("day", "The day of the month.", aMoment, "dayofmonth")
	part("weekday", "The day of the week, 1 (Monday) to 7 (Sunday).", aMoment, "isodow")
	part("iso_week", "The week of the year by ISO 8601.", aMoment, "isoweek", "weekofyear")
	part("iso_year", "The year to which the week of ISO 8601 belongs.", aMoment, "isoyear")
	part("day_of_year", "The day of the year, 1 to 366.", aMoment, "dayofyear", "doy")
	part("hour", "The hour, 0 to 23.", timed)
	part("minute", "The minute.", timed)
	part("second", "The second, without its fraction.", timed)
	shift := func(name, unit, doc string) {
		list = append(list, define(Function{Name: name, Signature: name + "(date, n)", Doc: "The date n " + unit + " later" + doc + "."},
			0, asFirst, aMoment, wholeNum))
	}
	trunc := define(Function{Name: "date_trunc", Signature: "date_trunc('month', date)",
		Doc:       "The start of the year, quarter, month, week (Monday), day, hour, minute or second.",
		Constants: map[int]Constant{0: {OneOf: append(append([]string(nil), dayUnits...), timeUnits...)}},
		refine:    truncType,
	}, 0, func(args []wire.Type) (wire.Type, error) { return args[1], nil }, textValue, aMoment)
	list = append(list, trunc,
		define(Function{Name: "year_month", Signature: "year_month(date)", Doc: "The month as text: 2025-03."},
			0, always(wire.KindText), aMoment),
		define(Function{Name: "date", Aliases: []string{"to_date"}, Signature: "date(timestamp)",
			Doc: "The day of a timestamp; of a text in the form 2025-03-31, else null."}, 0, dateType, anyValue))
	shift("add_days", "days", "")
	shift("add_months", "months", ", at most the last day of the month")
	shift("add_years", "years", ", at most the last day of the month")
	return append(list, define(Function{Name: "days_between", Signature: "days_between(start, end)",
		Doc: "The days from the start to the end."}, 0, always(wire.KindInt), aMoment, aMoment))
}

func argName(c class) string {
	if c == timed {
		return "timestamp"
	}
	return "date"
}

func truncType(args []Expr, t wire.Type) wire.Type {
	unit := args[0].(*Literal).Value.String()
	for _, u := range dayUnits {
		if u == unit {
			return wire.Type{Kind: wire.KindDate}
		}
	}
	return t
}

func dateType(args []wire.Type) (wire.Type, error) {
	if k := args[0].Kind; k != wire.KindText && k != wire.KindNull && !k.Temporal() {
		return wire.Type{}, fmt.Errorf("date takes a timestamp or a text, not %s", typeName(args[0]))
	}
	return wire.Type{Kind: wire.KindDate}, nil
}
