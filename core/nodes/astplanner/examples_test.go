package astplanner

import (
	"strings"
	"testing"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// everything is a caller who may see all.
type everything struct{}

func (everything) Table(*schema.Table) bool   { return true }
func (everything) Column(*schema.Column) bool { return true }

// TestTheRulesExamplesAreLegal binds the examples of the prompt: a model must
// not learn from plans that the validator refuses.
func TestTheRulesExamplesAreLegal(t *testing.T) {
	column := func(name string, kind wire.Kind) *schema.Column {
		return &schema.Column{Name: name, Type: wire.Type{Kind: kind}}
	}
	table := func(name string, columns ...*schema.Column) *schema.Table {
		t := &schema.Table{Schema: "main", Name: name, Columns: append([]*schema.Column{column("id", wire.KindInt)}, columns...)}
		t.PrimaryKey = t.Columns[:1]
		return t
	}
	stations := table("stations", column("name", wire.KindText), column("city", wire.KindText))
	riders := table("riders", column("name", wire.KindText), column("plan", wire.KindText))
	trips := table("trips", column("rider_id", wire.KindInt), column("start_station_id", wire.KindInt),
		column("started_at", wire.KindTimestamp), column("km", wire.KindFloat), column("fee", wire.KindInt))
	trips.ForeignKeys = []schema.ForeignKey{
		{Columns: trips.Columns[1:2], RefTable: riders, RefColumns: riders.PrimaryKey},
		{Columns: trips.Columns[2:3], RefTable: stations, RefColumns: stations.PrimaryKey},
	}
	cat := schema.Build("bikes", schema.SQLite, []*schema.Table{stations, riders, trips})
	found := 0
	for _, line := range strings.Split(ownRules, "\n") {
		if !strings.HasPrefix(line, "{") {
			continue
		}
		found++
		p, err := plan.Decode([]byte(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if _, err := plan.Bind(p, plan.Scope{Catalog: cat, Visible: everything{}}); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	if found != 3 {
		t.Errorf("%d examples, want 3", found)
	}
}
