package policy_test

import (
	"fmt"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/sdk/wire"
)

// manyRules is a role whose rules for the tables of the test stand among n others
// of each kind.
func manyRules(n int) map[config.RoleName]config.Role {
	r := config.Role{
		Tables:     config.TableRules{Allow: []string{"hr.main.people", "hr.main.orders"}},
		Columns:    config.ColumnRules{Deny: []string{"*.*.people.city"}, AggregateOnly: []string{"hr.*.people.salary"}},
		RowFilters: map[string]string{"hr.main.people": "region = :user.region", "*.*.orders": "qty > 1"},
		Masks:      map[string]config.Mask{"hr.main.people.email": {Kind: config.MaskPartial, KeepLast: 4}},
	}
	for i := range n {
		name := fmt.Sprintf("other%d", i)
		r.Tables.Allow = append(r.Tables.Allow, "hr.main."+name)
		r.Tables.Deny = append(r.Tables.Deny, "*.deny."+name)
		r.Columns.Deny = append(r.Columns.Deny, "hr.*.people."+name)
		r.Columns.AggregateOnly = append(r.Columns.AggregateOnly, "hr.main.*."+name)
		r.RowFilters["hr.main."+name] = "id > 1"
		r.Masks["*.main."+name+".x"] = config.Mask{}
	}
	return map[config.RoleName]config.Role{"r": r}
}

// securing is one call of Secure under n other rules of each kind.
func securing(t testing.TB, n int) func() {
	t.Helper()
	_, catalog := companyFile(t)
	rules, err := policy.Compile(manyRules(n))
	if err != nil {
		t.Fatal(err)
	}
	q, err := plan.Bind(wire.Plan{Clauses: wire.Clauses{From: "people p", Joins: []string{"left orders o"}, Group: []string{"p.email"},
		Select: []string{"p.email", "count(*)"}}}, plan.Scope{Catalog: catalog})
	if err != nil {
		t.Fatal(err)
	}
	who := policy.Caller{Name: "kim", Roles: []string{"r"}, Attributes: map[string]string{"region": "EU"}}
	return func() {
		if _, err := rules.Secure(catalog, q, who); err != nil {
			t.Fatal(err)
		}
	}
}

// The work of a query does not grow with the rules that do not concern it. It is
// counted in allocations, of which every rule that was looked at makes one at
// least.
func TestManyRulesCostWhatFewDo(t *testing.T) {
	few, many := securing(t, 2), securing(t, 2000)
	few()
	many()
	a, b := testing.AllocsPerRun(20, few), testing.AllocsPerRun(20, many)
	if b > a+10 {
		t.Errorf("a query allocates %v times under 10 rules, %v times under 10,000", a, b)
	}
}

func BenchmarkSecure(b *testing.B) {
	for _, n := range []int{2, 2000} {
		b.Run(fmt.Sprintf("rules=%d", 5*n), func(b *testing.B) {
			secure := securing(b, n)
			secure()
			b.ReportAllocs()
			for b.Loop() {
				secure()
			}
		})
	}
}
