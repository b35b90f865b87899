package plan_test

import (
	"regexp"
	"strings"
	"testing"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/sdk/wire"
)

// calls holds a call of every function on columns of trips t and riders r, with
// the type of its result.
var calls = map[string][2]string{
	"count": {"count(t.km)", "int"}, "sum": {"sum(t.fee)", "decimal(38,2)"}, "avg": {"avg(t.fee)", "float"},
	"min": {"min(r.name)", "text"}, "max": {"max(t.started_at)", "timestamp"},
	"abs": {"abs(t.fee)", "decimal(8,2)"}, "round": {"round(t.km, 1)", "decimal(38,1)"}, "floor": {"floor(t.km)", "int"},
	"ceil": {"ceil(t.fee)", "int"}, "sign": {"sign(t.km)", "int"}, "sqrt": {"sqrt(t.id)", "float"}, "power": {"power(t.km, 2)", "float"},
	"exp": {"exp(t.km)", "float"}, "ln": {"ln(t.km)", "float"}, "log10": {"log10(t.km)", "float"},
	"lower": {"lower(r.name)", "text"}, "upper": {"upper(r.name)", "text"}, "length": {"length(r.name)", "int"},
	"trim": {"trim(r.name)", "text"}, "ltrim": {"ltrim(r.name)", "text"}, "rtrim": {"rtrim(r.name)", "text"},
	"substr": {"substr(r.name, 2, 3)", "text"}, "left": {"left(r.name, 2)", "text"}, "right": {"right(r.name, 2)", "text"},
	"replace": {"replace(r.name, 'a', 'b')", "text"}, "concat": {"concat(r.name, r.plan, 'x')", "text"},
	"contains": {"contains(r.name, 'a')", "bool"}, "starts_with": {"starts_with(r.name, 'a')", "bool"}, "ends_with": {"ends_with(r.name, 'a')", "bool"},
	"text": {"text(t.km, 2)", "text"}, "number": {"number(r.plan)", "float"},
	"coalesce": {"coalesce(t.fee, 0)", "decimal(38,2)"}, "nullif": {"nullif(t.id, 0)", "int"},
	"greatest": {"greatest(t.id, 2, 3.5)", "decimal(38,1)"}, "least": {"least(r.name, 'm')", "text"},
	"year": {"year(t.started_at)", "int"}, "quarter": {"quarter(r.born)", "int"}, "month": {"month(r.joined)", "int"}, "day": {"day(r.born)", "int"},
	"weekday": {"weekday(r.born)", "int"}, "iso_week": {"iso_week(r.born)", "int"}, "hour": {"hour(t.started_at)", "int"},
	"minute": {"minute(t.seen_at)", "int"}, "second": {"second(t.started_at)", "int"},
	"date_trunc": {"date_trunc('month', t.started_at)", "date"}, "year_month": {"year_month(t.started_at)", "text"},
	"date": {"date(t.started_at)", "date"}, "add_days": {"add_days(t.started_at, 3)", "timestamp"},
	"add_months": {"add_months(date(t.started_at), -1)", "date"}, "add_years": {"add_years(t.started_at, t.id)", "timestamp"},
	"stddev": {"stddev(t.km)", "float"}, "variance": {"variance(t.fee)", "float"}, "median": {"median(t.fee)", "float"},
	"percentile": {"percentile(t.km, 0.9)", "float"}, "string_agg": {"string_agg(r.name, '; ')", "text"},
	"bool_and": {"bool_and(t.paid)", "bool"}, "bool_or": {"bool_or(t.km > 5)", "bool"},
	"row_number": {"row_number() over (order by t.id)", "int"}, "rank": {"rank() over (order by t.km)", "int"},
	"dense_rank": {"dense_rank() over (order by t.km)", "int"}, "percent_rank": {"percent_rank() over (order by t.km)", "float"},
	"cume_dist": {"cume_dist() over (order by t.km)", "float"}, "ntile": {"ntile(4) over (order by t.km)", "int"},
	"lag": {"lag(t.fee) over (order by t.id)", "decimal(8,2)"}, "lead": {"lead(r.name, 2) over (order by t.id)", "text"},
	"first_value": {"first_value(t.km) over (order by t.id)", "float"}, "last_value": {"last_value(t.started_at) over (order by t.id)", "timestamp"},
	"nth_value": {"nth_value(t.id, 3) over (order by t.id)", "int"},
	"log2":      {"log2(t.km)", "float"}, "div": {"div(t.fee, 2)", "int"}, "trunc": {"trunc(t.km, 1)", "decimal(38,1)"}, "pi": {"pi()", "float"},
	"sin": {"sin(t.km)", "float"}, "cos": {"cos(t.km)", "float"}, "tan": {"tan(t.km)", "float"}, "asin": {"asin(t.km)", "float"},
	"acos": {"acos(t.km)", "float"}, "atan": {"atan(t.km)", "float"}, "atan2": {"atan2(t.km, 2)", "float"},
	"radians": {"radians(t.km)", "float"}, "degrees": {"degrees(t.km)", "float"},
	"position": {"position(r.name, 'a')", "int"}, "like_case": {"like_case(r.name, 'A%')", "bool"}, "lpad": {"lpad(r.name, 5, '*')", "text"},
	"rpad": {"rpad(r.name, 5)", "text"}, "repeat": {"repeat(r.name, 2)", "text"}, "reverse": {"reverse(r.name)", "text"},
	"iso_year": {"iso_year(t.started_at)", "int"}, "day_of_year": {"day_of_year(r.born)", "int"}, "day_name": {"day_name(r.born)", "text"},
	"month_name": {"month_name(t.started_at)", "text"}, "last_day": {"last_day(t.started_at)", "date"}, "make_date": {"make_date(2024, t.id, 1)", "date"},
	"add_hours": {"add_hours(t.started_at, 3)", "timestamp"}, "add_minutes": {"add_minutes(t.seen_at, -3)", "timestamptz"},
	"add_seconds": {"add_seconds(t.started_at, t.id)", "timestamp"}, "seconds_between": {"seconds_between(t.started_at, t.seen_at)", "int"},
	"months_between": {"months_between(t.started_at, today())", "int"}, "years_between": {"years_between(r.born, t.started_at)", "int"},
	"epoch": {"epoch(t.started_at)", "int"}, "from_epoch": {"from_epoch(t.id)", "timestamp"},
	"days_between": {"days_between(t.started_at, today())", "int"},
}

func TestEveryFunctionBinds(t *testing.T) {
	for _, f := range plan.Functions() {
		call, ok := calls[f.Name]
		if !ok {
			t.Errorf("%s has no call in the table", f.Name)
			continue
		}
		q := bind(t, `{"from":"trips t","joins":["riders r"],"select":["`+call[0]+` as x"]}`)
		x := q.Result().Select[0].Expr
		if w, ok := x.(*plan.Window); ok {
			x = w.Call
		}
		if c, ok := x.(*plan.Call); !ok || c.Func.Name != f.Name {
			t.Errorf("%s does not bind to %s", call[0], f.Name)
		}
		if got := q.Result().Select[0].Expr.Type().String(); got != call[1] {
			t.Errorf("%s is %s, want %s", call[0], got, call[1])
		}
		checkStable(t, f.Name, q)
	}
	if len(calls) != len(plan.Functions()) {
		t.Errorf("%d calls for %d functions", len(calls), len(plan.Functions()))
	}
}

func TestFunctionTable(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	for _, f := range plan.Functions() {
		for _, spelling := range append([]string{f.Name}, f.Aliases...) {
			found, ok := plan.FindFunction(strings.ToUpper(spelling))
			if !ok || found.Name != f.Name || !name.MatchString(spelling) {
				t.Errorf("%s is not found by %q", f.Name, spelling)
			}
		}
		if !strings.HasPrefix(f.Signature, f.Name+"(") || !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s: signature %q, doc %q", f.Name, f.Signature, f.Doc)
		}
		if f.MinArgs < 0 || f.MaxArgs >= 0 && f.MaxArgs < f.MinArgs {
			t.Errorf("%s takes %d to %d arguments", f.Name, f.MinArgs, f.MaxArgs)
		}
		if _, err := f.Check(make([]wire.Type, 20)); err == nil && f.MaxArgs >= 0 {
			t.Errorf("%s takes 20 arguments", f.Name)
		}
		if _, err := f.Check(make([]wire.Type, f.MinArgs)); err != nil {
			t.Errorf("%s refuses nulls: %v", f.Name, err)
		}
	}
	if _, ok := plan.FindFunction("(SELECT password FROM secrets LIMIT 1) || upper"); ok {
		t.Error("a text is found as a function")
	}
}

func TestPromptReferenceIsShortAndComplete(t *testing.T) {
	text := plan.PromptReference()
	for _, f := range plan.Functions() {
		if shown := f.Signature; !strings.Contains(text, shown) && !(f.Rare && strings.Contains(text, f.Name)) {
			t.Errorf("%s is not in the reference", f.Name)
		}
	}
	// A prompt for a small model has about 4,096 tokens in all; this takes about a
	// third of them.
	if len(text) > 5000 {
		t.Errorf("the reference has %d bytes", len(text))
	}
}
