package sqlite

import (
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
)

// formedEvents holds the same moments in several forms: each column but the last two
// mixes them, so that its text neither sorts nor is equal as the moments are.
const formedEvents = `CREATE TABLE f (id INTEGER PRIMARY KEY, at DATETIME, z TIMESTAMP, noted TEXT, day DATE, fine DATETIME, plain DATETIME);
	INSERT INTO f VALUES
		(1, '2024-02-29T09:00:00', '2024-02-29T10:00:00Z', '2024-02-29T09:00', '2024-02-29 23:00:00', '2024-02-29 09:00:00', '2024-02-29T09:00:00'),
		(2, '2024-02-29 10:00:00', '2024-02-29T10:00:00.5Z', '2024-02-29 10:00:00', '2024-02-29', '2024-02-29 09:00:00.123456', '2024-02-29T10:00:00'),
		(3, '2024-02-29 09:00', '2024-02-29 09:00:00Z', '2024-02-29 09:00:00', '2024-03-01T00:00:00', '2024-02-29 08:00:00', '2024-02-29T08:00:00'),
		(4, '2024-02-29', '2024-02-29T10:00:00.500Z', '2024-02-29', '2024-03-01', '2024-03-01 00:00:00', NULL),
		(5, 'none', NULL, NULL, NULL, NULL, NULL),
		(6, '2024-02-29T00:00:00', NULL, NULL, NULL, NULL, NULL), (7, NULL, NULL, NULL, NULL, NULL, NULL),
		(8, '2024-03-01 00:00', NULL, NULL, NULL, NULL, NULL), (9, '2024-03-01 00:00', NULL, NULL, NULL, NULL, NULL),
		(10, '2024-03-01 00:00', NULL, NULL, NULL, NULL, NULL), (11, '2024-03-02', NULL, NULL, NULL, NULL, NULL);`

func TestMomentsInSeveralFormsAreOne(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, formedEvents)})
	for _, c := range []struct{ name, plan, want string }{
		{"order", `{"from": "f", "select": ["id"], "where": "id < 7", "order": ["at", "id"]}`, "4\n6\n1\n3\n2\n5"},
		{"zoned order", `{"from": "f", "select": ["id"], "where": "z is not null", "order": ["z", "id"]}`, "3\n1\n2\n4"},
		{"group", `{"from": "f", "group": ["at"], "select": ["count(*) as n"], "order": ["at"]}`, "2\n2\n1\n3\n1\n2"},
		{"distinct", `{"from": "f", "select": ["count(distinct at) as a", "count(distinct z) as z", "count(distinct noted) as n", "count(distinct day) as d"]}`, "5|3|3|2"},
		{"least and greatest", `{"from": "f", "select": ["min(noted) as a", "max(noted) as b", "max(at) as c", "max(day) as d"]}`,
			"2024-02-29T00:00:00|2024-02-29T10:00:00|2024-03-02T00:00:00|2024-03-01"},
		{"compared", `{"from": "f", "select": ["id"], "where": "at = '2024-02-29 09:00:00'", "order": ["id"]}`, "1\n3"},
		{"compared with each other", `{"from": "f", "select": ["id"], "where": "at = noted", "order": ["id"]}`, "1\n2\n3\n4"},
		{"period", `{"from": "f", "select": ["count(*) as n"], "where": "during(at, '2024-02-29')"}`, "5"},
		{"days", `{"from": "f", "group": ["day"], "select": ["day", "count(*) as n"], "where": "day is not null", "order": ["day"]}`, "2024-02-29|2\n2024-03-01|2"},
		{"joined", `{"from": "f a", "joins": ["f b on a.at = b.noted"], "select": ["a.id", "b.id as other"], "order": ["a.id", "b.id"]}`, "1|1\n1|3\n2|2\n3|1\n3|3\n4|4\n6|4"},
		{"no moment is null", `{"from": "f", "select": ["id"], "where": "at is null", "order": ["id"]}`, "5\n7"},
		{"fractions keep their digits", `{"from": "f", "select": ["fine"], "where": "fine is not null", "order": ["fine desc"]}`,
			"2024-03-01T00:00:00\n2024-02-29T09:00:00.123456\n2024-02-29T09:00:00\n2024-02-29T08:00:00"},
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
}

func TestMixedFormsAreSeen(t *testing.T) {
	configured := map[string]config.ColumnConfig{"main.f.noted": {Storage: schema.StorageISO}}
	d := openFile(t, Options{Path: makeFile(t, formedEvents), Columns: configured})
	c, err := d.Introspect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, _ := c.Table("f")
	for name, mixed := range map[string]bool{"id": false, "at": true, "z": true, "noted": true, "day": true, "fine": false, "plain": false} {
		if column, ok := f.Column(name); !ok || column.Mixed != mixed {
			t.Errorf("column %s: %v, mixed forms are not %v", name, ok, mixed)
		}
	}
}
