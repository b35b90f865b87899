//go:build databases

package crossdialect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/wire"
)

// TestInstantsAreCountedInTheZone runs plans about instants with a clock nine
// hours before UTC, and compares with the same instants as Go counts them.
func TestInstantsAreCountedInTheZone(t *testing.T) {
	all := engines(t)
	seoul := time.FixedZone("KST", 9*60*60)
	for _, plan := range []string{
		`{"from": "samples", "select": ["id", "year(z) as y", "day(z) as d", "hour(ms) as h", "weekday(ep) as w", "date(z) as a", "text(ms) as b", "year_month(z) as c"], "order": ["id"]}`,
		`{"from": "samples", "select": ["id", "date_trunc('month', z) as a", "date_trunc('hour', ms) as b", "add_days(z, 1) as c", "add_months(ms, 1) as d", "add_hours(z, 5) as e", "cast(z as timestamp) as f"], "order": ["id"]}`,
		`{"from": "samples", "where": "during(z, '2024') or during(ms, '2024-02')", "select": ["id", "z"], "order": ["id"]}`,
		`{"from": "samples", "where": "z = '2024-02-29' or at < z", "select": ["id", "days_between(z, day) as d", "seconds_between(at, z) as s", "months_between(day, z) as m"], "order": ["id"]}`,
		`{"from": "samples", "group": ["date(z)"], "select": ["date(z) as d", "count(*) as n", "last_day(max(z)) as l"], "order": ["d"]}`,
	} {
		out, err := run(all, plan, seoul)
		if err != nil {
			t.Fatal(err)
		}
		if d := differences(out, true); d != "" {
			t.Errorf("%s\n%s", plan, d)
		}
	}
}

// TestZonesWhoseClocksChange counts on PostgreSQL, which knows them, and is
// refused on MariaDB, whose tables of zones may be missing.
func TestZonesWhoseClocksChange(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range engines(t) {
		s, err := e.render(`{"from": "samples", "where": "z is not null", "select": ["z", "text(z) as local"], "order": ["id"]}`, berlin)
		if e.dialect != schema.Postgres {
			if err == nil {
				t.Errorf("%s counts in Berlin:\n%s", e.dialect, s.SQL())
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		rows, err := e.rows(s)
		if err != nil || len(rows) == 0 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		for _, row := range rows {
			at, local, _ := strings.Cut(row, " | ")
			instant, err := time.Parse("2006-01-02 15:04:05.000", at)
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf("%q", instant.In(berlin).Format("2006-01-02 15:04:05")); local != want {
				t.Errorf("%s is %s in Berlin, want %s", at, local, want)
			}
		}
	}
}

// TestDatesOfZerosAreNull reads what old versions of MySQL stored for no date.
func TestDatesOfZerosAreNull(t *testing.T) {
	e := engines(t)[2]
	e.exec(t, "SET SESSION sql_mode = ''")
	e.exec(t, "CREATE TABLE crossing.zeros (id int PRIMARY KEY, day date NOT NULL, at datetime, small int unsigned)")
	e.exec(t, "INSERT INTO crossing.zeros VALUES (1, '0000-00-00', '0000-00-00 00:00:00', 1), (2, '2024-02-29', '2024-02-29 10:00:00', 2)")
	for _, statement := range sqlgen.Session(e.dialect) {
		e.exec(t, statement)
	}
	t.Cleanup(func() { e.exec(t, "DROP TABLE crossing.zeros") })
	catalog := e.catalog
	t.Cleanup(func() { e.catalog = catalog })
	e.catalog = zerosCatalog()
	for where, want := range map[string]string{
		"day is null": "1", "at is null": "1", "day < '2025-01-01'": "2", "not (day > '2023-01-01')": "", "day <> '2024-02-29'": "", "year(day) = 2024": "2",
		"not during(day, '2023')": "2", "during(at, '2024')": "2", "day = date(at)": "2", "small - 2 < 0": "1", "at <= '2024-12-31'": "2",
	} {
		s, err := e.render(`{"from": "zeros", "where": "`+where+`", "select": ["id"], "order": ["id"]}`, time.UTC)
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		rows, err := e.rows(s)
		if err != nil || !slices.Equal(rows, strings.Fields(want)) {
			t.Errorf("where %s: %v %v, want %s\n%s", where, rows, err, want, s.SQL())
		}
	}
}

func zerosCatalog() *schema.Catalog {
	column := func(name, native string, kind wire.Kind, nullable bool) *schema.Column {
		return &schema.Column{Name: name, Native: native, Type: wire.Type{Kind: kind}, Nullable: nullable}
	}
	t := &schema.Table{Schema: "crossing", Name: "zeros", Kind: schema.KindTable, RowEstimate: -1, Columns: []*schema.Column{
		column("id", "int(11)", wire.KindInt, false), column("day", "date", wire.KindDate, false),
		column("at", "datetime", wire.KindTimestamp, true), column("small", "int(10) unsigned", wire.KindInt, true),
	}}
	t.PrimaryKey = t.Columns[:1]
	return schema.Build("zeros", schema.MySQL, []*schema.Table{t})
}
