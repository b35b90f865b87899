package eval_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/core/eval"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// playersDB has five players, three of whom tie for second place.
func playersDB(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "players.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`create table player(name text, points int, height real);
		insert into player values ('Ada',9,1.5),('Bo',7,1.25),('Cy',7,null),('Di',7,2.0),('Ed',1,1.0)`); err != nil {
		t.Fatal(err)
	}
	return path
}

func texts(rows ...[]wire.Value) [][]wire.Value { return rows }

func TestCompare(t *testing.T) {
	path := playersDB(t)
	row := func(vs ...wire.Value) []wire.Value { return vs }
	name := func(s string) []wire.Value { return row(wire.Text(s)) }
	decimal, err := wire.Decimal("1.50")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		what, gold string
		got        [][]wire.Value
		want       eval.Status
	}{
		{"same multiset in another order", "select name from player where points < 9", texts(name("Ed"), name("Di"), name("Cy"), name("Bo")), eval.Right},
		{"a row twice is not once", "select points from player where points = 7", texts(row(wire.Int(7)), row(wire.Int(7))), eval.Wrong},
		{"order counts where the gold orders", "select name from player where points in (9, 1) order by points desc", texts(name("Ed"), name("Ada")), eval.Wrong},
		{"an order that is kept", "select name from player where points in (9, 1) order by points desc", texts(name("Ada"), name("Ed")), eval.Right},
		{"a float that is nearly equal", "select avg(height) from player where name in ('Ada','Bo')", texts(row(wire.Float(1.3750000001))), eval.Right},
		{"a float that is not", "select avg(height) from player where name in ('Ada','Bo')", texts(row(wire.Float(1.376))), eval.Wrong},
		{"a decimal equals its float", "select height from player where name = 'Ada'", texts(row(decimal)), eval.Right},
		{"null is not zero", "select height from player where name = 'Cy'", texts(row(wire.Int(0))), eval.Wrong},
		{"null equals null", "select height from player where name = 'Cy'", texts(row(wire.Null())), eval.Right},
		{"columns go by position", "select name, points from player where name = 'Ada'", texts(row(wire.Int(9), wire.Text("Ada"))), eval.Wrong},
		{"another of the tied rows", "select name from player order by points desc limit 2", texts(name("Ada"), name("Di")), eval.Tie},
		{"a row that does not tie", "select name from player order by points desc limit 2", texts(name("Ada"), name("Ed")), eval.Wrong},
		{"a certain row left out", "select name from player order by points desc limit 2", texts(name("Cy"), name("Di")), eval.Wrong},
		{"one tied row twice", "select name from player order by points desc limit 3", texts(name("Ada"), name("Di"), name("Di")), eval.Wrong},
		{"a tie by alias", "select name, points as p from player order by p desc limit 2", texts(row(wire.Text("Ada"), wire.Int(9)), row(wire.Text("Di"), wire.Int(7))), eval.Tie},
		{"equal keys in any order", "select name from player order by points", texts(name("Ed"), name("Di"), name("Cy"), name("Bo"), name("Ada")), eval.Right},
		{"unequal keys out of order", "select name from player order by points", texts(name("Ed"), name("Ada"), name("Cy"), name("Bo"), name("Di")), eval.Wrong},
		{"equal keys under distinct", "select distinct name, points from player where points = 7 order by points", texts(row(wire.Text("Di"), wire.Int(7)), row(wire.Text("Bo"), wire.Int(7)), row(wire.Text("Cy"), wire.Int(7))), eval.Right},
		{"an order by number", "select points, name from player where points >= 7 order by 1 desc", texts(row(wire.Int(9), wire.Text("Ada")), row(wire.Int(7), wire.Text("Di")), row(wire.Int(7), wire.Text("Bo")), row(wire.Int(7), wire.Text("Cy"))), eval.Right},
		{"nearly equal numbers that sort otherwise", "select 0.3 + (name = 'Bo') * 1e-10, name from player where name in ('Bo', 'Cy')",
			texts(row(wire.Float(0.3), wire.Text("Bo")), row(wire.Float(0.3000000001), wire.Text("Cy"))), eval.Right},
		{"a limit without an order", "select name from player limit 2", texts(name("Di"), name("Ed")), eval.Tie},
		{"a limit without an order by other rows", "select name from player limit 2", texts(name("Di"), name("Fy")), eval.Wrong},
		{"no rows on either side", "select name from player where points = 100", nil, eval.Right},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			g, err := eval.RunGold(context.Background(), path, tt.gold)
			if err != nil {
				t.Fatal(err)
			}
			if got := eval.Compare(tt.got, g); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestGoldCannotWrite(t *testing.T) {
	path := playersDB(t)
	if _, err := eval.RunGold(context.Background(), path, "delete from player returning name"); err == nil {
		t.Error("a gold that deletes was run")
	}
}

// scripted answers by question.
type scripted map[string]eval.Answered

func (s scripted) Ask(_ context.Context, _, question string) (eval.Answered, error) {
	return s[question], nil
}

func TestRunCountsAndRecords(t *testing.T) {
	path := playersDB(t)
	suite := strings.NewReader(`{"id":"1","question":"right","gold_sql":"select count(*) from player","db_path":"players.sqlite"}
{"id":"2","question":"wrong","gold_sql":"select count(*) from player","db_path":"players.sqlite"}

{"id":"3","question":"refused","gold_sql":"select 1","db_path":"players.sqlite"}
{"id":"4","question":"failed","gold_sql":"select 1","db_path":"players.sqlite"}
{"id":"5","question":"no gold","db_path":"players.sqlite"}
{"id":"6","question":"no file","gold_sql":"select 1","db_path":"missing.sqlite"}
{"id":"8","question":"right","gold_sql":"select 5","dialect":"postgres","db_path":"players.sqlite"}
{"id":"7","question":"cut","gold_sql":"select count(*) from player","db_path":"players.sqlite"}`)
	cases, err := eval.ReadSuite(suite, filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	five := [][]wire.Value{{wire.Int(5)}}
	asker := scripted{
		"right":   {Rows: five, RowCount: 1},
		"wrong":   {Rows: [][]wire.Value{{wire.Int(4)}}, RowCount: 1},
		"refused": {Err: reason.New(reason.NotUnderstood, reason.ReasonWordsNotUnderstood, "no")},
		"failed":  {Err: reason.New(reason.QueryTimeout, reason.ReasonTimeout, "slow")},
		"cut":     {Rows: five, RowCount: 1, Truncated: true},
	}
	var records bytes.Buffer
	report, err := eval.Run(context.Background(), cases, asker, &records)
	if err != nil {
		t.Fatal(err)
	}
	want := map[eval.Status]int{eval.Right: 1, eval.Wrong: 1, eval.Refused: 1, eval.Failed: 2, eval.Skipped: 3}
	for status, n := range want {
		if report.Counts[status] != n {
			t.Errorf("%s: %d, want %d", status, report.Counts[status], n)
		}
	}
	if report.Precision != 0.5 || report.Accuracy != 0.2 {
		t.Errorf("precision %v, accuracy %v; want 0.5 and 0.2", report.Precision, report.Accuracy)
	}
	var lines []eval.Record
	for d := json.NewDecoder(&records); d.More(); {
		var r eval.Record
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, r)
	}
	if len(lines) != 8 || lines[2].Status != eval.Refused || lines[2].Reason != "words_not_understood" {
		t.Errorf("records: %+v", lines)
	}
}

// Right rows are wrong without the warning that the case demands.
func TestWarningsAreDemanded(t *testing.T) {
	path := playersDB(t)
	demands := func(id, text string) eval.Case {
		return eval.Case{ID: id, Question: "q", GoldSQL: "select count(*) from player", DBPath: path, Warnings: []string{"There is no player", text}}
	}
	asker := scripted{"q": {Rows: [][]wire.Value{{wire.Int(5)}}, RowCount: 1, Warnings: []string{"There is no player with name 'Zed'. Did you mean 'Ed'?"}}}
	var records bytes.Buffer
	report, err := eval.Run(t.Context(), []eval.Case{demands("warned", "'Zed'"), demands("silent", "'Ned'")}, asker, &records)
	if err != nil {
		t.Fatal(err)
	}
	if report.Counts[eval.Right] != 1 || report.Counts[eval.Wrong] != 1 || report.Reasons["warning_missing"] != 1 {
		t.Errorf("report %+v", report)
	}
	var first eval.Record
	if err := json.NewDecoder(&records).Decode(&first); err != nil || len(first.Warnings) != 1 || first.Status != eval.Right {
		t.Errorf("record %+v, %v", first, err)
	}
}

func TestReadSuiteNamesTheLine(t *testing.T) {
	for _, bad := range []string{"{\"id\":\"1\",\"question\":\"q\"}\nnot json", "{\"id\":\"1\",\"question\":\"q\"}\n{}"} {
		if _, err := eval.ReadSuite(strings.NewReader(bad), "."); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: error %v does not name line 2", bad, err)
		}
	}
}

func TestMissingDatabaseIsNotMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.sqlite")
	if _, err := eval.RunGold(context.Background(), path, "select 1"); !os.IsNotExist(err) {
		t.Errorf("got %v, want that the file is missing", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the file was made")
	}
}
