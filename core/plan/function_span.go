package plan

import "querent.dev/querent/sdk/wire"

// spanFunctions calculate with moments: names and ends, times between, epochs.
func spanFunctions() []Function {
	list := []Function{
		define(Function{Name: "day_name", Aliases: []string{"dayname"}, Signature: "day_name(date)",
			Doc: "The English name of the day of the week."}, 0, always(wire.KindText), aMoment),
		define(Function{Name: "month_name", Aliases: []string{"monthname"}, Signature: "month_name(date)",
			Doc: "The English name of the month."}, 0, always(wire.KindText), aMoment),
		define(Function{Name: "last_day", Signature: "last_day(date)", Doc: "The last day of the month."},
			0, always(wire.KindDate), aMoment),
		define(Function{Name: "make_date", Signature: "make_date(year, month, day)",
			Doc: "The date; null if there is no such day."}, 0, always(wire.KindDate), wholeNum, wholeNum, wholeNum),
	}
	for _, unit := range []string{"hours", "minutes", "seconds"} {
		list = append(list, define(Function{Name: "add_" + unit, Signature: "add_" + unit + "(timestamp, n)",
			Doc: "The timestamp n " + unit + " later."}, 0, asFirst, timed, wholeNum))
	}
	between := func(name, doc string) {
		list = append(list, define(Function{Name: name, Signature: name + "(start, end)", Doc: doc},
			0, always(wire.KindInt), aMoment, aMoment))
	}
	between("seconds_between", "The whole seconds from the start to the end.")
	between("months_between", "The whole months from the day of the start to that of the end.")
	between("years_between", "The whole years from the day of the start to that of the end, such as an age.")
	return append(list,
		define(Function{Name: "epoch", Signature: "epoch(timestamp)",
			Doc: "The whole seconds since 1970 in UTC; a clock without zone is read as UTC."}, 0, always(wire.KindInt), aMoment),
		define(Function{Name: "from_epoch", Signature: "from_epoch(n)",
			Doc: "The timestamp n seconds after the start of 1970, in UTC."}, 0, always(wire.KindTimestamp), wholeNum))
}
