package promises_test

import (
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

// writing is what people have tried to make others' databases write.
var writing = []string{
	"DROP TABLE people", "people; DROP TABLE people", "people; DROP TABLE people; --", "1); DELETE FROM people; --", "id FROM people; DELETE FROM people --",
	"(DELETE FROM people RETURNING id)", "with d as (delete from people returning *) select * from d", "people' OR '1'='1", "people/*", "pg_sleep(5)", "people union select * from people",
	"x FROM secrets --", "(select pay from people limit 1)", "id); COMMIT; DROP TABLE people; --", "people p\x00; DELETE FROM people", "`people`; DELETE FROM people", "\"people\"; DELETE FROM people",
	"INSERT INTO people VALUES (9)", "copy people to program 'rm'", "into outfile '/tmp/x'", "people for update", "people limit 1; delete from people", "sleep(5) or 1=1", "@@version", "people where 1=1",
}

func TestNothingThatAPlanSaysWrites(t *testing.T) {
	onEach(t, people, nil, func(t *testing.T, d *database) {
		for _, text := range writing {
			for _, field := range []string{"from", "join", "where", "group", "select", "label", "alias", "having", "order", "per", "block", "op"} {
				p := planOf(t, `{"from": "people p", "select": ["p.name"], "order": ["p.id"]}`)
				switch field {
				case "from":
					p.From = text
				case "join":
					p.Joins = []string{"cross " + text}
				case "where":
					p.Where = text
				case "group":
					p.Group = []string{text}
				case "select":
					p.Select = []string{text}
				case "label":
					p.Select = []string{"p.name as " + text}
				case "alias":
					p.From, p.Select, p.Order = "people "+text, []string{"name"}, nil
				case "having":
					p.Having = text
				case "order":
					p.Order = []string{text}
				case "per":
					p.Per, p.Limit = []string{text}, 1
				case "block":
					p.With = planOf(t, `{"with": [{"name": "d", "op": "select", "from": "people", "select": ["id"]}]}`).With
					p.With[0].Name = text
				case "op":
					p.With = planOf(t, `{"with": [{"name": "d", "op": "select", "from": "people", "select": ["id"]}]}`).With
					p.With[0].Op = text
				}
				got := d.on(t, terms{plan: p})
				if got.err != nil {
					if got.err.Code != reason.PlanInvalid {
						t.Errorf("%s in %s ends with %v", text, field, got.err)
					}
					continue
				}
				if field != "label" && field != "order" && field != "alias" {
					t.Errorf("%q in %s is answered with %q by\n%s", text, field, got.rows, got.sql)
				}
				if strings.ContainsAny(got.sql, ";") || strings.Contains(strings.ToUpper(got.sql), "DELETE") || strings.Contains(strings.ToUpper(got.sql), "DROP") {
					t.Errorf("%q in %s is in the SQL:\n%s", text, field, got.sql)
				}
			}
		}
		d.gives(t, `{"from": "people", "select": ["count(*) as n", "sum(pay) as pay"]}`, "3|60")
	})
}

func TestHostileNamesOfTheDatabaseAreNames(t *testing.T) {
	const script = people + `; CREATE TABLE "p""; DROP TABLE people; --" ("c'); DELETE FROM people; --" INTEGER, "/* d */" INTEGER); INSERT INTO "p""; DROP TABLE people; --" VALUES (1, 2)`
	onEach(t, script, nil, func(t *testing.T, d *database) {
		d.gives(t, "{\"from\": \"`p\\\"; DROP TABLE people; --` x\", \"select\": [\"x.`c'); DELETE FROM people; --` as a\", \"max(x.`/* d */`) as b\"]}", "1|2")
		d.gives(t, `{"from": "people", "select": ["count(*) as n"]}`, "3")
	})
}

func TestOnlyListedFunctionsAreCalled(t *testing.T) {
	onEach(t, people, nil, func(t *testing.T, d *database) {
		for _, call := range []string{
			"pg_read_file('/etc/passwd')", "pg_sleep(10)", "dblink('x', 'y')", "lo_import('/etc/passwd')", "query_to_xml('select 1', true, true, '')", "current_setting('x')", "set_config('x', 'y', false)",
			"load_file('/etc/passwd')", "sleep(10)", "benchmark(1000000000, md5('x'))", "get_lock('x', 10)", "load_extension('x')", "readfile('/etc/passwd')", "writefile('x', 'y')", "randomblob(1000000000)",
			"zeroblob(1000000000)", "sqlite_version()", "version()", "user()", "current_user", "database()", "xp_cmdshell('x')", "qcmdexc('x')", "pg_catalog.pg_sleep(1)", "generate_series(1, 1000000000)", "mask_hash(name, 'x')",
		} {
			for _, plan := range []string{`{"from": "people", "select": ["` + call + ` as x"]}`, `{"from": "people", "where": "` + call + ` is not null", "select": ["id"]}`} {
				d.refuses(t, plan, reason.PlanInvalid)
			}
		}
	})
}

// What would never end is refused by its estimate, so that asking for one does not
// run the query.
func TestEstimatesDoNotRun(t *testing.T) {
	const script = `CREATE TABLE n (i INTEGER PRIMARY KEY); INSERT INTO n WITH RECURSIVE g (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM g WHERE i < 999) SELECT i FROM g`
	onEach(t, script, nil, func(t *testing.T, d *database) {
		c := terms{plan: planOf(t, `{"from": "n a", "joins": ["cross n b", "cross n c", "cross n d", "cross n e"], "select": ["count(*) as x"], "where": "a.i + b.i + c.i + d.i + e.i < 0"}`)}
		if d.dialect == schema.SQLite {
			d.exec("ANALYZE") // without it, SQLite knows no number of rows
		}
		got := d.on(t, c)
		if got.err == nil || got.err.Code != reason.CostLimit {
			t.Errorf("it ends with %v and %q", got.err, got.rows)
		}
	})
}

func TestLabelsCutNoRule(t *testing.T) {
	onEach(t, people, nil, func(t *testing.T, d *database) {
		for _, label := range []string{" WHERE ", "`x WHERE 1=1 --`", "`' OR 1=1`", "`\\\" FROM people --`", "`t1`", "`WHERE`", "`; SELECT`"} {
			for _, plan := range []string{
				`{"from": "people p", "select": ["p.name as ` + label + `"], "order": ["p.id"]}`,
				`{"from": "people ` + strings.TrimSpace(label) + `", "select": ["name"], "order": ["id"]}`,
			} {
				c := terms{plan: planOf(t, plan), role: config.Role{RowFilters: map[string]string{"*.*.people": "pay <= 20"}}}
				got := d.on(t, c)
				if got.err != nil && got.err.Code == reason.PlanInvalid {
					continue
				}
				got.wants(t, plan, "Ann", "Bob")
			}
		}
	})
}
