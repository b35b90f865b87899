package plan_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"querent.dev/querent/core/internal/drill"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// gen writes random plans over trips t joined with riders r, most of which bind.
type gen struct{ r *rand.Rand }

func (g gen) pick(options ...string) string { return options[g.r.IntN(len(options))] }

func (g gen) number(depth int) string {
	if depth == 0 || g.r.IntN(4) == 0 {
		return g.pick("t.km", "t.fee", "t.id", "r.id", "2", "1.50", "3e2", "-7", "year(t.started_at)", "length(r.name)", "pi()",
			"scalar(b, max(b.id) - count(*), b.id < t.id)", "div(t.id, 2)", "months_between(r.born, t.started_at)", "position(r.name, 'x')")
	}
	a, b := g.number(depth-1), g.number(depth-1)
	switch g.r.IntN(10) {
	case 0:
		return "-" + "(" + a + ")"
	case 1:
		return "round(" + a + ", 2)"
	case 2:
		return "coalesce(" + a + ", " + b + ")"
	case 3:
		return "case when " + g.condition(depth-1) + " then " + a + " else " + b + " end"
	case 4:
		return "cast(" + a + " as int)"
	case 5:
		return "(" + a + ")" + g.pick(" + ", " - ", " * ", " / ", " % ") + b
	}
	return a + g.pick(" + ", " - ", " * ", " / ", " % ") + b
}

func (g gen) text(depth int) string {
	if depth == 0 || g.r.IntN(3) == 0 {
		return g.pick("r.name", "r.plan", "'x'", "'it''s'", "text(t.id)")
	}
	return g.pick("lower("+g.text(depth-1)+")", g.text(depth-1)+" || "+g.text(depth-1), "substr("+g.text(depth-1)+", 1, 2)",
		"coalesce("+g.text(depth-1)+", '-')", "concat("+g.text(depth-1)+", "+g.text(depth-1)+")")
}

func (g gen) condition(depth int) string {
	if depth == 0 || g.r.IntN(4) == 0 {
		return g.pick("t.paid", "t.km > 3", "r.plan = 'day'", "t.started_at <= '2024-01-31'", "t.started_at = '2024-01-31'",
			"t.started_at between '2024-01-01' and '2024-02-01'", "during(t.started_at, last_months(2))", "during(r.joined, 2024-Q1)",
			"r.invited_by is null", "in(t.id, b)", "exists(b, b.id = t.id)", "t.km is not distinct from t.fee", "t.paid is not true", "like_case(r.name, 'A_%')", "t.seen_at > today()", "r.born in ('2000-01-01')")
	}
	a, b := g.condition(depth-1), g.condition(depth-1)
	switch g.r.IntN(8) {
	case 0:
		return "not " + a
	case 1:
		return "not (" + a + " " + g.pick("and", "or") + " " + b + ")"
	case 2:
		return g.number(depth-1) + g.pick(" < ", " = ", " <> ", " >= ") + g.number(depth-1)
	case 3:
		return g.text(depth-1) + g.pick(" = ", " < ", " like ", " not like ") + g.text(depth-1)
	case 4:
		return g.number(depth-1) + g.pick(" in (", " not in (") + g.number(0) + ", 5)"
	case 5:
		return "(" + a + ") = (" + b + ")"
	}
	return a + g.pick(" and ", " or ") + b
}

// window writes a call over rows.
func (g gen) window() string {
	over := g.pick("", "partition by r.plan ", "partition by "+g.text(1)+", t.paid ") + "order by " + g.number(1) + g.pick("", " desc", " asc nulls last", " desc nulls first")
	if g.r.IntN(2) == 0 {
		return g.pick("row_number()", "rank()", "ntile(3)", "lag(t.km, 2)", "lead("+g.text(1)+")", "first_value(t.fee)", "cume_dist()") + " over (" + over + ")"
	}
	frame := g.pick("", " rows 2 preceding", " rows between 1 preceding and 3 following", " range unbounded preceding", " rows between current row and unbounded following")
	filter := g.pick("", " filter (where "+g.condition(1)+")")
	return g.pick("sum("+g.number(1)+")", "count(*)", "max("+g.text(1)+")") + filter + " over (" + over + frame + ")"
}

// compared writes a plan that compares its groups by share, running or prior.
func (g gen) compared() wire.Plan {
	agg := g.pick("count(*)", "sum(t.fee)", "sum("+g.number(1)+")")
	p := wire.Plan{With: []wire.Block{{Name: "b", Op: "select", Clauses: wire.Clauses{From: "trips", Select: []string{"id"}}}}}
	p.From, p.Joins = "trips t", []string{"riders r"}
	p.Select = []string{g.pick("date_trunc('month', t.started_at)", "date(t.started_at)", "year_month(t.started_at)") + " as c0",
		g.pick("share("+agg+")", "running("+agg+")", "100 * prior("+agg+", '1 year')", agg+" - prior("+agg+", '2 months')") + " as c1"}
	if g.r.IntN(2) == 0 {
		p.Select = append(p.Select, "r.plan as c2")
	}
	if g.r.IntN(2) == 0 {
		p.Where = g.condition(1)
	}
	if g.r.IntN(3) == 0 {
		p.Having = "count(*) > 2"
	}
	p.Order = []string{g.pick("c0", "c1 desc")}
	return p
}

func (g gen) plan() wire.Plan {
	if g.r.IntN(6) == 0 {
		return g.compared()
	}
	p := wire.Plan{With: []wire.Block{{Name: "b", Op: "select", Clauses: wire.Clauses{From: "trips", Select: []string{"id"}}}}}
	p.From, p.Joins = "trips t", []string{g.pick("", "left ", "semi ", "inner ") + "riders r"}
	if strings.HasPrefix(p.Joins[0], "semi") {
		p.Joins = []string{"riders r via t.rider_id", "semi riders r2 via t.rider_id"}
	}
	if g.r.IntN(2) == 0 {
		p.Where = g.condition(3)
	}
	for i := range 1 + g.r.IntN(3) {
		p.Select = append(p.Select, g.pick(g.number(3), g.text(2), g.condition(2))+fmt.Sprintf(" as c%d", i))
	}
	if g.r.IntN(3) == 0 {
		p.Select = append(p.Select, g.window()+" as c9")
	}
	if g.r.IntN(2) == 0 {
		p.Select = append(p.Select, g.pick("count(*)", "median("+g.number(1)+")", "string_agg(distinct "+g.text(1)+", '; ')",
			"string_agg(r.name, '-' order by "+g.number(1)+" desc)", "bool_or("+g.condition(1)+")", "percentile(t.km, 0.75)", "sum("+g.number(2)+")", "avg(t.fee) filter (where "+g.condition(1)+")",
			"count(distinct r.plan)", "max("+g.text(1)+")")+" as agg")
		p.Order = append(p.Order, "agg desc")
	}
	p.Order = append(p.Order, g.pick("c0", "c0 desc", "1 nulls first"))
	p.Limit = g.r.Int64N(5)
	return p
}

// The spellings that a plan may be changed to without another meaning.
var words = regexp.MustCompile(`'(?:[^']|'')*'|[A-Za-z_][A-Za-z_0-9]*|[<>=]+|\s+`)

// respell changes case, white space, operators and the aliases of a clause, and
// leaves text alone.
func respell(g gen, s string) string {
	return words.ReplaceAllStringFunc(s, func(w string) string {
		switch {
		case w[0] == '\'':
			return w
		case w == "t":
			return "trip"
		case w == "r":
			return "`the rider`"
		case w == "r2":
			return "R_2"
		case w == "b":
			return "block1"
		case w == "=":
			return g.pick("=", "==")
		case w == "<>":
			return g.pick("<>", "!=")
		case strings.TrimSpace(w) == "":
			return g.pick(" ", "  ", "\t", " \n ")
		case w[0] == '<' || w[0] == '>':
			return w
		}
		return g.pick(strings.ToUpper(w), w)
	})
}

// respelled changes every clause of a plan. Labels keep their spelling.
func respelled(g gen, p wire.Plan) wire.Plan {
	list := func(in []string) []string {
		var out []string
		for _, s := range in {
			expr, label, labelled := strings.Cut(s, " as c")
			if labelled && !strings.Contains(label, " ") {
				out = append(out, respell(g, expr)+" as c"+label)
				continue
			}
			expr, label, labelled = strings.Cut(s, " as agg")
			if labelled {
				out = append(out, respell(g, expr)+" as agg"+label)
				continue
			}
			out = append(out, respell(g, s))
		}
		return out
	}
	q := p
	q.With = []wire.Block{{Name: "block1", Op: "SELECT", Clauses: wire.Clauses{From: "trips z", Select: []string{"Z.ID as id"}}}}
	q.From, q.Where, q.Joins, q.Select, q.Order = respell(g, p.From), respell(g, p.Where), list(p.Joins), list(p.Select), list(p.Order)
	return q
}

// TestRandomPlans binds random plans: each binds again from its normal form, and
// from another spelling, to the same id.
func TestRandomPlans(t *testing.T) {
	g := gen{rand.New(rand.NewPCG(1, 2))}
	boundPlans := 0
	for range drill.Size(3000, 100_000) {
		p := g.plan()
		q, err := plan.Bind(p, scope())
		if err != nil {
			checkRefusal(t, err)
			continue
		}
		boundPlans++
		checkStable(t, "random plan", q)
		other := respelled(g, p)
		again, err := plan.Bind(other, scope())
		if err != nil {
			t.Fatalf("another spelling does not bind: %v\n%s%s", err, pretty(t, p), pretty(t, other))
		}
		if q.ID() != again.ID() {
			t.Fatalf("another spelling has another id\n%s%s", pretty(t, q.Wire()), pretty(t, again.Wire()))
		}
		if t.Failed() {
			t.Fatalf("from\n%s", pretty(t, p))
		}
	}
	t.Logf("%d of 3000 plans bind", boundPlans)
	if boundPlans < 1500 {
		t.Errorf("only %d of 3000 random plans bind: the generator or the binder is off", boundPlans)
	}
}
