//go:build databases

package crossdialect_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/internal/drill"
)

// TestGeneratedPlans runs random plans of every shape and demands the same rows of
// all databases. The environment can ask for more than plansWanted.
func TestGeneratedPlans(t *testing.T) {
	all := engines(t)
	wanted, seed := drill.Size(plansWanted, 20_000), uint64(1)
	if text := os.Getenv("QUERENT_CROSS_PLANS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		wanted, seed = n, uint64(n)
	}
	agreed, refused, failed := 0, 0, 0
	reasons := map[string]int{}
	for i := 0; agreed+failed < wanted; i++ {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}
		text, ordered := g.plan()
		out, err := run(all, text, time.UTC)
		if err != nil {
			refused++
			reasons[err.Error()]++
			if refused > 50+wanted/5 {
				t.Fatalf("%d of %d plans are refused: %v\n%s", refused, i, err, text)
			}
			continue
		}
		if d := differences(out, ordered); d != "" {
			if failed++; failed > 5 {
				t.Fatal("too many differences")
			}
			t.Errorf("plan %d: %s\n%s", i, text, d)
			continue
		}
		agreed++
	}
	for _, e := range all {
		t.Logf("%s ran for %s", e.dialect, e.spent)
	}
	t.Logf("%d plans agree, %d were refused by the language", agreed, refused)
}

// from chooses the sources of a block and gives the entries of its from and joins.
func (g *generator) from() (string, []string) {
	g.sources = []source{{"a", sourceColumns["samples"]}}
	if g.chance(4) {
		g.sources[0].columns = sourceColumns["items"]
		return "items a", nil
	}
	var joins []string
	add := func(kind, table, alias, on string) {
		joins = append(joins, strings.TrimSpace(kind+" "+table+" "+alias+" on "+on))
		if kind != "semi" && kind != "anti" {
			g.sources = append(g.sources, source{alias, sourceColumns[table]})
		}
	}
	kinds := []string{"", "left", "right", "full", "semi", "anti"}
	if g.chance(2) {
		on := g.one("b.sample_id = a.id", "b.sample_id = a.id and b.qty > a.n", "b.name = a.s and b.id < 60 and a.id < 90", "b.name = a.latin and b.sample_id = a.id")
		add(kinds[g.IntN(len(kinds))], "items", "b", on)
	}
	if g.chance(4) {
		add(g.one("", "left"), "tree", "c", "c.id = a.n")
	}
	if g.chance(6) && len(g.sources) == 1+len(joins) {
		add(g.one("full", "left"), "loose", "d", g.one("d.c2 = a.word and a.id < 40", "d.sample_id = a.id"))
	}
	return "samples a", joins
}

// keys tell the rows of the sources apart.
func (g *generator) keys() []string {
	var out []string
	for _, s := range g.sources {
		for _, c := range s.columns["int"] {
			if c == "id" || c == "c1" || c == "sample_id" && s.alias == "d" {
				out = append(out, s.alias+"."+c)
			}
		}
		if s.alias == "d" {
			out = append(out, "d.c2")
		}
	}
	return out
}

var allKinds = []string{"int", "int", "dec", "float", "text", "text", "bool", "date", "time", "zone"}

func (g *generator) anyExpr(depth int) string {
	return g.expr(allKinds[g.IntN(len(allKinds))], depth)
}

func (g *generator) aggregate() string {
	filter := ""
	if g.chance(4) {
		filter = " filter (where " + g.condition(1) + ")"
	}
	switch g.IntN(9) {
	case 0:
		return "count(*)" + filter
	case 1:
		return "count(" + g.one("", "distinct ") + g.expr(g.one("int", "text", "date", "bool"), 1) + ")" + filter
	case 2:
		return "sum(" + g.expr(g.one("int", "dec"), 2) + ")" + filter
	case 3:
		return "avg(" + g.expr(g.one("int", "dec", "float"), 1) + ")" + filter
	case 4, 5:
		return g.one("min", "max") + "(" + g.expr(g.one("int", "dec", "text", "date"), 2) + ")" + filter
	case 6:
		return g.one("stddev", "variance") + "(" + g.expr("int", 1) + ")" + filter
	case 7:
		return g.percentile() + filter
	}
	return g.one("bool_and", "bool_or") + "(" + g.condition(1) + ")" + filter
}

func (g *generator) percentile() string {
	x := g.expr(g.one("int", "dec"), 1)
	return g.one("median("+x+")", "percentile("+x+", 0.9)", "percentile("+x+", 0.25)")
}

func (g *generator) window() string {
	partition := g.one("", "partition by "+g.expr(g.one("int", "text", "bool", "date"), 1)+" ")
	order := "order by " + g.expr(g.one("int", "text", "date", "dec"), 1) + g.one("", " desc", " nulls first", " desc nulls first")
	switch g.IntN(5) {
	case 0:
		return g.one("rank()", "dense_rank()", "row_number()", "ntile(4)") + " over (" + partition + order + ")"
	case 1:
		return g.one("lag", "lead", "first_value") + "(" + g.anyExpr(0) + ") over (" + partition + order + ")"
	case 2:
		return g.one("sum", "count", "max", "avg") + "(" + g.expr("int", 1) + ") over (" + partition + ")"
	case 3:
		return g.one("sum", "min", "count") + "(" + g.expr("int", 1) + ") over (" + partition + order + g.one("", " rows between 2 preceding and current row", " rows between unbounded preceding and 1 following") + ")"
	}
	return "sum(" + g.expr("dec", 0) + ") over (" + partition + order + ")"
}

// plan is a plan, and whether the order of its rows is certain.
func (g *generator) plan() (string, bool) {
	p := map[string]any{}
	ordered := false
	switch g.IntN(6) {
	case 0, 1:
		ordered = g.rowsPlan(p)
	case 2, 3:
		ordered = g.groupedPlan(p)
	case 4:
		g.blockPlan(p)
	default:
		g.setPlan(p)
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return string(text), ordered
}

func (g *generator) rowsPlan(p map[string]any) bool {
	from, joins := g.from()
	p["from"], p["joins"] = from, joins
	if g.chance(2) {
		p["where"] = g.condition(3)
	}
	distinct := g.chance(5)
	var items, order []string
	for i := range 1 + g.IntN(4) {
		label := fmt.Sprintf("x%d", i)
		item := g.anyExpr(3)
		if !distinct && g.chance(5) {
			item = g.window()
		}
		items = append(items, item+" as "+label)
		if g.chance(2) {
			order = append(order, label+g.one("", " desc", " nulls first"))
		}
	}
	ordered := false
	switch {
	case distinct:
		p["distinct"] = true
		if g.chance(2) && len(order) > 0 {
			p["limit"], ordered = 5, true
		}
	default:
		items = append(items, g.keyItems()...)
		switch g.IntN(4) {
		case 0:
			p["limit"], ordered = 1+g.IntN(20), true
			p["offset"] = g.IntN(3)
		case 1:
			p["limit"], p["per"] = 2, []string{g.expr(g.one("int", "text", "bool"), 1)}
		}
		if g.chance(3) && p["per"] == nil {
			order, ordered = append(order, g.keys()...), true
		}
	}
	p["select"], p["order"] = items, order
	// Outer joins may leave the keys null, and then they order nothing.
	return ordered && len(joins) == 0
}

func (g *generator) keyItems() []string {
	var out []string
	for i, k := range g.keys() {
		out = append(out, k+fmt.Sprintf(" as k%d", i))
	}
	return out
}

func (g *generator) groupedPlan(p map[string]any) bool {
	from, joins := g.from()
	p["from"], p["joins"] = from, joins
	if g.chance(3) {
		p["where"] = g.condition(2)
	}
	var group, items, order []string
	for i := range g.IntN(3) {
		key := g.expr(g.one("int", "text", "bool", "date", "text"), 2)
		group = append(group, key)
		items = append(items, key+fmt.Sprintf(" as g%d", i))
		order = append(order, fmt.Sprintf("g%d", i)+g.one("", " desc"))
	}
	for i := range 1 + g.IntN(3) {
		items = append(items, g.aggregate()+fmt.Sprintf(" as a%d", i))
	}
	if g.chance(3) {
		p["having"] = "count(*) > " + g.one("1", "3")
	}
	p["group"], p["select"], p["order"] = group, items, order
	if g.chance(3) {
		p["limit"] = 7
	}
	return true
}

func (g *generator) block(name string, kinds ...string) map[string]any {
	b := map[string]any{"name": name, "op": "select"}
	from, joins := g.from()
	b["from"], b["joins"] = from, joins
	if g.chance(2) {
		b["where"] = g.condition(2)
	}
	var items []string
	for i, k := range kinds {
		items = append(items, g.expr(k, 2)+fmt.Sprintf(" as v%d", i))
	}
	b["select"] = items
	return b
}

// blockPlan reads a helper: by a join, by membership or by a value.
func (g *generator) blockPlan(p map[string]any) {
	b := g.block("h", "int", "text")
	p["with"] = []any{b}
	p["from"] = "items a"
	g.sources = []source{{"a", sourceColumns["items"]}}
	switch g.IntN(5) {
	case 0:
		g.sources = append(g.sources, source{"h", map[string][]string{"int": {"v0"}, "text": {"v1"}}})
		p["joins"] = []string{g.one("", "left ", "full ", "semi ") + "h on h.v0 = a.qty and a.id < 40"}
		if strings.HasPrefix(p["joins"].([]string)[0], "semi") {
			g.sources = g.sources[:1]
		}
	case 1:
		b["select"] = b["select"].([]string)[:1]
		p["where"] = g.one("in(a.qty, h)", "not in(a.sample_id, h)", "in(a.qty, h) or a.id > 300")
	case 2:
		b["select"] = b["select"].([]string)[1:]
		p["where"] = g.one("in(a.name, h)", "not in(a.city, h)")
	case 3:
		p["where"] = g.one("exists(h, h.v0 = a.qty and h.v1 > a.name)", "not exists(h, h.v1 = a.name)", "not exists(h, h.v0 = a.sample_id)")
	default:
		p["select"] = []string{"a.id", "scalar(h, " + g.one("count(*)", "sum(h.v0)", "max(h.v1)", "min(h.v0)") + ", h.v0 = a.qty) as v", "scalar(h, count(*), h.v1 = a.name) as w"}
		return
	}
	if p["where"] == nil && g.chance(2) {
		p["where"] = g.condition(2)
	}
	p["select"] = []string{"a.id", g.anyExpr(2) + " as x", g.anyExpr(2) + " as y"}
}

// setPlan combines two helpers of the same types.
func (g *generator) setPlan(p map[string]any) {
	kinds := []string{g.one("int", "text", "date", "bool", "dec"), g.one("int", "text")}
	a, b := g.block("h", kinds...), g.block("i", kinds...)
	p["with"] = []any{a, b, map[string]any{"name": "u", "op": g.one("union", "union_all", "intersect", "except"), "of": []string{"h", "i"}}}
	p["from"] = "u"
	p["select"] = []string{"v0", "v1"}
	if g.chance(3) {
		p["select"], p["group"] = []string{"v1", "count(*) as c", "count(distinct v0) as d"}, []string{"v1"}
	}
}
