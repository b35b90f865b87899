package promises_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

// days is a table of days around ends of months.
const days = `CREATE TABLE visits (id INTEGER PRIMARY KEY, day DATE);
	INSERT INTO visits VALUES (1, '2022-12-31'), (2, '2023-01-01'), (3, '2023-01-31'), (4, '2023-02-01'), (5, '2023-02-28'), (6, '2023-03-01'), (7, '2023-03-02'), (8, '2024-02-29')`

// hostClock finds what asks a database for the time.
var hostClock = regexp.MustCompile(`(?i)\b(current_date|current_timestamp|current_time|localtime|now|curdate|sysdate|getdate)\b`)

func TestTodayIsTheHosts(t *testing.T) {
	onEach(t, days, nil, func(t *testing.T, d *database) {
		for plan, want := range map[string][]string{
			`{"from": "visits", "where": "day = current_date", "select": ["id"]}`:                            {"7"},
			`{"from": "visits", "where": "day = add_days(current_date, -1)", "select": ["id"]}`:              {"6"},
			`{"from": "visits", "where": "during(day, this_month())", "select": ["id"], "order": ["id"]}`:    {"6", "7"},
			`{"from": "visits", "where": "during(day, last_days(2))", "select": ["id"], "order": ["id"]}`:    {"5", "6"},
			`{"from": "visits", "where": "during(day, this_year())", "select": ["count(*) as n"]}`:           {"6"},
			`{"from": "visits", "where": "id = 4", "select": ["days_between(day, current_date) as passed"]}`: {"29"},
		} {
			got := d.on(t, terms{plan: planOf(t, plan), now: at("2023-03-02T09:00:00Z")})
			got.wants(t, plan, want...)
			if found := hostClock.FindString(got.sql); found != "" {
				t.Errorf("the database is asked for its %s:\n%s", found, got.sql)
			}
		}
	})
}

func TestTheSameMomentIsAnotherDayElsewhere(t *testing.T) {
	onEach(t, days, nil, func(t *testing.T, d *database) {
		const plan = `{"from": "visits", "where": "day = current_date", "select": ["id"]}`
		for zone, want := range map[string]string{"UTC": "6", "Asia/Seoul": "7"} {
			c := terms{plan: planOf(t, plan), now: at("2023-03-01T20:00:00Z")}
			c.settings.Time.Zone = zone
			d.on(t, c).wants(t, plan+" in "+zone, want)
		}
	})
}

func TestLastMonthIsTheMonthBefore(t *testing.T) {
	onEach(t, days, nil, func(t *testing.T, d *database) {
		const plan = `{"from": "visits", "where": "during(day, last_months(1))", "select": ["id"], "order": ["id"]}`
		for now, want := range map[string][]string{
			"2023-03-02T00:00:00Z": {"4", "5"},
			"2023-03-31T23:59:59Z": {"4", "5"},
			"2023-02-01T00:00:00Z": {"2", "3"},
			"2023-01-15T00:00:00Z": {"1"},
			"2024-03-31T00:00:00Z": {"8"},
			"2023-05-31T00:00:00Z": nil,
		} {
			d.on(t, terms{plan: planOf(t, plan), now: at(now)}).wants(t, plan+" at "+now, want...)
		}
	})
}

func TestFiscalYearsBeginWhereTheyAreSaidTo(t *testing.T) {
	onEach(t, days, nil, func(t *testing.T, d *database) {
		const plan = `{"from": "visits", "where": "during(day, fiscal_year(2023))", "select": ["id"], "order": ["id"]}`
		c := terms{plan: planOf(t, plan)}
		c.settings.Time.FiscalYearStart = "02-01"
		d.on(t, c).wants(t, plan, "4", "5", "6", "7")
	})
}

// One moment, the first of 2024, and the last of 2023, stored in every way.
func TestMomentsAreReadByTheirUnit(t *testing.T) {
	const script = `CREATE TABLE logs (id INTEGER PRIMARY KEY, seconds BIGINT, millis BIGINT, iso VARCHAR(30), dmy VARCHAR(12), julian DOUBLE PRECISION);
		INSERT INTO logs VALUES (1, 1704067200, 1704067200000, '2024-01-01T00:00:00', '01/01/2024', 2460310.5), (2, 1704067199, 1704067199000, '2023-12-31T23:59:59', '31/12/2023', 2460309.5), (3, NULL, NULL, NULL, NULL, NULL)`
	columns := map[string]config.ColumnConfig{
		"logs.seconds": {Storage: schema.StorageEpoch}, "logs.millis": {Storage: schema.StorageEpochMS}, "logs.iso": {Storage: schema.StorageISO},
		"logs.dmy": {Storage: schema.StorageDMY}, "logs.julian": {Storage: schema.StorageJulian},
	}
	onEach(t, script, columns, func(t *testing.T, d *database) {
		for _, column := range []string{"seconds", "millis", "iso", "dmy", "julian"} {
			d.gives(t, `{"from": "logs", "select": ["id", "year(`+column+`) as y", "month(`+column+`) as m"], "order": ["id"]}`, "1|2024|1", "2|2023|12", "3|null|null")
			d.gives(t, `{"from": "logs", "where": "during(`+column+`, '2024')", "select": ["id"]}`, "1")
			d.gives(t, `{"from": "logs", "where": "`+column+` < date '2024-01-01'", "select": ["id"]}`, "2")
			d.gives(t, `{"from": "logs", "select": ["date(max(`+column+`)) as last"]}`, "2024-01-01")
		}
		d.gives(t, `{"from": "logs a", "joins": ["logs b on a.seconds = b.millis and b.millis = a.iso"], "select": ["a.id"], "order": ["a.id"]}`, "1", "2")
	})
}

// A unit that the values cannot have is refused, and a number of which nobody said
// that it is a moment is none.
func TestNumbersAreNoMomentsOfAnotherUnit(t *testing.T) {
	const script = `CREATE TABLE logs (id INTEGER PRIMARY KEY, made BIGINT); INSERT INTO logs VALUES (1, 1704067200123), (2, 1735689599999)`
	const plan = `{"from": "logs", "where": "during(made, '2024')", "select": ["id"], "order": ["id"]}`
	onEach(t, script, map[string]config.ColumnConfig{"logs.made": {Storage: schema.StorageEpoch}}, func(t *testing.T, d *database) {
		d.refuses(t, plan, reason.SchemaChanged)
	})
	onEach(t, script, nil, func(t *testing.T, d *database) { d.refuses(t, plan, reason.PlanInvalid) })
	onEach(t, script, map[string]config.ColumnConfig{"logs.made": {Storage: schema.StorageEpochMS}}, func(t *testing.T, d *database) {
		d.gives(t, plan, "1", "2")
	})
}

func TestTextAndMomentsMeetAtTheBoundary(t *testing.T) {
	const script = `CREATE TABLE logs (id INTEGER PRIMARY KEY, made_at VARCHAR(30), seen_at TIMESTAMP);
		INSERT INTO logs VALUES (1, '2024-12-31T23:59:59Z', '2024-12-31 23:59:59'), (2, '2025-01-01T00:00:00Z', '2025-01-01 00:00:00'), (3, '2025-01-01T00:00:01Z', '2025-01-01 00:00:01')`
	columns := map[string]config.ColumnConfig{"logs.made_at": {Storage: schema.StorageISO}}
	onEach(t, script, columns, func(t *testing.T, d *database) {
		for _, column := range []string{"made_at", "seen_at"} {
			for condition, want := range map[string][]string{
				column + " >= date '2025-01-01'":                      {"2", "3"},
				column + " >= timestamp '2025-01-01 00:00:00'":        {"2", "3"},
				column + " > timestamp '2025-01-01 00:00:00'":         {"3"},
				column + " = timestamp '2025-01-01 00:00:00'":         {"2"},
				column + " < date '2025-01-01'":                       {"1"},
				"during(" + column + ", '2024')":                      {"1"},
				"during(" + column + ", '2025-01-01')":                {"2", "3"},
				"made_at = seen_at and " + column + " is not null":    {"1", "2", "3"},
				"add_seconds(" + column + ", 1) >= date '2025-01-01'": {"1", "2", "3"},
			} {
				d.gives(t, `{"from": "logs", "where": "`+condition+`", "select": ["id"], "order": ["id"]}`, want...)
			}
		}
	})
}

func TestYearsBeginAndEndOnce(t *testing.T) {
	const script = `CREATE TABLE sales (id INTEGER PRIMARY KEY, sold TIMESTAMP NULL);
		INSERT INTO sales VALUES (1, '2024-12-31 23:59:59.5'), (2, '2025-01-01 00:00:00'), (3, '2025-12-31 00:00:00'), (4, '2025-12-31 23:59:59'), (5, '2026-01-01 00:00:00'), (6, NULL)`
	onEach(t, script, nil, func(t *testing.T, d *database) {
		for condition, want := range map[string][]string{
			"during(sold, '2025')":                            {"2", "3", "4"},
			"during(sold, '2025-12-31')":                      {"3", "4"},
			"during(sold, '2025-01-01..2025-12-31')":          {"2", "3", "4"},
			"during(sold, '2024')":                            {"1"},
			"during(sold, '2026')":                            {"5"},
			"sold between date '2025-01-01' and '2025-12-31'": {"2", "3", "4"},
			"year(sold) = 2025":                               {"2", "3", "4"},
			"during(sold, last_years(1))":                     {"2", "3", "4"},
			"not during(sold, '2025')":                        {"1", "5"},
		} {
			plan := `{"from": "sales", "where": "` + condition + `", "select": ["id"], "order": ["id"]}`
			d.on(t, terms{plan: planOf(t, plan), now: at("2026-01-01T00:00:00Z")}).wants(t, plan, want...)
		}
	})
}

// The days on which clocks change have 23 and 25 hours.
func TestDaysOfChangedClocksAreWhole(t *testing.T) {
	const script = `CREATE TABLE calls (id INTEGER PRIMARY KEY, rang INSTANT, millis BIGINT);
		INSERT INTO calls VALUES (1, '2026-03-28T22:59:59Z', 1774738799000),
			(2, '2026-03-28T23:00:00Z', 1774738800000),
			(3, '2026-03-29T21:59:59Z', 1774821599000),
			(4, '2026-03-29T22:00:00Z', 1774821600000),
			(5, '2026-10-24T21:59:59Z', 1792879199000),
			(6, '2026-10-24T22:00:00Z', 1792879200000),
			(7, '2026-10-25T22:59:59Z', 1792969199000),
			(8, '2026-10-25T23:00:00Z', 1792969200000)`
	onEach(t, script, map[string]config.ColumnConfig{"calls.millis": {Storage: schema.StorageEpochMS}}, func(t *testing.T, d *database) {
		for condition, want := range map[string][]string{
			"during(%, '2026-03-29')": {"2", "3"},
			"during(%, '2026-10-25')": {"6", "7"},
			"during(%, '2026-03')":    {"1", "2", "3", "4"},
			"% >= date '2026-10-25'":  {"6", "7", "8"},
			"% < date '2026-03-29'":   {"1"},
		} {
			for _, column := range []string{"millis", "rang"} {
				if column == "rang" && d.dialect == schema.SQLite {
					continue // it has no such type: text is what a clock shows
				}
				c := terms{plan: planOf(t, `{"from": "calls", "where": "`+strings.ReplaceAll(condition, "%", column)+`", "select": ["id"], "order": ["id"]}`)}
				c.settings.Time.Zone = "Europe/Berlin"
				d.on(t, c).wants(t, c.plan.Where, want...)
			}
		}
	})
}
