//go:build databases

package policy_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/mysql"
	"querent.dev/querent/core/datasource/postgres"
	"querent.dev/querent/core/internal/drill"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
)

// plansPerAccount is how many random plans run for every caller.
var plansPerAccount = drill.Size(250, 5000)

// A secured plan over the tables gives the rows that the same plan, without a
// policy, gives to an account under PostgreSQL's own row-level security, over views
// with the same masks.
func TestSecuredPlansAreWhatPostgreSQLSecures(t *testing.T) {
	server := dbtest.Postgres(t)
	raw := server.Database(t, strings.Join(append(slices.Clone(companyTables), companyRows()...), ";\n"))
	source := postgresSource(t, raw.DSN)
	catalog, err := source.Introspect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	rules := compile(t, companyRoles)
	if err := rules.Check(catalog); err != nil {
		t.Fatal(err)
	}
	for _, seat := range companySeats {
		t.Run(seat.name, func(t *testing.T) {
			secured := postgresSource(t, securedDatabase(t, server, seat))
			shown, late := 0, 0
			for seed := range uint64(plansPerAccount) {
				p, q := randomPlan(t, catalog, seat, seed)
				got := statement(t, rules, catalog, q, seat.caller, p)
				want := statement(t, rules, catalog, q, policy.Caller{Name: "root", Roles: []string{"all"}}, p)
				a, inTime := valuesOf(t, source, got)
				b, alsoInTime := valuesOf(t, secured, want)
				if !inTime || !alsoInTime {
					late++
					continue
				}
				if !slices.Equal(a, b) {
					t.Fatalf("seed %d: the secured plan gives %d rows, PostgreSQL %d\n%s\nsecured: %s\n%v\nunder row-level security: %s\n%v\nfirst: %q\nsecond: %q",
						seed, len(a), len(b), planText(p), got.SQL(), got.Args(), want.SQL(), want.Args(), a, b)
				}
				if len(a) > 0 {
					shown++
				}
			}
			if shown < plansPerAccount/2 || late > plansPerAccount/mostLate {
				t.Errorf("only %d of %d plans have rows at all, %d took too long", shown, plansPerAccount, late)
			}
		})
	}
}

func postgresSource(t *testing.T, dsn string) datasource.Datasource {
	t.Helper()
	d, err := postgres.Open(postgres.Options{ID: "hr", DSN: dsn})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// securedDatabase makes a database that secures its rows itself, and is the DSN of
// the account of the seat. The tables are in the schema base, under row-level
// security; the views in public read them by the right of who asks.
func securedDatabase(t *testing.T, server *dbtest.Server, seat seat) string {
	t.Helper()
	d := server.Database(t)
	account := d.Name + "_seat"
	script := []string{
		"CREATE SCHEMA base", "SET search_path = base",
		"CREATE TABLE digests (t text PRIMARY KEY, h text)",
	}
	script = append(script, companyTables...)
	script = append(script, companyRows()...)
	script = append(script, fmt.Sprintf("CREATE ROLE %s LOGIN PASSWORD '%s'", account, dbtest.ReaderPassword),
		fmt.Sprintf("GRANT USAGE ON SCHEMA base, public TO %s", account))
	for _, r := range companyRelations {
		filter := seat.filters[r.name]
		if filter == "" {
			filter = "true"
		}
		script = append(script,
			fmt.Sprintf("ALTER TABLE %s ENABLE ROW LEVEL SECURITY", r.name),
			fmt.Sprintf("CREATE POLICY seat ON %s FOR SELECT TO %s USING (%s)", r.name, account, filter),
			fmt.Sprintf("CREATE VIEW public.%s WITH (security_invoker = true) AS %s", r.name, seat.view(r, "base.", 1)))
	}
	script = append(script, fmt.Sprintf("GRANT SELECT ON ALL TABLES IN SCHEMA base, public TO %s", account), "RESET search_path")
	d.Exec(t, strings.Join(script, ";\n"))
	for _, text := range digested(t, d.DB, "base.") {
		if _, err := d.DB.Exec("INSERT INTO base.digests VALUES ($1, $2)", text, digestOf(text)); err != nil {
			t.Fatal(err)
		}
	}
	return server.DSN(account, dbtest.ReaderPassword, d.Name)
}

// Some random plans join tables without a condition several times. patience is what
// a query may take, and one plan in mostLate may take longer.
const (
	patience = 10 * time.Second
	mostLate = 50
)

var tooLate = &reason.Error{Code: reason.QueryTimeout}

// valuesOf runs a statement as the product does and gives its rows as sorted texts,
// unless it takes too long.
func valuesOf(t *testing.T, d datasource.Datasource, s sqlgen.Statement) ([]string, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	rows, err := d.Query(ctx, s, datasource.Limits{Timeout: patience})
	if errors.Is(err, tooLate) {
		return nil, false
	}
	if err != nil {
		t.Fatalf("%v\n%s\n%v", err, s.SQL(), s.Args())
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		cells := make([]string, len(rows.Row()))
		for i, v := range rows.Row() {
			cells[i] = v.String()
			if v.IsNull() {
				cells[i] = "null"
			}
		}
		out = append(out, strings.Join(cells, " | "))
	}
	if errors.Is(rows.Err(), tooLate) {
		return nil, false
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%v\n%s\n%v", err, s.SQL(), s.Args())
	}
	slices.Sort(out)
	return out, true
}

// plansOnBoth is how many random plans of every caller run on both servers.
var plansOnBoth = drill.Size(80, 2000)

// A secured plan gives the same rows on MariaDB as on PostgreSQL.
func TestSecuredPlansAreTheSameOnMariaDB(t *testing.T) {
	script := strings.Join(append(slices.Clone(companyTables), companyRows()...), ";\n")
	post := postgresSource(t, dbtest.Postgres(t).Database(t, script).DSN)
	maria, err := mysql.Open(mysql.Options{ID: "hr", DSN: dbtest.MariaDB(t).Database(t, strings.ReplaceAll(script, "TIMESTAMP", "DATETIME")).DSN})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { maria.Close() })
	rules := compile(t, companyRoles)
	catalogs := map[datasource.Datasource]*schema.Catalog{post: nil, maria: nil}
	for d := range catalogs {
		if catalogs[d], err = d.Introspect(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	for _, seat := range companySeats {
		t.Run(seat.name, func(t *testing.T) {
			late := 0
			for seed := range uint64(plansOnBoth) {
				p, q := randomPlan(t, catalogs[post], seat, seed)
				_, other := randomPlan(t, catalogs[maria], seat, seed)
				first := statement(t, rules, catalogs[post], q, seat.caller, p)
				second := statement(t, rules, catalogs[maria], other, seat.caller, p)
				a, inTime := valuesOf(t, post, first)
				b, alsoInTime := valuesOf(t, maria, second)
				if !inTime || !alsoInTime {
					late++
					continue
				}
				if !slices.Equal(a, b) {
					t.Fatalf("seed %d: %s\nPostgreSQL: %s\n%v\nMariaDB: %s\n%v\nfirst: %q\nsecond: %q", seed, planText(p), first.SQL(), first.Args(), second.SQL(), second.Args(), a, b)
				}
			}
			if late > max(plansOnBoth/mostLate, 1) {
				t.Errorf("%d of %d plans took too long", late, plansOnBoth)
			}
		})
	}
}
