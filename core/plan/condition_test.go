package plan_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// ledger is a table with a column of every kind that conditions compare.
func ledger() (*schema.Catalog, *schema.Table) {
	t := &schema.Table{Schema: "main", Name: "ledger"}
	for name, kind := range map[string]wire.Kind{"id": wire.KindInt, "region": wire.KindText, "price": wire.KindDecimal, "day": wire.KindDate, "paid": wire.KindBool, ":user.odd": wire.KindInt} {
		t.Columns = append(t.Columns, &schema.Column{Name: name, Type: wire.Type{Kind: kind}})
	}
	return schema.Build("x", schema.SQLite, []*schema.Table{t}), t
}

func TestConditions(t *testing.T) {
	cat, table := ledger()
	values := map[string]string{"region": "EU", "id": "7", "from": "2024-01-01", "flag": "true", "quote": "o'x", "price": "1.50"}
	for text, want := range map[string]string{
		"region = :user.region":                     "t1.region = 'EU'",
		"id=:user.id":                               "t1.id = 7",
		"price > :user.price and day >= :user.from": "t1.price > 1.50 and t1.day >= date '2024-01-01'",
		"paid = :user.flag":                         "t1.paid = true",
		"region in (:user.region, :user.quote)":     "t1.region in ('EU', 'o''x')",
		"contains(region, :user.quote)":             "contains(t1.region, 'o''x')",
		"region = ':user.region'":                   "t1.region = ':user.region'",
		"`:user.odd` = 1":                           "",
		"id::int = 1":                               "t1.id = 1",
		"during(day, '2024-Q1')":                    "during(t1.day, '2024-Q1')",
	} {
		s := &plan.Source{Table: table, Alias: "ledger"}
		got, err := plan.BindCondition(text, s, plan.ConditionScope{Catalog: cat, Attribute: func(name string) (string, bool) { v, ok := values[name]; return v, ok }})
		if want == "" {
			var missing *plan.MissingAttributeError
			if !errors.As(err, &missing) || missing.Name != "odd" {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if plan.Text(got) != want {
			t.Errorf("%s is bound as %s, want %s", text, plan.Text(got), want)
		}
	}
}

func TestConditionsThatDoNotBind(t *testing.T) {
	cat, table := ledger()
	attribute := func(name string) (string, bool) { return "EU", name == "region" }
	for text, want := range map[string]string{
		"":                       "ends",
		"region":                 "a condition is needed",
		"region = ":              "expected an expression",
		"region = :user.":        ":user.name",
		"region = :region":       ":user.name",
		"region = :user.nobody":  "no attribute 'nobody'",
		"nothing = 1":            "no column 'nothing'",
		"count(*) > 1":           "an aggregate cannot stand",
		"id = :user.region":      "is not a number",
		"in(id, other)":          "no earlier block",
		"region = 'EU":           "no closing quote",
		"region = :user.region)": "expected",
	} {
		_, err := plan.BindCondition(text, &plan.Source{Table: table, Alias: "ledger"}, plan.ConditionScope{Catalog: cat, Attribute: attribute})
		if err == nil || text != "" && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestParseConditionListsAttributes(t *testing.T) {
	names, err := plan.ParseCondition("a = :user.x or b = ':user.no' and `:user.nor` = :user.y_2 or c = :user.x")
	if err != nil || !slices.Equal(names, []string{"x", "y_2"}) {
		t.Errorf("%v, %v", names, err)
	}
}

// In a plan there are no attributes: a name like that of one is a column's.
func TestPlansHaveNoAttributes(t *testing.T) {
	cat, _ := ledger()
	for where, fine := range map[string]bool{"`:user.odd` = 1": true, "region = `:user.region`": false, "region = :user.region": false} {
		_, err := plan.Bind(wire.Plan{Clauses: wire.Clauses{From: "ledger", Select: []string{"id"}, Where: where}}, plan.Scope{Catalog: cat})
		if (err == nil) != fine {
			t.Errorf("%s: %v", where, err)
		}
	}
}
