package sqlgen_test

import (
	"strings"
	"testing"
)

// value evaluates an expression over the first row of a table.
func value(t *testing.T, from, where, expr string) string {
	t.Helper()
	rows := query(t, openShop(t), map[string]any{"from": from, "where": where, "select": []string{expr + " as x"}})
	if len(rows) != 1 {
		t.Fatalf("%s gives %d rows", expr, len(rows))
	}
	return rows[0]
}

func TestMoreNumbers(t *testing.T) {
	for expr, want := range map[string]string{
		"div(id * 7, 2)": "3", "div(id * -7, 2)": "-3", "div(id, id - 1)": "null", "div(id * 0.3, 0.1)": "3", "div(id * 7.5, 2)": "3",
		"mod(id * -7, 3)": "-1", "trunc(id * 2.99)": "2", "trunc(id * -2.99)": "-2", "trunc(id * 1.159, 2)": "1.15", "trunc(id * 1.15, 2)": "1.15",
		"trunc(id * 1299, -2)": "1200", "trunc(id * -1299.5, -2)": "-1200", "trunc(id)": "1",
		"round(pi(), 5)": "3.14159", "sin(id - 1)": "0", "cos(id - 1)": "1", "tan(id - 1)": "0", "round(asin(id), 5)": "1.5708", "acos(id)": "0",
		"asin(id + 1)": "null", "acos(id * -2)": "null", "round(atan(id), 5)": "0.7854", "round(atan2(id, -1), 5)": "2.35619",
		"round(radians(id * 180), 5)": "3.14159", "round(degrees(pi() * id), 5)": "180", "log2(id * 8)": "3", "log2(id - 1)": "null",
	} {
		if got := value(t, "customers", "id = 1", expr); got != want {
			t.Errorf("%s is %s, want %s", expr, got, want)
		}
	}
}

func TestMoreTexts(t *testing.T) {
	for _, c := range []struct{ where, expr, want string }{
		{"id = 1", "position(s, 'c')", "3"}, {"id = 2", "position(s, 'c')", "0"}, {"id = 7", "position(s, 'é')", "3"}, {"id = 9", "position(s, 'c')", "null"},
		{"id = 1", "position('b' in s)", "2"},
		{"id = 1", "lpad(s, 5, '*')", "**abc"}, {"id = 1", "rpad(s, 5, '*-')", "abc*-"}, {"id = 1", "lpad(s, 6, '12')", "121abc"}, {"id = 1", "lpad(s, 2)", "ab"},
		{"id = 1", "rpad(s, 2)", "ab"}, {"id = 7", "lpad(s, 6, '나')", "나나가나é😀"}, {"id = 9", "lpad(s, 3)", "null"}, {"id = 1", "lpad(s, 0)", ""},
		{"id = 1", "repeat(s, 2)", "abcabc"}, {"id = 1", "repeat(s, 0)", ""}, {"id = 6", "repeat(s, 2)", "a a "}, {"id = 9", "repeat(s, 2)", "null"},
		{"id = 7", "reverse(s)", "😀é나가"}, {"id = 8", "reverse(s)", ""}, {"id = 9", "reverse(s)", "null"},
		{"id = 1", "like_case(s, 'a%')", "1"}, {"id = 2", "like_case(s, 'a%')", "0"}, {"id = 15", "like_case(s, 'a_b!c')", "1"},
		{"id = 10", "like_case(s, '1__%')", "1"}, {"id = 10", "like_case(s, '1[0]*')", "0"}, {"id = 10", "like_case(s, '100?')", "0"},
	} {
		if got := value(t, "words", c.where, c.expr); got != c.want {
			t.Errorf("%s where %s is %q, want %q", c.expr, c.where, got, c.want)
		}
	}
}

func TestMoreDates(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
		{"iso_year(date '2024-12-30')", "2025"}, {"iso_year(date '2023-01-01')", "2022"}, {"day_of_year(joined)", "60"},
		{"day_name(joined)", "Thursday"}, {"month_name(joined)", "February"}, {"day_name(date '2024-03-03')", "Sunday"},
		{"month_name(date '2024-09-01')", "September"}, {"month_name(date '2024-12-31')", "December"}, {"day_name(date '2024-03-06')", "Wednesday"},
		{"last_day(joined)", "2024-02-29"}, {"last_day(date '2023-02-01')", "2023-02-28"}, {"last_day(date '2024-12-15')", "2024-12-31"},
		{"make_date(2024, 2, id * 10 - 1)", "2024-02-29"}, {"make_date(2023, 2, id * 10 - 1)", "null"}, {"make_date(2024, id, id)", "2024-03-03"},
		{"add_hours(timestamp '2024-02-28 23:30:00', id)", "2024-02-29 02:30:00.000"}, {"add_minutes(timestamp '2024-02-28 23:30:00', -id)", "2024-02-28 23:27:00.000"},
		{"add_seconds(timestamp '2024-02-28 23:59:58', id)", "2024-02-29 00:00:01.000"},
		{"seconds_between(timestamp '2024-02-28 23:59:58', add_seconds(timestamp '2024-02-28 23:59:58', id))", "3"},
		{"seconds_between(joined, timestamp '2024-02-29 00:01:00.750')", "60"}, {"seconds_between(timestamp '2024-02-29 00:01:00.750', joined)", "-60"},
		{"months_between(joined, '2024-03-28')", "0"}, {"months_between(joined, '2024-03-29')", "1"}, {"months_between(joined, '2023-02-28')", "-12"},
		{"months_between(joined, '2023-03-01')", "-11"}, {"months_between('2024-01-31', joined)", "0"}, {"years_between(joined, '2025-02-28')", "0"},
		{"years_between(joined, '2025-03-01')", "1"}, {"years_between(joined, '2023-03-01')", "0"}, {"years_between(joined, '2022-02-28')", "-2"},
		{"epoch(joined)", "1709164800"}, {"epoch(timestamp '1969-12-31 23:59:59.500')", "-1"}, {"from_epoch(id * 100000)", "1970-01-04 11:20:00.000"},
		{"from_epoch(epoch(joined))", "2024-02-29 00:00:00.000"},
	} {
		if got := value(t, "customers", "id = 3", c.expr); got != c.want {
			t.Errorf("%s is %s, want %s", c.expr, got, c.want)
		}
	}
}

// TestSpreadsAgainstTheirDefinition compares the aggregates of the host with what
// the plan language computes of the same rows in another way.
func TestSpreadsAgainstTheirDefinition(t *testing.T) {
	rows := query(t, openShop(t), map[string]any{
		"with": []map[string]any{{"name": "m", "op": "select", "from": "lines", "select": []string{"avg(price) as mean", "count(*) as n"}}},
		"from": "lines", "joins": []string{"m on 1 = 1"}, "group": []string{"m.n"},
		"select": []string{
			"round(variance(price), 6) = round(sum((price - mean) * (price - mean)) / (m.n - 1), 6) as a",
			"round(stddev(price), 6) = round(sqrt(sum((price - mean) * (price - mean)) / (m.n - 1)), 6) as b",
			"percentile(price, 0) = min(price) as c", "percentile(price, 1) = max(price) as d", "median(price) = percentile(price, 0.5) as e",
			"median(qty) as f",
		},
	})
	if want := "1 | 1 | 1 | 1 | 1 | 2.5"; strings.Join(rows, "; ") != want {
		t.Errorf("the aggregates give %v, want %s", rows, want)
	}
}
