//go:build databases

package postgres_test

import (
	"strings"
	"testing"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/datasourcetest"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/postgres"
)

func open(t testing.TB, o postgres.Options) datasource.Datasource {
	t.Helper()
	o.ID = "test"
	d, err := postgres.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// Each value is read as it is: nothing is rounded, cut or moved to another zone.
func TestValuesAreReadWithoutLoss(t *testing.T) {
	db := dbtest.Postgres(t).Database(t)
	db.Exec(t, `CREATE TYPE mood AS ENUM ('sad', 'it''s "fine"'); CREATE DOMAIN positive AS int CHECK (value > 0);
		CREATE TYPE pair AS (a int, b text)`)
	d := open(t, postgres.Options{DSN: db.DSN})
	for _, c := range []struct{ typ, value, want string }{
		{"bigint", "9223372036854775807", "int 9223372036854775807"},
		{"bigint", "-9223372036854775808", "int -9223372036854775808"},
		{"smallint", "-7", "int -7"},
		{"positive", "7", "int 7"},
		{"numeric(30,10)", "12345678901234567890.0123456789", "decimal 12345678901234567890.0123456789"},
		{"numeric(5,2)", "1.5", "decimal 1.50"},
		{"numeric", "'NaN'", "float NaN"},
		{"float8", "0.1", "float 0.1"},
		{"float8", "'-Infinity'", "float -Inf"},
		{"float8", "'NaN'", "float NaN"},
		{"real", "0.1", "float 0.1"},
		{"real", "16777217", "float 16777216"},
		{"real", "'NaN'", "float NaN"},
		{"boolean", "true", "bool true"},
		{"text", "'한국어 é 😀'", "text 한국어 é 😀"},
		{"varchar(10)", "''", "text"},
		{"bytea", `'\x00ff'`, "bytes AP8="},
		{"uuid", "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", "uuid a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"},
		{"json", `'{"a": [1, null]}'`, `json {"a": [1, null]}`},
		{"jsonb", `'{"b":1,"a":2}'`, `json {"a": 2, "b": 1}`},
		{"date", "'2024-02-29'", "date 2024-02-29"},
		{"date", "'0044-03-15 BC'", "text 0044-03-15 BC"},
		{"date", "'infinity'", "text infinity"},
		{"time", "'23:59:59.123456'", "time 23:59:59.123456"},
		{"timetz", "'23:59:59+09'", "text 23:59:59+09"},
		{"timestamp", "'2024-02-29 23:59:59.5'", "timestamp 2024-02-29T23:59:59.5"},
		{"timestamptz", "'2024-01-01 00:30:00+09'", "timestamptz 2023-12-31T15:30:00Z"},
		{"timestamptz", "'infinity'", "text infinity"},
		{"interval", "'1 year 2 months 3 days 04:05:06.7'", "interval P1Y2M3DT4H5M6.7S"},
		{"interval", "'-1 month'", "interval P-1M"},
		{"int[]", "'{1,NULL,3}'", "array [1, , 3]"},
		{"text[]", `'{"a,b","c\"d",e}'`, `array [a,b, c"d, e]`},
		{"int[]", "'{{1,2},{3,4}}'", "array [[1, 2], [3, 4]]"},
		{"int[]", "'[0:1]={5,6}'", "array [5, 6]"},
		{"mood[]", "'{sad}'", "array [sad]"},
		{"date[]", "'{2024-02-29}'", "array [2024-02-29]"},
		{"mood", `'it''s "fine"'`, `text it's "fine"`},
		{"inet", "'10.0.0.1/8'", "text 10.0.0.1/8"},
		{"bit(3)", "'101'", "text 101"},
		{"xml", "'<a/>'", "text <a/>"},
		{"point", "'(1,2)'", "text (1,2)"},
		{"pair", "'(1,x)'", "text (1,x)"},
		{"int4range", "'[1,3)'", "text [1,3)"},
		{"tsvector", "'cat'", "text 'cat'"},
		{"int", "NULL", "null"},
	} {
		t.Run(c.typ+" "+c.value, func(t *testing.T) {
			db.Exec(t, `DROP TABLE IF EXISTS "odd ""name"; CREATE TABLE "odd ""name" ("the ""value" `+c.typ+`); INSERT INTO "odd ""name" VALUES (`+c.value+`)`)
			got := datasourcetest.Answer(t, d, `{"from": "`+"`odd \\\"name`"+`", "select": ["`+"`the \\\"value`"+`"]}`)
			if len(got) != 1 || got[0] != c.want {
				t.Errorf("%s of type %s is read as %q, want %q", c.value, c.typ, strings.Join(got, " / "), c.want)
			}
		})
	}
}
