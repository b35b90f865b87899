package sqlgen_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestNumbers evaluates number expressions over one row.
func TestNumbers(t *testing.T) {
	db := openShop(t)
	for _, c := range []struct{ expr, want string }{
		{"7 / 2", "3.5"}, {"-7 / 2", "-3.5"}, {"id / 2", "0.5"}, {"id / (id - 1)", "null"}, {"1.5 / (id - 1)", "null"},
		{"(0 - 7) % 3", "-1"}, {"7 % (0 - 3)", "1"}, {"7 % (id - 1)", "null"}, {"7.5 % (id + 1)", "1.5"}, {"0.3 % (id * 0.1)", "0"},
		{"(id * 0.1 + 0.2) = 0.3", "1"}, {"id * 0.1 + 0.2", "0.3"},
		{"ceil(id * 0.1 * 3 * 10)", "3"}, {"floor(id * 0.57 * 100)", "57"}, {"cast(id * 0.57 * 100 as int)", "57"}, {"sign(id * 0.1 * 3 - 0.3)", "0"},
		{"coalesce(id * 0.1 + 0.2, 0) = 0.3", "1"}, {"case when id = 1 then id * 0.1 + 0.2 else 0 end = 0.3", "1"}, {"greatest(id * 0.1 + 0.2, 0.3) = 0.3", "1"},
		{"nullif(id * 0.1 + 0.2, 0.1) = 0.3", "1"}, {"max(id * 0.1 + 0.2) = 0.3", "1"}, {"cast(id / 3 as decimal(20,10))", "0.3333333333"},
		{"round(id * 2.5)", "3"}, {"round(id * -2.5)", "-3"}, {"round(id * 2.675, 2)", "2.68"}, {"round(id * 1.005, 2)", "1.01"},
		{"round(id * 1250, -2)", "1300"}, {"round(id * 1249.9, -2)", "1200"}, {"round(id + 0.5)", "2"},
		{"floor(id * -2.5)", "-3"}, {"ceil(id * -2.5)", "-2"}, {"ceil(id * 2.0)", "2"}, {"sign(id * -2.5)", "-1"}, {"abs(0 - id)", "1"},
		{"sqrt(id + 3)", "2"}, {"sqrt(0 - id)", "null"}, {"ln(id - 1)", "null"}, {"log10(id * 100)", "2"}, {"power(id + 1, 10)", "1024"}, {"exp(id - 1)", "1"},
		{"-(-id)", "1"}, {"-id - -2", "1"}, {"greatest(id, null, 3)", "3"}, {"least(id + 4, 2, null)", "2"}, {"nullif(id, 1)", "null"}, {"nullif(id, 2)", "1"},
		{"coalesce(null, id)", "1"}, {"cast(id + 2.99 as int)", "3"}, {"id between 1 and 1", "1"}, {"not (id = 1)", "0"}, {"9007199254740993 + id - 1", "9007199254740993"},
	} {
		rows := query(t, db, map[string]any{"from": "customers", "where": "id = 1", "select": []string{c.expr + " as x"}})
		if len(rows) != 1 || rows[0] != c.want {
			t.Errorf("%s is %v, want %s", c.expr, rows, c.want)
		}
	}
}

// TestTexts evaluates text expressions; rows are chosen by a condition.
func TestTexts(t *testing.T) {
	db := openShop(t)
	for _, c := range []struct{ where, expr, want string }{
		{"id = 7", "length(s)", "4"}, {"id = 3", "lower(s)", "É"}, {"id = 1", "upper(s)", "ABC"},
		{"id = 7", "left(s, 2)", "가나"}, {"id = 7", "right(s, 1)", "😀"}, {"id = 1", "right(s, 0)", ""}, {"id = 1", "right(s, 9)", "abc"},
		{"id = 7", "substr(s, 2, 2)", "나é"}, {"id = 7", "substr(s, 3)", "é😀"}, {"id = 1", "substr(s, 9)", ""},
		{"id = 12", "trim(s)", "-3"}, {"id = 12", "ltrim(s)", "-3 "}, {"id = 1", "replace(s, 'b', '--')", "a--c"},
		{"id = 9", "concat('a', s, 'b')", "ab"}, {"id = 9", "'a' || s", "null"}, {"id = 1", "'a' || s", "aabc"},
		{"id = 11", "number(s)", "12.5"}, {"id = 12", "number(s)", "-3"}, {"id = 13", "number(s)", "null"}, {"id = 14", "number(s)", "null"},
		{"id = 8", "number(s)", "null"}, {"id = 9", "number(s)", "null"}, {"id = 11", "cast(s as int)", "12"}, {"id = 1", "cast(s as int)", "null"},
		{"id = 1", "text(id)", "1"}, {"id = 1", "text(id, 2)", "1.00"}, {"id = 1", "text(id * -0.001, 2)", "0.00"}, {"id = 1", "text(id * 1.005, 2)", "1.01"},
		{"id = 11", "cast(s as decimal(9,1))", "12.5"}, {"id = 11", "cast(s as decimal(38,20))", "12.5"}, {"id = 13", "cast(s as decimal(9,1))", "null"},
		{"id = 11", "cast(s as float)", "12.5"}, {"id = 1", "cast(s as timestamp)", "null"},
		{"id = 8", "cast(concat(s, '2024-02-29T10:00') as timestamp)", "2024-02-29 10:00:00.000"},
		{"id = 1", "text(id = 1)", "true"}, {"id = 1", "coalesce(s, '?')", "abc"}, {"id = 9", "coalesce(s, '?')", "?"},
	} {
		rows := query(t, db, map[string]any{"from": "words", "where": c.where, "select": []string{c.expr + " as x"}})
		if len(rows) != 1 || rows[0] != c.want {
			t.Errorf("%s where %s is %v, want %s", c.expr, c.where, rows, c.want)
		}
	}
}

// TestTextConditions lists the ids of words for which a condition holds.
func TestTextConditions(t *testing.T) {
	db := openShop(t)
	for _, c := range []struct{ where, want string }{
		{"s = 'abc'", "1"}, {"folded = 'abc'", "1"}, {"folded in ('abc', 'A')", "1"}, {"s like 'ABC'", "1 2"}, {"s like 'É'", "3"},
		{"s like 'a%'", "1 2 5 6 15"}, {"s like 'a_b!c'", "15"}, {"s like '%!%'", "15"}, {"not (s like '%a%')", "3 4 7 8 10 11 12 14"},
		{"contains(s, 'B')", "1 2 13 15"}, {"contains(s, '%')", "10"}, {"contains(s, '_')", "15"}, {"contains(s, '')", "1 2 3 4 5 6 7 8 10 11 12 13 14 15"},
		{"starts_with(s, '12')", "11 13"}, {"starts_with(s, 'AB')", "1 2"}, {"ends_with(s, 'BC')", "1 2 13"}, {"ends_with(s, ' ')", "6 12"},
		{"ends_with(s, 'xxabc')", ""}, {"s < 'a'", "2 8 10 11 12 13 14"}, {"folded < 'a'", "2 8 10 11 12 13 14"}, {"s is null", "9"},
	} {
		rows := query(t, db, map[string]any{"from": "words", "where": c.where, "select": []string{"id"}, "order": []string{"id"}})
		if got := strings.Join(rows, " "); got != c.want {
			t.Errorf("where %s: %s, want %s", c.where, got, c.want)
		}
	}
}

// TestCollationOfTheDatabaseIsOverridden groups and orders by a column that the
// database would fold.
func TestCollationOfTheDatabaseIsOverridden(t *testing.T) {
	db := openShop(t)
	rows := query(t, db, map[string]any{"from": "words", "where": "id <= 2", "group": []string{"folded"}, "select": []string{"folded", "count(*) as n"}, "order": []string{"folded"}})
	if want := []string{"ABC | 1", "abc | 1"}; !slices.Equal(rows, want) {
		t.Errorf("groups are %v, want %v", rows, want)
	}
	rows = query(t, db, map[string]any{"from": "words", "where": "id <= 2", "select": []string{"folded"}, "distinct": true})
	if len(rows) != 2 {
		t.Errorf("distinct gives %v", rows)
	}
	rows = query(t, db, map[string]any{"from": "words", "where": "id <= 6", "select": []string{"min(folded) as lo", "max(folded) as hi"}})
	if want := []string{"ABC | é"}; !slices.Equal(rows, want) {
		t.Errorf("extremes are %v, want %v", rows, want)
	}
}

// TestRoundingIsDecimal rounds random two-digit ties and compares with the
// digits themselves: half goes away from zero.
func TestRoundingIsDecimal(t *testing.T) {
	db := openShop(t)
	random := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		var items, want []string
		for i := range 8 {
			thousandths := random.IntN(2_000_000)*10 + 5 - 10_000_000 // …5 in the third digit
			items = append(items, fmt.Sprintf("round(id * %s, 2) as x%d", digits(thousandths, 3), i))
			up := thousandths + 5
			if thousandths < 0 {
				up = thousandths - 5
			}
			want = append(want, strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(digits(up/10, 2), "0"), "0"), "."))
		}
		rows := query(t, db, map[string]any{"from": "customers", "where": "id = 1", "select": items})
		if got := strings.ReplaceAll(rows[0], "-0 ", "0 "); got != strings.Join(want, " | ") {
			t.Fatalf("%v\ngive %s\nwant %s", items, got, strings.Join(want, " | "))
		}
	}
}

// digits writes an integer with a point before its last n digits.
func digits(i, n int) string {
	sign := ""
	if i < 0 {
		sign, i = "-", -i
	}
	text := fmt.Sprintf("%0*d", n+1, i)
	return sign + text[:len(text)-n] + "." + text[len(text)-n:]
}

// fill puts moments into the table that has a column for every storage, and
// gives them back in order of id.
func fill(t *testing.T, db *sql.DB) []time.Time {
	t.Helper()
	list := []time.Time{
		time.Date(2023, 12, 31, 23, 59, 59, 999e6, time.UTC), time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2024, 2, 29, 12, 30, 15, 0, time.UTC), time.Date(2024, 12, 30, 0, 0, 0, 1e6, time.UTC),
		time.Date(1969, 7, 20, 20, 17, 40, 0, time.UTC), time.Date(2000, 3, 31, 1, 2, 3, 4e6, time.UTC),
	}
	random := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		list = append(list, time.UnixMilli(random.Int64N(4e12)-1e12).UTC())
	}
	layouts := []string{"2006-01-02 15:04:05.000", "2006-01-02T15:04:05.000", "2006-01-02T15:04:05.000Z"}
	for i, at := range list {
		julian := float64(at.UnixMilli()+210866760000000) / 86400000
		if _, err := db.Exec("INSERT INTO moments VALUES (?, ?, ?, ?, ?, ?, ?)", i, at.Format("2006-01-02"), at.Format(layouts[i%3]),
			at.Unix(), at.UnixMilli(), julian, at.Format("02/01/2006")); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// TestPartsOfMoments compares every date function on every storage with Go.
func TestPartsOfMoments(t *testing.T) {
	db := openShop(t)
	list := fill(t, db)
	day := func(t time.Time) string { return t.Format("2006-01-02") }
	date := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	monthLater := func(t time.Time, n int) string {
		last := date(t.Year(), t.Month()+time.Month(n)+1, 0)
		return day(date(last.Year(), last.Month(), min(t.Day(), last.Day())))
	}
	for expr, want := range map[string]func(time.Time) string{
		"year(%s)":                  func(t time.Time) string { return fmt.Sprint(t.Year()) },
		"quarter(%s)":               func(t time.Time) string { return fmt.Sprint((int(t.Month()) + 2) / 3) },
		"month(%s)":                 func(t time.Time) string { return fmt.Sprint(int(t.Month())) },
		"day(%s)":                   func(t time.Time) string { return fmt.Sprint(t.Day()) },
		"weekday(%s)":               func(t time.Time) string { return fmt.Sprint((int(t.Weekday())+6)%7 + 1) },
		"iso_week(%s)":              func(t time.Time) string { _, w := t.ISOWeek(); return fmt.Sprint(w) },
		"year_month(%s)":            func(t time.Time) string { return t.Format("2006-01") },
		"date_trunc('year', %s)":    func(t time.Time) string { return day(date(t.Year(), 1, 1)) },
		"date_trunc('quarter', %s)": func(t time.Time) string { return day(date(t.Year(), (t.Month()-1)/3*3+1, 1)) },
		"date_trunc('month', %s)":   func(t time.Time) string { return day(date(t.Year(), t.Month(), 1)) },
		"date_trunc('week', %s)":    func(t time.Time) string { return day(t.AddDate(0, 0, -(int(t.Weekday())+6)%7)) },
		"date_trunc('day', %s)":     day,
		"date(%s)":                  day,
		"date(add_days(%s, -40))":   func(t time.Time) string { return day(t.AddDate(0, 0, -40)) },
		"date(add_months(%s, 1))":   func(t time.Time) string { return monthLater(t, 1) },
		"date(add_months(%s, -13))": func(t time.Time) string { return monthLater(t, -13) },
		"date(add_years(%s, 1))":    func(t time.Time) string { return monthLater(t, 12) },
		"days_between('2000-01-01', %s)": func(t time.Time) string {
			return fmt.Sprint(int(date(t.Year(), t.Month(), t.Day()).Sub(date(2000, 1, 1)).Hours() / 24))
		},
	} {
		items := []string{}
		columns := []string{"day", "at", "s", "ms", "j", "dmy"}
		for _, c := range columns {
			items = append(items, fmt.Sprintf(expr, c)+" as x_"+c)
		}
		for i, row := range values(t, db, "moments", items...) {
			w := want(list[i])
			if row != strings.Join([]string{w, w, w, w, w, w}, " | ") {
				t.Errorf("%s of %s in %v is %s, want %s", expr, list[i], columns, row, w)
			}
		}
	}
}

func TestPartsOfTimes(t *testing.T) {
	db := openShop(t)
	list := fill(t, db)
	layout := func(layout string) func(time.Time) string {
		return func(t time.Time) string { return t.Format(layout) }
	}
	for expr, want := range map[string]func(time.Time) string{
		"hour(%s)":                       func(t time.Time) string { return fmt.Sprint(t.Hour()) },
		"minute(%s)":                     func(t time.Time) string { return fmt.Sprint(t.Minute()) },
		"second(%s)":                     func(t time.Time) string { return fmt.Sprint(t.Second()) },
		"text(date_trunc('hour', %s))":   layout("2006-01-02 15:00:00"),
		"text(date_trunc('minute', %s))": layout("2006-01-02 15:04:00"),
		"text(%s)":                       layout("2006-01-02 15:04:05"),
	} {
		for i, row := range values(t, db, "moments", fmt.Sprintf(expr, "at")+" as a", fmt.Sprintf(expr, "ms")+" as b", fmt.Sprintf(expr, "s")+" as c") {
			if w := want(list[i]); row != w+" | "+w+" | "+w {
				t.Errorf("%s of %s is %s, want %s", expr, list[i], row, w)
			}
		}
	}
}

// TestPeriodsOnEveryStorage compares during and the comparisons with Go.
func TestPeriodsOnEveryStorage(t *testing.T) {
	db := openShop(t)
	list := fill(t, db)
	from, to := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	leap := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	ids := func(keep func(time.Time) bool) (out []string) {
		for i, at := range list {
			if keep(at) {
				out = append(out, fmt.Sprint(i))
			}
		}
		return out
	}
	conditions := map[string]func(time.Time) bool{
		"during(%s, '2024')":         func(t time.Time) bool { return !t.Before(from) && t.Before(to) },
		"not during(%s, '2024')":     func(t time.Time) bool { return t.Before(from) || !t.Before(to) },
		"%s >= '2024-01-01'":         func(t time.Time) bool { return !t.Before(from) },
		"%s > '2024-02-29'":          func(t time.Time) bool { return !t.Before(leap.AddDate(0, 0, 1)) },
		"%s <= '2024-02-29'":         func(t time.Time) bool { return t.Before(leap.AddDate(0, 0, 1)) },
		"%s < '2024-02-29'":          func(t time.Time) bool { return t.Before(leap) },
		"date(%s) = '2024-02-29'":    func(t time.Time) bool { return t.Format("2006-01-02") == "2024-02-29" },
		"date(%s) in ('2024-02-29')": func(t time.Time) bool { return t.Format("2006-01-02") == "2024-02-29" },
		"year(%s) = 2024":            func(t time.Time) bool { return t.Year() == 2024 },
		"%s <= '9999-12-31'":         func(time.Time) bool { return true },
		"%s <> '2024-02-29'":         func(t time.Time) bool { return t.Format("2006-01-02") != "2024-02-29" },
		"%s = '2024-02-29'":          func(t time.Time) bool { return t.Format("2006-01-02") == "2024-02-29" },
		"%s in ('2024-02-29', '2024-12-30')": func(t time.Time) bool {
			return slices.Contains([]string{"2024-02-29", "2024-12-30"}, t.Format("2006-01-02"))
		},
		"during(%s, 'since 2024')": func(t time.Time) bool { return !t.Before(from) },
	}
	for condition, keep := range conditions {
		for _, column := range []string{"day", "at", "s", "ms", "j", "dmy"} {
			where := fmt.Sprintf(condition, column)
			got := query(t, db, map[string]any{"from": "moments", "where": where, "select": []string{"id"}, "order": []string{"id"}})
			if !slices.Equal(got, ids(keep)) {
				t.Errorf("where %s: %v, want %v", where, got, ids(keep))
			}
		}
	}
}

// TestColumnsOfMomentsCompare compares two storages of the same moments.
func TestColumnsOfMomentsCompare(t *testing.T) {
	db := openShop(t)
	list := fill(t, db)
	for where, want := range map[string]int{
		"at = ms": len(list), "j = at": len(list), "ms = j": len(list), "dmy = day": len(list), "day <> dmy": 0, "date(at) = day": len(list), "ms < s": 0,
	} {
		rows := query(t, db, map[string]any{"from": "moments", "where": where, "select": []string{"count(*) as n"}})
		if rows[0] != fmt.Sprint(want) {
			t.Errorf("where %s: %s rows, want %d", where, rows[0], want)
		}
	}
}

func TestDatesOfTexts(t *testing.T) {
	db := openShop(t)
	for text, want := range map[string]string{
		"2024-02-29": "2024-02-29", "2024-02-29 10:00": "2024-02-29", "2024-02-30": "null", "now": "null", "2460000": "null", "29/02/2024": "null", "": "null",
	} {
		rows := query(t, db, map[string]any{"from": "words", "where": "id = 8", "select": []string{"date(concat(s, '" + text + "')) as d"}})
		if rows[0] != want {
			t.Errorf("date(%q) is %s, want %s", text, rows[0], want)
		}
	}
}

// TestTimesOfDayOnEveryStorage compares with a moment that is no midnight.
func TestTimesOfDayOnEveryStorage(t *testing.T) {
	db := openShop(t)
	list := fill(t, db)
	at := time.Date(2024, 2, 29, 12, 30, 15, 0, time.UTC)
	for op, keep := range map[string]func(int) bool{
		"=": func(c int) bool { return c == 0 }, "<>": func(c int) bool { return c != 0 }, "<": func(c int) bool { return c < 0 },
		"<=": func(c int) bool { return c <= 0 }, ">": func(c int) bool { return c > 0 }, ">=": func(c int) bool { return c >= 0 },
	} {
		var want []string
		for i, x := range list {
			if keep(x.Compare(at)) {
				want = append(want, fmt.Sprint(i))
			}
		}
		for _, where := range []string{"at " + op + " '2024-02-29 12:30:15'", "ms " + op + " '2024-02-29 12:30:15'", "j " + op + " '2024-02-29 12:30:15'", "coalesce(at, at) " + op + " '2024-02-29 12:30:15'"} {
			got := query(t, db, map[string]any{"from": "moments", "where": where, "select": []string{"id"}, "order": []string{"id"}})
			if !slices.Equal(got, want) {
				t.Errorf("where %s: %v, want %v", where, got, want)
			}
		}
	}
	rows := query(t, db, map[string]any{"from": "moments", "where": "s >= '2024-02-29 12:30:14.5' and s < '2024-02-29 12:30:15.5'", "select": []string{"id"}})
	if !slices.Equal(rows, []string{"2"}) {
		t.Errorf("half seconds find %v", rows)
	}
}

func TestGreatestOfMoments(t *testing.T) {
	db := openShop(t)
	list := fill(t, db)
	rows := values(t, db, "moments", "text(greatest(at, null, cast('2024-02-29 12:30:15' as timestamp))) as g", "text(least(ms, s)) as l")
	for i, row := range rows {
		later := time.Date(2024, 2, 29, 12, 30, 15, 0, time.UTC)
		if list[i].After(later) {
			later = list[i]
		}
		if want := later.Format("2006-01-02 15:04:05") + " | " + list[i].Format("2006-01-02 15:04:05"); row != want {
			t.Errorf("row %d is %s, want %s", i, row, want)
		}
	}
}
