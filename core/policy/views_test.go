//go:build !race

package policy_test

import (
	"context"
	"slices"
	"testing"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/policy"
)

// These tests work SQLite hard, which the race detector slows down a lot and has
// nothing to find in.

// plansPerSeat is how many random plans run for every caller.
const plansPerSeat = 100

// A secured plan over the tables gives the rows that the same plan, without a
// policy, gives over views that withhold the same.
func TestSecuredPlansAreWhatViewsShow(t *testing.T) {
	raw, catalog := companyFile(t)
	rules := compile(t, companyRoles)
	for _, seat := range companySeats {
		t.Run(seat.name, func(t *testing.T) {
			views := companyViews(t, seat)
			ran := 0
			for seed := range uint64(plansPerSeat) {
				p, q := randomPlan(t, catalog, seat, seed, "inner", "left", "right", "full")
				got := statement(t, rules, catalog, q, seat.caller, p)
				want := statement(t, rules, catalog, q, policy.Caller{Name: "root", Roles: []string{"all"}}, p)
				a, b := rowsOf(t, raw, got), rowsOf(t, views, want)
				if !slices.Equal(a, b) {
					t.Fatalf("seed %d: the secured plan gives %d rows, the views %d\n%s\nsecured: %s\n%v\nviews: %s\n%v\nfirst: %q\nsecond: %q",
						seed, len(a), len(b), planText(p), got.SQL(), got.Args(), want.SQL(), want.Args(), a, b)
				}
				ran++
			}
			if ran < plansPerSeat {
				t.Errorf("%d plans ran", ran)
			}
		})
	}
}

// The adapter lets a secured statement read what its filters and masks read.
func TestTheAdapterRunsSecuredPlans(t *testing.T) {
	_, catalog := companyFile(t)
	rules := compile(t, companyRoles)
	source := companySource(t)
	for _, seat := range companySeats {
		for seed := range uint64(60) {
			p, q := randomPlan(t, catalog, seat, seed, "inner", "left", "right", "full")
			s := statement(t, rules, catalog, q, seat.caller, p)
			rows, err := source.Query(context.Background(), s, datasource.Limits{})
			if err != nil {
				t.Fatalf("%s: %v\n%s\n%s", seat.name, err, planText(p), s.SQL())
			}
			for rows.Next() {
			}
			if err := rows.Err(); err != nil {
				t.Fatalf("%s: %v\n%s\n%s", seat.name, err, planText(p), s.SQL())
			}
			if err := rows.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
