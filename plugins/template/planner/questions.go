package planner

import (
	"slices"

	"querent.dev/querent/sdk/wire"
)

// question is the whole grammar: every form of a question about table p.t.
func (p *parser) question() rule {
	return either(
		p.counting(), p.countingDistinct(), p.listing(), p.aggregating(), p.topping(),
		p.koreanCounting(),
	)
}

func set(v verb) rule {
	return func(q query) []query {
		q.verb = v
		return []query{q}
	}
}

// asking is the polite way into a question: "please show me the".
func (p *parser) asking() rule {
	return seq(p.weightless(askers), p.weightless(askers), p.weightless(articles))
}

// counting: how many T …; the number of T …; T count ….
func (p *parser) counting() rule {
	named := seq(p.asking(), p.numberOf(seq(p.said(counters, "function count"), p.weightless(articles), p.subjectTable)))
	noun := seq(p.asking(), p.compound(seq(p.subjectTable, p.said(countNoun, "function count"))))
	return seq(set(count), either(named, noun), many(p.modifier()))
}

// numberOf marks readings as unsure whose words, from "number" on, are also the
// name of a column.
func (p *parser) numberOf(r rule) rule {
	return func(q query) []query {
		out := r(q)
		for i, next := range out {
			for at := q.at; at < next.at; at++ {
				out[i].unsure = out[i].unsure || p.tokens[at].word == "number" && isColumn(p.l.tables, p.tokens[at:next.at], nil)
			}
		}
		return out
	}
}

// countingDistinct: how many different C of T ….
func (p *parser) countingDistinct() rule {
	return seq(set(countDistinct), p.asking(), p.said(counters, "function count"), p.said(distincts, "distinct"),
		p.ownColumn(func(q query, r ref) (query, bool) {
			q.subject = r
			return q.reach(r), true
		}),
		maybe(p.tail), p.said(owners, ""), p.weightless(articles), p.subjectTable, many(p.modifier()))
}

// listing: list [the different] [C and C of] T …; list T's C …; list T C ….
func (p *parser) listing() rule {
	ask := seq(p.weightless(askers), p.said(listers, ""), p.weightless(articles), p.weightless(articles))
	item := p.item(p.column)
	more := many(seq(either(seq(p.comma, p.weightless(ands)), p.said(ands, "")), p.weightless(articles), item))
	single := func(q query) []query {
		q.unsure = q.unsure || p.soundsMeasured(q)
		return []query{q}
	}
	distinct := maybe(func(q query) []query {
		q.distinct = true
		return p.said(distincts, "distinct")(q)
	})
	return seq(set(list), ask, distinct, either(
		seq(item, more, either(seq(single, p.said(owners, "")), p.said(eachOwners, "")), p.weightless(articles), p.subjectTable),
		seq(p.compound(seq(p.subjectTable, maybe(p.possessiveMark), p.item(p.ownColumn))), more, single),
		p.wholeRows,
	), many(p.modifier()))
}

// item reads a column that is to be shown. In "color code and description" the
// second may be short for the color description: then the reading is unsure.
func (p *parser) item(column func(use) rule) rule {
	read := column(func(q query, r ref) (query, bool) { return q.withItem(r), true })
	return func(q query) []query {
		before := q.item
		out := read(q)
		for i, next := range out {
			own := p.tokens[q.at:next.at]
			for n := 1; n < len(before); n++ {
				full := slices.Concat(before[:n], own)
				out[i].unsure = out[i].unsure || isColumn(p.reached(), full, next.measured())
			}
			out[i].item = own
		}
		return out
	}
}

// reached are the table and those that its keys lead to.
func (p *parser) reached() []*table {
	out := []*table{p.t}
	for _, k := range p.t.keys {
		out = append(out, k.to)
	}
	return out
}

// soundsMeasured reports whether the one thing to list is called like a figure of
// many rows: "the total of orders" is hardly a list of totals.
func (p *parser) soundsMeasured(q query) bool {
	_, function := functions[q.item[len(q.item)-1].word]
	return len(q.items) == 1 && function
}

// wholeRows is a list of the table itself; "different" rows would be a puzzle.
func (p *parser) wholeRows(q query) []query {
	if q.distinct {
		return nil
	}
	return p.subjectTable(q)
}

// aggregating: the average C of T …; the average T C …; the average C ….
func (p *parser) aggregating() rule {
	function := choice(p, functions, func(q query, text string, f string) []query {
		q.function = f
		return []query{q.take(p.tokens, len(phrases(text)[0]), "function "+f)}
	})
	measured := func(q query, r ref) (query, bool) {
		q.subject = r
		return q.reach(r), q.function != "" && measurable(q.function, r.column)
	}
	return seq(set(aggregate), p.asking(), function, p.weightless(articles), either(
		seq(p.ownColumn(measured), p.said(owners, ""), p.weightless(articles), p.subjectTable),
		p.compound(p.qualified(measured)),
	), many(p.modifier()))
}

// qualified reads a column with its table in front of it.
func (p *parser) qualified(then use) rule {
	return seq(p.subjectTable, maybe(p.possessiveMark), func(q query) []query {
		var out []query
		for _, next := range p.ownColumn(then)(q) {
			if next.at > q.at {
				out = append(out, next)
			}
		}
		return out
	})
}

// measurable reports whether the function makes sense of the column: keys and
// texts are not added up, and only a day is early or late.
func measurable(function string, c *column) bool {
	k := c.Type.Kind
	switch function {
	case "sum", "avg":
		return k.Numeric() && !c.isKey()
	case "first", "last":
		return k.Temporal()
	}
	return k.Numeric() && !c.isKey()
}

// topping: top N T by C; N T with the highest C.
func (p *parser) topping() rule {
	ordered := func(q query, r ref) (query, bool) {
		q.subject = r
		k := r.column.Type.Kind
		return q.reach(r), (k.Numeric() || k.Temporal()) && !r.column.isKey()
	}
	number := p.numeral(func(q query, n int64) query { q.limit = n; return q })
	side := func(list []phrase, desc bool) rule {
		return seq(p.said(list, "order"), func(q query) []query {
			q.order = []order{{desc: desc}}
			return []query{q}
		})
	}
	return seq(set(top), p.asking(), either(
		seq(either(side(tops[:1], true), side(tops[1:], false)), number, p.weightless(articles), p.subjectTable, p.said(byWord, ""), p.ownColumn(ordered)),
		seq(number, p.subjectTable, either(side(withMost, true), side(withLeast, false)), p.ownColumn(ordered)),
	), many(p.modifier()))
}

// tail: are there; do we have.
func (p *parser) tail(q query) []query {
	if q.closed {
		return nil
	}
	q.closed = true
	return p.said(tails, "")(q)
}

// modifier is what may follow, in any order.
func (p *parser) modifier() rule {
	return seq(maybe(p.comma), either(p.tail, p.grouping(), p.sorting(), p.condition(), p.period()))
}

// grouping: by C; per T2; for each C and C; by month.
func (p *parser) grouping() rule {
	one := either(
		p.column(func(q query, r ref) (query, bool) { return q.withGroup(group{ref: r}), groupable(r.column) }),
		p.entity, p.timeUnit(),
	)
	return seq(func(q query) []query {
		if q.verb == list || q.verb == top {
			return nil
		}
		return p.said(groupers, "group")(q)
	}, p.weightless(articles), one, many(seq(maybe(p.comma), p.said(ands, ""), p.weightless(articles), one)))
}

func groupable(c *column) bool {
	switch c.Type.Kind {
	case wire.KindJSON, wire.KindBytes, wire.KindArray, wire.KindNull:
		return false
	}
	return true
}

// entity groups by the rows of a table that a key leads to.
func (p *parser) entity(q query) []query {
	var out []query
	for i := range p.t.keys {
		k := &p.t.keys[i]
		primary, title := k.to.primary(), k.to.title()
		if len(primary) == 0 || len(title) == 0 {
			continue
		}
		name := p.named(k.to, "table "+k.to.Name)
		if !k.only {
			name = either(name, seq(p.keyTo(k), name))
		}
		for _, next := range name(q) {
			out = append(out, next.withGroup(group{ref: ref{k, title[0]}, entity: k.to}))
		}
	}
	return out
}

// timeUnit groups by month and the like, of the one date column there is or of
// the one that is named.
func (p *parser) timeUnit() rule {
	of := func(q query, dates []*column) []query {
		return choice(p, units, func(q query, _ string, unit string) []query {
			var out []query
			for _, c := range dates {
				next := q.take(p.tokens, 1, unitUse+p.t.Name+"."+c.Name)
				out = append(out, next.withGroup(group{ref: ref{nil, c}, unit: unit}))
			}
			return out
		})(q)
	}
	return either(
		func(q query) []query { return of(q, p.t.when()) },
		seq(p.dateColumn(), func(q query) []query { return of(q, []*column{q.compared.column}) }),
	)
}

// sorting: sorted by C [descending].
func (p *parser) sorting() rule {
	column := p.column(func(q query, r ref) (query, bool) {
		// Different rows can be sorted by what they show only.
		return q.withOrder(order{ref: r}), !q.distinct || slices.Contains(q.items, r)
	})
	direction := choice(p, directions, func(q query, text string, desc bool) []query {
		q = q.take(p.tokens, len(phrases(text)[0]), "order")
		last := q.order[len(q.order)-1]
		last.desc = desc
		q.order = append(append([]order(nil), q.order[:len(q.order)-1]...), last)
		return []query{q}
	})
	return seq(func(q query) []query {
		if q.verb != list {
			return nil
		}
		return p.said(sorters, "order")(q)
	}, p.weightless(articles), column, maybe(direction))
}
