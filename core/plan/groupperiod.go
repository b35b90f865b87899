package plan

import (
	"cmp"
	"slices"

	"querent.dev/querent/sdk/wire"
)

// periodKeys are the keys of a block that name one period of one moment, such as
// its year and its month, from the longest to the shortest, and the keys beside
// them.
type periodKeys struct {
	moment Expr // what is cut to periods
	unit   unit // the shortest of them
	years  bool // the year is told, so that a period is one of the calendar
	keys   []Expr
	others []Expr
}

// unitOrder is the length of the units, longest first.
var unitOrder = []unit{unitYear, unitQuarter, unitMonth, unitWeek, unitDay}

// period is the unit that a key names, of which moment; years is set when the
// key tells the year too.
func periodKey(e Expr) (moment Expr, u unit, years, ok bool) {
	c, isCall := e.(*Call)
	if !isCall {
		return nil, "", false, false
	}
	switch c.Func.Name {
	case "year":
		return c.Args[0], unitYear, true, true
	case "quarter", "month":
		return c.Args[0], unit(c.Func.Name), false, true
	case "year_month":
		return c.Args[0], unitMonth, true, true
	case "date", "last_day":
		if !c.Args[0].Type().Kind.Temporal() {
			return nil, "", false, false
		}
		if c.Func.Name == "last_day" {
			return c.Args[0], unitMonth, true, true
		}
		return c.Args[0], unitDay, true, true
	case "date_trunc":
		u := unit(c.Args[0].(*Literal).Value.String())
		return c.Args[1], u, true, slices.Contains(unitOrder, u)
	}
	return nil, "", false, false
}

// periodOf finds the one period among the keys of an aggregated block. A key that
// is a date by itself is the period of a day where there is no other.
func (b *Block) periodOf() (periodKeys, error) {
	p := periodKeys{}
	for _, k := range b.Group {
		moment, _, years, ok := periodKey(k)
		if !ok || p.moment != nil && key(moment) != key(p.moment) {
			p.others = append(p.others, k)
			if ok {
				return p, &Error{Field: "group", Message: "two moments are cut to periods", Suggestion: "group by the periods of one"}
			}
			continue
		}
		p.moment, p.years = moment, p.years || years
		p.keys = append(p.keys, k)
	}
	if p.moment == nil {
		return b.dayPeriod()
	}
	rank := func(e Expr) int {
		_, u, _, _ := periodKey(e)
		return slices.Index(unitOrder, u)
	}
	slices.SortStableFunc(p.keys, func(a, b Expr) int { return cmp.Compare(rank(a), rank(b)) })
	_, p.unit, _, _ = periodKey(p.keys[len(p.keys)-1])
	return p, nil
}

// dayPeriod takes the one key that is a date.
func (b *Block) dayPeriod() (periodKeys, error) {
	p := periodKeys{unit: unitDay, years: true}
	for _, k := range b.Group {
		if k.Type().Kind == wire.KindDate && p.moment == nil {
			p.moment, p.keys = k, []Expr{k}
			continue
		}
		p.others = append(p.others, k)
	}
	if p.moment == nil || slices.ContainsFunc(p.others, func(k Expr) bool { return k.Type().Kind == wire.KindDate }) {
		return p, &Error{Field: "group", Message: "the groups have no period, or more than one, to go back in",
			Suggestion: "group by one, such as date_trunc('month', x)"}
	}
	return p, nil
}
