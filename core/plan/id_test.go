package plan_test

import (
	"strings"
	"testing"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

func decode(t *testing.T, text string) wire.Plan {
	t.Helper()
	p, err := plan.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return p
}

func bind(t *testing.T, text string) *plan.Query {
	t.Helper()
	q, err := plan.Bind(decode(t, text), scope())
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return q
}

// TestSameMeaningSameID binds groups of plans that mean the same in different
// spellings; each group has one id, and no two groups share one.
func TestSameMeaningSameID(t *testing.T) {
	groups := map[string][]string{
		"spelling of keywords, white space and aliases": {
			`{"from":"trips t","joins":["riders r"],"where":"t.km > 5 and r.plan = 'day'","select":["r.name","count(*) as n"]}`,
			`{"from":"TRIPS  AS  x","joins":["Riders AS  y"],"where":"x.KM>5 AND y.Plan='day'","select":["y.NAME","COUNT( * )  AS n"]}`,
			`{"from":"trips","joins":["inner join riders on rider_id = riders.id"],"where":"km > 5 and plan = 'day'","group":["name"],"select":["name","count(1) as n"]}`,
			`{"from":"main.trips","joins":["riders via rider_id"],"where":"(((trips.km) > 5)) and riders.plan == 'day'","group":["1"],"select":["riders.name","count(*) n"]}`,
			`{"blocks":[{"name":"only","op":"select","from":{"table":"trips","as":"t"},"joins":[{"table":"riders","as":"r"}],"where":"t.km > 5 and r.plan = 'day'","select":[{"expr":"r.name"},{"expr":"count(*)","as":"n"}],"order_by":null}],"result":"only"}`,
		},
		"names of blocks": {
			`{"with":[{"name":"a","op":"select","from":"riders","select":["id"]}],"from":"trips","where":"in(rider_id, a) and exists(a, a.id = trips.id)","select":["km"]}`,
			`{"with":[{"name":"b","op":"select","from":"riders x","select":["x.id"]},{"name":"unused","op":"select","from":"bikes","select":["id"]}],"from":"trips t","where":"rider_id in (b) and exists(b, b.id = t.id)","select":["km"]}`,
		},
		"periods": {
			`{"from":"trips","where":"during(started_at, 'last_months(1)')","select":["km"]}`,
			`{"from":"trips","where":"during(started_at, last_month())","select":["km"]}`,
			`{"from":"trips","where":"during(started_at, 'Last 1 month')","select":["km"]}`,
		},
		"a day": {
			`{"from":"trips","where":"started_at = '2024-05-05'","select":["km"]}`,
			`{"from":"trips","where":"during(started_at, 2024-05-05)","select":["km"]}`,
			`{"from":"trips","where":"'2024-05-05' = started_at","select":["km"]}`,
		},
		"an aggregate with a filter": {
			`{"from":"trips","select":["sum(km) filter (where paid) as x"]}`,
			`{"from":"trips","select":["sum_if(km, paid) as x"]}`,
			`{"from":"trips","select":["sum(case when paid then km end) as x"]}`,
		},
		"a label is part of the meaning": {
			`{"from":"trips","select":["sum(km) filter (where paid) as y"]}`,
		},
		"so is the order": {
			`{"from":"trips","where":"started_at = '2024-05-05'","select":["km"],"order":["km"]}`,
			`{"from":"trips","where":"started_at = '2024-05-05'","select":["km"],"order":["KM ascending nulls last"]}`,
			`{"from":"trips","where":"started_at = '2024-05-05'","select":["km"],"order":["1 asc"]}`,
		},
	}
	owner := map[string]string{}
	for name, plans := range groups {
		first := bind(t, plans[0])
		if !strings.HasPrefix(first.ID(), "p_") || len(first.ID()) != len("p_")+64 {
			t.Errorf("%s: the id is %q", name, first.ID())
		}
		for _, p := range plans[1:] {
			if got := bind(t, p); got.ID() != first.ID() {
				t.Errorf("%s: another id for\n%s\n%s%s", name, p, pretty(t, first.Wire()), pretty(t, got.Wire()))
			}
		}
		if other, taken := owner[first.ID()]; taken {
			t.Errorf("%q and %q share an id", name, other)
		}
		owner[first.ID()] = name
	}
}

// TestRelativeTimeKeepsItsID asks the same on two days.
func TestRelativeTimeKeepsItsID(t *testing.T) {
	p := decode(t, `{"from":"trips","where":"during(started_at, last_days(7)) and started_at < today() and started_at > add_days(now(), -3)","select":["km"]}`)
	today, later := scope(), scope()
	later.Clock.Now = later.Clock.Now.AddDate(0, 2, 5)
	a, err := plan.Bind(p, today)
	if err != nil {
		t.Fatal(err)
	}
	b, err := plan.Bind(p, later)
	if err != nil {
		t.Fatal(err)
	}
	if a.ID() != b.ID() {
		t.Errorf("the id changed with the day:\n%s%s", pretty(t, a.Wire()), pretty(t, b.Wire()))
	}
}

// TestIDDoesNotDependOnVisibility binds one plan for two callers.
func TestIDDoesNotDependOnVisibility(t *testing.T) {
	p := decode(t, `{"from":"riders","joins":["secrets"],"select":["name","password"]}`)
	all := scope()
	all.Visible = nil
	a, err := plan.Bind(p, scope())
	if err != nil {
		t.Fatal(err)
	}
	b, err := plan.Bind(p, all)
	if err != nil {
		t.Fatal(err)
	}
	if a.ID() != b.ID() {
		t.Error("two callers get two ids for one plan")
	}
}

// onlyPub hides the schema hr.
type onlyPub struct{}

func (onlyPub) Table(t *schema.Table) bool   { return t.Schema == "pub" }
func (onlyPub) Column(c *schema.Column) bool { return c.Table.Schema == "pub" }

func twoSchemas() *schema.Catalog {
	hr, pub, dotted := table("pay", 1, col("id", tInt), col("amount", tInt)), table("pay", 1, col("id", tInt), col("amount", tInt)), table("pub.pay", 1, col("id", tInt))
	hr.Schema, pub.Schema, dotted.Schema = "hr", "pub", "pub"
	return schema.Build("two", schema.Postgres, []*schema.Table{hr, pub, dotted})
}

func TestSchemasShareATableName(t *testing.T) {
	tests := []struct {
		from    string
		visible plan.Visibility
		want    string // schema.table, or a part of the error
	}{
		{"pay", onlyPub{}, "pub.pay"},
		{"hr.pay", onlyPub{}, "hr.pay"},
		{"HR.Pay p", nil, "hr.pay"},
		{"pay", nil, "error: from, character 1: 'pay' can be more than one table; write one of hr.pay, pub.pay"},
		{"pub.pay", nil, "pub.pay"},
		{"`pub.pay`", nil, "pub.pub.pay"},
		{"`pub`.`pub.pay` x", nil, "pub.pub.pay"},
		{"`hr`.pay", nil, "hr.pay"},
	}
	for _, tt := range tests {
		s := plan.Scope{Catalog: twoSchemas(), Visible: tt.visible}
		q, err := plan.Bind(wire.Plan{Clauses: wire.Clauses{From: tt.from, Select: []string{"id"}}}, s)
		got := ""
		if err != nil {
			got = strings.TrimSpace(refusal(t, tt.from, err))
		} else {
			got = q.Result().Sources[0].Table.ID()
			again, err := plan.Bind(q.Wire(), s)
			if err != nil || again.ID() != q.ID() {
				t.Errorf("%s: the normal form %q does not lead back: %v", tt.from, q.Wire().From, err)
			}
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.from, got, tt.want)
		}
	}
}

func BenchmarkBind(b *testing.B) {
	p, err := plan.Decode([]byte(`{"from":"trips t","joins":["riders r","bikes b","stations s via start_station_id"],
		"where":"during(t.started_at, last_months(3)) and t.km > 1.5","select":["s.city","b.model","r.plan","sum(t.fee) as fees","count(*) as n"],"order":["fees desc"],"limit":10}`))
	if err != nil {
		b.Fatal(err)
	}
	s := scope()
	b.ReportAllocs()
	for b.Loop() {
		q, err := plan.Bind(p, s)
		if err != nil {
			b.Fatal(err)
		}
		_ = q.ID()
	}
}
