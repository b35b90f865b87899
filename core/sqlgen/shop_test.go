package sqlgen_test

import (
	"database/sql"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
	_ "querent.dev/querent/core/datasource/sqlite" // the functions that SQLite lacks

	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// shopData is the database that the plans of this package's tests run on. Dates
// are declared as text, since the driver would make times of the other types.
const shopData = `
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, joined TEXT NOT NULL, vip INTEGER NOT NULL);
INSERT INTO customers VALUES
 (1, 'Ann', 'Paris', '2023-01-15', 1),
 (2, 'Bob', NULL, '2023-06-30', 0),
 (3, 'Zoë', 'Paris', '2024-02-29', 0),
 (4, '김민수', '서울', '2024-03-01', 1),
 (5, 'bob', 'Berlin', '2024-12-31', 0);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, total DECIMAL(10,2), placed_at TEXT, paid_at INTEGER);
INSERT INTO orders VALUES
 (10, 1, 100.00, '2024-01-31 23:59:59', 1706745600000),
 (11, 1, 50.10, '2024-02-01T00:00:00', 1706745600001),
 (12, 1, 50.10, '2024-02-29 12:00:00', NULL),
 (13, 2, 0.10, '2024-02-29', 1709251199999),
 (14, 2, 0.20, '2024-03-31 08:30:00.500Z', 1711873800500),
 (15, NULL, 7.55, '2024-12-31 23:00:00', 1735689599999),
 (16, 3, NULL, NULL, NULL);
CREATE TABLE lines (order_id INTEGER REFERENCES orders, no INTEGER, product TEXT NOT NULL, qty INTEGER NOT NULL, price DECIMAL(10,2) NOT NULL, PRIMARY KEY (order_id, no));
INSERT INTO lines VALUES
 (10, 1, 'pen', 3, 0.10), (10, 2, 'ink', 1, 99.70), (11, 1, 'pen', 501, 0.10), (12, 1, 'cap', 7, 7.10), (12, 2, 'pen', 4, 0.10),
 (13, 1, 'pen', 1, 0.10), (14, 1, 'nib', 2, 0.10), (15, 1, 'cap', 1, 7.55);
CREATE TABLE "order" ("group" INTEGER PRIMARY KEY, "select" TEXT, "a ""q"" b" TEXT, "가격" INTEGER, "c1" INTEGER, "loc.lat" REAL);
INSERT INTO "order" VALUES (1, 'x', 'quoted', 900, 3, 1.5), (2, 'y', 'it''s', 100, 1, -1.5), (3, NULL, '100%', 500, 2, 2.5);
CREATE TABLE moments (id INTEGER PRIMARY KEY, day TEXT, at TEXT, s INTEGER, ms INTEGER, j REAL, dmy TEXT);
CREATE TABLE words (id INTEGER PRIMARY KEY, s TEXT, folded TEXT COLLATE NOCASE);
INSERT INTO words VALUES (1, 'abc', 'abc'), (2, 'ABC', 'ABC'), (3, 'É', 'É'), (4, 'é', 'é'), (5, 'a', 'a'), (6, 'a ', 'a '),
 (7, '가나é😀', '가나'), (8, '', ''), (9, NULL, NULL), (10, '100%', '100%'), (11, '12.5', '12.5'), (12, ' -3 ', ' -3 '),
 (13, '12abc', '12abc'), (14, '1.2.3', '1.2.3'), (15, 'a_b!c', 'a_b!c');
CREATE TABLE b1 (c1 INTEGER, c2 TEXT);
INSERT INTO b1 VALUES (7, 'real'), (8, 'table');
`

// openShop makes the database in memory.
func openShop(t testing.TB) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(shopData); err != nil {
		t.Fatal(err)
	}
	return db
}

// shop is the catalog of the database.
func shop() *schema.Catalog {
	customers := tableOf("customers", "id int!", "name text!", "city text", "joined date! iso", "vip bool!")
	orders := tableOf("orders", "id int!", "customer_id int", "total decimal", "placed_at timestamp iso", "paid_at int epoch_ms")
	lines := tableOf("lines", "order_id int!", "no int!", "product text!", "qty int!", "price decimal!")
	lines.PrimaryKey = lines.Columns[:2]
	orders.ForeignKeys = []schema.ForeignKey{{Columns: orders.Columns[1:2], RefTable: customers, RefColumns: customers.PrimaryKey}}
	lines.ForeignKeys = []schema.ForeignKey{{Columns: lines.Columns[:1], RefTable: orders, RefColumns: orders.PrimaryKey}}
	odd := tableOf("order", "group int!", "select text", `a."q".b text`, "가격 int", "c1 int", "loc.lat float")
	odd.Columns[2].Name = `a "q" b`
	moments := tableOf("moments", "id int!", "day date iso", "at timestamp iso", "s int epoch_s", "ms int epoch_ms", "j float julian", "dmy text dmy")
	words := tableOf("words", "id int!", "s text", "folded text")
	words.Columns[2].Collation = "NOCASE"
	bare := tableOf("b1", "c1 int", "c2 text")
	bare.PrimaryKey = nil
	return schema.Build("shop", schema.SQLite, []*schema.Table{customers, orders, lines, odd, moments, words, bare})
}

// tableOf makes a table of columns written "name kind[!] [storage]", where ! is
// not null. The first column is the key.
func tableOf(name string, columns ...string) *schema.Table {
	t := &schema.Table{Schema: "main", Name: name, Kind: schema.KindTable, RowEstimate: -1}
	for _, text := range columns {
		f := strings.Fields(text)
		kindName, notNull := strings.CutSuffix(f[1], "!")
		kind, err := wire.ParseKind(kindName)
		if err != nil {
			panic(err)
		}
		c := &schema.Column{Name: f[0], Type: wire.Type{Kind: kind}, Nullable: !notNull}
		if kind == wire.KindDecimal {
			c.Type.Precision, c.Type.Scale = 10, 2
		}
		if len(f) > 2 {
			c.Storage = schema.Storage(f[2])
		}
		t.Columns = append(t.Columns, c)
	}
	t.PrimaryKey = t.Columns[:1]
	return t
}
