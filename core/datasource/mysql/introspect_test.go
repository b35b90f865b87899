//go:build databases

package mysql_test

import (
	"fmt"
	"reflect"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource/datasourcetest"
	"querent.dev/querent/core/datasource/dbtest"
	"querent.dev/querent/core/datasource/mysql"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func TestStructureIsRead(t *testing.T) {
	s := dbtest.MariaDB(t)
	other := s.Database(t, "CREATE TABLE far (i int PRIMARY KEY)")
	db := s.Database(t, `CREATE TABLE t (id bigint unsigned PRIMARY KEY, m enum('sad','it''s'), p decimal(8,2) NOT NULL, at timestamp NULL, twice int GENERATED ALWAYS AS (1 + 1),
		name varchar(20) CHARACTER SET latin1 COMMENT 'What it is called.', plain varchar(20) COLLATE utf8mb4_nopad_bin, rating tinyint(1), flag tinyint(1), made datetime DEFAULT CURRENT_TIMESTAMP,
		UNIQUE (m, p), UNIQUE (plain(5))) COMMENT 'About t.';
		INSERT INTO t (id, p, rating, flag) VALUES (1, 1, 5, 1), (2, 2, 1, 0);
		CREATE TABLE pay (a int, b int, t_id bigint unsigned REFERENCES t (id), PRIMARY KEY (b, a), KEY (a, b));
		CREATE TABLE bonus (x int, y int, FOREIGN KEY (x, y) REFERENCES pay (a, b));
		CREATE TABLE parts (id int, day date) PARTITION BY HASH (id) PARTITIONS 4;
		CREATE VIEW v AS SELECT id FROM t; CREATE VIEW broken AS SELECT x FROM bonus; DROP TABLE bonus;
		CREATE TABLE bonus (x2 int, y int, FOREIGN KEY (x2, y) REFERENCES pay (a, b)); CREATE SEQUENCE seq`)
	catalog, err := open(t, mysql.Options{DSN: db.DSN}).Introspect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, table := range catalog.Tables {
		names = append(names, fmt.Sprintf("%s %s", table.Kind, table.Name))
	}
	if want := []string{"table bonus", "table parts", "table pay", "table t", "view v"}; !reflect.DeepEqual(names, want) {
		t.Errorf("tables %q, want %q", names, want)
	}
	table, _ := catalog.Table("t")
	pay, _ := catalog.Table("pay")
	bonus, _ := catalog.Table("bonus")
	if table.Description != "About t." || len(table.Unique) != 1 || len(pay.PrimaryKey) != 2 || pay.PrimaryKey[0].Name != "b" || table.RowEstimate != 2 {
		t.Errorf("%q, %d unique keys, %v, %d rows", table.Description, len(table.Unique), pay.PrimaryKey, table.RowEstimate)
	}
	if k := bonus.ForeignKeys; len(k) != 1 || len(k[0].Columns) != 2 || k[0].Columns[1].Name != "y" || k[0].RefColumns[1].Name != "b" {
		t.Errorf("foreign keys %+v", k)
	}
	for name, want := range map[string]schema.Column{
		"id":     {Native: "bigint(20) unsigned", Type: wire.Type{Kind: wire.KindDecimal, Precision: 20}},
		"m":      {Native: "enum('sad','it''s')", Type: wire.Type{Kind: wire.KindText}, Enum: []string{"sad", "it's"}, Nullable: true, Collation: "utf8mb4_general_ci"},
		"p":      {Native: "decimal(8,2)", Type: wire.Type{Kind: wire.KindDecimal, Precision: 8, Scale: 2}},
		"at":     {Native: "timestamp", Type: wire.Type{Kind: wire.KindTimestampTZ}, Nullable: true},
		"made":   {Native: "datetime", Type: wire.Type{Kind: wire.KindTimestamp}, Nullable: true},
		"twice":  {Native: "int(11)", Type: wire.Type{Kind: wire.KindInt}, Generated: true, Nullable: true},
		"name":   {Native: "varchar(20)", Type: wire.Type{Kind: wire.KindText}, Collation: "latin1_swedish_ci", Charset: "latin1", Description: "What it is called.", Nullable: true},
		"plain":  {Native: "varchar(20)", Type: wire.Type{Kind: wire.KindText}, Nullable: true},
		"rating": {Native: "tinyint(1)", Type: wire.Type{Kind: wire.KindInt}, Nullable: true},
		"flag":   {Native: "tinyint(1)", Type: wire.Type{Kind: wire.KindBool}, Nullable: true},
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
	both, err := open(t, mysql.Options{DSN: db.DSN, Schemas: []string{db.Name, other.Name}}).Introspect(t.Context())
	if err != nil || !both.MultiSchema || len(both.Tables) != 6 {
		t.Errorf("of two databases %d tables (%v)", len(both.Tables), err)
	}
}

func TestDatesInTextAreFound(t *testing.T) {
	db := dbtest.MariaDB(t).Database(t, `CREATE TABLE t (ordered_on text, created_at varchar(30), birth_date text, note_date text, n_at bigint, broken text);
		INSERT INTO t VALUES ('2024-01-31', '2024-01-31 10:00:00', '31/01/2024', 'soon', 1706695200000, 'x'), ('2024-02-29', NULL, '29/02/2024', '2024-01-01', 1706695200001, 'y')`)
	id := db.Name + ".t."
	configured := map[string]config.ColumnConfig{
		id + "birth_date": {Storage: schema.StorageDMY, Tags: []string{"personal"}},
		id + "n_at":       {Storage: schema.StorageEpochMS},
	}
	catalog, err := open(t, mysql.Options{DSN: db.DSN, Columns: configured}).Introspect(t.Context())
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
	for _, wrong := range []map[string]config.ColumnConfig{{id + "gone": {Tags: []string{"personal"}}}, {id + "broken": {Storage: schema.StorageISO}}} {
		_, err := open(t, mysql.Options{DSN: db.DSN, Columns: wrong}).Introspect(t.Context())
		datasourcetest.WantCode(t, err, reason.SchemaChanged, "broken", "gone")
	}
}
