package schemaretriever_test

import (
	"context"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/nodes/schemaretriever"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

type catalogs struct{ err error }

func (c catalogs) Catalog(context.Context, schema.DatasourceID) (*schema.Catalog, error) {
	table := func(name string) *schema.Table {
		return &schema.Table{Schema: "main", Name: name, Columns: []*schema.Column{{Name: "id", Type: wire.Type{Kind: wire.KindInt}}}}
	}
	return schema.Build("shop", schema.SQLite, []*schema.Table{table("orders"), table("staff")}), c.err
}

func TestTheCallersPartOfTheSchema(t *testing.T) {
	rules, err := policy.Compile(map[config.RoleName]config.Role{
		"clerk": {Tables: config.TableRules{Allow: []string{"shop.main.orders"}}},
		"guest": {Tables: config.TableRules{Allow: []string{"other.*.*"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	down := reason.New(reason.DatasourceUnreachable, reason.ReasonUnavailable, "away")
	for name, c := range map[string]struct {
		role string
		err  error
		code reason.Code
	}{
		"a role with a table":          {"clerk", nil, ""},
		"a role with nothing here":     {"guest", nil, reason.UnmappedCode},
		"nobody known":                 {"", nil, reason.CallerAuthRequired},
		"a database that is not there": {"clerk", down, reason.DatasourceUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			caller := policy.Caller{Name: "lee"}
			if c.role != "" {
				caller.Roles = []string{c.role}
			}
			r := schemaretriever.Retriever{Catalogs: catalogs{c.err}, Policy: rules}
			out, err := r.Run(t.Context(), schemaretriever.Input{Datasource: "shop", Caller: caller})
			if c.code != "" {
				if reason.From(err) == nil || reason.From(err).Code != c.code {
					t.Errorf("error %v, want %s", err, c.code)
				}
				return
			}
			if err != nil || len(out.Tables.Tables) != 1 || out.Tables.Tables[0].Name != "orders" || out.Catalog == nil || out.View == nil || out.Summary == "" {
				t.Errorf("output %+v, %v", out, err)
			}
		})
	}
}
