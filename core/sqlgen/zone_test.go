package sqlgen_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// renderIn renders a plan that was bound to a clock in the zone.
func renderIn(t *testing.T, zone *time.Location, text string) (sqlgen.Statement, error) {
	t.Helper()
	var w wire.Plan
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	cat := shop()
	q, err := plan.Bind(w, plan.Scope{Catalog: cat, Clock: plan.Clock{Now: now.In(zone), WeekStart: time.Monday}})
	if err != nil {
		t.Fatal(err)
	}
	secured, err := open(t).Secure(cat, q, reader)
	if err != nil {
		t.Fatal(err)
	}
	return sqlgen.Render(secured, schema.SQLite, sqlgen.Options{Zone: zone})
}

// TestDaysAreThoseOfTheZone counts instants in the days of Seoul, nine hours
// before UTC, by period and by part alike.
func TestDaysAreThoseOfTheZone(t *testing.T) {
	db := openShop(t)
	seoul := time.FixedZone("KST", 9*60*60)
	list := fill(t, db)
	var want []string
	for _, at := range list {
		local := at.In(seoul)
		y, m, d := local.Date()
		hour := time.Date(y, m, d, local.Hour(), 0, 0, 0, seoul)
		later := local.AddDate(0, 0, 1)
		want = append(want, strings.Join([]string{
			local.Format("2006-01-02"), local.Format("2006-01"), hour.Format("2006-01-02T15:04:05-07:00"),
			local.Format("2006-01-02 15:04:05"), later.UTC().Format("2006-01-02T15:04:05.000Z"),
		}, " | "))
	}
	s, err := renderIn(t, seoul, `{"from": "moments", "order": ["id"],
		"select": ["date(ms) as d", "year_month(ms) as m", "date_trunc('hour', ms) as h", "text(ms) as t", "add_days(ms, 1) as l"]}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := run(t, db, s); !slices.Equal(got, want) {
		t.Errorf("rows are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	during, err := renderIn(t, seoul, `{"from": "moments", "where": "during(ms, '2024')", "select": ["id"], "order": ["id"]}`)
	if err != nil {
		t.Fatal(err)
	}
	year, err := renderIn(t, seoul, `{"from": "moments", "where": "year(ms) = 2024", "select": ["id"], "order": ["id"]}`)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := run(t, db, during), run(t, db, year); !slices.Equal(a, b) || len(a) == 0 {
		t.Errorf("during finds %v, year finds %v", a, b)
	}
}

func TestWallClocksAreReadAsTheyAre(t *testing.T) {
	s, err := renderIn(t, time.FixedZone("KST", 9*60*60), `{"from": "moments", "select": ["year(at) as y", "date(day) as d"]}`)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(s.SQL(), "09:00") {
		t.Errorf("a wall clock is moved:\n%s", s.SQL())
	}
}

// TestWallClocksMeetInstantsInTheZone compares a wall clock with an instant both
// ways: as they are, and with the instant made a wall clock first.
func TestWallClocksMeetInstantsInTheZone(t *testing.T) {
	db := openShop(t)
	fill(t, db)
	seoul := time.FixedZone("KST", 9*60*60)
	for _, op := range []string{"=", "<", ">="} {
		var rows [][]string
		for _, right := range []string{"b.ms", "cast(b.ms as timestamp)"} {
			s, err := renderIn(t, seoul, `{"from": "moments a", "joins": ["moments b on a.at `+op+` `+right+`"], "order": ["a.id", "b.id"], "select": ["a.id", "b.id as other"]}`)
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, run(t, db, s))
		}
		if !slices.Equal(rows[0], rows[1]) || len(rows[0]) == 0 && op != "=" {
			t.Errorf("%s gives %v as they are and %v as wall clocks", op, rows[0], rows[1])
		}
	}
}

func TestZonesWhoseClocksChangeAreRefusedForInstants(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err) // Go brings the data along
	}
	_, err = renderIn(t, berlin, `{"from": "moments", "select": ["year(ms) as y"]}`)
	if !errors.Is(err, &reason.Error{Code: reason.PlanInvalid}) || !strings.Contains(reason.From(err).SafeMessage, "Europe/Berlin") {
		t.Errorf("a part of an instant gives %v", err)
	}
	if _, err := renderIn(t, berlin, `{"from": "moments", "where": "during(ms, '2024-07')", "select": ["year(at) as y"]}`); err != nil {
		t.Errorf("a period and a part of a wall clock give %v", err)
	}
}
