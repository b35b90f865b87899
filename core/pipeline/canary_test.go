package pipeline_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	_ "modernc.org/sqlite"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/sdk/wire"
)

// Every name and value that the caller may not see holds one of these. What a test
// asks or proposes itself stops a letter short of them.
const (
	tableCanary  = "Kanari1q"
	columnCanary = "Kanari2q"
	wordCanary   = "Kanari3q" // in descriptions and synonyms
	valueCanary  = "Kanari4q" // in denied and masked columns
	rowCanary    = "Kanari5q" // in rows that a filter hides
	keyCanary    = "Kanari6q" // in the key of a mask
	ruleCanary   = "Kanari7q" // in what the rules say
)

const canaryData = `
CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT, mail TEXT, code TEXT, region TEXT, Kanari2q_pay INTEGER, grade INTEGER);
INSERT INTO staff VALUES (1, 'Ann', 'aKanari4q@x.test', 'Kanari4q1', 'EU', 7, 3), (2, 'Bob', 'bKanari4q@x.test', 'Kanari4q2', 'EU', 8, 4),
 (3, 'Kanari5q', 'c@x.test', 'c3', 'US', 9, 5), (4, 'Eve', NULL, NULL, 'Kanari7q', 1, 6);
CREATE TABLE Kanari1q_audit (id INTEGER PRIMARY KEY, staff_id INTEGER REFERENCES staff (id), Kanari2q_note TEXT);
INSERT INTO Kanari1q_audit VALUES (1, 1, 'Kanari4q');
CREATE TABLE visits (id INTEGER PRIMARY KEY, staff_id INTEGER REFERENCES staff (id), place TEXT);
INSERT INTO visits VALUES (1, 1, 'Bern'), (2, 3, 'Rome');
`

// canaryRole sees staff without a column, with masks, and some of its rows.
var canaryRole = config.Role{
	Tables:     config.TableRules{Allow: []string{"shop.main.*"}, Deny: []string{"shop.main.kanari1q_audit"}},
	Columns:    config.ColumnRules{Deny: []string{"*.*.*.kanari2q_pay"}, AggregateOnly: []string{"*.*.staff.grade"}, MinGroup: 2},
	RowFilters: map[string]string{"*.*.staff": "region = :user.region and region <> 'Kanari7q'"},
	Masks: map[string]config.Mask{"*.*.staff.mail": {Kind: config.MaskPartial, KeepLast: 6},
		"*.*.staff.code": {Kind: config.MaskHash, HashKey: "a key with Kanari6q in it"}},
}

// TestCanaries asks and proposes all that might make the engine speak of what the
// caller may not see, and looks for it in all that leaves.
func TestCanaries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "staff.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(canaryData); err != nil {
		t.Fatal(err)
	}
	var logs bytes.Buffer
	logger := hclog.New(&hclog.LoggerOptions{Output: &logs, Level: hclog.Trace})
	for name, plans := range canaryPlans {
		t.Run(name, func(t *testing.T) {
			f := canaryFixture(t, path, logger, plans)
			caller := policy.Caller{Name: "kim", Roles: []string{"analyst"}, Attributes: map[string]string{"region": "EU"}}
			for _, question := range []string{"what do the staff earn", "show Kanari1 audit", "who has the code Kanari4", "list staff Kanari2 pay", "staff in the region Kanari7"} {
				run := f.ask(t, context.Background(), pipeline.Question{Text: question, Caller: caller})
				lookForCanaries(t, "the answer", encoded(t, run.Answer))
				lookForCanaries(t, "the rows", shownRows(t, run))
				f.mu.Lock()
				lookForCanaries(t, "the events", encoded(t, f.events))
				f.mu.Unlock()
			}
			f.model.mu.Lock()
			lookForCanaries(t, "a prompt", encoded(t, f.model.asked))
			asked := len(f.model.asked)
			f.model.mu.Unlock()
			f.service.mu.Lock()
			lookForCanaries(t, "a request", encoded(t, f.service.asked))
			f.service.mu.Unlock()
			if asked == 0 {
				t.Error("the model was never asked, so nothing was tried")
			}
			lookForCanaries(t, "the logs", logs.String())
		})
	}
}

// canaryPlans are what the model proposes: plans that are near what is hidden, and
// some that are fine and must not show it.
var canaryPlans = map[string][]wire.Plan{
	"all columns":            {selects("staff", "*")},
	"a table nearly named":   {selects("Kanari1_audit", "*")},
	"a column nearly named":  {selects("staff", "Kanari2_pay")},
	"a join along its key":   {{Clauses: wire.Clauses{From: "staff", Joins: []string{"Kanari1_audit"}, Select: []string{"name"}}}},
	"a masked value":         {{Clauses: wire.Clauses{From: "staff", Where: "mail like '%Kanari4%'", Select: []string{"name", "mail", "code"}}}},
	"the least and greatest": {{Clauses: wire.Clauses{From: "staff", Select: []string{"min(mail)", "max(code)", "max(name)", "max(region)"}}}},
	"joined text":            {selects("staff", "string_agg(mail)", "string_agg(code)", "string_agg(name)")},
	"groups":                 {{Clauses: wire.Clauses{From: "staff", Group: []string{"region"}, Select: []string{"region", "sum(grade)", "count(*)"}}}},
	"an aggregate column":    {selects("staff", "grade")},
	"the keyed rows":         {{Clauses: wire.Clauses{From: "visits v", Joins: []string{"left staff s on s.id = v.staff_id"}, Select: []string{"v.place", "s.name", "s.mail"}}}},
	"values nearly named": {
		{Clauses: wire.Clauses{From: "staff", Where: "name = 'Kanari5'", Select: []string{"name"}}},
		{Clauses: wire.Clauses{From: "staff", Where: "mail = 'aKanari4@x.test' and region = 'Kanari7'", Select: []string{"name"}}},
		{Clauses: wire.Clauses{From: "staff", Where: "code in ('Kanari41', 'Kanari42')", Select: []string{"count(*)"}}},
	},
	"nothing that is there": {selects("staff", "nothing"), selects("nobody", "id")},
}

// What a model names itself is in what it said, and in nothing that is said back.
func TestTheAnswerDoesNotRepeatForbiddenNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "staff.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(canaryData); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]wire.Plan{
		"a table":           selects("Kanari1q_audit", "*"),
		"a column":          selects("staff", "name", "Kanari2q_pay"),
		"a join":            {Clauses: wire.Clauses{From: "staff", Joins: []string{"Kanari1q_audit"}, Select: []string{"count(*)"}}},
		"a fault beside it": {Clauses: wire.Clauses{From: "Kanari1q_audit", Select: []string{"nothing"}}},
	} {
		t.Run(name, func(t *testing.T) {
			f := canaryFixture(t, path, hclog.NewNullLogger(), []wire.Plan{p})
			run := f.ask(t, context.Background(), pipeline.Question{Text: "what do the staff earn",
				Caller: policy.Caller{Name: "kim", Roles: []string{"analyst"}, Attributes: map[string]string{"region": "EU"}}})
			if run.Answer.Outcome != wire.Refused {
				t.Errorf("the outcome is %s", run.Answer.Outcome)
			}
			lookForCanaries(t, "the answer", encoded(t, run.Answer))
			f.mu.Lock()
			lookForCanaries(t, "the events", encoded(t, f.events))
			f.mu.Unlock()
		})
	}
}

func canaryFixture(t *testing.T, path string, logger hclog.Logger, plans []wire.Plan) *fixture {
	t.Helper()
	source, err := sqlite.Open(sqlite.Options{ID: "shop", Path: path, Columns: map[string]config.ColumnConfig{
		"main.staff.Kanari2q_pay":           {Description: "pay, Kanari3q", Synonyms: []string{"earnings Kanari3q"}},
		"main.Kanari1q_audit.Kanari2q_note": {Description: "Kanari3q"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { source.Close() })
	m := &model{}
	for _, p := range plans {
		m.replies = append(m.replies, says(p))
	}
	return newFixture(t, func(f *fixture) {
		f.model = m
		f.config.Providers["local"] = config.Provider{Plugin: "ollama", Model: "m:7b", Data: config.Data{Values: true, Rows: true}}
		f.config.Agents = map[config.AgentName]config.Agent{
			config.AgentDefault: {Provider: "fixed"}, config.AgentASTPlanner: {Provider: "local"},
		}
		f.config.Roles = map[config.RoleName]config.Role{"analyst": canaryRole}
		f.config.Verified = nil
		f.config.Settings.SQLAgent.Backoff = config.Duration(time.Millisecond)
		f.deps.Logger = logger
		f.real = source
	})
}

func shownRows(t *testing.T, run *pipeline.Run) string {
	t.Helper()
	var out strings.Builder
	for _, s := range run.Sub {
		if s.Result == nil {
			continue
		}
		r := s.Result.Reader()
		for r.Next() {
			for _, v := range r.Row() {
				fmt.Fprint(&out, v.String(), " ")
			}
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func lookForCanaries(t *testing.T, where, text string) {
	t.Helper()
	for _, canary := range []string{tableCanary, columnCanary, wordCanary, valueCanary, rowCanary, keyCanary, ruleCanary} {
		if i := strings.Index(strings.ToLower(text), strings.ToLower(canary)); i >= 0 {
			t.Errorf("%s holds %s: …%s…", where, canary, text[max(0, i-200):min(len(text), i+60)])
		}
	}
}
