package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

func simple(clauses wire.Clauses) wire.Plan {
	if clauses.From == "" {
		clauses.From = "trips"
	}
	if len(clauses.Select) == 0 {
		clauses.Select = []string{"km"}
	}
	return wire.Plan{Clauses: clauses}
}

// TestOversizedPlansAreRefused holds every limit: each plan is refused, in words
// that name it, and quickly enough for a test.
func TestOversizedPlansAreRefused(t *testing.T) {
	repeat := strings.Repeat
	nestedCase := "paid"
	for range 60 {
		nestedCase = "case " + nestedCase + " when true then 1=1 when false then 1=2 end"
	}
	nestedCast, nestedPart := "started_at", "started_at"
	for range 45 {
		nestedCast = "cast(cast(" + nestedCast + " as text) as date)"
		nestedPart = "substr(" + nestedPart + ", 1, 10)"
	}
	nestedDays := "started_at"
	for range 40 {
		nestedDays = "iif(" + nestedDays + " between '2024-01-01' and '2024-01-02', now(), now())"
	}
	doubling := []wire.Block{{Name: "b0", Op: "select", Clauses: wire.Clauses{From: "trips", Select: []string{"km"}}}}
	for i := range 29 {
		prev := fmt.Sprintf("b%d", i)
		doubling = append(doubling, wire.Block{Name: fmt.Sprintf("b%d", i+1), Op: "union_all", Of: []string{prev, prev}})
	}
	tests := map[string]struct {
		plan wire.Plan
		want string // "" for a plan that is taken
	}{
		"parentheses":     {simple(wire.Clauses{Where: repeat("(", 1000) + "1=1" + repeat(")", 1000)}), "nests more than"},
		"position":        {simple(wire.Clauses{Where: repeat("position(", 200) + "'a' in 'b'" + repeat(", 'c')", 200) + " > 1"}), "nests more than"},
		"null and null":   {simple(wire.Clauses{Where: "paid" + repeat(" is distinct from paid", 60)}), "too large"},
		"windows":         {simple(wire.Clauses{Select: []string{repeat("sum(", 300) + "km" + repeat(") over (order by km)", 100)}}), "nests more than"},
		"a long frame":    {simple(wire.Clauses{Select: []string{"sum(km) over (order by id rows 99999999999999999999 preceding)"}}), "at most 1000000"},
		"many distances":  {simple(wire.Clauses{Select: append([]string{"date(started_at) as d"}, filled(40, "prior(count(*), '1%d days')")...)}), "more than 30"},
		"not":             {simple(wire.Clauses{Where: repeat("not ", 900) + "1=1"}), "nests more than"},
		"minus":           {simple(wire.Clauses{Where: "km > " + repeat("- ", 900) + "1"}), "nests more than"},
		"calls":           {simple(wire.Clauses{Where: "km > " + repeat("abs(", 500) + "1" + repeat(")", 500)}), "nests more than"},
		"a row of or":     {simple(wire.Clauses{Where: "paid" + repeat(" or paid", 300)}), "in a row"},
		"a long clause":   {simple(wire.Clauses{Where: "km > 1" + repeat(" ", 4000)}), "too long"},
		"a long list":     {simple(wire.Clauses{Where: "id in (" + repeat("1,", 1500) + "1)"}), "more than 1000 entries"},
		"many items":      {simple(wire.Clauses{Select: make([]string, 101)}), "too many"},
		"many blocks":     {wire.Plan{With: make([]wire.Block, 31)}, "too many"},
		"a long plan":     {simple(wire.Clauses{Select: filled(60, "'"+repeat("x", 1200)+"' as c%d")}), "the plan is too long"},
		"a long label":    {simple(wire.Clauses{Select: []string{"km as " + repeat("x", 200)}}), "longer than 120"},
		"a long alias":    {simple(wire.Clauses{From: "trips " + repeat("x", 200)}), "alias"},
		"many joins":      {simple(wire.Clauses{From: "bikes", Joins: filled(40, "cross riders r%d")}), "more tables"},
		"negative limit":  {simple(wire.Clauses{Limit: -1}), "out of range"},
		"huge offset":     {simple(wire.Clauses{Offset: 1 << 62}), "out of range"},
		"bad UTF-8":       {simple(wire.Clauses{Where: "plan = '\xff'"}), "UTF-8"},
		"zero character":  {simple(wire.Clauses{Where: "km = '\x00'"}), "zero character"},
		"repeated case":   {simple(wire.Clauses{Where: nestedCase}), "too large"},
		"repeated days":   {simple(wire.Clauses{Select: []string{nestedDays + " as x"}}), "too large"},
		"doubling unions": {wire.Plan{With: doubling, Clauses: wire.Clauses{From: "b29", Select: []string{"km"}}}, ""},
		"nested casts":    {simple(wire.Clauses{Select: []string{nestedCast + " as x"}}), ""},
		"nested parts":    {simple(wire.Clauses{Select: []string{nestedPart + " as x"}}), ""},
		"100 operators":   {simple(wire.Clauses{Where: "paid" + repeat(" or paid", 99)}), ""},
	}
	for name, tt := range tests {
		q, err := plan.Bind(tt.plan, scope())
		switch {
		case err == nil && tt.want != "":
			t.Errorf("%s: taken", name)
		case err == nil:
			checkStable(t, name, q)
		case tt.want == "" || !strings.Contains(refusal(t, name, err), tt.want):
			t.Errorf("%s: %s", name, refusal(t, name, err))
		case len(refusal(t, name, err)) > 600:
			t.Errorf("%s: the message repeats the plan: %s", name, refusal(t, name, err))
		}
	}
}

// filled is a list of n entries from a format with a number.
func filled(n int, format string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(format, i)
	}
	return out
}

func TestDecodeLimits(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"size":      {`{"from":"` + strings.Repeat("x", plan.MaxPlanBytes) + `"}`, "too long"},
		"depth":     {strings.Repeat("[", 5000), "nests too deep"},
		"objects":   {strings.Repeat(`{"with":`, 5000), "nests too deep"},
		"UTF-8":     {"{\"from\":\"\xff\"}", "UTF-8"},
		"exponents": {`{"limit":1e999999999}`, "whole number"},
		"fractions": {`{"limit":2.5}`, "whole number"},
		"empty":     {``, "too early"},
	}
	for name, tt := range tests {
		_, err := plan.Decode([]byte(tt.text))
		if err == nil || !strings.Contains(refusal(t, name, err), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDecodeIsTolerantWhereMeaningIsCertain(t *testing.T) {
	want := wire.Plan{Version: 1, Clauses: wire.Clauses{From: "riders", Select: []string{"id"}, Order: []string{"id desc"}, Limit: 10, Distinct: true}}
	for _, text := range []string{
		`{"version":1,"from":"riders","select":["id"],"order":["id desc"],"limit":10,"distinct":true}`,
		`{"version":"1","from":["riders"],"select":"id","order":"id desc","limit":"10","distinct":"true","offset":null,"where":null,"joins":null}`,
		`{"version":1.0,"from":{"table":"riders"},"select":[{"expr":"id"}],"order_by":[{"expr":"id","desc":true}],"limit":10.0,"distinct":true,"having":"","offset":""}`,
		` {"version":1,"from":"riders","joins":[],"select":["id",null,""],"orderBy":[{"expr":"id","direction":"DESC"}],"limit":10,"distinct":true,"reasoning":""}`,
	} {
		got := decode(t, text)
		if pretty(t, got) != pretty(t, want) || got.Version != 1 {
			t.Errorf("%s\nis read as\n%s", text, pretty(t, got))
		}
	}
}
