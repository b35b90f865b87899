package sqlgen_test

import (
	"testing"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
)

// BenchmarkSecureRender is what policy and rendering cost for one question: a
// plan of three joined tables with a filter, groups, an order and a limit.
func BenchmarkSecureRender(b *testing.B) {
	cat, p := shop(), open(b)
	q, err := bind(cat, `{"from": "customers c", "joins": ["orders o", "lines l"], "where": "during(o.placed_at, '2024') and c.city in ('Paris', 'Berlin')",
		"group": ["c.id", "date_trunc('month', o.placed_at)"], "select": ["c.name", "date_trunc('month', o.placed_at) as month", "sum(l.qty * l.price) as spent", "count(distinct o.id) as orders"],
		"having": "sum(l.qty * l.price) > 10.50", "order": ["spent desc"], "limit": 10}`)
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
