//go:build databases

package postgres_test

import (
	"fmt"
	"reflect"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource/datasourcetest"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/postgres"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

const rich = `CREATE SCHEMA hr; CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN price AS numeric(8,2) NOT NULL;
	CREATE TABLE t (id bigint PRIMARY KEY, m mood, p price, words text[], at timestamptz, twice int GENERATED ALWAYS AS (1 + 1) STORED,
		name varchar(20) COLLATE "en-x-icu", plain text, UNIQUE (m, p));
	COMMENT ON TABLE t IS 'About t.'; COMMENT ON COLUMN t.name IS 'What it is called.';
	CREATE UNIQUE INDEX ON t (plain) WHERE id > 5; CREATE UNIQUE INDEX ON t (lower(plain)); CREATE UNIQUE INDEX ON t (at) INCLUDE (plain);
	CREATE TABLE hr.pay (a int, b int, t_id bigint REFERENCES t, PRIMARY KEY (b, a));
	CREATE TABLE hr.bonus (x int, y int, FOREIGN KEY (x, y) REFERENCES hr.pay (a, b));
	CREATE MATERIALIZED VIEW totals AS SELECT count(*) AS n FROM t;
	CREATE TABLE parts (id int, day date) PARTITION BY RANGE (day);
	CREATE TABLE parts_24 PARTITION OF parts FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
	INSERT INTO parts SELECT i, '2024-05-05' FROM generate_series(1, 500) i; ANALYZE`

func TestStructureIsRead(t *testing.T) {
	db := dbtest.Postgres(t).Database(t, rich)
	d := open(t, postgres.Options{DSN: db.DSN})
	catalog, err := d.Introspect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, table := range catalog.Tables {
		names = append(names, fmt.Sprintf("%s %s %d", table.Kind, table.ID(), table.RowEstimate))
	}
	want := []string{"table hr.bonus 0", "table hr.pay 0", "table public.parts 500", "table public.t 0", "view public.totals 1"}
	if !reflect.DeepEqual(names, want) {
		t.Errorf("tables %q, want %q", names, want)
	}
	table, _ := catalog.Table("public.t")
	pay, _ := catalog.Table("hr.pay")
	bonus, _ := catalog.Table("hr.bonus")
	if table.Description != "About t." || len(table.Unique) != 2 || len(pay.PrimaryKey) != 2 || pay.PrimaryKey[0].Name != "b" {
		t.Errorf("%q, %d unique keys, %v", table.Description, len(table.Unique), pay.PrimaryKey)
	}
	if k := bonus.ForeignKeys; len(k) != 1 || k[0].Columns[1].Name != "y" || k[0].RefColumns[1].Name != "b" || pay.ForeignKeys[0].RefTable != table {
		t.Errorf("foreign keys %+v", k)
	}
	for name, want := range map[string]schema.Column{
		"id":    {Native: "bigint", Type: wire.Type{Kind: wire.KindInt}},
		"m":     {Native: "public.mood", Type: wire.Type{Kind: wire.KindText}, Enum: []string{"sad", "ok"}, Nullable: true},
		"p":     {Native: "numeric(8,2)", Type: wire.Type{Kind: wire.KindDecimal, Precision: 8, Scale: 2}},
		"words": {Native: "text[]", Type: wire.Type{Kind: wire.KindArray, Elem: wire.KindText}, Nullable: true},
		"at":    {Native: "timestamp with time zone", Type: wire.Type{Kind: wire.KindTimestampTZ}, Nullable: true},
		"twice": {Native: "integer", Type: wire.Type{Kind: wire.KindInt}, Generated: true, Nullable: true},
		"name":  {Native: "character varying(20)", Type: wire.Type{Kind: wire.KindText}, Collation: "en-x-icu", Description: "What it is called.", Nullable: true},
		"plain": {Native: "text", Type: wire.Type{Kind: wire.KindText}, Nullable: true},
	} {
		got, ok := table.Column(name)
		if !ok {
			t.Errorf("there is no column %s", name)
			continue
		}
		want.Name, want.Table, want.Position, want.Evidence = name, table, got.Position, got.Evidence
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: %+v, want %+v", name, *got, want)
		}
	}
}

func TestOnlyTheSchemasAskedForAreRead(t *testing.T) {
	db := dbtest.Postgres(t).DatabaseWith(t, dbtest.Options{Collation: "en-US"}, "CREATE SCHEMA a; CREATE TABLE a.x (i int); CREATE TABLE y (i text)")
	catalog, err := open(t, postgres.Options{DSN: db.DSN, Schemas: []string{"public"}}).Introspect(t.Context())
	if err != nil || len(catalog.Tables) != 1 || catalog.Tables[0].ID() != "public.y" || catalog.MultiSchema {
		t.Fatalf("%v (%v)", catalog, err)
	}
	if got := catalog.Tables[0].Columns[0].Collation; got != "en-US" {
		t.Errorf("the text has the collation %q", got)
	}
}

func TestDatesInTextAreFound(t *testing.T) {
	db := dbtest.Postgres(t).Database(t, `CREATE TABLE t (ordered_on text, created_at varchar(30), birth_date text, note_date text, n_at bigint, broken text);
		INSERT INTO t VALUES ('2024-01-31', '2024-01-31 10:00:00', '31/01/2024', 'soon', 1706695200000, 'x'), ('2024-02-29', NULL, '29/02/2024', '2024-01-01', 1706695200001, 'y');
		CREATE VIEW bad AS SELECT 1 / (SELECT 0) AS x, ordered_on FROM t`)
	configured := map[string]config.ColumnConfig{
		"public.t.birth_date": {Storage: schema.StorageDMY, Tags: []string{"personal"}},
		"public.t.n_at":       {Storage: schema.StorageEpochMS},
	}
	catalog, err := open(t, postgres.Options{DSN: db.DSN, Columns: configured}).Introspect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	table, _ := catalog.Table("t")
	for name, want := range map[string]string{
		"ordered_on": "date iso", "created_at": "timestamp iso", "birth_date": "date dmy", "note_date": "text ", "n_at": "timestamp epoch_ms", "broken": "text ",
	} {
		c, _ := table.Column(name)
		if got := c.Type.String() + " " + string(c.Storage); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, wrong := range []map[string]config.ColumnConfig{
		{"public.t.gone": {Tags: []string{"personal"}}},
		{"public.t.broken": {Storage: schema.StorageISO}},
	} {
		_, err := open(t, postgres.Options{DSN: db.DSN, Columns: wrong}).Introspect(t.Context())
		datasourcetest.WantCode(t, err, reason.SchemaChanged, "broken", "gone")
	}
}
