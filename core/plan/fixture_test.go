package plan_test

import (
	"sync"
	"time"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// The fixture is a bicycle rental with a few oddities: reserved words, spaces,
// a Korean name, composite keys, and a table and columns that the caller may not
// see.

func col(name string, t wire.Type, storage ...schema.Storage) *schema.Column {
	c := &schema.Column{Name: name, Type: t, Nullable: name != "id"}
	if len(storage) > 0 {
		c.Storage = storage[0]
	}
	return c
}

var (
	tInt  = wire.Type{Kind: wire.KindInt}
	tText = wire.Type{Kind: wire.KindText}
	tReal = wire.Type{Kind: wire.KindFloat}
	tBool = wire.Type{Kind: wire.KindBool}
	tDate = wire.Type{Kind: wire.KindDate}
	tTime = wire.Type{Kind: wire.KindTimestamp}
	tZone = wire.Type{Kind: wire.KindTimestampTZ}
	tJSON = wire.Type{Kind: wire.KindJSON}
	tUUID = wire.Type{Kind: wire.KindUUID}
)

func tDec(p, s int32) wire.Type { return wire.Type{Kind: wire.KindDecimal, Precision: p, Scale: s} }

func table(name string, key int, columns ...*schema.Column) *schema.Table {
	t := &schema.Table{Schema: "main", Name: name, Kind: schema.KindTable, Columns: columns, RowEstimate: -1}
	t.PrimaryKey = columns[:key]
	return t
}

// refer declares that columns of t refer to the primary key of other.
func refer(t, other *schema.Table, columns ...string) {
	k := schema.ForeignKey{RefTable: other, RefColumns: other.PrimaryKey}
	for _, name := range columns {
		for _, c := range t.Columns {
			if c.Name == name {
				k.Columns = append(k.Columns, c)
			}
		}
	}
	t.ForeignKeys = append(t.ForeignKeys, k)
}

var rental = sync.OnceValue(makeRental)

func makeRental() *schema.Catalog {
	stations := table("stations", 1, col("id", tInt), col("name", tText), col("city", tText), col("opened_on", tDate, schema.StorageISO))
	bikes := table("bikes", 1, col("id", tInt), col("model", tText))
	riders := table("riders", 1, col("id", tInt), col("name", tText), col("plan", tText), col("invited_by", tInt),
		col("born", tText, schema.StorageISO), col("joined", tInt, schema.StorageEpochMS), col("code", tUUID), col("phone", tText))
	trips := table("trips", 1, col("id", tInt), col("bike_id", tInt), col("rider_id", tInt), col("start_station_id", tInt),
		col("end_station_id", tInt), col("started_at", tTime, schema.StorageISO), col("km", tReal), col("fee", tDec(8, 2)),
		col("paid", tBool), col("details", tJSON), col("seen_at", tZone))
	repairs := table("repairs", 1, col("id", tInt), col("bike_id", tInt), col("cost", tDec(10, 2)), col("done_on", tText, schema.StorageDMY))
	order := table("order", 1, col("id", tInt), col("rider_id", tInt), col("group", tText), col("limit", tInt))
	lines := table("order details", 2, col("order_id", tInt), col("line", tInt), col("금액", tDec(10, 2)), col("a b", tText), col("3d", tInt))
	refunds := table("refunds", 1, col("id", tInt), col("order_id", tInt), col("line", tInt), col("amount", tDec(10, 2)))
	secrets := table("secrets", 1, col("id", tInt), col("rider_id", tInt), col("password", tText))
	vault := table("vault", 1, col("id", tInt), col("rider_id", tInt), col("name", tText))
	refer(riders, riders, "invited_by")
	refer(trips, bikes, "bike_id")
	refer(trips, riders, "rider_id")
	refer(trips, stations, "start_station_id")
	refer(trips, stations, "end_station_id")
	refer(repairs, bikes, "bike_id")
	refer(order, riders, "rider_id")
	refer(lines, order, "order_id")
	refer(refunds, lines, "order_id", "line")
	refer(secrets, riders, "rider_id")
	refer(vault, riders, "rider_id")
	return schema.Build("rental", schema.SQLite, []*schema.Table{stations, bikes, riders, trips, repairs, order, lines, refunds, secrets, vault})
}

// public hides the tables secrets and vault and the column riders.phone.
type public struct{}

func (public) Table(t *schema.Table) bool { return t.Name != "secrets" && t.Name != "vault" }

func (p public) Column(c *schema.Column) bool { return p.Table(c.Table) && c.Name != "phone" }

// clock stands at 2 March 2023, a Thursday, in Seoul, where the fiscal year begins
// in April.
func clock() plan.Clock {
	seoul := time.FixedZone("KST", 9*60*60)
	return plan.Clock{
		Now: time.Date(2023, 3, 2, 10, 30, 0, 0, seoul), WeekStart: time.Monday,
		FiscalYearStart: plan.MonthDay{Month: time.April, Day: 1},
	}
}

func scope() plan.Scope {
	return plan.Scope{Catalog: rental(), Visible: public{}, Clock: clock()}
}
