package fanout_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/fanout"
	"querent.dev/querent/core/internal/drill"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/wire"
)

// step is a way to join another table to one that is there.
type step struct{ table, on string }

// steps are joins along keys, from the table of the alias x to the new one n.
var steps = map[string][]step{
	"customers": {{"orders", "n.customer_id = x.id"}, {"passports", "n.customer_id = x.id"}, {"customers", "n.id = x.invited_by"}, {"customers", "n.invited_by = x.id"}},
	"orders":    {{"customers", "n.id = x.customer_id"}, {"lines", "n.order_id = x.id"}, {"payments", "n.order_id = x.id"}},
	"lines":     {{"orders", "n.id = x.order_id"}, {"products", "n.id = x.product_id"}},
	"products":  {{"lines", "n.product_id = x.id"}},
	"payments":  {{"orders", "n.id = x.order_id"}},
	"passports": {{"customers", "n.id = x.customer_id"}},
}

var (
	numbers = map[string]string{"customers": "age", "orders": "total", "lines": "qty", "products": "price", "payments": "amount", "passports": "pages"}
	keys    = map[string][]string{"customers": {"id"}, "orders": {"id"}, "lines": {"order_id", "line"}, "products": {"id"}, "payments": {"id"}, "passports": {"id"}}
)

// shape is a random join with one measure.
type shape struct {
	from    string
	joins   []string
	where   string
	aliases []string // with their tables, in order
	tables  []string
	measure int // of aliases
	group   []string
}

func newShape(r *rand.Rand, kinds []string) shape {
	names := []string{"customers", "orders", "lines", "products", "payments", "passports"}
	s := shape{tables: []string{names[r.IntN(len(names))]}, aliases: []string{"a0"}}
	s.from = s.tables[0] + " a0"
	for i := range 1 + r.IntN(3) {
		at := r.IntN(len(s.aliases))
		next := steps[s.tables[at]]
		j := next[r.IntN(len(next))]
		alias := fmt.Sprintf("a%d", i+1)
		on := strings.NewReplacer("n.", alias+".", "x.", s.aliases[at]+".").Replace(j.on)
		s.joins = append(s.joins, strings.TrimSpace(kinds[r.IntN(len(kinds))]+" "+j.table+" "+alias+" on "+on))
		s.aliases, s.tables = append(s.aliases, alias), append(s.tables, j.table)
	}
	s.measure = r.IntN(len(s.aliases))
	if r.IntN(2) == 0 {
		at := r.IntN(len(s.aliases))
		for _, k := range keys[s.tables[at]] {
			s.group = append(s.group, s.aliases[at]+"."+k)
		}
	}
	if r.IntN(3) == 0 {
		at := r.IntN(len(s.aliases))
		s.where = fmt.Sprintf("%s.%s > %d", s.aliases[at], numbers[s.tables[at]], r.IntN(4))
	}
	return s
}

// plan is the shape as a plan that groups and selects.
func (s shape) plan(group, selects []string, having string) string {
	text, _ := json.Marshal(map[string]any{"from": s.from, "joins": s.joins, "where": s.where, "group": group, "select": selects, "having": having})
	return string(text)
}

func (s shape) number() string { return s.aliases[s.measure] + "." + numbers[s.tables[s.measure]] }

func (s shape) key() []string {
	var out []string
	for _, k := range keys[s.tables[s.measure]] {
		out = append(out, s.aliases[s.measure]+"."+k)
	}
	return out
}

// fill makes a small database under the keys of the catalog.
func fill(t testing.TB, r *rand.Rand) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	var script strings.Builder
	script.WriteString("create table customers(id, name, age, invited_by); create table orders(id, customer_id, total); create table products(id, name, price);" +
		"create table lines(order_id, line, product_id, qty); create table payments(id, order_id, amount); create table passports(id, customer_id, pages);")
	maybe := func(n int) string {
		if r.IntN(6) == 0 {
			return "null"
		}
		return fmt.Sprint(1 + r.IntN(n))
	}
	const size = 6
	for id := 1; id <= size; id++ {
		fmt.Fprintf(&script, "insert into customers values(%d,'c',%d,%s);", id, 1+r.IntN(9), maybe(size))
		fmt.Fprintf(&script, "insert into products values(%d,'p',%d);", id, 1+r.IntN(9))
		fmt.Fprintf(&script, "insert into passports values(%d,%d,%d);", id, id, 1+r.IntN(9))
	}
	for id := range 2 + r.IntN(2*size) {
		fmt.Fprintf(&script, "insert into orders values(%d,%s,%d);", id, maybe(size), 1+r.IntN(9))
		fmt.Fprintf(&script, "insert into payments values(%d,%s,%d);", id, maybe(size), 1+r.IntN(9))
		for line := range r.IntN(4) {
			fmt.Fprintf(&script, "insert into lines values(%d,%d,%s,%d);", id, line+1, maybe(size), 1+r.IntN(9))
		}
	}
	if _, err := db.Exec(script.String()); err != nil {
		t.Fatal(err)
	}
	return db
}

// rows runs a query as its author wrote it and gives its rows as text, sorted.
func rows(t testing.TB, db *sql.DB, cat *schema.Catalog, q *plan.Query) []string {
	t.Helper()
	p, err := policy.Compile(map[config.RoleName]config.Role{"reader": {Tables: config.TableRules{Allow: []string{"*.*.*"}}}})
	if err != nil {
		t.Fatal(err)
	}
	secured, err := p.Secure(cat, q, policy.Caller{Name: "kim", Roles: []string{"reader"}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlgen.Render(secured, schema.SQLite, sqlgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	args := make([]any, len(s.Args()))
	for i, v := range s.Args() {
		args[i] = v.String()
		if v.Kind() == wire.KindInt {
			args[i] = v.Int()
		}
	}
	found, err := db.QueryContext(ctx, s.SQL(), args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.SQL())
	}
	defer found.Close()
	var out []string
	for found.Next() {
		cells, places := make([]any, len(s.Columns())), make([]any, len(s.Columns()))
		for i := range cells {
			places[i] = &cells[i]
		}
		if err := found.Scan(places...); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(cells...))
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// TestWhatRepeatsIsFound joins at random. Wherever a row of the measured table
// really stands twice among the rows of a group, there must be a finding.
func TestWhatRepeatsIsFound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cat := sales()
	db := fill(t, r)
	repeated := 0
	for range drill.Size(1500, 50_000) {
		s := newShape(r, []string{"", "", "left", "right", "full"})
		q := bind(t, cat, s.plan(s.group, append(slices.Clone(s.group), "sum("+s.number()+") as x"), ""))
		key := slices.Concat(s.group, s.key())
		twice := rows(t, db, cat, bind(t, cat, s.plan(key, append(key, "count(*) as n"), "count(*) > 1 and "+s.key()[0]+" is not null")))
		if len(twice) > 0 {
			repeated++
		}
		if found := fanout.Find(q); len(twice) > 0 && len(found) == 0 {
			t.Errorf("no finding for %s, of which these rows repeat: %v", s.plan(s.group, []string{"sum(" + s.number() + ")"}, ""), twice)
		}
	}
	if repeated < 200 {
		t.Errorf("only %d of the joins repeat anything", repeated)
	}
}

// TestFindingsComeTrue demands that what is found repeats in some database.
func TestFindingsComeTrue(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	cat := sales()
	var dbs []*sql.DB
	for range 40 {
		dbs = append(dbs, fill(t, r))
	}
	findings := 0
	for range drill.Size(300, 5000) {
		s := newShape(r, []string{"", "left"})
		s.where = ""
		if len(fanout.Find(bind(t, cat, s.plan(s.group, append(slices.Clone(s.group), "sum("+s.number()+") as x"), "")))) == 0 {
			continue
		}
		findings++
		key := slices.Concat(s.group, s.key())
		q := bind(t, cat, s.plan(key, append(key, "count(*) as n"), "count(*) > 1 and "+s.key()[0]+" is not null"))
		if !slices.ContainsFunc(dbs, func(db *sql.DB) bool { return len(rows(t, db, cat, q)) > 0 }) {
			t.Errorf("a false alarm: %s", s.plan(s.group, []string{"sum(" + s.number() + ")"}, ""))
		}
	}
	if findings < 50 {
		t.Errorf("only %d findings", findings)
	}
}

// TestFixedPlansCountOnce compares what is rewritten with the sum over each row of
// the measured table once, worked out from the rows of the join.
func TestFixedPlansCountOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	cat := sales()
	db := fill(t, r)
	fixed := 0
	for range drill.Size(1500, 50_000) {
		s := newShape(r, []string{""})
		selects := append(slices.Clone(s.group), "sum("+s.number()+") as x")
		q, done, err := fanout.Fix(bind(t, cat, s.plan(s.group, selects, "")))
		if err != nil {
			t.Fatal(err)
		}
		if len(done) == 0 {
			continue
		}
		fixed++
		if left := fanout.Find(q); len(left) > 0 {
			t.Errorf("%s still repeats: %s", s.plan(s.group, selects, ""), left[0].Message())
		}
		once := s.once("sum")
		if got, want := rows(t, db, cat, q), rows(t, db, cat, bind(t, cat, once)); !slices.Equal(got, want) {
			t.Errorf("%s\ngives %v\nwant  %v", s.plan(s.group, selects, ""), got, want)
		}
		again := bind(t, cat, string(mustJSON(t, q.Wire())))
		if again.ID() != q.ID() {
			t.Errorf("the rewritten plan is not the same when it is read again: %s", mustJSON(t, q.Wire()))
		}
	}
	if fixed < 100 {
		t.Errorf("only %d plans were rewritten", fixed)
	}
}

// TestPartsCountOnce aggregates several sources of a random join. What is put
// together before it is joined must give what each aggregate gives over its own rows,
// each of them once.
func TestPartsCountOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	cat := sales()
	var dbs []*sql.DB
	for range 4 {
		dbs = append(dbs, fill(t, r))
	}
	fixed, left, seen := 0, 0, map[string]bool{}
	for range drill.Size(2000, 50_000) {
		s := newShape(r, []string{"", "", "left"})
		var measured []int
		var names, selects []string
		for i := range 2 + r.IntN(2) {
			s.measure = r.IntN(len(s.aliases))
			name := []string{"sum", "sum", "avg", "min", "max", "count"}[r.IntN(6)]
			measured, names = append(measured, s.measure), append(names, name)
			selects = append(selects, fmt.Sprintf("%s(%s) as x%d", name, s.number(), i))
		}
		text := s.plan(s.group, append(slices.Clone(s.group), selects...), "")
		if seen[text] {
			continue
		}
		seen[text] = true
		q, done, err := fanout.Fix(bind(t, cat, text))
		if err != nil {
			t.Fatal(err)
		}
		if len(done) == 0 || len(done[0].Parts) == 0 {
			continue
		}
		if fixed++; strings.Contains(text, "left ") {
			left++
		}
		if found := fanout.Find(q); len(found) > 0 {
			t.Errorf("%s still repeats: %s", text, found[0].Message())
		}
		w := q.Wire()
		if bind(t, cat, string(mustJSON(t, w))).ID() != q.ID() {
			t.Errorf("the rewritten plan is not the same when it is read again: %s", mustJSON(t, w))
		}
		for i := range measured {
			one, last := w, len(w.Select)-len(measured)
			one.Select = append(slices.Clone(w.Select[:last]), w.Select[last+i])
			s.measure = measured[i]
			want := bind(t, cat, s.once(names[i]))
			for _, db := range dbs {
				if got, want := rows(t, db, cat, bind(t, cat, string(mustJSON(t, one)))), rows(t, db, cat, want); !slices.Equal(got, want) {
					t.Errorf("%s\n%s\ngives %v\nwant  %v", text, mustJSON(t, one), got, want)
				}
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d of %d plans were rewritten, %d with left joins", fixed, len(seen), left)
	if fixed < 100 || left < 20 {
		t.Errorf("only %d plans were rewritten, %d with left joins", fixed, left)
	}
}

// once is the shape as a plan that first makes the measured rows of each group
// distinct.
func (s shape) once(aggregate string) string {
	items := slices.Clone(s.group)
	for i, k := range s.key() {
		items = append(items, fmt.Sprintf("%s as k%d", k, i))
	}
	for i := range s.group {
		items[i] += fmt.Sprintf(" as g%d", i)
	}
	items = append(items, s.number()+" as v")
	block := map[string]any{"name": "rows_once", "op": "select", "from": s.from, "joins": s.joins, "where": s.where, "select": items, "distinct": true}
	var group []string
	for i := range s.group {
		group = append(group, fmt.Sprintf("r.g%d", i))
	}
	text, _ := json.Marshal(map[string]any{"with": []any{block}, "from": "rows_once r", "group": group, "select": append(slices.Clone(group), aggregate+"(r.v) as x")})
	return string(text)
}

func mustJSON(t testing.TB, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestTotalsOfOrdersWithLines is the classic: orders of 100, 200 and 400 with
// three, two and one lines are 700 together.
func TestTotalsOfOrdersWithLines(t *testing.T) {
	cat := sales()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`create table orders(id, customer_id, total); insert into orders values (1,1,100),(2,1,200),(3,2,400);
		create table lines(order_id, line, product_id, qty); insert into lines values (1,1,1,1),(1,2,1,1),(1,3,1,1),(2,1,1,1),(2,2,1,1),(3,1,1,1)`); err != nil {
		t.Fatal(err)
	}
	q, done, err := fanout.Fix(bind(t, cat, `{"from":"orders o","joins":["lines l"],"where":"l.qty > 0","select":["sum(o.total) as t"]}`))
	if err != nil || len(done) != 1 {
		t.Fatal(done, err)
	}
	if got := rows(t, db, cat, q); !slices.Equal(got, []string{"700"}) {
		t.Errorf("the total is %v", got)
	}
	if got, want := done[0].Message(), "The total of o.total counts each row of orders once: lines only chooses which rows count."; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}
