package sqlite

import (
	"strings"
	"testing"

	"querent.dev/querent/sdk/reason"
)

const zonedEvents = `CREATE TABLE e (id INTEGER PRIMARY KEY, utc TIMESTAMP, zoned DATETIME, mixed TIMESTAMP);
	INSERT INTO e VALUES (1, '2024-12-31T23:30:00Z', '2024-12-31T20:00:00-09:00', '2025-01-01T00:30:00Z'),
		(2, '2025-01-01T00:30:00Z', '2025-01-01 00:30:00+09:00', '2024-12-31 23:00:00'),
		(3, '2025-06-01T12:00:00Z', '2025-01-01T00:00:00.25Z', '2025-06-01T12:00:00+00:00');`

func TestTimesOfDifferentZonesAreText(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, zonedEvents)})
	for _, c := range []struct{ name, plan, want string }{
		{"listed as stored", `{"from": "e", "select": ["zoned", "mixed"], "order": ["id"]}`,
			"2024-12-31T20:00:00-09:00|2025-01-01T00:30:00Z\n2025-01-01 00:30:00+09:00|2024-12-31 23:00:00\n2025-01-01T00:00:00.25Z|2025-06-01T12:00:00+00:00"},
		{"grouped as stored", `{"from": "e", "group": ["zoned", "length(zoned) + 1"], "select": ["zoned", "count(*) as n"], "order": ["n desc", "zoned"], "limit": 1}`,
			"2024-12-31T20:00:00-09:00|1"},
		{"block", `{"with": [{"name": "b", "from": "e", "select": ["id", "mixed"]}], "from": "b", "select": ["b.mixed"], "where": "b.id = 1"}`,
			"2025-01-01T00:30:00Z"},
		{"compared as text", `{"from": "e", "select": ["id"], "where": "zoned = '2025-01-01 00:30:00+09:00'"}`, "2"},
		{"one zone is a moment", `{"from": "e", "select": ["year(utc) as y", "count(*) as n"], "group": ["year(utc)"], "order": ["y"]}`, "2024|1\n2025|2"},
		{"one zone in a period", `{"from": "e", "select": ["utc"], "where": "during(utc, '2025')", "order": ["id"]}`,
			"2025-01-01T00:30:00\n2025-06-01T12:00:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, err := answer(t, d, c.plan)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(rows, "\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	for _, p := range []string{
		`{"from": "e", "select": ["count(*) as n"], "where": "during(zoned, '2025')"}`,
		`{"from": "e", "select": ["count(*) as n"], "where": "during(mixed, '2025')"}`,
		`{"from": "e", "select": ["year(zoned) as y", "count(*) as n"], "group": ["year(zoned)"]}`,
	} {
		_, err := answer(t, d, p)
		if e := wantCode(t, err, reason.PlanInvalid); !strings.Contains(e.SafeMessage, "date") {
			t.Errorf("%s: %s", p, e.SafeMessage)
		}
	}
}
