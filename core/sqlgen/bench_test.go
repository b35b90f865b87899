package sqlgen_test

import (
	"testing"

	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
)

// busyPlan joins three tables with a filter, groups, an order and a limit.
const busyPlan = `{"from": "customers c", "joins": ["orders o", "lines l"], "where": "during(o.placed_at, '2024') and c.city in ('Paris', 'Berlin')",
	"group": ["c.id", "date_trunc('month', o.placed_at)"], "select": ["c.name", "date_trunc('month', o.placed_at) as month", "sum(l.qty * l.price) as spent", "count(distinct o.id) as orders"],
	"having": "sum(l.qty * l.price) > 10.50", "order": ["spent desc"], "limit": 10}`

// BenchmarkSecureRender is what policy and rendering cost for one question.
func BenchmarkSecureRender(b *testing.B) {
	cat, p := shop(), open(b)
	q, err := bind(cat, busyPlan)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		secured, err := p.Secure(cat, q, reader)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := sqlgen.Render(secured, schema.SQLite, sqlgen.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPlanToSQL is the whole way of a plan for each dialect: it is read,
// checked against the catalog, secured and written.
func BenchmarkPlanToSQL(b *testing.B) {
	cat, p := shop(), open(b)
	for _, d := range []schema.Dialect{schema.SQLite, schema.Postgres, schema.MySQL} {
		b.Run(string(d), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := planToSQL(p, cat, d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func planToSQL(p *policy.Policy, cat *schema.Catalog, d schema.Dialect) error {
	q, err := bind(cat, busyPlan)
	if err != nil {
		return err
	}
	secured, err := p.Secure(cat, q, reader)
	if err != nil {
		return err
	}
	_, err = sqlgen.Render(secured, d, sqlgen.Options{})
	return err
}

// mostAllocations bounds what the way of the busy plan allocates: about half as
// much again as when it was measured.
const mostAllocations = 1150

func TestAPlanTakesFewAllocations(t *testing.T) {
	cat, p := shop(), open(t)
	for _, d := range []schema.Dialect{schema.SQLite, schema.Postgres, schema.MySQL} {
		var err error
		n := testing.AllocsPerRun(20, func() { err = planToSQL(p, cat, d) })
		if err != nil {
			t.Fatal(err)
		}
		if n > mostAllocations {
			t.Errorf("%s takes %.0f allocations, more than %d", d, n, mostAllocations)
		}
		t.Logf("%s: %.0f allocations", d, n)
	}
}
