package policy_test

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// desk is the company's database with a policy over it.
type desk struct {
	db      *sql.DB
	catalog *schema.Catalog
	rules   *policy.Policy
}

func newDesk(t *testing.T, roles map[config.RoleName]config.Role) desk {
	t.Helper()
	db, catalog := companyFile(t)
	return desk{db, catalog, compile(t, roles)}
}

func (d desk) secure(t *testing.T, caller policy.Caller, c wire.Clauses) (policy.Secured, error) {
	t.Helper()
	q, err := plan.Bind(wire.Plan{Clauses: c}, plan.Scope{Catalog: d.catalog, Clock: plan.Clock{Now: testNow, WeekStart: time.Monday}})
	if err != nil {
		t.Fatal(err)
	}
	return d.rules.Secure(d.catalog, q, caller)
}

func (d desk) rows(t *testing.T, caller policy.Caller, c wire.Clauses) []string {
	t.Helper()
	secured, err := d.secure(t, caller, c)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlgen.Render(secured, schema.SQLite, sqlgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rowsOf(t, d.db, s)
}

// native runs SQL that a test writes itself.
func (d desk) native(t *testing.T, text string) []string {
	t.Helper()
	rows, err := d.db.Query(text)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for rows.Next() {
		cells, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			places[i] = &cells[i]
		}
		if err := rows.Scan(places...); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(cells...))
	}
	slices.Sort(out)
	return out
}

var aggregateRoles = map[config.RoleName]config.Role{
	"r":     {Tables: allowAll, Columns: config.ColumnRules{AggregateOnly: []string{"*.*.people.salary"}, MinGroup: 6}},
	"s":     {Tables: allowAll, Columns: config.ColumnRules{AggregateOnly: []string{"*.*.*.salary"}, MinGroup: 3}},
	"plain": {Tables: allowAll},
}

func TestSmallGroupsAreLeftOut(t *testing.T) {
	d := newDesk(t, aggregateRoles)
	for name, c := range map[string]struct {
		roles  []string
		plan   wire.Clauses
		native string
	}{
		"by group": {[]string{"r"},
			wire.Clauses{From: "people", Group: []string{"region", "city"}, Select: []string{"region", "city", "sum(salary)", "count(*)"}},
			"SELECT region, city, round(sum(salary), 2), count(*) FROM people GROUP BY region, city HAVING count(salary) >= 6"},
		"the whole table": {[]string{"r"},
			wire.Clauses{From: "people", Select: []string{"sum(salary)"}}, "SELECT round(sum(salary), 2) FROM people"},
		"too few in all": {[]string{"r"},
			wire.Clauses{From: "people", Where: "id < 5", Select: []string{"sum(salary)"}}, "SELECT 1 WHERE 1 = 0"},
		"the condition of the aggregate counts": {[]string{"r"},
			wire.Clauses{From: "people", Group: []string{"region"}, Select: []string{"region", "sum(salary) filter (where city = 'Paris')"}},
			"SELECT region, round(sum(CASE WHEN city = 'Paris' THEN salary END), 2) FROM people GROUP BY region HAVING count(CASE WHEN city = 'Paris' THEN salary END) >= 6"},
		"in having and order alone": {[]string{"r"},
			wire.Clauses{From: "people", Group: []string{"region"}, Select: []string{"region"}, Having: "sum(salary) > 0", Order: []string{"sum(salary)"}},
			"SELECT region FROM people GROUP BY region HAVING sum(salary) > 0 AND count(salary) >= 6"},
		"beside a condition of the plan": {[]string{"r"},
			wire.Clauses{From: "people", Group: []string{"region"}, Select: []string{"region", "sum(salary)"}, Having: "count(*) > 1 or region is null"},
			"SELECT region, round(sum(salary), 2) FROM people GROUP BY region HAVING (count(*) > 1 OR region IS NULL) AND count(salary) >= 6"},
		"a table joined by its key": {[]string{"r"},
			wire.Clauses{From: "people p", Joins: []string{"left people b on b.id = p.boss_id"}, Group: []string{"b.region"}, Select: []string{"b.region", "sum(p.salary)"}},
			"SELECT b.region, round(sum(p.salary), 2) FROM people p LEFT JOIN people b ON b.id = p.boss_id GROUP BY b.region HAVING count(p.salary) >= 6"},
		"a join that filters": {[]string{"r"},
			wire.Clauses{From: "people p", Joins: []string{"semi orders o on o.person_id = p.id"}, Select: []string{"count(p.salary)"}},
			"SELECT count(salary) FROM people WHERE id IN (SELECT person_id FROM orders) HAVING count(salary) >= 6"},
		"the smaller of two minima": {[]string{"r", "s"},
			wire.Clauses{From: "people", Group: []string{"region", "city"}, Select: []string{"region", "city", "sum(salary)"}},
			"SELECT region, city, round(sum(salary), 2) FROM people GROUP BY region, city HAVING count(salary) >= 3"},
		"a role that shows it": {[]string{"r", "plain"},
			wire.Clauses{From: "people", Select: []string{"salary"}}, "SELECT salary FROM people"},
	} {
		t.Run(name, func(t *testing.T) {
			got, want := d.rows(t, caller(c.roles...), c.plan), d.native(t, c.native)
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
	if rows := d.native(t, "SELECT 1 FROM people GROUP BY region, city HAVING count(salary) < 6"); len(rows) == 0 {
		t.Error("no group is small enough to be left out")
	}
}

func TestAggregateOnlyColumnsStandInNothingElse(t *testing.T) {
	d := newDesk(t, aggregateRoles)
	for name, c := range map[string]wire.Clauses{
		"shown":                    {Select: []string{"salary"}},
		"in a condition":           {Select: []string{"id"}, Where: "salary > 500"},
		"as a key":                 {Select: []string{"salary", "count(*)"}},
		"ordered by":               {Select: []string{"id"}, Order: []string{"salary"}},
		"the greatest":             {Select: []string{"max(salary)"}},
		"the least":                {Select: []string{"region", "min(salary)"}, Group: []string{"region"}},
		"the median":               {Select: []string{"median(salary)"}},
		"zero for all but one":     {Select: []string{"sum(case when name = 'Bob' then salary else 0 end)"}},
		"times a condition":        {Select: []string{"sum(salary * case when id = 3 then 1 else 0 end)"}},
		"in the filter of another": {Select: []string{"count(*) filter (where salary > 100)"}},
		"in a condition on a join": {Select: []string{"p.id"}, From: "people p", Joins: []string{"people b on b.salary < p.salary"}},
		"repeated by a join":       {Select: []string{"sum(p.salary)"}, From: "people p", Joins: []string{"orders o on o.person_id = p.id"}},
		"repeated by a cross join": {Select: []string{"avg(p.salary)"}, From: "people p", Joins: []string{"cross orders"}},
		"repeated by half a key":   {Select: []string{"avg(p.salary)"}, From: "people p", Joins: []string{"notes n on n.order_id = p.id"}},
		"over a window":            {Select: []string{"id", "sum(salary) over (partition by id)"}},
		"per":                      {Select: []string{"id"}, Per: []string{"salary"}, Order: []string{"id"}, Limit: 1},
	} {
		t.Run(name, func(t *testing.T) {
			if c.From == "" {
				c.From = "people"
			}
			secured, err := d.secure(t, caller("r"), c)
			e := reason.From(err)
			if err == nil || secured.Valid() || e.Code != reason.PolicyDenied {
				t.Fatalf("Secure gives %v, valid: %v", err, secured.Valid())
			}
			if strings.Contains(e.SafeMessage+e.NextAction, "salary") {
				t.Errorf("the message names the column: %s", e.SafeMessage)
			}
		})
	}
}

func TestAttributes(t *testing.T) {
	d := newDesk(t, companyRoles)
	plan := wire.Clauses{From: "people", Select: []string{"count(*)"}}
	for name, attributes := range map[string]map[string]string{"none": nil, "another": {"Region": "EU"}} {
		t.Run(name, func(t *testing.T) {
			_, err := d.secure(t, policy.Caller{Name: "kim", Roles: []string{"europe"}, Attributes: attributes}, plan)
			if !errors.Is(err, &reason.Error{Code: reason.CallerAuthRequired, Reason: reason.ReasonAuthContextRequired}) {
				t.Errorf("Secure gives %v", err)
			}
		})
	}
	// A value is a constant, whatever it looks like.
	for value, want := range map[string]string{"EU": "SELECT count(*) FROM people WHERE region = 'EU'", "KR": "SELECT count(*) FROM people WHERE region = 'KR'",
		"EU' or '1'='1": "SELECT 0", "`region`": "SELECT 0", "region": "SELECT 0", "": "SELECT 0"} {
		got := d.rows(t, policy.Caller{Name: "kim", Roles: []string{"europe"}, Attributes: map[string]string{"region": value}}, plan)
		if !slices.Equal(got, d.native(t, want)) {
			t.Errorf("region %q counts %v", value, got)
		}
	}
	// One that is not of the column's type refuses, and its value stays out of the message.
	_, err := d.secure(t, policy.Caller{Name: "kim", Roles: []string{"own"}, Attributes: map[string]string{"id": "two"}}, plan)
	if e := reason.From(err); e.Code != reason.PolicyDenied || strings.Contains(e.SafeMessage, "two") || strings.Contains(e.SafeMessage, "boss_id") {
		t.Errorf("Secure gives %v: %s", err, e.SafeMessage)
	}
}

func TestSecuredIDsTellRightsApart(t *testing.T) {
	d := newDesk(t, companyRoles)
	c := wire.Clauses{From: "people", Select: []string{"email"}}
	ids := map[string]string{}
	for _, who := range []policy.Caller{
		{Name: "a", Roles: []string{"all"}}, {Name: "b", Roles: []string{"europe"}, Attributes: map[string]string{"region": "EU"}},
		{Name: "c", Roles: []string{"europe"}, Attributes: map[string]string{"region": "US"}}, {Name: "d", Roles: []string{"blind"}},
	} {
		s, err := d.secure(t, who, c)
		if err != nil {
			t.Fatal(err)
		}
		if other, taken := ids[s.ID()]; taken {
			t.Errorf("%s and %s have the same id", other, who.Name)
		}
		ids[s.ID()] = who.Name
		who.Name += " again"
		again, err := d.secure(t, who, c)
		if err != nil || again.ID() != s.ID() {
			t.Errorf("the id of %s changes: %v", who.Name, err)
		}
	}
}

func TestSecureLeavesTheQueryAsItIs(t *testing.T) {
	d := newDesk(t, companyRoles)
	q, err := plan.Bind(wire.Plan{Clauses: wire.Clauses{From: "people p", Joins: []string{"orders o"}, Select: []string{"p.name", "sum(o.qty)"}}}, plan.Scope{Catalog: d.catalog})
	if err != nil {
		t.Fatal(err)
	}
	before, wireBefore := q.ID(), planText(q.Wire())
	for range 2 {
		if _, err := d.rules.Secure(d.catalog, q, companySeats[2].caller); err != nil {
			t.Fatal(err)
		}
	}
	if q.ID() != before || planText(q.Wire()) != wireBefore {
		t.Error("Secure changed the query")
	}
	for _, s := range q.Result().Sources {
		if s.Filter != nil || s.Masked != nil || s.Stored != nil {
			t.Errorf("Secure put something on the source %s of the caller's query", s.Alias)
		}
	}
}

func TestHostReadsAreNotTheCallers(t *testing.T) {
	role := config.Role{Tables: allowAll, Columns: config.ColumnRules{Deny: []string{"*.*.people.region"}}, RowFilters: map[string]string{"*.*.people": "region = 'EU'"}}
	d := newDesk(t, map[config.RoleName]config.Role{"r": role})
	s, err := d.secure(t, caller("r"), wire.Clauses{From: "people", Select: []string{"count(*)"}})
	if err != nil {
		t.Fatal(err)
	}
	region := column(t, d.catalog, "people", "region")
	if !slices.Contains(s.Reads(), region) {
		t.Error("the statement may not read what its filter needs")
	}
	if s.Permits(region) {
		t.Error("the host may add a column that the caller is denied")
	}
	if _, err := d.secure(t, caller("r"), wire.Clauses{From: "people", Select: []string{"region"}}); reason.From(err).Code != reason.PolicyDenied {
		t.Errorf("the caller reads the column of the filter: %v", err)
	}
	if got := d.rows(t, caller("r"), wire.Clauses{From: "people", Select: []string{"count(*)"}}); !slices.Equal(got, d.native(t, "SELECT count(*) FROM people WHERE region = 'EU'")) {
		t.Errorf("count(*) counts %v", got)
	}
}

func TestKeysOfMasksAreNotShown(t *testing.T) {
	d := newDesk(t, companyRoles)
	secured, err := d.secure(t, policy.Caller{Name: "d", Roles: []string{"blind"}}, wire.Clauses{
		From: "people", Where: "name = 'Ann' and grade > 3", Group: []string{"name", "substr(email, 1, 2)"}, Select: []string{"name", "substr(email, 1, 2)", "count(*)"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, dialect := range []schema.Dialect{schema.SQLite, schema.Postgres, schema.MySQL} {
		s, err := sqlgen.Render(secured, dialect, sqlgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		shown := fmt.Sprint(s.Shown(), s.SQL())
		bound := fmt.Sprint(s.Args())
		key := digestKey()
		if strings.Contains(shown, key) || strings.Contains(shown, testKey) || !strings.Contains(bound, key) {
			t.Errorf("%s: shown %s, bound %s", dialect, shown, bound)
		}
		if !strings.Contains(shown, "Ann") || strings.Count(shown, "(hidden)") != strings.Count(bound, key) {
			t.Errorf("%s: what is shown has lost its constants: %s", dialect, shown)
		}
	}
}

func TestRulesThatDoNotFitTheDatabase(t *testing.T) {
	for name, c := range map[string]struct {
		role config.Role
		plan wire.Clauses
		want string
	}{
		"a column that is not there": {config.Role{RowFilters: map[string]string{"hr.*.people": "country = 'EU'"}},
			wire.Clauses{From: "people", Select: []string{"id"}}, `roles.r.row_filters "hr.*.people"`},
		"a number compared with a word": {config.Role{RowFilters: map[string]string{"hr.main.people": "grade = 'high'"}},
			wire.Clauses{From: "people", Select: []string{"id"}}, "high"},
		"an aggregate": {config.Role{RowFilters: map[string]string{"hr.main.people": "grade = max(grade)"}},
			wire.Clauses{From: "people", Select: []string{"id"}}, "aggregate"},
		"another table": {config.Role{RowFilters: map[string]string{"hr.main.people": "in(id, orders)"}},
			wire.Clauses{From: "people", Select: []string{"id"}}, "no earlier block"},
		"a digest of a number": {config.Role{Masks: map[string]config.Mask{"hr.main.people.grade": {Kind: config.MaskHash, HashKey: testKey}}},
			wire.Clauses{From: "people", Select: []string{"grade"}}, "main.people.grade"},
		"stars for a date": {config.Role{Masks: map[string]config.Mask{"hr.main.people.joined": {Kind: config.MaskPartial, KeepLast: 2}}},
			wire.Clauses{From: "people", Select: []string{"count(joined)"}}, "main.people.joined"},
		"a range of a text": {config.Role{Masks: map[string]config.Mask{"hr.main.people.name": {Kind: config.MaskBucket, Size: 2}}},
			wire.Clauses{From: "people", Select: []string{"id"}, Where: "name = 'x'"}, "with a size"},
		"a month of a number": {config.Role{Masks: map[string]config.Mask{"hr.main.people.grade": {Kind: config.MaskBucket, Unit: "month"}}},
			wire.Clauses{From: "people", Select: []string{"id"}, Order: []string{"grade"}}, "with a unit"},
	} {
		t.Run(name, func(t *testing.T) {
			c.role.Tables = allowAll
			d := newDesk(t, map[config.RoleName]config.Role{"r": c.role})
			if err := d.rules.Check(d.catalog); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Check gives %v", err)
			}
			_, err := d.secure(t, caller("r"), c.plan)
			e := reason.From(err)
			if e.Code != reason.PolicyDenied || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("Secure gives %v", err)
			}
			for _, word := range []string{"people", "grade", "country", "joined", "name"} {
				if strings.Contains(e.SafeMessage+e.NextAction, word) {
					t.Errorf("the message says %q: %s", word, e.SafeMessage)
				}
			}
			if _, err := d.secure(t, caller("r"), wire.Clauses{From: "orders", Select: []string{"id"}}); err != nil {
				t.Errorf("another table is refused, too: %v", err)
			}
		})
	}
	d := newDesk(t, companyRoles)
	if err := d.rules.Check(d.catalog); err != nil {
		t.Errorf("Check refuses rules that fit: %v", err)
	}
}

// What is shown of a range is the same number for all that lie in it, to the last
// digit.
func TestRangesOfFractionsAreWhole(t *testing.T) {
	d := newDesk(t, map[config.RoleName]config.Role{"r": {Tables: allowAll,
		Masks: map[string]config.Mask{"hr.main.people.salary": {Kind: config.MaskBucket, Size: 50}}}})
	for id, salary := range []string{"1.1", "3.3", "49.99", "50", "149.99", "-0.01", "-50", "-50.1"} {
		if _, err := d.db.Exec("UPDATE people SET salary = " + salary + " WHERE id = " + strconv.Itoa(id+1)); err != nil {
			t.Fatal(err)
		}
	}
	for shown, ids := range map[string]string{"0": "1, 2, 3", "50": "4", "100": "5", "-50": "6, 7", "-100": "8"} {
		found := d.rows(t, caller("r"), wire.Clauses{From: "people", Where: "id in (" + ids + ")", Select: []string{"salary"}, Distinct: true})
		if len(found) != 1 || found[0] != shown {
			t.Errorf("the rows %s show %v, want %s alone", ids, found, shown)
		}
	}
}

// A masked column may be null although the stored one never is.
func TestMaskedKeysMayBeNull(t *testing.T) {
	d := newDesk(t, companyRoles)
	who := policy.Caller{Name: "e", Roles: []string{"keyless"}, Attributes: map[string]string{"word": "lost"}}
	q, err := plan.Bind(wire.Plan{
		With:    []wire.Block{{Name: "w", Op: "select", Clauses: wire.Clauses{From: "orders", Select: []string{"qty"}, Where: "qty is not null"}}},
		Clauses: wire.Clauses{From: "people", Select: []string{"count(*)", "count(id)"}, Where: "not in(id, w)"},
	}, plan.Scope{Catalog: d.catalog})
	if err != nil {
		t.Fatal(err)
	}
	secured, err := d.rules.Secure(d.catalog, q, who)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlgen.Render(secured, schema.SQLite, sqlgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := rowsOf(t, d.db, s); !slices.Equal(got, []string{"30 0"}) {
		t.Errorf("a masked key equals nothing, but %v", got)
	}
	if id := column(t, d.catalog, "people", "id"); secured.Permits(id) {
		t.Error("a masked key may decide between equal rows")
	}
	if region := column(t, d.catalog, "people", "region"); !secured.Permits(region) {
		t.Error("a column without a mask may not be added")
	}
}
