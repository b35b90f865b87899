package planner

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// bare is a name that needs no backticks.
var bare = regexp.MustCompile(`^[\p{L}_][\p{L}\p{M}\p{Nd}_]*$`)

// keywords are names that always stand in backticks: a few too many do no harm.
var keywords = strings.Fields(`and or not in between like ilike is null true false case when then else end as on via distinct
	select from where group having order by limit offset per with join left right full inner outer cross semi anti union
	intersect except asc desc nulls first last filter over partition exists scalar interval date time timestamp cast`)

func plainName(name string) bool {
	return bare.MatchString(name) && !slices.Contains(keywords, strings.ToLower(name))
}

func backticked(name string) string {
	if plainName(name) {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

// emitter writes an understood question as a plan.
type emitter struct {
	t       *table
	aliases map[*table]string
	joins   []string
	labels  []string
	plan    wire.Plan
}

func emit(t *table, q query) wire.Plan {
	e := &emitter{t: t, aliases: map[*table]string{}}
	e.plan.From = e.source(t)
	for _, f := range q.filters {
		e.filter(f)
	}
	switch q.verb {
	case count, countDistinct, aggregate:
		e.measure(q)
	case list:
		e.list(q)
	case top:
		e.top(q)
	}
	e.plan.Joins = e.joins
	return e.plan
}

// source is a table in a from or a join. A name that is no plain word gets an
// alias, by which its columns are named.
func (e *emitter) source(t *table) string {
	if plainName(t.Name) {
		e.aliases[t] = t.Name
		return t.Name
	}
	alias := "t" + strconv.Itoa(len(e.aliases)+1)
	for e.taken(alias) {
		alias += "_"
	}
	e.aliases[t] = alias
	return t.Name + " " + alias
}

func (e *emitter) taken(alias string) bool {
	if e.t.Name == alias {
		return true
	}
	return slices.ContainsFunc(e.t.keys, func(k key) bool { return k.to.Name == alias })
}

// column is the reference's column, its table joined if it is not there yet. A
// join keeps the rows that have no partner, so that none is lost unseen: where the
// key is empty, and where a database does not enforce its keys, as SQLite by default.
func (e *emitter) column(r ref) string {
	t := r.column.table
	if _, joined := e.aliases[t]; !joined {
		join := "left " + e.source(t)
		if !r.via.only {
			join += " via " + e.aliases[e.t] + "." + backticked(r.via.Columns[0])
		}
		e.joins = append(e.joins, join)
	}
	return e.aliases[t] + "." + backticked(r.column.Name)
}

func (e *emitter) filter(f filter) {
	condition := e.column(f.ref) + " " + f.op + " " + f.literal
	if f.op == "during" {
		condition = "during(" + e.column(f.ref) + ", " + f.literal + ")"
	}
	if e.plan.Where != "" {
		condition = e.plan.Where + " and " + condition
	}
	e.plan.Where = condition
}

// odd are the characters that a label must not have to need no backticks.
var odd = regexp.MustCompile(`[^\p{L}\p{M}\p{Nd}_]+`)

// label is a header that no other item of the plan has; fallback stands in for a
// name that the plan language reserves.
func (e *emitter) label(wanted, fallback string) string {
	wanted = odd.ReplaceAllString(wanted, "_")
	if !plainName(wanted) {
		wanted = fallback
	}
	label := wanted
	for n := 2; slices.Contains(e.labels, label); n++ {
		label = wanted + "_" + strconv.Itoa(n)
	}
	e.labels = append(e.labels, label)
	return label
}

// measure writes a count or another aggregate, per group if there are groups:
// the largest first, but periods in their order.
func (e *emitter) measure(q query) {
	byTime, byEntity := false, false
	for _, g := range q.groups {
		e.group(g)
		byTime = byTime || g.unit != ""
		byEntity = byEntity || g.entity != nil
	}
	if !byEntity {
		// Without a group clause the plain items are the keys.
		e.plan.Group = nil
	}
	expr, label := e.measured(q)
	label = e.label(label, "result")
	e.plan.Select = append(e.plan.Select, expr+" as "+label)
	if len(q.groups) > 0 && !byTime {
		e.plan.Order = append([]string{label + " desc"}, e.plan.Order...)
	}
}

// group writes what is grouped by, and orders by it. Rows of another table are
// told apart by their key, since two of them may have the same name.
func (e *emitter) group(g group) {
	column := e.column(g.ref)
	switch {
	case g.unit != "":
		period := "date_trunc('" + g.unit + "', " + column + ")"
		label := e.label(g.unit, "period")
		e.plan.Select = append(e.plan.Select, period+" as "+label)
		e.plan.Group = append(e.plan.Group, period)
		e.plan.Order = append(e.plan.Order, label)
		return
	case g.entity != nil:
		e.item(g.ref)
		e.order(order{ref: g.ref})
		for _, c := range g.entity.primary() {
			e.plan.Group = append(e.plan.Group, e.column(ref{g.via, c}))
			e.order(order{ref: ref{g.via, c}})
		}
		return
	}
	e.item(g.ref)
	e.plan.Group = append(e.plan.Group, column)
	e.order(order{ref: g.ref})
}

// measured is the aggregate and the label that it would have.
func (e *emitter) measured(q query) (expr, label string) {
	if q.verb == count {
		if name := lastPart(e.t.Name); plainName(name) {
			return "count(*)", name
		}
		return "count(*)", "count"
	}
	column := e.column(q.subject)
	if q.verb == countDistinct {
		return "count(distinct " + column + ")", q.subject.column.Name
	}
	function := q.function
	switch function {
	case "first":
		function = "min"
	case "last":
		function = "max"
	}
	return function + "(" + column + ")", function + "_" + q.subject.column.Name
}

// list writes columns, or all of them, in the order asked for and then in that
// of the primary key.
func (e *emitter) list(q query) {
	items := q.items
	if len(items) == 0 {
		for _, c := range e.t.columns {
			items = append(items, ref{column: c})
		}
	}
	for _, r := range items {
		e.item(r)
	}
	e.plan.Distinct = q.distinct
	for _, o := range q.order {
		e.order(o)
	}
	if q.distinct {
		for _, r := range items {
			e.order(order{ref: r})
		}
		return
	}
	e.byKey()
}

// item selects a column under its own name, or one with its table's in front
// when that is taken.
func (e *emitter) item(r ref) {
	column := e.column(r)
	if slices.Contains(e.labels, r.column.Name) {
		label := e.label(lastPart(r.column.table.Name)+"_"+r.column.Name, "column")
		column += " as " + label
	} else {
		e.labels = append(e.labels, r.column.Name)
	}
	e.plan.Select = append(e.plan.Select, column)
}

func (e *emitter) order(o order) {
	term := e.column(o.ref)
	if slices.Contains(e.plan.Order, term) || slices.Contains(e.plan.Order, term+" desc") {
		return
	}
	if o.desc {
		term += " desc"
	}
	e.plan.Order = append(e.plan.Order, term)
}

func (e *emitter) byKey() {
	for _, c := range e.t.primary() {
		e.order(order{ref: ref{column: c}})
	}
}

// top writes the rows with the most of a column: their titles and the column.
func (e *emitter) top(q query) {
	items := []ref{}
	for _, c := range e.t.title() {
		if c != q.subject.column {
			items = append(items, ref{column: c})
		}
	}
	for _, r := range append(items, q.subject) {
		e.item(r)
	}
	e.order(order{ref: q.subject, desc: q.order[0].desc})
	e.byKey()
	e.plan.Limit = q.limit
}
