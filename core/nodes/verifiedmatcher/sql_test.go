package verifiedmatcher_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/nodes/verifiedmatcher"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

func sqlQuery(sql string, params map[string]config.Param, question string) verifiedmatcher.Query {
	q := query("by_sql", wire.Plan{}, params, question)
	q.SQL, q.Flavour = sql, schema.SQLite
	return q
}

// A query that is given as SQL becomes a plan with the question's values in it,
// which never stood in SQL.
func TestSQLBecomesThePlan(t *testing.T) {
	year := map[string]config.Param{"year": {Type: "int", Min: at(int64(2000)), Max: at(int64(2100))}}
	cases := []struct{ sql, question, asked, where string }{
		{"SELECT count(*) FROM orders WHERE year = {year}", "sql orders in {year}", "sql orders in 2024", "orders.year = 2024"},
		{"SELECT count(*) FROM orders WHERE country = '{land}'", "sql orders from {land}", "sql orders from O'Hara", "orders.country = 'O''Hara'"},
		{"SELECT count(*) FROM orders WHERE country LIKE '{land}%'", "sql orders from {land}", "sql orders from Fra", "orders.country like 'Fra%'"},
		{"SELECT count(*) FROM orders WHERE day >= {day}", "sql orders since {day}", "sql orders since 2024-02-03", "orders.day >= date '2024-02-03'"},
	}
	for _, c := range cases {
		params := map[string]config.Param{}
		switch {
		case strings.Contains(c.sql, "{year}"):
			params = year
		case strings.Contains(c.sql, "{land}"):
			params["land"] = config.Param{Type: "text"}
		default:
			params["day"] = config.Param{Type: "date"}
		}
		m := matcher(t, []verifiedmatcher.Query{sqlQuery(c.sql, params, c.question)})
		out, err := m.Run(context.Background(), verifiedmatcher.Input{Question: c.asked, Caller: manager, Clock: clock})
		if err != nil || out.Match == nil {
			t.Errorf("%s: %q is not matched (%v)", c.sql, c.asked, err)
			continue
		}
		if got := out.Match.Plan.Where; got != c.where {
			t.Errorf("%s: where %q, want %q", c.sql, got, c.where)
		}
	}
}

func TestSQLIsUnderThePolicy(t *testing.T) {
	m := matcher(t, []verifiedmatcher.Query{sqlQuery("SELECT avg(salary) FROM staff", nil, "sql pay of staff")})
	for _, c := range []struct {
		name string
		in   verifiedmatcher.Input
		want bool
	}{
		{"allowed", verifiedmatcher.Input{Question: "sql pay of staff", Caller: manager, Clock: clock}, true},
		{"denied", verifiedmatcher.Input{Question: "sql pay of staff", Caller: clerk, Clock: clock}, false},
	} {
		out, err := m.Run(context.Background(), c.in)
		if err != nil || (out.Match != nil) != c.want {
			t.Errorf("%s: matched %t (%v), want %t", c.name, out.Match != nil, err, c.want)
		}
	}
}

func TestSQLThatCannotServeIsRefused(t *testing.T) {
	year := map[string]config.Param{"year": {Type: "int"}}
	for _, c := range []struct {
		sql    string
		params map[string]config.Param
		want   string
	}{
		{"SELEC 1", nil, "syntax"},
		{"DELETE FROM orders", nil, "no select"},
		{"SELECT 1; SELECT 2", nil, "2 statements"},
		{"SELECT count(*) FROM orders", year, "does not use the parameter {year}"},
		{"SELECT count(*) FROM orders WHERE year = {jahr}", year, "no parameter"},
	} {
		_, err := verifiedmatcher.New([]verifiedmatcher.Query{sqlQuery(c.sql, c.params, "the question")}, catalogs{}, nil, hclog.NewNullLogger())
		if c.params != nil {
			q := sqlQuery(c.sql, c.params, "the question in {year}")
			_, err = verifiedmatcher.New([]verifiedmatcher.Query{q}, catalogs{}, nil, hclog.NewNullLogger())
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.sql, err, c.want)
		}
	}
}
