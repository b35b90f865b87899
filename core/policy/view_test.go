package policy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func TestWireShowsOnlyWhatIsPermitted(t *testing.T) {
	for _, c := range []struct {
		name  string
		role  config.Role
		shown []string
		not   []string
	}{
		{"all", role([]string{"*.*.*"}, nil), []string{`"primary_key":["id"]`, `"foreign_keys":[{"columns":["person_id"],"table":"people","ref_columns":["id"]}]`}, nil},
		{"the other table is denied", role([]string{"*.*.*"}, []string{"*.*.people"}), []string{"person_id"}, []string{"people", "foreign_keys"}},
		{"the referring column is denied", role([]string{"*.*.*"}, nil, "*.*.pay.person_id"), []string{"people"}, []string{"person_id", "foreign_keys"}},
		{"the key that is referred to is denied", role([]string{"*.*.*"}, nil, "*.*.people.id"), []string{"person_id", "people"}, []string{"foreign_keys"}},
		{"a denied column", role([]string{"*.*.*"}, nil, "*.*.*.salary"), []string{"person_id"}, []string{"salary"}},
		{"no primary key column", role([]string{"*.*.*"}, nil, "*.*.*.id"), nil, []string{"primary_key"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := compile(t, map[config.RoleName]config.Role{"r": c.role}).View(company(), caller("r"))
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(v.Wire())
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range c.shown {
				if !strings.Contains(string(data), s) {
					t.Errorf("the view lacks %s: %s", s, data)
				}
			}
			for _, s := range c.not {
				if strings.Contains(string(data), s) {
					t.Errorf("the view shows %s: %s", s, data)
				}
			}
		})
	}
}

func TestWireNamesTablesAsPlansDo(t *testing.T) {
	a, b := table("a", "t", "id"), table("b", "u", "id", "t_id")
	b.ForeignKeys = []schema.ForeignKey{{Columns: b.Columns[1:], RefTable: a, RefColumns: a.Columns}}
	cat := schema.Build("db", schema.Postgres, []*schema.Table{a, b})
	v, err := compile(t, map[config.RoleName]config.Role{"r": role([]string{"db.*.*"}, nil)}).View(cat, caller("r"))
	if err != nil {
		t.Fatal(err)
	}
	w := v.Wire()
	if w.Tables[0].Name != "a.t" || w.Tables[1].ForeignKeys[0].Table != "a.t" {
		t.Errorf("tables are named %q and %q", w.Tables[0].Name, w.Tables[1].ForeignKeys[0].Table)
	}
}

func TestAViewBelongsToOneSnapshot(t *testing.T) {
	p := compile(t, map[config.RoleName]config.Role{"r": role([]string{"*.*.*"}, nil)})
	first, second := company(), company()
	v, err := p.View(first, caller("r"))
	if err != nil {
		t.Fatal(err)
	}
	people, _ := second.Table("people")
	if v.Table(people) || v.Column(people.Columns[0]) {
		t.Error("a table of another snapshot is permitted")
	}
	again, err := p.View(second, caller("r"))
	if err != nil {
		t.Fatal(err)
	}
	if !again.Table(people) {
		t.Error("the view of the second snapshot is that of the first")
	}
}

func TestRestricted(t *testing.T) {
	r := role([]string{"hr.main.*"}, []string{"hr.main.order_lines"}, "hr.main.pay.salary")
	cat := company()
	column(t, cat, "pay", "salary").Synonyms = []string{"wage"}
	v, err := compile(t, map[config.RoleName]config.Role{"r": r}).View(cat, caller("r"))
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]bool{
		"salary":                            true,
		"What are the SALARIES of everyone": true,
		"wages":                             true,
		"order lines":                       true,
		"how many OrderLines":               true,
		"order_line":                        true,
		"order":                             false, // only a part of a name
		"lines of the order":                false,
		"id":                                false, // permitted elsewhere
		"people and pay":                    false,
		"the weather":                       false,
		"":                                  false,
	} {
		if got := v.Restricted(strings.Fields(words)); got != want {
			t.Errorf("Restricted(%q) = %v, want %v", words, got, want)
		}
	}
}

func TestRestrictedWhenNothingIsHidden(t *testing.T) {
	v, err := compile(t, map[config.RoleName]config.Role{"r": role([]string{"*.*.*"}, nil)}).View(company(), caller("r"))
	if err != nil {
		t.Fatal(err)
	}
	if v.Restricted([]string{"salary"}) {
		t.Error("a permitted column is restricted")
	}
}

func TestViewsAreMadeConcurrently(t *testing.T) {
	p := compile(t, map[config.RoleName]config.Role{"r": role([]string{"*.*.*"}, nil), "s": role([]string{"*.*.pay"}, nil)})
	cats := []*schema.Catalog{company(), company()}
	var wg sync.WaitGroup
	errs := make(chan error, 64)
	for i := range 64 {
		wg.Go(func() {
			cat, name := cats[i%2], []string{"r", "s"}[i/2%2]
			v, err := p.View(cat, caller(name))
			switch want := map[string]int{"r": 3, "s": 1}[name]; {
			case err != nil:
				errs <- err
			case len(v.Wire().Tables) != want:
				errs <- fmt.Errorf("role %s sees %d tables, want %d", name, len(v.Wire().Tables), want)
			}
			v.Restricted([]string{"salary"})
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
}

// A join does not follow a key of which a column is denied, and says no more about
// it than about a key that is not there.
func TestDeniedKeysAreNotFollowed(t *testing.T) {
	cat := company()
	v, err := compile(t, map[config.RoleName]config.Role{"r": role([]string{"hr.main.*"}, nil, "hr.main.pay.person_id")}).View(cat, caller("r"))
	if err != nil {
		t.Fatal(err)
	}
	for join, want := range map[string]reason.Code{
		"pay":               reason.PlanInvalid,
		"pay via person_id": reason.PolicyDenied,
		"pay via perso_id":  reason.PlanInvalid,
	} {
		p := wire.Plan{Clauses: wire.Clauses{From: "people", Joins: []string{join}, Select: []string{"name"}}}
		_, err := plan.Bind(p, plan.Scope{Catalog: cat, Visible: v})
		if err == nil {
			t.Fatalf("%s binds", join)
		}
		e := reason.From(err)
		if e.Code != want || strings.Contains(e.SafeMessage+e.NextAction, "person_id") {
			t.Errorf("%s gives %v: %s", join, e.Code, e.SafeMessage)
		}
	}
}

// A view says what a plan can do with a column that is limited, and of which no
// values may be shown beside a plan.
func TestLimitedColumnsAreMarked(t *testing.T) {
	r := role([]string{"*.*.people", "*.*.pay"}, nil)
	r.Masks = map[string]config.Mask{"hr.main.people.email": {Kind: config.MaskPartial, KeepLast: 2}, "*.*.people.name": {}}
	r.Columns.AggregateOnly = []string{"hr.main.pay.person_id"}
	r.RowFilters = map[string]string{"*.*.pay": "id > 1"}
	cat := company()
	column(t, cat, "people", "email").Description = "where to write"
	v, err := compile(t, map[config.RoleName]config.Role{"r": r}).View(cat, caller("r"))
	if err != nil {
		t.Fatal(err)
	}
	notes := map[string]string{}
	for _, table := range v.Wire().Tables {
		for _, c := range table.Columns {
			notes[table.Name+"."+c.Name] = c.Description
		}
	}
	for name, want := range map[string]string{
		"people.id": "", "people.email": "where to write (masked)", "people.name": "(masked)", "pay.salary": "",
		"pay.person_id": "(only inside count, sum, avg, stddev, variance; groups of at least 5)",
	} {
		if notes[name] != want {
			t.Errorf("%s is described as %q, want %q", name, notes[name], want)
		}
	}
	for name, want := range map[string]bool{"people.id": true, "people.email": false, "people.name": false, "pay.id": false, "pay.salary": false, "pay.person_id": false, "order_lines.note": false} {
		table, name, _ := strings.Cut(name, ".")
		if got := v.Stored(column(t, cat, table, name)); got != want {
			t.Errorf("Stored(%s.%s) = %v", table, name, got)
		}
	}
}

// Of several patterns the most specific applies, and of several roles the one that
// hides least.
func TestWhichMaskApplies(t *testing.T) {
	mask := func(kind config.MaskKind) config.Mask {
		switch kind {
		case config.MaskPartial:
			return config.Mask{Kind: kind, KeepLast: 1}
		case config.MaskHash:
			return config.Mask{Kind: kind, HashKey: "sixteen characters"}
		}
		return config.Mask{Kind: kind}
	}
	roles := map[config.RoleName]config.Role{}
	add := func(name config.RoleName, masks map[string]config.MaskKind) {
		r := role([]string{"*.*.*"}, nil)
		r.Masks = map[string]config.Mask{}
		for pattern, kind := range masks {
			r.Masks[pattern] = mask(kind)
		}
		roles[name] = r
	}
	add("specific", map[string]config.MaskKind{"*.*.*.email": config.MaskNull, "hr.main.people.EMAIL": config.MaskPartial})
	add("strict", map[string]config.MaskKind{"hr.*.*.email": config.MaskPartial, "*.main.*.email": config.MaskHash, "*.*.*.email": config.MaskNull})
	add("null", map[string]config.MaskKind{"*.*.*.email": config.MaskNull})
	add("plain", nil)
	cat := company()
	rules := compile(t, roles)
	for names, want := range map[string]string{
		"specific": "right", "strict": "mask_hash", "null": "in ()", "null,strict": "mask_hash", "strict,specific": "right", "plain,null": "", "null,plain,strict": "",
	} {
		q, _ := selecting(t, cat, "people", "email")
		s, err := rules.Secure(cat, q, caller(strings.Split(names, ",")...))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if masked := s.Query().Result().Sources[0].Masked[column(t, cat, "people", "email")]; masked != nil {
			got = plan.Text(masked)
		}
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: the mask is %q, want one with %q", names, got, want)
		}
	}
}
