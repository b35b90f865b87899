package sqlite_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/wire"
)

// calls has a call of every function of the plan, and of the forms beside them
// that are written with functions of SQLite.
var calls = map[string]string{
	"count": "count(*)", "sum": "sum(t.n)", "avg": "avg(t.n)", "min": "min(t.s)", "max": "max(t.d)",
	"abs": "abs(t.n)", "round": "round(t.f, 2)", "floor": "floor(t.f)", "ceil": "ceil(t.f)", "sign": "sign(t.n)",
	"sqrt": "sqrt(t.f)", "power": "power(t.f, 2)", "exp": "exp(t.f)", "ln": "ln(t.f)", "log10": "log10(t.f)",
	"lower": "lower(t.s)", "upper": "upper(t.s)", "length": "length(t.s)", "trim": "trim(t.s)", "ltrim": "ltrim(t.s)",
	"rtrim": "rtrim(t.s)", "substr": "substr(t.s, 1, 2)", "left": "left(t.s, 1)", "right": "right(t.s, 1)",
	"replace": "replace(t.s, 'a', 'b')", "concat": "concat(t.s, '-', t.s)", "contains": "contains(t.s, 'a')",
	"starts_with": "starts_with(t.s, 'a')", "ends_with": "ends_with(t.s, 'a')", "text": "text(t.m, 1)", "number": "number(t.digits)",
	"coalesce": "coalesce(t.s, 'x')", "nullif": "nullif(t.n, 1)", "greatest": "greatest(t.n, 1)", "least": "least(t.n, 1)",
	"year": "year(t.d)", "month": "month(t.at)", "day": "day(t.ms)", "hour": "hour(t.at)", "minute": "minute(t.at)",
	"second": "second(t.at)", "quarter": "quarter(t.d)", "weekday": "weekday(t.d)", "iso_week": "iso_week(t.d)",
	"year_month": "year_month(t.ms)", "date_trunc": "date_trunc('quarter', t.at)", "date": "date(t.at)",
	"add_days": "add_days(t.d, 1)", "add_months": "add_months(t.d, 1)", "add_years": "add_years(t.d, 1)",
	"days_between": "days_between(t.d, t.at)",

	"stddev": "coalesce(stddev(t.n), 0)", "variance": "coalesce(variance(t.f), 0)", "median": "median(t.m)", "percentile": "percentile(t.n, 0.9)",
	"string_agg": "string_agg(t.s, '; ' order by t.n)", "bool_and": "text(bool_and(t.n > 1))", "bool_or": "text(bool_or(t.n > 1))",
	"row_number": "row_number() over (partition by t.s order by t.n)", "rank": "rank() over (order by t.n)",
	"dense_rank": "dense_rank() over (order by t.n)", "percent_rank": "percent_rank() over (order by t.n)",
	"cume_dist": "cume_dist() over (order by t.n)", "ntile": "ntile(2) over (order by t.n)",
	"lag": "coalesce(lag(t.s) over (order by t.n), '-')", "lead": "coalesce(lead(t.s, 2) over (order by t.n), '-')",
	"first_value": "first_value(t.s) over (order by t.n)", "last_value": "last_value(t.s) over (order by t.n)",
	"nth_value": "nth_value(t.s, 1) over (order by t.n)",
	"log2":      "log2(t.f)", "div": "div(t.n, 2)", "trunc": "trunc(t.f, 1)", "pi": "pi()", "sin": "sin(t.f)", "cos": "cos(t.f)", "tan": "tan(t.f)",
	"asin": "asin(t.f / 10)", "acos": "acos(t.f / 10)", "atan": "atan(t.f)", "atan2": "atan2(t.f, 2)", "radians": "radians(t.f)", "degrees": "degrees(t.f)",
	"position": "position(t.s, 'b')", "like_case": "text(like_case(t.s, 'a%'))", "lpad": "lpad(t.s, 5, '*')", "rpad": "rpad(t.s, 5)",
	"repeat": "repeat(t.s, 2)", "reverse": "reverse(t.s)",
	"iso_year": "iso_year(t.d)", "day_of_year": "day_of_year(t.d)", "day_name": "day_name(t.d)", "month_name": "month_name(t.at)",
	"last_day": "last_day(t.d)", "make_date": "make_date(2024, 2, t.n)", "add_hours": "add_hours(t.at, 1)", "add_minutes": "add_minutes(t.ms, 1)",
	"add_seconds": "add_seconds(t.at, t.n)", "seconds_between": "seconds_between(t.d, t.at)", "months_between": "months_between(t.d, t.at)",
	"years_between": "years_between(t.d, t.at)", "epoch": "epoch(t.at)", "from_epoch": "from_epoch(t.n)",
	"distinct string_agg": "string_agg(distinct t.s, '; ')", "moving sum": "sum(t.n) over (order by t.n rows between 1 preceding and current row)",
	"moving spread": "coalesce(stddev(t.n) over (order by t.n rows between 1 preceding and current row), 0)",

	"remainder": "t.m % 2.5", "division": "t.n / 3", "cast": "cast(t.digits as int)", "like": "case when t.s like 'a%' then 1 end",
	"distinct": "count(distinct t.s)",
}

// The authorizer's list of functions and the renderer's must agree.
func TestEveryFunctionOfThePlanRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE t (n INTEGER, f REAL, m DECIMAL(10,2), s TEXT, d DATE, at TIMESTAMP, ms INTEGER, digits TEXT);
		INSERT INTO t VALUES (7, 2.5, 10.25, 'abc', '2025-01-31', '2025-01-31 10:20:30', 1738310400000, '12')`); err != nil {
		t.Fatal(err)
	}
	d, err := sqlite.Open(sqlite.Options{ID: "x", Path: path, Columns: map[string]config.ColumnConfig{
		"main.t.ms": {Storage: schema.StorageEpochMS},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	catalog, err := d.Introspect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range plan.Functions() {
		if calls[f.Name] == "" {
			t.Errorf("the function %s is not tried", f.Name)
		}
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			if v := evaluate(t, d, catalog, call); v.IsNull() {
				t.Errorf("%s is null", call)
			}
		})
	}
}

// evaluate takes an expression over table t the whole way to its value.
func evaluate(t *testing.T, d datasource.Datasource, catalog *schema.Catalog, expr string) wire.Value {
	t.Helper()
	clock := plan.Clock{Now: time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC), WeekStart: time.Monday}
	p := wire.Plan{Clauses: wire.Clauses{From: "t", Select: []string{expr + " as v"}, Limit: 5}}
	q, err := plan.Bind(p, plan.Scope{Catalog: catalog, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := policy.Compile(map[config.RoleName]config.Role{"all": {Tables: config.TableRules{Allow: []string{"x.main.*"}}}})
	if err != nil {
		t.Fatal(err)
	}
	secured, err := rules.Secure(catalog, q, policy.Caller{Name: "me", Roles: []string{"all"}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlgen.Render(secured, schema.SQLite, sqlgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := d.Query(context.Background(), s, datasource.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", s.SQL(), err)
	}
	defer rows.Close()
	if !rows.Next() {
		t.Fatalf("%s: no row (%v)", s.SQL(), rows.Err())
	}
	return rows.Row()[0]
}
