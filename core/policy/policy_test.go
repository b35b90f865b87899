package policy_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

// visible lists what the roles may read, as table.column.
func visible(t *testing.T, cat *schema.Catalog, roles map[config.RoleName]config.Role, names ...string) []string {
	t.Helper()
	v, err := compile(t, roles).View(cat, caller(names...))
	if errors.Is(err, &reason.Error{Code: reason.UnmappedCode, Reason: reason.ReasonRestrictedDatasource}) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, tab := range cat.Tables {
		for _, c := range tab.Columns {
			if v.Column(c) != (v.Table(tab) && v.Column(c)) {
				t.Errorf("%s is permitted although its table is not", c.ID())
			}
			if v.Column(c) {
				out = append(out, tab.Name+"."+c.Name)
			}
		}
	}
	return out
}

func TestRules(t *testing.T) {
	all := []string{"order_lines.id", "order_lines.note", "pay.id", "pay.person_id", "pay.salary", "people.id", "people.name", "people.email"}
	people := []string{"people.id", "people.name", "people.email"}
	for _, c := range []struct {
		name string
		role config.Role
		want []string
	}{
		{"nothing is allowed by default", role(nil, nil), nil},
		{"one table", role([]string{"hr.main.people"}, nil), people},
		{"any letter case", role([]string{"HR.Main.PEOPLE"}, nil), people},
		{"a whole schema", role([]string{"hr.main.*"}, nil), all},
		{"everything", role([]string{"*.*.*"}, nil), all},
		{"another datasource", role([]string{"crm.main.*"}, nil), nil},
		{"another schema", role([]string{"hr.public.*"}, nil), nil},
		{"deny wins over allow", role([]string{"hr.main.*", "hr.main.pay"}, []string{"*.*.pay", "hr.main.order_lines"}), people},
		{"a denied column", role([]string{"hr.main.people"}, nil, "hr.main.people.email"), people[:2]},
		{"a column denied everywhere", role([]string{"hr.*.*"}, nil, "*.*.*.id"), []string{"order_lines.note", "pay.person_id", "pay.salary", "people.name", "people.email"}},
		{"a denied column in another case", role([]string{"hr.main.people"}, nil, "hr.main.people.EMAIL"), people[:2]},
		{"a table without a column left is denied", role([]string{"hr.main.people", "hr.main.pay"}, nil, "hr.main.pay.*"), people},
		{"backticks", role([]string{"hr.`main`.people"}, nil), people},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := visible(t, company(), map[config.RoleName]config.Role{"r": c.role}, "r")
			if !slices.Equal(got, c.want) {
				t.Errorf("permitted %v, want %v", got, c.want)
			}
		})
	}
}

func TestSeveralRolesAddUpButAnyDenyWins(t *testing.T) {
	roles := map[config.RoleName]config.Role{
		"people": role([]string{"hr.main.people"}, nil),
		"pay":    role([]string{"hr.main.pay"}, nil, "hr.main.people.email"),
	}
	got := visible(t, company(), roles, "pay", "people", "pay")
	want := []string{"pay.id", "pay.person_id", "pay.salary", "people.id", "people.name"}
	if !slices.Equal(got, want) {
		t.Errorf("permitted %v, want %v", got, want)
	}
}

func TestTablesThatDifferInSchemaOrCaseAreTold(t *testing.T) {
	cat := schema.Build("db", schema.Postgres, []*schema.Table{
		table("hr", "pay", "id"), table("pub", "pay", "id", "x"), table("pub", "Log", "a"), table("pub", "log", "b"),
	})
	got := visible(t, cat, map[config.RoleName]config.Role{"r": role([]string{"db.pub.pay", "db.pub.log"}, nil)}, "r")
	if want := []string{"log.b", "pay.id", "pay.x"}; !slices.Equal(got, want) {
		t.Errorf("permitted %v, want %v", got, want)
	}
	got = visible(t, cat, map[config.RoleName]config.Role{"r": role([]string{"db.pub.*"}, []string{"db.pub.LOG"})}, "r")
	if want := []string{"pay.id", "pay.x"}; !slices.Equal(got, want) {
		t.Errorf("permitted %v, want %v: a deny rule must cover both spellings", got, want)
	}
}

func TestNamesWithDots(t *testing.T) {
	cat := schema.Build("db", schema.SQLite, []*schema.Table{table("main", "a.b", "c.d", "e")})
	got := visible(t, cat, map[config.RoleName]config.Role{"r": role([]string{"db.main.`a.b`"}, nil, "db.main.`a.b`.`c.d`")}, "r")
	if want := []string{"a.b.e"}; !slices.Equal(got, want) {
		t.Errorf("permitted %v, want %v", got, want)
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		role config.Role
		want []string // all of them in the error
	}{
		{"too few parts", role([]string{"hr.people"}, nil), []string{`roles.clerk.tables.allow[0] "hr.people"`, "has 3 parts; this one has 2"}},
		{"too many parts", role(nil, []string{"a.b.c", "a.b.c.d"}), []string{`roles.clerk.tables.deny[1] "a.b.c.d"`, "this one has 4"}},
		{"a table for a column", role(nil, nil, "a.b.c"), []string{`roles.clerk.columns.deny[0] "a.b.c"`, "datasource.schema.table.column"}},
		{"an empty part", role([]string{"a..c"}, nil), []string{"write * for any name"}},
		{"half a wildcard", role([]string{"a.b.tmp_*"}, nil), []string{`"tmp_*" holds a *`}},
		{"an open backtick", role([]string{"a.b.`c"}, nil), []string{"backtick is not closed"}},
		{"a filter that cannot be read", config.Role{RowFilters: map[string]string{"a.b.c": "x = "}}, []string{`roles.clerk.row_filters "a.b.c"`, "character"}},
		{"a filter with an attribute of nobody", config.Role{RowFilters: map[string]string{"a.b.c": "x = :region"}}, []string{":user.name"}},
		{"an empty filter", config.Role{RowFilters: map[string]string{"a.b.c": " "}}, []string{"the condition is empty"}},
		{"a filter of a column", config.Role{RowFilters: map[string]string{"a.b.c.d": "x = 1"}}, []string{"this one has 4"}},
		{"a mask that keeps nothing", config.Role{Masks: map[string]config.Mask{"a.b.c.d": {Kind: "partial"}}}, []string{`roles.clerk.masks "a.b.c.d"`, "needs keep_first or keep_last"}},
		{"a mask of no kind there is", config.Role{Masks: map[string]config.Mask{"a.b.c.d": {Kind: "blur"}}}, []string{"no kind of mask"}},
		{"a mask with settings of another", config.Role{Masks: map[string]config.Mask{"a.b.c.d": {KeepLast: 4}}}, []string{"keep_last belongs to a mask of the kind partial, not null"}},
		{"a bucket of two ranges", config.Role{Masks: map[string]config.Mask{"a.b.c.d": {Kind: "bucket", Size: 3, Unit: "year"}}}, []string{"either size"}},
		{"a hash without a key", config.Role{Masks: map[string]config.Mask{"a.b.c.d": {Kind: "hash"}}}, []string{"needs hash_key"}},
		{"a hash with a short key", config.Role{Masks: map[string]config.Mask{"a.b.c.d": {Kind: "hash", HashKey: "hunter2"}}}, []string{"at least 16 characters"}},
		{"a key that nobody looked up", config.Role{Masks: map[string]config.Mask{"a.b.c.d": {Kind: "hash", HashKey: "${env:A_KEY_OF_SOME_LENGTH}"}}}, []string{"was not resolved"}},
		{"aggregate only", config.Role{Columns: config.ColumnRules{AggregateOnly: []string{"a.b.c"}}}, []string{"roles.clerk.columns.aggregate_only[0]"}},
		{"a group of less than nothing", config.Role{Columns: config.ColumnRules{MinGroup: -1}}, []string{"roles.clerk.columns.min_group"}},
		{"every fault at once", role([]string{"x"}, []string{"y"}), []string{"tables.allow[0]", "tables.deny[0]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := policy.Compile(map[config.RoleName]config.Role{"clerk": c.role, "fine": role([]string{"*.*.*"}, nil)})
			if err == nil {
				t.Fatal("compiled")
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the error lacks %q: %v", part, err)
				}
			}
		})
	}
}

func TestUnknownCallersAreRefused(t *testing.T) {
	p := compile(t, map[config.RoleName]config.Role{"r": role([]string{"*.*.*"}, nil)})
	q, _ := selecting(t, company(), "people", "id")
	for name, c := range map[string]policy.Caller{
		"no role": {Name: "kim"}, "zero": {}, "a role that is not configured": caller("admin"), "one that is and one that is not": caller("r", "admin"),
	} {
		want := &reason.Error{Code: reason.CallerAuthRequired, Reason: reason.ReasonAuthContextRequired}
		if _, err := p.View(company(), c); !errors.Is(err, want) {
			t.Errorf("%s: View gives %v", name, err)
		}
		if _, err := p.Secure(company(), q, c); !errors.Is(err, want) {
			t.Errorf("%s: Secure gives %v", name, err)
		}
		if h := p.PolicyHash(c); h != "" {
			t.Errorf("%s: has the policy hash %s", name, h)
		}
	}
}

func TestNoPermittedTable(t *testing.T) {
	p := compile(t, map[config.RoleName]config.Role{"r": role([]string{"crm.*.*"}, nil)})
	_, err := p.View(company(), caller("r"))
	if !errors.Is(err, &reason.Error{Code: reason.UnmappedCode, Reason: reason.ReasonRestrictedDatasource}) {
		t.Errorf("View gives %v", err)
	}
}

func TestPolicyHash(t *testing.T) {
	base := map[config.RoleName]config.Role{"a": role([]string{"hr.main.people"}, nil), "b": role([]string{"hr.main.pay"}, nil)}
	hash := func(roles map[config.RoleName]config.Role, names ...string) string {
		return compile(t, roles).PolicyHash(caller(names...))
	}
	if hash(base, "a", "b") != hash(base, "b", "a", "b") {
		t.Error("the order and repetition of roles change the hash")
	}
	narrower := map[config.RoleName]config.Role{"a": role([]string{"hr.main.people"}, nil, "hr.main.people.email"), "b": base["b"]}
	if hash(base, "a") == hash(narrower, "a") {
		t.Error("a rule does not change the hash")
	}
	if hash(base, "b") != hash(narrower, "b") {
		t.Error("a rule of another role changes the hash")
	}
	if hash(base, "a") == hash(base, "b") {
		t.Error("two roles have the same hash")
	}
}

// BenchmarkView shows that the cost of a cached view does not depend on the
// number of rules, and what making one costs with many.
func BenchmarkView(b *testing.B) {
	for _, rules := range []int{10, 10_000} {
		r := role([]string{"hr.main.*"}, nil)
		for i := range rules {
			r.Tables.Deny = append(r.Tables.Deny, fmt.Sprintf("hr.main.t%d", i))
			r.Columns.Deny = append(r.Columns.Deny, fmt.Sprintf("*.*.t%d.secret", i))
		}
		p, err := policy.Compile(map[config.RoleName]config.Role{"r": r})
		if err != nil {
			b.Fatal(err)
		}
		cats := []*schema.Catalog{company(), company()}
		for name, pick := range map[string]func(i int) *schema.Catalog{
			"cached": func(int) *schema.Catalog { return cats[0] }, "made": func(i int) *schema.Catalog { return cats[i%2] },
		} {
			b.Run(fmt.Sprintf("%s/%d", name, rules), func(b *testing.B) {
				b.ReportAllocs()
				for i := range b.N {
					if _, err := p.View(pick(i), caller("r")); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
