package promises_test

import (
	"encoding/json"
	"strings"
	"testing"

	"querent.dev/querent/core/schema"
)

func TestLargeNumbersKeepTheirDigits(t *testing.T) {
	const script = `CREATE TABLE ids (id BIGINT PRIMARY KEY, name VARCHAR(9)); INSERT INTO ids VALUES (9007199254740993, 'a'), (9007199254740992, 'b'), (-9223372036854775807, 'c'), (9223372036854775807, 'd')`
	onEach(t, script, nil, func(t *testing.T, d *database) {
		got := d.gives(t, `{"from": "ids", "select": ["id", "name"], "order": ["name"]}`, "9007199254740993|a", "9007199254740992|b", "-9223372036854775807|c", "9223372036854775807|d")
		if !strings.Contains(got.answer, `["9007199254740993","a"],["9007199254740992","b"],["-9223372036854775807","c"]`) {
			t.Errorf("JSON has other numbers: %s", got.answer)
		}
		d.gives(t, `{"from": "ids", "where": "id = 9007199254740993", "select": ["name"]}`, "a")
		d.gives(t, `{"from": "ids", "where": "id > 9007199254740992 and id < 9223372036854775807", "select": ["id + 1 as next"]}`, "9007199254740994")
		d.gives(t, `{"from": "ids", "where": "name in ('a', 'b')", "select": ["sum(id) as total", "max(id) as top"]}`, "18014398509481985|9007199254740993")
	})
}

func TestDecimalsAddUpExactly(t *testing.T) {
	const script = `CREATE TABLE bills (id INTEGER PRIMARY KEY, kind VARCHAR(9), amount DECIMAL(12,2)); INSERT INTO bills VALUES (1, 'a', 0.10), (2, 'a', 0.20), (3, 'b', 1234567890.12), (4, 'b', 0.03), (5, 'c', -0.30), (6, 'c', NULL)`
	onEach(t, script, nil, func(t *testing.T, d *database) {
		got := d.gives(t, `{"from": "bills", "group": ["kind"], "select": ["kind", "sum(amount) as total"], "order": ["kind"]}`, "a|0.30", "b|1234567890.15", "c|-0.30")
		if !strings.Contains(got.answer, `["a","0.30"]`) {
			t.Errorf("JSON has no decimal text: %s", got.answer)
		}
		d.gives(t, `{"from": "bills", "where": "amount = 0.1", "select": ["id", "amount"]}`, "1|0.10")
		d.gives(t, `{"from": "bills", "group": ["kind"], "select": ["kind"], "having": "sum(amount) = 0.3"}`, "a")
		d.gives(t, `{"from": "bills", "select": ["sum(amount) as total", "sum(case when kind <> 'b' then amount end) as others"]}`, "1234567890.15|0.00")
	})
}

func TestFloatsShowTheDigitsThatTheDatabaseShows(t *testing.T) {
	const script = `CREATE TABLE weights (id INTEGER PRIMARY KEY, small FLOAT(24), wide DOUBLE PRECISION); INSERT INTO weights VALUES (1, 0.1, 0.1), (2, 2.5, 2.5), (3, -3.14, -3.14), (4, NULL, NULL)`
	onEach(t, script, nil, func(t *testing.T, d *database) {
		for _, c := range []string{"wide", "small"} {
			d.gives(t, `{"from": "weights", "select": ["id", "`+c+`"], "order": ["id"]}`, "1|0.1", "2|2.5", "3|-3.14", "4|null")
			d.gives(t, `{"from": "weights", "where": "`+c+` = 0.1", "select": ["id"]}`, "1")
			d.gives(t, `{"from": "weights", "where": "`+c+` in (2.5, -3.14)", "select": ["id"], "order": ["`+c+`"]}`, "3", "2")
			d.gives(t, `{"from": "weights", "select": ["max(`+c+` * 10) as m", "round(min(`+c+`), 1) as r"]}`, "25|-3.1")
		}
		d.gives(t, `{"from": "weights a", "joins": ["weights b on a.small = b.wide"], "select": ["a.id"], "order": ["a.id"]}`, "1", "2", "3")
	})
}

// oddTypes are types that have no JSON of their own, their values, and the text that
// people know them by.
var oddTypes = map[schema.Dialect][][3]string{
	schema.SQLite: {
		{"BLOB", "x'00ff41'", "AP9B"}, {"JSON", `'{"a": [1, 2]}'`, `{"a": [1, 2]}`}, {"UUID", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"},
		{"TIME", "'23:59:59'", "23:59:59"}, {"DATE", "'0044-03-15'", "0044-03-15"}, {"THING", "1.5", "1.5"}, {"INTEGER", "'odd'", "odd"},
	},
	schema.Postgres: {
		{"uuid", "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"}, {"bytea", `'\x00ff41'`, "AP9B"}, {"inet", "'10.0.0.1/8'", "10.0.0.1/8"},
		{"interval", "'1 day 02:00'", "P1DT2H"}, {"int[]", "'{1,NULL,3}'", "[1, , 3]"}, {"jsonb", `'{"a": [1, 2]}'`, `{"a": [1, 2]}`}, {"time", "'23:59:59'", "23:59:59"},
		{"macaddr", "'08:00:2b:01:02:03'", "08:00:2b:01:02:03"}, {"money", "12.5", "$12.50"}, {"xml", "'<a/>'", "<a/>"}, {"int4range", "'[1,3)'", "[1,3)"},
		{"timestamp", "'infinity'", "infinity"}, {"numeric", "'NaN'", "NaN"}, {"bit(3)", "B'101'", "101"}, {"point", "'(1,2)'", "(1,2)"}, {"uuid[]", "ARRAY['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid]", "[a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11]"},
	},
	schema.MySQL: {
		{"uuid", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"}, {"varbinary(9)", "x'00ff41'", "AP9B"}, {"inet6", "'::1'", "::1"}, {"json", `'{"a": [1, 2]}'`, `{"a": [1, 2]}`},
		{"time", "'-838:59:59'", "-838:59:59"}, {"bit(12)", "b'101'", "5"}, {"enum('a','b')", "'b'", "b"}, {"set('a','b')", "'a,b'", "a,b"}, {"year", "2024", "2024"}, {"date", "'0000-00-00'", "null"},
		{"bigint unsigned", "18446744073709551615", "18446744073709551615"},
	},
}

func TestValuesOfEveryTypeAreText(t *testing.T) {
	onEach(t, "CREATE TABLE empty_one (id INTEGER)", nil, func(t *testing.T, d *database) {
		for _, c := range oddTypes[d.dialect] {
			d.exec("DROP TABLE IF EXISTS odd; CREATE TABLE odd (x " + c[0] + "); INSERT INTO odd VALUES (" + c[1] + ")")
			d.asked = nil // by an engine that has not read the table before
			got := d.gives(t, `{"from": "odd", "select": ["x"]}`, c[2])
			var answer struct {
				Results []struct{ Rows [][]any }
			}
			if err := json.Unmarshal([]byte(got.answer), &answer); err != nil || len(answer.Results) != 1 {
				t.Errorf("%s: the answer is no JSON (%v): %s", c[0], err, got.answer)
				continue
			}
			if list, isList := answer.Results[0].Rows[0][0].([]any); isList && !strings.HasSuffix(c[0], "[]") {
				t.Errorf("%s is the list %v in JSON", c[0], list)
			}
		}
	})
}

// Every row of an answer is told, also one that holds what no other does.
func TestOneOddValueSpoilsNoAnswer(t *testing.T) {
	onEach(t, `CREATE TABLE mixed (id INTEGER PRIMARY KEY, due DATE, length TIME, cost DECIMAL(9,3), note VARCHAR(40));
		INSERT INTO mixed VALUES (1, '2024-02-29', '01:02:03', 0.125, 'a "b" <c> \ ; -- é 한 😀'), (2, NULL, NULL, NULL, NULL), (3, '9999-12-31', '00:00:00', -1, '')`, nil, func(t *testing.T, d *database) {
		d.gives(t, `{"from": "mixed", "select": ["*"], "order": ["id"]}`,
			`1|2024-02-29|01:02:03|0.125|a "b" <c> \ ; -- é 한 😀`, "2|null|null|null|null", "3|9999-12-31|00:00:00|-1.000|")
	})
}

func TestValuesThatNoSampleHasAreAskedFor(t *testing.T) {
	var script strings.Builder
	script.WriteString("CREATE TABLE cities (id INTEGER PRIMARY KEY, name VARCHAR(20)); INSERT INTO cities VALUES (0, 'Reykjavik')")
	for i := range 999 {
		script.WriteString(", (" + itoa(i+1) + ", 'city " + itoa(i%50) + "')")
	}
	onEach(t, script.String(), nil, func(t *testing.T, d *database) {
		d.gives(t, `{"from": "cities", "where": "name = 'Reykjavik'", "select": ["id"]}`, "0")
		got := d.gives(t, `{"from": "cities", "where": "name = 'Atlantis'", "select": ["id"]}`)
		if got.run.Answer.Outcome != "answered" {
			t.Errorf("a value that is not there makes the outcome %s", got.run.Answer.Outcome)
		}
	})
}
