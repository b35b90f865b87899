//go:build databases

package mysql_test

import (
	"strings"
	"testing"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/datasourcetest"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/mysql"
)

func open(t testing.TB, o mysql.Options) datasource.Datasource {
	t.Helper()
	o.ID = "test"
	d, err := mysql.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// Each value is read as it is: nothing is rounded, cut or moved to another zone.
func TestValuesAreReadWithoutLoss(t *testing.T) {
	db := dbtest.MariaDB(t).Database(t)
	d := open(t, mysql.Options{DSN: db.DSN})
	for _, c := range []struct{ typ, value, want string }{
		{"bigint", "9223372036854775807", "int 9223372036854775807"},
		{"bigint", "-9223372036854775808", "int -9223372036854775808"},
		{"bigint unsigned", "18446744073709551615", "decimal 18446744073709551615"},
		{"bigint unsigned", "7", "decimal 7"},
		{"smallint", "-7", "int -7"},
		{"tinyint(1)", "1", "bool true"},
		{"tinyint(1)", "5", "int 5"},
		{"tinyint", "1", "int 1"},
		{"year", "2024", "int 2024"},
		{"bit(1)", "b'1'", "bool true"},
		{"bit(12)", "b'100000000001'", "int 2049"},
		{"bit(64)", "~0", "decimal 18446744073709551615"},
		{"decimal(30,10)", "12345678901234567890.0123456789", "decimal 12345678901234567890.0123456789"},
		{"decimal(5,2)", "1.5", "decimal 1.50"},
		{"double", "0.1", "float 0.1"},
		{"double", "1e300", "float 1e+300"},
		{"float", "0.1", "float 0.1"},
		{"float", "16777217", "float 16777216"},
		{"varchar(20) character set utf8mb4", "'한국어 é 😀'", "text 한국어 é 😀"},
		{"varchar(20) character set latin1", "'é'", "text é"},
		{"varchar(10)", "''", "text"},
		{"text", "'a\\0b'", "text a\x00b"},
		{"enum('sad','it''s')", "'it''s'", "text it's"},
		{"set('a','b')", "'b,a'", "text a,b"},
		{"binary(3)", "x'00ff'", "bytes AP8A"},
		{"varbinary(9)", "x'00ff'", "bytes AP8="},
		{"blob", "x'00ff'", "bytes AP8="},
		{"uuid", "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", "uuid a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"},
		{"inet6", "'::1'", "text ::1"},
		{"json", `'{"a": [1, null]}'`, `text {"a": [1, null]}`},
		{"date", "'2024-02-29'", "date 2024-02-29"},
		{"date", "'0000-00-00'", "null"},
		{"date", "'2024-00-00'", "null"},
		{"time", "'23:59:59'", "time 23:59:59"},
		{"time(6)", "'23:59:59.123456'", "time 23:59:59.123456"},
		{"time", "'100:05:03'", "text 100:05:03"},
		{"time", "'-01:00:00'", "text -01:00:00"},
		{"datetime", "'2024-02-29 23:59:59'", "timestamp 2024-02-29T23:59:59"},
		{"datetime(6)", "'2024-02-29 23:59:59.5'", "timestamp 2024-02-29T23:59:59.5"},
		{"datetime", "'0000-00-00 00:00:00'", "null"},
		{"timestamp null", "'2024-01-01 00:30:00'", "timestamptz 2023-12-31T15:30:00Z"},
		{"int", "NULL", "null"},
	} {
		t.Run(c.typ+" "+c.value, func(t *testing.T) {
			db.Exec(t, "SET sql_mode = ''; DROP TABLE IF EXISTS `odd \"``name`; CREATE TABLE `odd \"``name` (`the \"value` "+c.typ+"); INSERT INTO `odd \"``name` VALUES ("+c.value+")")
			got := datasourcetest.Answer(t, d, `{"from": "`+"`odd \\\"``name`"+`", "select": ["`+"`the \\\"value`"+`"]}`)
			if len(got) != 1 || got[0] != c.want {
				t.Errorf("%s of type %s is read as %q, want %q", c.value, c.typ, strings.Join(got, " / "), c.want)
			}
		})
	}
}
