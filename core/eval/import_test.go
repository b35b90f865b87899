package eval_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/demo"
	"querent.dev/querent/core/eval"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/schema"
)

// The SQL texts of testdata/import, one a line, ask the tables of shop.sql. Each
// must come back as a plan with the rows of the SQL itself.

// shopDB makes the file that the texts ask.
func shopDB(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile("testdata/import/shop.sql")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "shop.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(string(script)); err != nil {
		t.Fatal(err)
	}
	return path
}

// demoDB makes the demo database, which the texts of demo_*.sql ask as the analysts
// of a retailer would.
func demoDB(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "demo.sqlite")
	if err := demo.Write(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	return path
}

// importCases are the texts of a flavour as cases of a suite. The prefix is that of
// their file.
func importCases(t *testing.T, prefix string, flavour schema.Dialect, path string) []eval.Case {
	t.Helper()
	text, err := os.ReadFile("testdata/import/" + prefix + string(flavour) + ".sql")
	if err != nil {
		t.Fatal(err)
	}
	var out []eval.Case
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		out = append(out, eval.Case{ID: fmt.Sprintf("%s%s:%d", prefix, flavour, i+1), Question: line, GoldSQL: line, Dialect: string(flavour), DBPath: path})
	}
	return out
}

// cover runs the cases and reports what is not right.
func cover(t *testing.T, cases []eval.Case, dialects ...eval.Databases) {
	t.Helper()
	var records bytes.Buffer
	c := eval.Coverage{Dialects: dialects, Timeout: time.Minute, Clock: plan.Clock{Now: time.Date(2024, 8, 1, 12, 0, 0, 0, time.UTC), WeekStart: time.Monday}}
	if _, err := c.Run(context.Background(), cases, &records); err != nil {
		t.Fatal(err)
	}
	byID := map[string]string{}
	for _, c := range cases {
		byID[c.ID] = c.GoldSQL
	}
	n := 0
	for d := json.NewDecoder(&records); d.More(); n++ {
		var r eval.Record
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if r.Status != eval.Right {
			p, _ := json.Marshal(r.Plan)
			t.Errorf("%s on %s: %s %s\n%s\n%s\n%s", r.ID, r.Dialect, r.Status, r.Reason, byID[r.ID], p, r.SQL)
		}
	}
	if n != len(cases)*len(dialects) {
		t.Errorf("%d records for %d cases", n, len(cases))
	}
}

func TestImportedSQLiteGivesItsRows(t *testing.T) {
	path := shopDB(t)
	cover(t, importCases(t, "", schema.SQLite, path), eval.SQLiteFiles{})
}

func TestImportedAnalysesGiveTheirRows(t *testing.T) {
	cover(t, importCases(t, "demo_", schema.SQLite, demoDB(t)), eval.SQLiteFiles{})
}
