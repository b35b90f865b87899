package plan_test

import (
	"fmt"
	"testing"
	"time"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// bounds binds during(column, period) and gives the resolved bounds.
func bounds(t *testing.T, table, column, period string, c plan.Clock) string {
	t.Helper()
	p := wire.Plan{Clauses: wire.Clauses{From: table, Where: fmt.Sprintf("during(%s, '%s')", column, period), Select: []string{"id"}}}
	q, err := plan.Bind(p, plan.Scope{Catalog: rental(), Clock: c})
	if err != nil {
		return refusal(t, period, err)
	}
	d := q.Result().Where.(*plan.During)
	return d.From.String() + " " + d.To.String()
}

func at(day string) plan.Clock {
	now, err := time.Parse("2006-01-02 15:04", day)
	if err != nil {
		panic(err)
	}
	return plan.Clock{Now: now, WeekStart: time.Monday}
}

func TestPeriodsAreCalendarExact(t *testing.T) {
	tests := []struct{ now, period, want string }{
		{"2023-03-02 10:30", "last_month()", "2023-02-01 2023-03-01"},
		{"2023-03-31 23:59", "last_months(1)", "2023-02-01 2023-03-01"},
		{"2023-03-02 00:00", "last_months(3)", "2022-12-01 2023-03-01"},
		{"2023-01-01 00:00", "last_month()", "2022-12-01 2023-01-01"},
		{"2024-02-29 12:00", "last_years(1)", "2023-01-01 2024-01-01"},
		{"2024-02-29 12:00", "this_month()", "2024-02-01 2024-03-01"},
		{"2024-12-31 23:59", "this_year()", "2024-01-01 2025-01-01"},
		{"2024-12-31 23:59", "today()", "2024-12-31 2025-01-01"},
		{"2025-01-01 00:00", "yesterday()", "2024-12-31 2025-01-01"},
		{"2023-03-02 10:30", "last_days(7)", "2023-02-23 2023-03-02"},
		{"2023-03-02 10:30", "this_week()", "2023-02-27 2023-03-06"},
		{"2023-03-05 10:30", "this_week()", "2023-02-27 2023-03-06"},
		{"2023-03-06 10:30", "last_weeks(2)", "2023-02-20 2023-03-06"},
		{"2023-03-02 10:30", "last_quarters(1)", "2022-10-01 2023-01-01"},
		{"2023-03-02 10:30", "this_quarter()", "2023-01-01 2023-04-01"},
		{"2023-03-02 10:30", "fiscal_year(2022)", "2022-01-01 2023-01-01"},
		{"2023-03-02 10:30", "2025", "2025-01-01 2026-01-01"},
		{"2023-03-02 10:30", "2025-Q4", "2025-10-01 2026-01-01"},
		{"2023-03-02 10:30", "2024-02", "2024-02-01 2024-03-01"},
		{"2023-03-02 10:30", "2024-02-29", "2024-02-29 2024-03-01"},
		{"2023-03-02 10:30", "2025-03-01..2025-04-15", "2025-03-01 2025-04-16"},
		{"2023-03-02 10:30", "2024-Q4..2025", "2024-10-01 2026-01-01"},
		{"2023-03-02 10:30", "since 2025-03", "2025-03-01 "},
		{"2023-03-02 10:30", "..2025-03", " 2025-04-01"},
		{"2023-03-02 10:30", "2023..today()", "2023-01-01 2023-03-03"},
	}
	for _, tt := range tests {
		if got := bounds(t, "stations", "opened_on", tt.period, at(tt.now)); got != tt.want {
			t.Errorf("at %s, %s is %q, want %q", tt.now, tt.period, got, tt.want)
		}
	}
}

func TestPeriodsFollowTheClock(t *testing.T) {
	c := clock() // Seoul; the fiscal year begins in April
	if got := bounds(t, "stations", "opened_on", "this_fiscal_year()", c); got != "2022-04-01 2023-04-01" {
		t.Errorf("the fiscal year is %s", got)
	}
	if got := bounds(t, "stations", "opened_on", "fiscal_year(2023)", c); got != "2023-04-01 2024-04-01" {
		t.Errorf("the fiscal year 2023 is %s", got)
	}
	c.WeekStart = time.Sunday
	if got := bounds(t, "stations", "opened_on", "this_week()", c); got != "2023-02-26 2023-03-05" {
		t.Errorf("a week from Sunday is %s", got)
	}
}

func TestPeriodsTakeTheColumnsKind(t *testing.T) {
	tests := []struct{ table, column, want string }{
		{"stations", "opened_on", "2025-03-30 2025-03-31"},
		{"trips", "started_at", "2025-03-30T00:00:00 2025-03-31T00:00:00"},
		{"trips", "seen_at", "2025-03-30T00:00:00+01:00 2025-03-31T00:00:00+02:00"},
		{"riders", "joined", "2025-03-30T00:00:00+01:00 2025-03-31T00:00:00+02:00"},
	}
	// The clocks go forward in Berlin on this day, which has 23 hours.
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err) // Go brings the data along
	}
	c := plan.Clock{Now: time.Date(2025, 4, 1, 0, 0, 0, 0, berlin)}
	for _, tt := range tests {
		if got := bounds(t, tt.table, tt.column, "2025-03-30", c); got != tt.want {
			t.Errorf("%s.%s: %s, want %s", tt.table, tt.column, got, tt.want)
		}
	}
}

func TestPeriodsThatAreRefused(t *testing.T) {
	for _, period := range []string{
		"", "..", "2025-13", "2025-02-30", "0000", "9999", "2025..2024", "2025..2026..2027", "last_months(0)", "last_months(99999)",
		"last_years(1001)", "next_month()", "2025-Q5", "last_months(x)", "yesterday(1)", "20255",
	} {
		if got := bounds(t, "stations", "opened_on", period, clock()); len(got) < 6 || got[:6] != "error:" {
			t.Errorf("%q is a period: %s", period, got)
		}
	}
}

func TestRelativePeriodsNeedAClock(t *testing.T) {
	p := decode(t, `{"from":"trips","where":"during(started_at, today())","select":["km"]}`)
	if _, err := plan.Bind(p, plan.Scope{Catalog: rental()}); err == nil {
		t.Error("a relative period was resolved without a clock")
	}
	if got := bounds(t, "stations", "opened_on", "2025", plan.Clock{}); got != "2025-01-01 2026-01-01" {
		t.Errorf("a fixed period needs no clock, but is %s", got)
	}
}

func TestParseMonthDay(t *testing.T) {
	if d, err := plan.ParseMonthDay("04-01"); err != nil || d != (plan.MonthDay{Month: time.April, Day: 1}) {
		t.Errorf("got %v, %v", d, err)
	}
	for _, text := range []string{"", "4-1", "13-01", "02-29", "02-30", "2025-04-01"} {
		if _, err := plan.ParseMonthDay(text); err == nil {
			t.Errorf("%q is a day of the year", text)
		}
	}
}
