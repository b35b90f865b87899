package policy_test

import (
	"slices"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/policy"
)

func TestRulesThatNameNothingAreListed(t *testing.T) {
	roles := map[config.RoleName]config.Role{
		"clerk": {
			Tables:     config.TableRules{Allow: []string{"hr.main.*", "hr.main.PEOPLE", "other.main.gone"}, Deny: []string{"hr.main.payy"}},
			Columns:    config.ColumnRules{Deny: []string{"*.*.*.salry", "hr.main.pay.salry", "HR.main.pay.Salary"}, AggregateOnly: []string{"hr.main.gone.x"}},
			RowFilters: map[string]string{"hr.side.pay": "id = 1", "hr.main.pay": "id = 1"},
			Masks:      map[string]config.Mask{"hr.main.people.mail": {Kind: "null"}, "hr.main.people.email": {Kind: "null"}},
		},
	}
	want := []string{
		"roles.clerk.tables.deny: hr.main.payy", "roles.clerk.columns.deny: hr.main.pay.salry",
		"roles.clerk.columns.aggregate_only: hr.main.gone.x", "roles.clerk.row_filters: hr.side.pay", "roles.clerk.masks: hr.main.people.mail",
	}
	if got := policy.Unmatched(roles, company()); !slices.Equal(got, want) {
		t.Errorf("listed %q, want %q", got, want)
	}
}
