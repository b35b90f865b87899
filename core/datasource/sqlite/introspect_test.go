package sqlite

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

// describe is a catalog as lines, one a table, column or key.
func describe(c *schema.Catalog) string {
	var b strings.Builder
	names := func(columns []*schema.Column) string {
		var out []string
		for _, col := range columns {
			out = append(out, col.Name)
		}
		return strings.Join(out, ", ")
	}
	for _, t := range c.Tables {
		fmt.Fprintf(&b, "%s %s", t.Kind, t.ID())
		if t.RowEstimate >= 0 {
			fmt.Fprintf(&b, " ~%d", t.RowEstimate)
		}
		b.WriteString("\n")
		for _, col := range t.Columns {
			fmt.Fprintf(&b, "  %s %s", col.Name, col.Type)
			if !col.Nullable {
				b.WriteString(" not null")
			}
			if col.Storage != "" {
				fmt.Fprintf(&b, " %s", col.Storage)
			}
			if col.Generated {
				b.WriteString(" generated")
			}
			if col.Collation != "" {
				fmt.Fprintf(&b, " collate %s", col.Collation)
			}
			if len(col.Tags) > 0 {
				fmt.Fprintf(&b, " %v", col.Tags)
			}
			b.WriteString("\n")
		}
		if len(t.PrimaryKey) > 0 {
			fmt.Fprintf(&b, "  key (%s)\n", names(t.PrimaryKey))
		}
		for _, u := range t.Unique {
			fmt.Fprintf(&b, "  unique (%s)\n", names(u))
		}
		for _, f := range t.ForeignKeys {
			fmt.Fprintf(&b, "  (%s) -> %s (%s)\n", names(f.Columns), f.RefTable.ID(), names(f.RefColumns))
		}
	}
	return b.String()
}

func TestIntrospect(t *testing.T) {
	for _, c := range []struct {
		name, script, want string
		columns            map[string]config.ColumnConfig
	}{
		{
			name: "keys",
			script: `
				CREATE TABLE parent (a INTEGER, b TEXT, c, PRIMARY KEY (b, a), UNIQUE (c, a));
				CREATE TABLE child (id INTEGER PRIMARY KEY, x TEXT, y INTEGER, p INTEGER REFERENCES other (id), q INTEGER REFERENCES other,
					r REFERENCES gone (id), FOREIGN KEY (x, y) REFERENCES PARENT, FOREIGN KEY (y, x) REFERENCES parent (a, b));
				CREATE TABLE other (id INTEGER PRIMARY KEY, n TEXT NOT NULL);
				CREATE UNIQUE INDEX u1 ON other (n);
				CREATE UNIQUE INDEX u2 ON other (n) WHERE id > 5;
				CREATE UNIQUE INDEX u3 ON other (lower(n));
				CREATE INDEX u4 ON other (n, id);
				CREATE TABLE bare (k TEXT PRIMARY KEY) WITHOUT ROWID;`,
			want: `
				table main.bare
				  k text not null
				  key (k)
				table main.child
				  id int not null
				  x text
				  y int
				  p int
				  q int
				  r text
				  key (id)
				  (y, x) -> main.parent (a, b)
				  (x, y) -> main.parent (b, a)
				  (q) -> main.other (id)
				  (p) -> main.other (id)
				table main.other
				  id int not null
				  n text not null
				  key (id)
				  unique (n)
				table main.parent
				  a int
				  b text
				  c text
				  key (b, a)
				  unique (c, a)`,
		},
		{
			name: "names",
			script: `CREATE TABLE "order" ("select" INTEGER, "a ""q"" b" TEXT, "loc.lat" REAL, "3point" INT, "금액" DECIMAL(12,3), "größe" VARCHAR(10));
				CREATE TABLE "표 하나" (a);`,
			want: `
				table main.order
				  select int
				  a "q" b text
				  loc.lat float
				  3point int
				  금액 decimal(12,3)
				  größe text
				table main.표 하나
				  a text`,
		},
		{
			name: "types",
			script: `CREATE TABLE t (i BIGINT, u UNSIGNED BIG INT, b BOOLEAN, d DECIMAL, n NUMERIC(8, 4), m NUMBER(5), f DOUBLE PRECISION, r REAL,
				c NVARCHAR(20), x CLOB, s STRING, j JSON, g UUID, y YEAR, z BLOB, h TIME, odd THING, bare);
				INSERT INTO t (odd, bare) VALUES (1, 1.5), (2, 2);`,
			want: `
				table main.t
				  i int
				  u int
				  b bool
				  d decimal
				  n decimal(8,4)
				  m decimal(5,0)
				  f float
				  r float
				  c text
				  x text
				  s text
				  j text
				  g text
				  y int
				  z bytes
				  h time
				  odd int
				  bare float`,
		},
		{
			name: "values of other types than declared",
			script: `
				CREATE TABLE t (flag BOOLEAN, three BOOLEAN, mostly INTEGER, frac INTEGER, word INTEGER, code REAL, price DECIMAL(10,2), noisy DECIMAL(10,2),
					round DECIMAL(10), whole NUMERIC(8), blank INTEGER);
				INSERT INTO t VALUES ('T', 0, 1, 0.5, 'north', 'x', 1.25, 0.1 + 0.2, 2.5, 7, ''), ('F', 2, 'n/a', 1, 'south', 'y', 2.675, 1.1, 1, 8, ''), (NULL, 1, 3, 2, '', '', 3, 2.5, 3, 9, '');`,
			want: `
				table main.t
				  flag text
				  three int
				  mostly int
				  frac float
				  word text
				  code text
				  price decimal
				  noisy decimal(10,2)
				  round decimal
				  whole decimal(8,0)
				  blank int`,
		},
		{
			name: "computed defaults",
			script: `CREATE TABLE t (at DATETIME DEFAULT CURRENT_TIMESTAMP, made TEXT DEFAULT (datetime('now')), id TEXT DEFAULT (hex(randomblob(4))));
				INSERT INTO t (at) VALUES (1700000000), (1700000001); CREATE VIEW v AS SELECT at + 1 AS later, made FROM t;`,
			want: `
				table main.t
				  at timestamp epoch_s
				  made timestamp iso
				  id text
				view main.v
				  later int
				  made timestamp iso`,
		},
		{
			name: "storage of dates",
			script: `
				CREATE TABLE empty (d DATE, s TIMESTAMP);
				CREATE TABLE t (iso DATE, stamp DATETIME, sec TIMESTAMP, ms DATETIME, jul DATE, dmy DATE, us DATE, dirty DATE,
					year DATE, word DATE, txt TEXT, txtstamp TEXT, mixed TEXT, nulls DATE);
				WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 27)
				INSERT INTO t SELECT printf('2025-01-%02d', i), printf('2025-01-%02dT10:00:00Z', i), 1700000000 + i, 1700000000000 + i,
					2460000.5 + i, printf('%02d/01/2025', i), printf('01/%02d/2025', i), CASE WHEN i = 5 THEN 'soon' ELSE '2025-01-01' END,
					2000 + i, 'day ' || i, printf('2025-02-%02d', i), printf('2025-02-%02d 10:00', i),
					CASE WHEN i = 27 THEN 'x' ELSE '2025-02-01' END, NULL FROM n;`,
			want: `
				table main.empty
				  d date iso
				  s timestamp iso
				table main.t
				  iso date iso
				  stamp timestamp iso
				  sec timestamp epoch_s
				  ms timestamp epoch_ms
				  jul date julian
				  dmy date dmy
				  us text
				  dirty date iso
				  year int
				  word text
				  txt date iso
				  txtstamp timestamp iso
				  mixed text
				  nulls date iso`,
		},
		{
			name: "zones of timestamps",
			script: `
				CREATE TABLE t (z TIMESTAMP, zero DATETIME, both TIMESTAMPTZ, wall DATETIME, days DATE, txt TEXT,
					offsets TIMESTAMPTZ, one TIMESTAMP, some DATETIME, part DATE, spaced DATETIME, txtoffset TEXT, txtmixed TEXT);
				WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 27)
				INSERT INTO t SELECT printf('2025-01-%02dT10:00:00Z', i), printf('2025-01-%02d 10:00:00+00:00', i),
					printf('2025-01-%02dT10:00:00', i) || CASE WHEN i % 2 THEN 'Z' ELSE '-00:00' END,
					printf('2025-01-%02d 10:00:00.5', i), printf('2025-01-%02d', i), printf('2025-01-%02dT10:00Z', i),
					printf('2025-01-%02d 10:00:00+09:00', i), printf('2025-01-%02dT10:00:00', i) || CASE WHEN i = 5 THEN '-01:30' ELSE 'Z' END,
					printf('2025-01-%02dT10:00:00', i) || CASE WHEN i = 5 THEN '' ELSE 'Z' END,
					printf('2025-01-%02d', i) || CASE WHEN i = 5 THEN 'T10:00:00Z' ELSE '' END,
					printf('2025-01-%02d 10:00', i) || CASE WHEN i = 5 THEN ' +02:00' ELSE '' END,
					printf('2025-02-%02d 10:00+01:00', i), printf('2025-01-%02dT10:00', i) || CASE WHEN i = 5 THEN '' ELSE 'Z' END FROM n;
				CREATE VIEW v AS SELECT offsets, z FROM t;`,
			want: `
				table main.t
				  z timestamp iso
				  zero timestamp iso
				  both timestamp iso
				  wall timestamp iso
				  days date iso
				  txt timestamp iso
				  offsets text
				  one text
				  some text
				  part text
				  spaced text
				  txtoffset text
				  txtmixed text
				view main.v
				  offsets text
				  z timestamp iso`,
		},
		{
			name: "views, generated and virtual",
			script: `
				CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE, n INTEGER, twice INTEGER AS (n * 2), thrice INTEGER AS (n * 3) STORED);
				INSERT INTO t (d, n) VALUES ('2025-01-01', 4);
				CREATE VIEW v AS SELECT d, n, count(*) AS many, sum(n) / 3.0 AS third, date(d, '+1 day') AS next FROM t;
				CREATE VIEW broken AS SELECT x FROM nowhere;
				CREATE VIRTUAL TABLE search USING fts5 (body);
				CREATE TABLE auto (id INTEGER PRIMARY KEY AUTOINCREMENT);`,
			want: `
				table main.auto
				  id int not null
				  key (id)
				table main.t
				  id int not null
				  d date iso
				  n int
				  twice int generated
				  thrice int generated
				  key (id)
				view main.v
				  d date iso
				  n int
				  many int
				  third float
				  next date iso`,
		},
		{
			name: "estimates and collations",
			script: `CREATE TABLE t (a TEXT COLLATE NOCASE, b INTEGER); CREATE INDEX i ON t (b); INSERT INTO t VALUES ('x', 1), ('y', 2), ('z', 2);
				CREATE TABLE u (a TEXT COLLATE BINARY); CREATE VIEW v AS SELECT a FROM t; ANALYZE;`,
			columns: map[string]config.ColumnConfig{"main.t.b": {Collation: "native"}},
			want: `
				table main.t ~3
				  a text collate NOCASE
				  b int
				table main.u
				  a text
				view main.v
				  a text collate NOCASE`,
		},
		{
			name:   "configuration",
			script: `CREATE TABLE t (at INTEGER, day TEXT, odd DATE, phone TEXT); INSERT INTO t VALUES (1, '05/01/2025', '', '1');`,
			columns: map[string]config.ColumnConfig{
				"main.t.at": {Storage: schema.StorageEpochMS}, "main.T.DAY": {Storage: schema.StorageDMY},
				"main.t.odd": {Storage: schema.StorageISO}, "main.t.phone": {Tags: []string{"personal"}},
			},
			want: `
				table main.t
				  at timestamp epoch_ms
				  day date dmy
				  odd date iso
				  phone text [personal]`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := openFile(t, Options{Path: makeFile(t, c.script), Columns: c.columns, Description: "words"})
			catalog := introspect(t, d)
			want := strings.ReplaceAll(strings.TrimPrefix(c.want, "\n"), "\t", "") + "\n"
			if got := describe(catalog); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if catalog.Description != "words" || catalog.Datasource != "test" || catalog.MultiSchema {
				t.Errorf("the catalog is %+v", catalog)
			}
			if again := introspect(t, d); again.Fingerprint() != catalog.Fingerprint() {
				t.Error("the same file has two fingerprints")
			}
		})
	}
}

func TestAViewWithoutEndIsNotWaitedFor(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, `CREATE TABLE t (a);
		CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS x FROM n WHERE i < 2;`)})
	began := time.Now()
	got := describe(introspect(t, d))
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
	if !strings.Contains(got, "view main.endless\n  x text\n") {
		t.Error(got)
	}
}

func TestIntrospectionEndsWithItsContext(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, "CREATE TABLE t (a)")})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := d.Introspect(ctx)
	wantCode(t, err, reason.CancelledCode)
}

func TestManyTablesAreReadAtOnce(t *testing.T) {
	var script strings.Builder
	script.WriteString("BEGIN;\n")
	for i := range 500 {
		fmt.Fprintf(&script, "CREATE TABLE t%d (id INTEGER PRIMARY KEY", i)
		for j := range 20 {
			fmt.Fprintf(&script, ", c%d TEXT", j)
		}
		script.WriteString(");\n")
	}
	script.WriteString("COMMIT;")
	d := openFile(t, Options{Path: makeFile(t, script.String())})
	if n := len(introspect(t, d).Tables); n != 500 {
		t.Errorf("%d tables", n)
	}
}
