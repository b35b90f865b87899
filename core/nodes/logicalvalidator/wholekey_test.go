package logicalvalidator_test

import (
	"context"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/nodes/logicalvalidator"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// tenants is a catalog in which all keys but those of tenants have two columns.
func tenants() *schema.Catalog {
	table := func(name string, columns ...string) *schema.Table {
		t := &schema.Table{Schema: "main", Name: name, Kind: schema.KindTable}
		for _, c := range columns {
			t.Columns = append(t.Columns, &schema.Column{Name: c, Type: wire.Type{Kind: wire.KindInt}})
		}
		t.PrimaryKey = t.Columns[:2]
		return t
	}
	customers := table("customers", "tenant", "id", "boss")
	orders := table("orders", "tenant", "id", "customer_id", "payer_id")
	lines := table("lines", "tenant", "order_id", "product_id")
	refer := func(t *schema.Table, to *schema.Table, column int) {
		t.ForeignKeys = append(t.ForeignKeys, schema.ForeignKey{Columns: []*schema.Column{t.Columns[0], t.Columns[column]}, RefTable: to, RefColumns: to.PrimaryKey})
	}
	refer(customers, customers, 2)
	refer(orders, customers, 2)
	refer(orders, customers, 3)
	refer(lines, orders, 1)
	return schema.Build("shop", schema.SQLite, []*schema.Table{customers, orders, lines})
}

func TestAJoinAlongAPartOfAKeyIsRefused(t *testing.T) {
	for _, c := range []struct {
		name, from string
		joins      []string
		where      string
		want       string // in the message; "" when it runs
	}{
		{"the whole key", "lines l", []string{"orders o"}, "", ""},
		{"its pairs", "lines l", []string{"orders o on l.order_id = o.id and o.tenant = l.tenant"}, "", ""},
		{"one pair", "lines l", []string{"orders o on o.id = l.order_id"}, "", "l.order_id = o.id is there, l.tenant = o.tenant is missing"},
		{"the other pair", "orders o", []string{"left lines l on l.tenant = o.tenant"}, "", "l.order_id = o.id is missing"},
		{"the rest below", "lines l", []string{"orders o on o.id = l.order_id"}, "l.tenant = o.tenant", ""},
		{"one tenant", "lines l", []string{"orders o on o.id = l.order_id"}, "l.tenant = 7", ""},
		{"the others of a tenant", "lines l", []string{"orders o on o.tenant = l.tenant and o.id <> l.order_id"}, "", ""},
		{"by way of a third", "orders o", []string{"customers c on c.tenant = o.tenant and c.id = o.customer_id", "lines l on l.order_id = o.id and l.tenant = c.tenant"}, "", ""},
		{"one of two keys", "orders o", []string{"customers c on c.tenant = o.tenant and c.id = o.payer_id"}, "", ""},
		{"a part of each", "orders o", []string{"customers c on c.tenant = o.tenant"}, "", "is joined along a part of its key"},
		{"itself", "customers c", []string{"customers b on b.id = c.boss"}, "", "c.tenant = b.tenant is missing"},
		{"a semi join", "orders o", []string{"semi lines l on l.order_id = o.id"}, "", "l.tenant = o.tenant is missing"},
		{"no column of it", "orders o", []string{"cross customers c"}, "", ""},
		{"another column", "orders o", []string{"customers c on c.boss = o.payer_id"}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := policy.Compile(map[config.RoleName]config.Role{
				"reader": {Tables: config.TableRules{Allow: []string{"*.*.*"}}},
				"blind":  {Tables: config.TableRules{Allow: []string{"*.*.*"}}, Columns: config.ColumnRules{Deny: []string{"*.*.*.tenant"}}},
			})
			if err != nil {
				t.Fatal(err)
			}
			in := logicalvalidator.Input{Catalog: tenants(), Caller: policy.Caller{Name: "kim", Roles: []string{"reader"}},
				Plan: wire.Plan{Clauses: wire.Clauses{From: c.from, Joins: c.joins, Where: c.where, Select: []string{"count(*) as n"}}}}
			v := logicalvalidator.Validator{Policy: p}
			_, err = v.Run(context.Background(), in)
			if c.want == "" {
				if err != nil {
					t.Errorf("%v: %s", err, reason.From(err).SafeMessage)
				}
				return
			}
			if err == nil || reason.From(err).Code != reason.PlanInvalid || !strings.Contains(reason.From(err).SafeMessage, c.want) {
				t.Fatalf("%v, want a message with %q", err, c.want)
			}
			in.Approved = true
			if _, err := v.Run(context.Background(), in); err != nil {
				t.Errorf("an approved plan: %v", err)
			}
			in.Approved, in.Caller.Roles = false, []string{"blind"}
			if _, err := v.Run(context.Background(), in); err != nil && strings.Contains(reason.From(err).SafeMessage, "tenant") {
				t.Errorf("a hidden column is named: %s", reason.From(err).SafeMessage)
			}
		})
	}
}
