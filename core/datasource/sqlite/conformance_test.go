package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/core/datasource"
	"querent.dev/querent/sdk/reason"
)

const lockedDown = `
CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, secret TEXT);
INSERT INTO t VALUES (1, 'one', 's1'), (2, 'two', 's2'), (3, NULL, 's3');
CREATE TABLE u (a INTEGER, n REAL);
INSERT INTO u VALUES (1, 1.5), (1, 2.5), (2, 4);
CREATE TABLE hidden (x);
INSERT INTO hidden VALUES ('h');
CREATE TABLE buried (x);
CREATE VIEW v AS SELECT b, upper(secret) AS s, hex(secret) AS h FROM t;
CREATE VIEW vv AS SELECT s FROM v WHERE s <> '';
CREATE VIEW other AS SELECT x FROM hidden;
CREATE TABLE made (id TEXT DEFAULT (lower(hex(randomblob(4)))), at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, n INTEGER DEFAULT 7,
	length INTEGER AS (length(upper(id))) STORED);
INSERT INTO made (id) VALUES ('x');
CREATE VIEW vmade AS SELECT at IS NULL AS none FROM made;
CREATE VIEW vplain AS SELECT n, at FROM made WHERE n > 0;
CREATE VIEW vjoined AS SELECT t.b, hidden.x FROM t LEFT JOIN hidden ON hidden.rowid = t.a;`

// granted is what the queries below may touch.
var granted = query{
	reads:  []column{{"t", "a"}, {"t", "b"}, {"u", "a"}, {"u", "n"}, {"vv", "s"}, {"vmade", "none"}, {"vplain", "n"}, {"vplain", "at"}, {"vjoined", "b"}, {"vjoined", "x"}},
	tables: []table{{"t", false}, {"u", false}, {"vv", true}, {"vmade", true}, {"vplain", true}, {"vjoined", true}},
}

func TestWhatIsGrantedRuns(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, lockedDown)})
	for _, c := range []struct{ name, sql, first string }{
		{"columns", `SELECT t1."a", t1."b" FROM "main"."t" AS t1 ORDER BY 1`, "1 one"},
		{"join", `SELECT t1."b", sum(t2."n") FROM "main"."t" AS t1 JOIN "main"."u" AS t2 ON t2."a" = t1."a" GROUP BY t1."b"`, "one 4"},
		{"count without a column", `SELECT count(*), 0 FROM "main"."t" AS t1`, "3 0"},
		{"block", "WITH b1 AS (\nSELECT t1.\"a\" AS c1 FROM \"main\".\"t\" AS t1) SELECT t2.c1, 0 FROM b1 AS t2 ORDER BY 1", "1 0"},
		{"count of a block", "WITH b1 AS (\nSELECT t1.\"a\" AS c1 FROM \"main\".\"t\" AS t1) SELECT count(*), 0 FROM b1 AS t2", "3 0"},
		{"recursion", `WITH RECURSIVE b1 AS (SELECT 1 AS c1 UNION ALL SELECT t1.c1 + 1 FROM b1 AS t1 WHERE t1.c1 < 5) SELECT max(t2.c1), 0 FROM b1 AS t2`, "5 0"},
		{"window", `SELECT t1."a", row_number() OVER (ORDER BY t1."a" DESC) FROM "main"."t" AS t1 ORDER BY 1`, "1 3"},
		{"union", `SELECT t1."a", 0 FROM "main"."t" AS t1 UNION SELECT t2."a", 0 FROM "main"."u" AS t2 ORDER BY 1`, "1 0"},
		{"exists", `SELECT t1."a", 0 FROM "main"."t" AS t1 WHERE NOT EXISTS (SELECT 1 FROM "main"."u" AS t2 WHERE t2."a" = t1."a")`, "3 0"},
		{"view over a view", `SELECT t1."s", 0 FROM "main"."vv" AS t1 ORDER BY 1`, "S1 0"},
		{"count of a view", `SELECT count(*), 0 FROM "main"."vv" AS t1`, "3 0"},
		{"left join with a view over defaults that are calls", `SELECT t1."a", count(t2."at") FROM "main"."t" AS t1 LEFT JOIN "main"."vplain" AS t2 ON t2."n" <> t1."a" GROUP BY t1."a" ORDER BY 1`, "1 1"},
		{"block of a view over defaults that are calls", `WITH b1 AS (SELECT t1."at" AS c1 FROM "main"."vplain" AS t1 ORDER BY 1 LIMIT 1) SELECT count(t2.c1), 0 FROM b1 AS t2`, "1 0"},
		{"count of a view of two tables", `SELECT count(*), 0 FROM "main"."vjoined" AS t1`, "3 0"},
		{"half of a view of two tables", `SELECT t1."b", 0 FROM "main"."vjoined" AS t1 WHERE t1."b" = 'two'`, "two 0"},
		{"view over defaults that are calls", `SELECT t1."none", 0 FROM "main"."vmade" AS t1`, "0 0"},
		{"quotes and semicolons in a text", `SELECT t1."a", ';--''' FROM "main"."t" AS t1 ORDER BY 1`, "1 ;--'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := granted
			q.sql, q.columns = c.sql, columns(2)
			got, _, err := ask(t, d, q, datasource.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if len(got) == 0 || got[0][0].String()+" "+got[0][1].String() != c.first {
				t.Errorf("got %v, want %s first", got, c.first)
			}
		})
	}
}

// SQLite asks about the functions of a column's default when the column is read.
func TestColumnsWithComputedDefaultsAreRead(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, lockedDown)})
	q := query{tables: []table{{"made", false}}, columns: columns(1)}
	for _, name := range []string{"id", "at", "n", "length"} {
		q.reads = []column{{"made", name}}
		q.sql = `SELECT count(t1."` + name + `") FROM "main"."made" AS t1 WHERE t1."` + name + `" <> 'y'`
		got, _, err := ask(t, d, q, datasource.Limits{})
		if err != nil || got[0][0].String() != "1" {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
	q.reads, q.sql = []column{{"made", "n"}}, `SELECT hex(t1."n") FROM "main"."made" AS t1`
	_, _, err := ask(t, d, q, datasource.Limits{})
	wantCode(t, err, reason.PolicyDenied)
}

func TestWhatIsNotGrantedIsRefused(t *testing.T) {
	path := makeFile(t, lockedDown)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	aside := filepath.Join(filepath.Dir(path), "aside.db")
	d := openFile(t, Options{Path: path})
	for _, c := range []struct{ name, sql string }{
		{"column", `SELECT t1."secret" FROM "main"."t" AS t1`},
		{"column in a condition", `SELECT t1."a" FROM "main"."t" AS t1 WHERE t1."secret" = 's1'`},
		{"column in an order", `SELECT t1."a" FROM "main"."t" AS t1 ORDER BY t1."secret"`},
		{"star", `SELECT * FROM "main"."t" AS t1`},
		{"table", `SELECT t1."x" FROM "main"."hidden" AS t1`},
		{"count of a table", `SELECT count(*) FROM "main"."buried" AS t1`},
		{"count of an unqualified table", `SELECT count(*) FROM buried AS t1`},
		{"exists in a table", `SELECT 1 WHERE EXISTS (SELECT 1 FROM "main"."buried" AS t1)`},
		{"view", `SELECT t1."x" FROM "main"."other" AS t1`},
		{"view below a permitted view", `SELECT t1."s" FROM "main"."v" AS t1`},
		{"table below a permitted view", `SELECT t1."secret" FROM "main"."vv" AS t2 JOIN "main"."t" AS t1`},
		{"function of a permitted view", `SELECT hex(t1."a") FROM "main"."t" AS t1, "main"."vv" AS t2`},
		{"rowid alias", `SELECT t1.rowid FROM "main"."u" AS t1`},
		{"sqlite_master", `SELECT sql FROM sqlite_master`},
		{"sqlite_schema", `SELECT sql FROM "main"."sqlite_schema"`},
		{"pragma function", `SELECT name FROM pragma_table_list`},
		{"pragma", `PRAGMA table_list`},
		{"pragma that writes", `PRAGMA query_only = 0`},
		{"attach", `ATTACH '` + aside + `' AS x`},
		{"vacuum into", `VACUUM INTO '` + aside + `'`},
		{"temporary table", `CREATE TEMP TABLE x (y)`},
		{"temporary view", `CREATE TEMP VIEW x AS SELECT 1`},
		{"delete", `DELETE FROM "main"."t"`},
		{"update", `UPDATE "main"."t" SET b = 1`},
		{"insert", `INSERT INTO "main"."t" (b) VALUES ('x')`},
		{"begin", `BEGIN`},
		{"load_extension", `SELECT load_extension('x')`},
		{"randomblob", `SELECT randomblob(1000000000)`},
		{"zeroblob", `SELECT zeroblob(1000000000)`},
		{"sqlite_version", `SELECT sqlite_version()`},
		{"json_each", `SELECT value FROM json_each('[1]')`},
		{"two statements", `SELECT 1; DELETE FROM "main"."t"`},
		{"comment", `SELECT 1 -- ; DELETE`},
		{"block comment", `SELECT 1 /* x */`},
		{"brackets", `SELECT [a] FROM "main"."t"`},
		{"open quote", `SELECT 'a FROM "main"."t"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := granted
			q.sql, q.columns = c.sql, columns(1)
			got, _, err := ask(t, d, q, datasource.Limits{})
			if err == nil {
				t.Fatalf("it ran and gave %v", got)
			}
			e := wantCode(t, err, reason.PolicyDenied)
			for _, word := range []string{"secret", "hidden", "buried", "sqlite"} {
				if strings.Contains(strings.ToLower(e.SafeMessage+e.NextAction), word) {
					t.Errorf("the safe message names %q: %s", word, e.SafeMessage)
				}
			}
		})
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file was changed (%v)", err)
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 {
		t.Errorf("files were made: %v (%v)", files, err)
	}
}

// A connection of the pool must not keep the grants of the query before.
func TestGrantsEndWithTheQuery(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, lockedDown), MaxParallel: 1})
	wide := query{
		sql: `SELECT t1."secret" FROM "main"."t" AS t1`, columns: columns(1),
		reads: []column{{"t", "secret"}}, tables: []table{{"t", false}},
	}
	if _, _, err := ask(t, d, wide, datasource.Limits{}); err != nil {
		t.Fatal(err)
	}
	narrow := wide
	narrow.reads = []column{{"t", "a"}}
	_, _, err := ask(t, d, narrow, datasource.Limits{})
	wantCode(t, err, reason.PolicyDenied)
	introspect(t, d)
	_, _, err = ask(t, d, narrow, datasource.Limits{})
	wantCode(t, err, reason.PolicyDenied)
	p, err := d.current()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.db.Exec("SELECT 1"); err == nil {
		t.Error("an idle connection of the pool ran a statement without grants")
	}
}

func TestLimitsHoldWithoutTheAuthorizer(t *testing.T) {
	d := openFile(t, Options{Path: makeFile(t, lockedDown)})
	for _, c := range []struct{ name, sql string }{
		{"depth", "SELECT " + strings.Repeat("(1+", 300) + "1" + strings.Repeat(")", 300)},
		{"compound", "SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 60)},
		{"length of a value", "SELECT length(replace(printf('%016000000d', 1), '0', '00'))"},
		{"length of a pattern", "SELECT 'x' LIKE '" + strings.Repeat("%a", 600) + "'"},
		{"length of the text", "SELECT '" + strings.Repeat("x", maxSQL) + "'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := ask(t, d, query{sql: c.sql, columns: columns(1)}, datasource.Limits{})
			wantCode(t, err, reason.ExecutionFailed)
		})
	}
}

func FuzzOneStatement(f *testing.F) {
	for _, s := range []string{`SELECT 1`, `SELECT 1; SELECT 2`, `SELECT ';'`, `SELECT "a""; "`, "SELECT `;`", `SELECT '--' -- x`} {
		f.Add(s)
	}
	d := openFile(f, Options{Path: makeFile(f, lockedDown)})
	f.Fuzz(func(t *testing.T, text string) {
		// Whatever the text is, nothing but the granted columns comes out.
		q := query{sql: text, columns: columns(1), reads: []column{{"t", "a"}}, tables: []table{{"t", false}}}
		got, _, err := ask(t, d, q, datasource.Limits{Rows: 10})
		if err != nil {
			return
		}
		for _, row := range got {
			if s := row[0].String(); s == "s1" || s == "h" {
				t.Errorf("%q gave %q", text, s)
			}
		}
	})
}
