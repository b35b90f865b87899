package promises_test

import (
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

func TestMixedCaseColumnsAnswer(t *testing.T) {
	onEach(t, `CREATE TABLE "Order" ("userId" INTEGER, "orderTotal" DECIMAL(8,2)); INSERT INTO "Order" VALUES (1, 2.50), (1, 3.00), (2, 4.00)`, nil, func(t *testing.T, d *database) {
		got := d.gives(t, `{"from": "Order o", "select": ["o.userId", "sum(o.orderTotal) as Spent"], "order": ["o.userId"]}`, "1|5.50", "2|4.00")
		if want := []string{"userId", "Spent"}; !slices.Equal(got.heads, want) {
			t.Errorf("headers %q, want %q", got.heads, want)
		}
	})
}

func TestReservedWordsAreNames(t *testing.T) {
	onEach(t, `CREATE TABLE "order" ("select" INTEGER PRIMARY KEY, "group" VARCHAR(9), "limit" INTEGER, "from" INTEGER);
		CREATE TABLE "user" ("where" INTEGER, "order" INTEGER REFERENCES "order" ("select"), "desc" INTEGER);
		INSERT INTO "order" VALUES (1, 'a', 10, 0), (2, 'b', 20, 0), (3, 'a', 30, 0); INSERT INTO "user" VALUES (7, 1, 5), (8, 3, 6)`, nil, func(t *testing.T, d *database) {
		d.gives(t, `{"from": "order", "select": ["group", "sum(limit) as `+"`sum`"+`"], "where": "limit > 5 and order.select > 0", "order": ["group desc"]}`, "b|20", "a|40")
		got := d.refuses(t, `{"from": "order", "select": ["limit"], "where": "select > 0"}`, reason.PlanInvalid)
		if got.err != nil && !strings.Contains(got.err.SafeMessage, "backticks: `select`") {
			t.Errorf("the refusal does not say how to write the name: %s", got.err.SafeMessage)
		}
		d.gives(t, `{"from": "user u", "joins": ["order o on o.select = u.order"], "select": ["u.where", "o.group", "u.desc as `+"`order`"+`"], "order": ["u.where desc"]}`, "8|a|6", "7|a|5")
		d.gives(t, "{\"from\": \"`order`\", \"select\": [\"max(`from`) as `table`\"]}", "0")
	})
}

func TestNamesOfEveryAlphabetAnswer(t *testing.T) {
	onEach(t, `CREATE TABLE "매출" ("年" INTEGER, "금액" DECIMAL(9,2), "größe" VARCHAR(20)); INSERT INTO "매출" VALUES (2024, 10.50, 'groß'), (2025, 2.00, '큰 것')`, nil, func(t *testing.T, d *database) {
		got := d.gives(t, `{"from": "매출", "select": ["年", "금액", "größe", "금액 * 2 as 두배"], "where": "größe <> 'x'", "order": ["年"]}`, "2024|10.50|groß|21.00", "2025|2.00|큰 것|4.00")
		if want := []string{"年", "금액", "größe", "두배"}; !slices.Equal(got.heads, want) {
			t.Errorf("headers %q, want %q", got.heads, want)
		}
	})
}

func TestNamesThatLookLikeNumbersOrPathsAnswer(t *testing.T) {
	onEach(t, `CREATE TABLE "2024 plays" ("3pointplay" INTEGER, "loc.lat" DECIMAL(8,4), "a ""q"" b" VARCHAR(9), "it's" INTEGER, "a;b -- c" INTEGER);
		INSERT INTO "2024 plays" VALUES (3, 48.8566, 'x', 1, 2)`, nil, func(t *testing.T, d *database) {
		got := d.gives(t, "{\"from\": \"`2024 plays` p\", \"select\": [\"p.`3pointplay`\", \"p.`loc.lat`\", \"p.`a \\\"q\\\" b`\", \"`it's`\", \"`a;b -- c`\"], \"where\": \"p.`3pointplay` = 3 and p.`a \\\"q\\\" b` <> 'it''s \\\"y\\\"' and `it's` > 0\"}", "3|48.8566|x|1|2")
		if want := []string{"3pointplay", "loc.lat", `a "q" b`, "it's", "a;b -- c"}; !slices.Equal(got.heads, want) {
			t.Errorf("headers %q, want %q", got.heads, want)
		}
	})
}

const people = `CREATE TABLE teams (id INTEGER PRIMARY KEY, name VARCHAR(20)); CREATE TABLE people (id INTEGER PRIMARY KEY, team_id INTEGER REFERENCES teams (id), name VARCHAR(20), pay INTEGER);
	INSERT INTO teams VALUES (1, 'red'), (2, 'blue'); INSERT INTO people VALUES (1, 1, 'Ann', 10), (2, 1, 'Bob', 20), (3, 2, 'Cid', 30)`

func TestTablesAreQualifiedWhereverTheyStand(t *testing.T) {
	onEach(t, people, nil, func(t *testing.T, d *database) {
		got := d.gives(t, `{"with": [{"name": "rich", "op": "select", "from": "people p", "joins": ["teams x"], "where": "p.pay > 15", "select": ["p.team_id"]}],
			"from": "teams t", "joins": ["people p on p.team_id = t.id", "left people q on q.team_id = t.id and q.id <> p.id", "semi rich r on r.team_id = t.id"],
			"where": "in(t.id, rich)", "select": ["t.name", "count(*) as n"], "order": ["t.name"]}`, "blue|1", "red|2")
		quote := map[schema.Dialect]string{schema.MySQL: "`"}[d.dialect]
		if quote == "" {
			quote = `"`
		}
		for _, table := range []string{"teams", "people"} {
			name := quote + table + quote
			all, full := strings.Count(got.sql, name), strings.Count(got.sql, quote+d.home+quote+"."+name)
			if all == 0 || all != full {
				t.Errorf("%s stands %d times in the SQL, %d times with its schema\n%s", table, all, full, got.sql)
			}
		}
	})
}

func TestJoinsTakeWholeKeys(t *testing.T) {
	const script = `CREATE TABLE rooms (house INTEGER, room INTEGER, name VARCHAR(9), PRIMARY KEY (house, room));
		CREATE TABLE bookings (id INTEGER PRIMARY KEY, house INTEGER, room INTEGER, nights INTEGER, FOREIGN KEY (house, room) REFERENCES rooms (house, room));
		INSERT INTO rooms VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'c'), (2, 2, 'd'); INSERT INTO bookings VALUES (1, 1, 2, 3), (2, 2, 1, 4)`
	onEach(t, script, nil, func(t *testing.T, d *database) {
		d.gives(t, `{"from": "bookings b", "joins": ["rooms r"], "select": ["b.id", "r.name"], "order": ["b.id"]}`, "1|b", "2|c")
		for part, missing := range map[string]string{"r.house = b.house": "b.room = r.room", "b.room = r.room": "b.house = r.house", "r.room = b.room and b.nights > 1": "b.house = r.house"} {
			got := d.refuses(t, `{"from": "bookings b", "joins": ["rooms r on `+part+`"], "select": ["b.id", "r.name"]}`, reason.PlanInvalid)
			if got.err != nil && !strings.Contains(got.err.SafeMessage, missing+" is missing") {
				t.Errorf("the refusal does not say what is missing: %s", got.err.SafeMessage)
			}
		}
	})
}

func TestViewsAnswerLikeTables(t *testing.T) {
	onEach(t, people+`; CREATE VIEW payroll AS SELECT t.name AS team, sum(p.pay) AS pay FROM people p JOIN teams t ON t.id = p.team_id GROUP BY t.name`, nil, func(t *testing.T, d *database) {
		const plan = `{"from": "payroll", "select": ["team", "pay"], "order": ["team"]}`
		d.gives(t, plan, "blue|30", "red|30")
		viewAlone := terms{plan: planOf(t, plan), role: config.Role{Tables: config.TableRules{Allow: []string{"*.*.payroll"}}}}
		d.on(t, viewAlone).wants(t, plan, "blue|30", "red|30")
		viewAlone.role.Tables = config.TableRules{Allow: []string{"*.*.*"}, Deny: []string{"*.*.payroll"}}
		if got := d.on(t, viewAlone); got.err == nil || got.err.Code != reason.PolicyDenied {
			t.Errorf("a denied view ends with %v and %q", got.err, got.rows)
		}
		hidden := terms{plan: planOf(t, plan), role: config.Role{Columns: config.ColumnRules{Deny: []string{"*.*.payroll.pay"}}}}
		if got := d.on(t, hidden); got.err == nil || len(got.rows) > 0 {
			t.Errorf("a denied column of a view gives %q", got.rows)
		}
	})
}
