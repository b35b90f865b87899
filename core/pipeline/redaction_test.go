package pipeline_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource/sqlite"
	"querent.dev/querent/sdk/wire"
)

// people is a fixture over a database with personal data, whose model plans and words.
func people(t *testing.T, r config.Redaction, replies ...reply) *fixture {
	t.Helper()
	path := filepath.Join(t.TempDir(), "people.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, mail TEXT, city TEXT);
		INSERT INTO people VALUES (1, 'Ann Archer', 'ann@x.test', 'Bern'), (2, 'Bob Baker', 'o''bob@x.test', 'Rome')`); err != nil {
		t.Fatal(err)
	}
	personal := config.ColumnConfig{Tags: []string{"personal"}}
	source, err := sqlite.Open(sqlite.Options{ID: "shop", Path: path, Columns: map[string]config.ColumnConfig{"main.people.name": personal, "main.people.mail": personal}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { source.Close() })
	return newFixture(t, planned(replies...), func(f *fixture) {
		f.real, f.config.Verified = source, nil
		f.config.Agents[config.AgentAnswerSynthesizer] = config.Agent{Provider: "local"}
		f.config.Roles = map[config.RoleName]config.Role{"analyst": {Tables: config.TableRules{Allow: []string{"*.main.people"}}}}
		f.config.Settings.Redaction = r
	})
}

const worded = `{"summary":"[personal:1] lives in Rome and has the address [email:1].","format_type":"text","content":"","warnings":[]}`

func ofPerson(where string) reply {
	return says(wire.Plan{Clauses: wire.Clauses{From: "people", Where: where, Select: []string{"name", "mail", "city"}}})
}

// A model plans and words with placeholders; the database and the asker see values.
func TestAModelSeesPlaceholdersAndTheAskerValues(t *testing.T) {
	f := people(t, config.Redaction{}, ofPerson("mail = '[email:1]'"), reply{text: worded})
	run := f.ask(t, context.Background(), question("where does o'bob@x.test live?"))
	if run.Answer.Outcome != wire.Answered || run.Answer.Summary != "Bob Baker lives in Rome and has the address o'bob@x.test." {
		t.Errorf("%s: %q, %+v", run.Answer.Outcome, run.Answer.Summary, run.Answer.Notes)
	}
	if len(run.Answer.Results) != 1 || len(run.Answer.Results[0].Rows) != 1 || run.Answer.Results[0].Rows[0][1].String() != "o'bob@x.test" {
		t.Errorf("results %+v", run.Answer.Results)
	}
	sent := encoded(t, f.model.asked)
	for _, secret := range []string{"bob@x.test", "Bob", "Baker"} {
		if strings.Contains(sent, secret) {
			t.Errorf("the model was sent %q", secret)
		}
	}
	if !strings.Contains(f.model.turn(0), "[email:1]") || !strings.Contains(f.model.turn(1), "[personal:1]") {
		t.Errorf("the model was told %q and %q", f.model.turn(0), f.model.turn(1))
	}
}

func TestRowsAreWithoutTaggedColumnsWhereTheSettingSaysSo(t *testing.T) {
	f := people(t, config.Redaction{ResultTable: config.RedactTagged, Answer: config.RedactAll, Events: config.RedactAll}, ofPerson("mail = '[email:1]'"), reply{text: worded})
	run := f.ask(t, context.Background(), question("where does o'bob@x.test live?"))
	reader, err := run.Rows(0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for reader.Next() {
		if row := reader.Row(); row[0].String() != "[personal:1]" || row[1].String() != "[email:1]" || row[2].String() != "Rome" {
			t.Errorf("row %v", row)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for where, text := range map[string]string{"the answer": encoded(t, run.Answer), "the events": encoded(t, f.events)} {
		if strings.Contains(text, "bob@x.test") || strings.Contains(text, "Baker") {
			t.Errorf("%s: %s", where, text)
		}
	}
	if run.Answer.Summary != "[personal:1] lives in Rome and has the address [email:1]." {
		t.Errorf("%q", run.Answer.Summary)
	}
}

func TestAFailureTellsNoPersonalData(t *testing.T) {
	for level, want := range map[config.RedactionLevel]bool{"": false, config.RedactSecrets: true} {
		f := people(t, config.Redaction{Failure: level}, says(selects("nobody", "mail")))
		run := f.ask(t, context.Background(), question("where does ann@x.test live, key sk-abcdEFGH1234ijklMNOP5678qrst?"))
		text := encoded(t, run.Answer)
		if run.Answer.Failure == nil || strings.Contains(text, "ann@x.test") != want || strings.Contains(text, "sk-abcd") {
			t.Errorf("level %q: %s", level, text)
		}
	}
}
