package fanout_test

import (
	"database/sql"
	"slices"
	"testing"

	"querent.dev/querent/core/fanout"
)

// TestTwoBranchesOfAnOrder totals lines and payments of orders at once, with what a
// plan can have around that.
func TestTwoBranchesOfAnOrder(t *testing.T) {
	cat := sales()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`create table customers(id, name, age, invited_by); insert into customers values (1,'Ann',30,null),(2,'Bo',40,1);
		create table orders(id, customer_id, total); insert into orders values (1,1,100),(2,1,200),(3,2,400),(4,2,1000);
		create table lines(order_id, line, product_id, qty); insert into lines values (1,1,1,1),(1,2,1,2),(1,3,1,3),(2,1,1,4),(2,2,1,5),(3,1,1,6);
		create table payments(id, order_id, amount); insert into payments values (1,1,60),(2,1,40),(3,2,200),(4,3,100),(5,3,50),(6,3,7);
		create table products(id, name, price); insert into products values (1,'p',3)`); err != nil {
		t.Fatal(err)
	}
	const joins = `"from":"orders o","joins":["lines l on l.order_id = o.id","payments p on p.order_id = o.id"]`
	for _, c := range []struct {
		name, plan string
		parts      int
		want       []string // of a plan that is not rewritten: none
	}{
		{"totals", `{` + joins + `,"select":["sum(o.total) as t","sum(l.qty) as q","sum(p.amount) as a"]}`, 2, []string{"700 21 457"}},
		{"from a branch", `{"from":"lines l","joins":["orders o on o.id = l.order_id","payments p on p.order_id = o.id"],"select":["sum(l.qty) as q","sum(p.amount) as a"]}`, 2, []string{"21 457"}},
		{"averages and bounds", `{` + joins + `,"select":["avg(l.qty) as q","avg(p.amount) as a","max(p.amount) as m"]}`, 2, []string{"3.5 76.16666666666667 200"}},
		{"groups, in order", `{"from":"customers c","joins":["orders o on o.customer_id = c.id","lines l on l.order_id = o.id","payments p on p.order_id = o.id"],"group":["c.id"],"select":["c.id","sum(l.qty) as q","sum(p.amount) as a"],"order":["sum(p.amount) desc"],"having":"sum(l.qty) > 6"}`, 2, []string{"1 15 300"}},
		{"conditions of a branch", `{` + joins + `,"where":"l.qty > 2 and p.amount < 150 and o.total < 400","select":["sum(l.qty) as q","sum(p.amount) as a"]}`, 2, []string{"3 100"}},
		{"an aggregate's own condition", `{` + joins + `,"select":["sum(l.qty) filter (where l.qty > 2) as q","sum(p.amount) as a"]}`, 2, []string{"18 457"}},
		{"expressions of aggregates", `{` + joins + `,"select":["sum(p.amount) / sum(l.qty) as x","round(sum(p.amount), 0) as r"]}`, 2, []string{"21.761904761904763 457"}},
		{"a branch of two tables", `{"from":"orders o","joins":["lines l on l.order_id = o.id","products d on d.id = l.product_id","payments p on p.order_id = o.id"],"select":["sum(l.qty * d.price) as q","sum(p.amount) as a"]}`, 2, []string{"63 457"}},
		{"left joins keep what has nothing", `{"from":"orders o","joins":["left lines l on l.order_id = o.id","left payments p on p.order_id = o.id"],"select":["sum(o.total) as t","sum(l.qty) as q","sum(p.amount) as a"]}`, 2, []string{"1700 21 457"}},
		{"a left join's condition on the core", `{"from":"orders o","joins":["left lines l on l.order_id = o.id and o.total > 100","left payments p on p.order_id = o.id and p.amount > 50"],"select":["sum(o.total) as t","sum(l.qty) as q","sum(p.amount) as a"]}`, 2, []string{"1700 15 360"}},
		{"a count beside a total", `{"from":"orders o","joins":["left lines l on l.order_id = o.id"],"group":["o.id"],"where":"o.id > 2","select":["o.id","sum(o.total) as t","count(l.qty) as n"]}`, 1, []string{"3 400 1", "4 1000 0"}},

		{"a chain", `{"from":"customers c","joins":["orders o on o.customer_id = c.id","lines l on l.order_id = o.id"],"select":["sum(c.age) as g","sum(o.total) as t","sum(l.qty) as q"]}`, 2, []string{"70 700 21"}},
		{"a chain that chooses", `{"from":"customers c","joins":["orders o on o.customer_id = c.id","lines l on l.order_id = o.id"],"where":"l.qty < 6","select":["sum(c.age) as g","sum(o.total) as t"]}`, 1, []string{"30 300"}},

		{"rows are counted", `{` + joins + `,"select":["sum(l.qty) as q","sum(p.amount) as a","count(*) as n"]}`, 0, nil},
		{"what may be pairs", `{` + joins + `,"select":["count(l.qty) as q","sum(p.amount) as a"]}`, 0, nil},
		{"grouped by a branch", `{` + joins + `,"group":["l.qty"],"select":["l.qty","sum(p.amount) as a","sum(o.total) as t"]}`, 0, nil},
		{"both in one", `{` + joins + `,"select":["sum(l.qty * p.amount) as x","sum(o.total) as t"]}`, 0, nil},
		{"different values of a branch", `{` + joins + `,"select":["sum(distinct l.qty) as q","sum(p.amount) as a"]}`, 0, nil},
		{"a comparison beside the key", `{"from":"orders o","joins":["lines l on l.order_id = o.id","payments p on p.order_id = o.id and p.amount < o.total"],"select":["sum(l.qty) as q","sum(p.amount) as a"]}`, 0, nil},
		{"no equality", `{"from":"orders o","joins":["lines l on l.order_id = o.id","payments p on p.order_id >= o.id"],"select":["sum(l.qty) as q","sum(p.amount) as a"]}`, 0, nil},
		{"a condition on what a left join may lack", `{"from":"orders o","joins":["left lines l on l.order_id = o.id","left payments p on p.order_id = o.id"],"where":"p.id is null","select":["sum(l.qty) as q","sum(o.total) as t"]}`, 0, nil},
		{"a value of what a left join lacks", `{"from":"orders o","joins":["left lines l on l.order_id = o.id","left payments p on p.order_id = o.id"],"select":["sum(coalesce(l.qty, 1)) as q","sum(p.amount) as a"]}`, 0, nil},
		{"a price of several lines", `{"from":"orders o","joins":["lines l on l.order_id = o.id","products d on d.id = l.product_id"],"select":["sum(d.price) as q","sum(o.total) as t"]}`, 0, nil},
		{"shares", `{` + joins + `,"group":["o.id"],"select":["o.id","sum(l.qty) as q","share(sum(p.amount)) as s"]}`, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, done, err := fanout.Fix(bind(t, cat, c.plan))
			if err != nil {
				t.Fatal(err)
			}
			parts := 0
			if len(done) > 0 {
				parts = len(done[0].Parts)
			}
			if parts != c.parts || parts == 0 && len(fanout.Find(q)) == 0 {
				t.Fatalf("parts %d, want %d; left are %d: %s", parts, c.parts, len(fanout.Find(q)), mustJSON(t, q.Wire()))
			}
			if got := rows(t, db, cat, q); c.parts > 0 && !slices.Equal(got, c.want) {
				t.Errorf("gives %q, want %q: %s", got, c.want, mustJSON(t, q.Wire()))
			}
		})
	}
}
