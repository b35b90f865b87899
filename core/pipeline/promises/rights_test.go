package promises_test

import (
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/reason"
)

func TestHiddenColumnsAreHiddenInEveryClause(t *testing.T) {
	onEach(t, people, nil, func(t *testing.T, d *database) {
		role := config.Role{Columns: config.ColumnRules{Deny: []string{"*.*.people.pay"}}}
		for _, plan := range []string{
			`{"from": "people", "select": ["pay"]}`,
			`{"from": "people", "select": ["max(pay) as m"]}`,
			`{"from": "people", "select": ["name", "rank() over (order by pay) as r"]}`,
			`{"from": "people", "where": "pay > 15", "select": ["name"]}`,
			`{"from": "people", "select": ["name"], "order": ["pay"]}`,
			`{"from": "people", "group": ["pay"], "select": ["count(*) as n"]}`,
			`{"from": "people", "group": ["team_id"], "select": ["team_id"], "having": "sum(pay) > 1"}`,
			`{"from": "people p", "joins": ["people q on q.pay = p.pay"], "select": ["p.name"]}`,
			`{"from": "teams t", "joins": ["semi people p on p.team_id = t.id and p.pay > 15"], "select": ["t.name"]}`,
			`{"with": [{"name": "b", "op": "select", "from": "people", "select": ["pay"]}], "from": "b", "select": ["*"]}`,
			`{"with": [{"name": "b", "op": "select", "from": "people", "where": "pay > 15", "select": ["id"]}], "from": "people p", "where": "in(p.id, b)", "select": ["p.name"]}`,
			`{"with": [{"name": "b", "op": "select", "from": "people", "select": ["id"]}], "from": "teams t", "select": ["scalar(b, max(pay), team_id = t.id) as m"]}`,
			`{"from": "people", "per": ["pay"], "limit": 1, "select": ["name"]}`,
			`{"from": "people", "select": ["count(*) filter (where pay > 15) as n"]}`,
		} {
			got := d.on(t, terms{plan: planOf(t, plan), role: role})
			if got.err == nil || got.err.Code != reason.PolicyDenied && got.err.Code != reason.PlanInvalid || len(got.rows) > 0 {
				t.Errorf("%s\nends with %v and %q", plan, got.err, got.rows)
			}
			if got.err != nil && strings.Contains(got.err.SafeMessage+got.err.NextAction, "pay") && !strings.Contains(plan, "pay") {
				t.Errorf("%s\nis told of the column: %s", plan, got.err.SafeMessage)
			}
		}
		const all = `{"from": "people", "select": ["*"], "order": ["id"]}`
		d.on(t, terms{plan: planOf(t, all), role: role}).wants(t, all, "1|1|Ann", "2|1|Bob", "3|2|Cid")
	})
}

func TestRowRulesHoldWhereverATableStands(t *testing.T) {
	onEach(t, people, nil, func(t *testing.T, d *database) {
		role := config.Role{RowFilters: map[string]string{"*.*.people": "pay <= 10 or name = :user.name"}}
		for plan, want := range map[string][]string{
			`{"from": "people", "select": ["name"], "order": ["id"]}`:                                                                                                                                                                                                                           {"Ann", "Cid"},
			`{"from": "people", "select": ["count(*) as n", "sum(pay) as s"]}`:                                                                                                                                                                                                                  {"2|40"},
			`{"from": "teams t", "joins": ["left people p"], "group": ["t.id"], "select": ["t.name", "count(p.id) as n"], "order": ["t.id"]}`:                                                                                                                                                   {"red|1", "blue|1"},
			`{"from": "people p", "joins": ["people q on q.team_id = p.team_id"], "select": ["p.name", "q.name as other"], "order": ["p.id"]}`:                                                                                                                                                  {"Ann|Ann", "Cid|Cid"},
			`{"from": "teams t", "joins": ["anti people p on p.team_id = t.id and p.name = 'Bob'"], "select": ["t.name"], "order": ["t.id"]}`:                                                                                                                                                   {"red", "blue"},
			`{"with": [{"name": "b", "op": "select", "from": "people", "select": ["id"]}], "from": "people", "where": "in(id, b)", "select": ["count(*) as n"]}`:                                                                                                                                {"2"},
			`{"with": [{"name": "b", "op": "select", "from": "people", "select": ["id", "team_id", "name"]}], "from": "teams t", "where": "exists(b, team_id = t.id and name = 'Bob')", "select": ["t.name"]}`:                                                                                  nil,
			`{"with": [{"name": "b", "op": "select", "from": "people", "select": ["max(pay) as m"]}], "from": "", "select": ["scalar(b) as m"]}`:                                                                                                                                                {"30"},
			`{"with": [{"name": "a", "op": "select", "from": "people", "select": ["name"]}, {"name": "b", "op": "select", "from": "people", "where": "pay = 20", "select": ["name"]}, {"name": "u", "op": "union_all", "of": ["a", "b"]}], "from": "u", "select": ["name"], "order": ["name"]}`: {"Ann", "Cid"},
			`{"from": "people", "where": "pay > 10 or 1 = 1", "select": ["name"], "order": ["id"]}`:                                                                                                                                                                                             {"Ann", "Cid"},
		} {
			c := terms{plan: planOf(t, plan), role: role}
			c.caller.Attributes = map[string]string{"name": "Cid"}
			d.on(t, c).wants(t, plan, want...)
		}
		missing := d.on(t, terms{plan: planOf(t, `{"from": "people", "select": ["name"]}`), role: role})
		if missing.err == nil || missing.err.Code != reason.CallerAuthRequired {
			t.Errorf("without the attribute it ends with %v and %q", missing.err, missing.rows)
		}
		nobody := terms{plan: planOf(t, `{"from": "people", "select": ["name"], "where": "pay = 20"}`), role: role}
		nobody.caller.Attributes = map[string]string{"name": "' OR '1'='1"}
		d.on(t, nobody).wants(t, "a hostile attribute")
	})
}

// The words of a database hold values of its rows. None reaches who asks.
func TestErrorsOfTheDatabaseTellNoValue(t *testing.T) {
	const script = `CREATE TABLE vault (id INTEGER PRIMARY KEY, code VARCHAR(20), big BIGINT); INSERT INTO vault VALUES (1, 'hunter2', 9223372036854775807);
		CREATE VIEW numbers AS SELECT id, CAST(code AS DECIMAL(9,2)) AS n FROM vault`
	onEach(t, script, nil, func(t *testing.T, d *database) {
		for _, plan := range []string{
			`{"from": "numbers", "select": ["n"]}`, `{"from": "numbers", "where": "n > 0", "select": ["id"]}`,
			`{"from": "vault", "select": ["cast(code as int) as n"]}`, `{"from": "vault", "where": "number(code) > 0", "select": ["id"]}`,
			`{"from": "vault", "select": ["big * 2 as n"]}`, `{"from": "vault", "select": ["sum(big) + sum(big) as n"]}`,
			`{"from": "vault", "select": ["date(code) as n"]}`, `{"from": "vault", "select": ["repeat(code, 1000000000) as n"]}`,
		} {
			got := d.ask(t, plan)
			if strings.Contains(got.answer, "hunter2") || strings.Contains(got.answer, "9223372036854775807") {
				t.Errorf("%s\nis answered with a value: %s", plan, got.answer)
			}
			if got.err != nil && got.err.Code == reason.Internal {
				t.Errorf("%s\nends with %v", plan, got.err)
			}
		}
	})
}
