package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/demo"
	"querent.dev/querent/core/eval"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// kept keeps receipts in memory, or fails.
type kept struct {
	receipts []*audit.Receipt
	fails    error
}

func (k *kept) Keep(_ context.Context, r *audit.Receipt) error {
	if k.fails != nil {
		return k.fails
	}
	k.receipts = append(k.receipts, r)
	return nil
}

func (k *kept) Drop(_ context.Context, runID string) error {
	k.receipts = slices.DeleteFunc(k.receipts, func(r *audit.Receipt) bool { return r.RunID == runID })
	return nil
}

func auditKey(t *testing.T) audit.Key {
	t.Helper()
	key, err := audit.ParseKey("an audit key of the tests, long enough")
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// recording is a fixture whose runs are recorded.
func recording(t *testing.T, store *kept, required bool) setup {
	return func(f *fixture) {
		f.deps.Recorder = &audit.Recorder{Host: "test", Key: auditKey(t), Store: store, Must: required}
	}
}

// statuses are the checks of a report that came out otherwise than checked.
func statuses(report audit.Report) string {
	var out []string
	for _, c := range report {
		if c.Status != audit.Checked {
			out = append(out, string(c.Status)+" "+c.What+": "+c.Detail)
		}
	}
	return strings.Join(out, "\n")
}

// Every question over the demo's database leaves a receipt of which all can be
// checked without the database, but for results that it holds a part of.
func TestReceiptsOfTheDemoCanBeChecked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "demo.db")
	if err := demo.Write(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(demoSuite)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := eval.ReadSuite(bytes.NewReader(text), filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	store := &kept{}
	limited := config.Role{
		Tables:     config.TableRules{Allow: []string{"shop.main.*"}},
		Columns:    config.ColumnRules{Deny: []string{"shop.main.customers.email"}},
		RowFilters: map[string]string{"shop.main.orders": "id <> number(:user.order)"},
		Masks:      map[string]config.Mask{"shop.main.customers.phone": {Kind: config.MaskPartial, KeepLast: 2}},
	}
	f := newFixture(t, overDemo(t, path, plansByHand(t, text)), recording(t, store, true), func(f *fixture) { f.config.Roles["limited"] = limited })
	for _, c := range cases {
		for _, caller := range []policy.Caller{analyst, {Name: "ann", Roles: []string{"limited"}, Attributes: map[string]string{"order": "7"}}} {
			t.Run(c.ID+"/"+caller.Name, func(t *testing.T) {
				run := f.ask(t, t.Context(), pipeline.Question{Text: c.Question, Caller: caller})
				if !run.Recorded || run.Receipt == nil || run.Receipt != store.receipts[len(store.receipts)-1] {
					t.Fatalf("the run was not recorded: %v", run.Err())
				}
				encoded, err := run.Receipt.Encode()
				if err != nil {
					t.Fatal(err)
				}
				r, err := audit.Decode(encoded)
				if err != nil {
					t.Fatal(err)
				}
				report := audit.Verify(r, audit.Evidence{Key: auditKey(t), Host: "test"})
				for _, line := range strings.Split(statuses(report), "\n") {
					if line != "" && !strings.Contains(line, "needs the template packs") && !strings.Contains(line, "rows: needs the database") {
						t.Error(line)
					}
				}
				if run.Err() == nil && r.Results[0].Hash != run.Aggregate.ComputedArtifacts[0].Hash() {
					t.Error("the result has another hash")
				}
			})
		}
	}
}

// oneReceipt is the receipt of a question with a text in it, under a row filter.
func oneReceipt(t *testing.T, changes ...setup) *audit.Receipt {
	t.Helper()
	store := &kept{}
	f := newFixture(t, append([]setup{recording(t, store, false), func(f *fixture) {
		f.service.plan = proposes(wire.Plan{Clauses: wire.Clauses{
			From: "customers", Where: "name = 'Ann Kim' and id > 3", Select: []string{"country", "count(*) as n"},
		}})
		role := f.config.Roles["analyst"]
		role.RowFilters = map[string]string{"shop.main.customers": "country = :user.land"}
		role.Columns.Deny = []string{"shop.main.orders.total"}
		f.config.Roles["analyst"] = role
	}}, changes...)...)
	who := analyst
	who.Attributes = map[string]string{"land": "Norway"}
	run := f.ask(t, t.Context(), pipeline.Question{Text: "How many customers are called Ann Kim, by country?", Caller: who})
	if err := run.Err(); err != nil {
		t.Fatal(err)
	}
	return store.receipts[0]
}

// Who has no key can make a hash anew, but not what follows from the content.
func TestForgedReceiptsAreFound(t *testing.T) {
	whole := oneReceipt(t)
	for name, forge := range map[string]func(r *audit.Receipt){
		"question":         func(r *audit.Receipt) { r.Question.Text += "?" },
		"SQL":              func(r *audit.Receipt) { r.Queries[0].SQL += " LIMIT 1" },
		"argument":         func(r *audit.Receipt) { r.Queries[0].Args[0].Text += "x" },
		"argument kind":    func(r *audit.Receipt) { r.Queries[0].Args[0].Kind = wire.KindBytes },
		"argument dropped": func(r *audit.Receipt) { r.Queries[0].Args = r.Queries[0].Args[1:] },
		"plan": func(r *audit.Receipt) {
			p := *r.Queries[0].Plan
			p.Where = "name = 'Ann Kim' and id > 4"
			r.Queries[0].Plan = &p
		},
		"plan id":     func(r *audit.Receipt) { r.Queries[0].PlanID += "0" },
		"secured id":  func(r *audit.Receipt) { r.Queries[0].SecuredID += "0" },
		"policy hash": func(r *audit.Receipt) { r.PolicyHash = strings.Repeat("0", 64) },
		"attribute":   func(r *audit.Receipt) { r.Caller.Attributes = map[string]string{"land": "Sweden"} },
		"role":        func(r *audit.Receipt) { r.Caller.Roles = []string{"clerk"} },
		"rules": func(r *audit.Receipt) {
			r.Rules = &audit.Rules{Roles: map[string]json.RawMessage{"analyst": json.RawMessage(strings.Replace(string(r.Rules.Roles["analyst"]), "country = :user.land", "country <> :user.land", 1))}}
		},
		"structure": func(r *audit.Receipt) {
			b := *r.Queries[0].Basis
			b.Tables = slices.Clone(b.Tables)
			b.Tables[0].Name = "customer"
			r.Queries[0].Basis = &b
		},
		"sent hash": func(r *audit.Receipt) {
			b := *r.Queries[0].Basis
			b.SentHash = strings.Repeat("0", 64)
			r.Queries[0].Basis = &b
		},
		"dialect":     func(r *audit.Receipt) { r.Queries[0].Dialect = "mysql" },
		"row":         func(r *audit.Receipt) { r.Results[0].Rows[0][0].Text += "0" },
		"row dropped": func(r *audit.Receipt) { r.Results[0].Rows = r.Results[0].Rows[1:]; r.Results[0].RowCount-- },
		"result hash": func(r *audit.Receipt) { r.Results[0].Hash = strings.Repeat("0", 64) },
		"column":      func(r *audit.Receipt) { r.Results[0].Columns[0].Name += "s" },
		"words":       func(r *audit.Receipt) { r.Answer.Words.Summary += " Indeed." },
		"outcome":     func(r *audit.Receipt) { r.Answer.Outcome = wire.Partial },
		"answer hash": func(r *audit.Receipt) { r.Answer.Hash = strings.Repeat("0", 64) },
		"text hash":   func(r *audit.Receipt) { r.Answer.TextHash = strings.Repeat("0", 64) },
		"synthesizer": func(r *audit.Receipt) { r.Answer.SynthesizedBy = "local" },
		"template":    func(r *audit.Receipt) { r.Answer.TemplateIDs = []string{"other/outcome@1"} },
		"planner":     func(r *audit.Receipt) { r.Queries[0].Planner = "verified" },
		"clock":       func(r *audit.Receipt) { r.Clock.Zone = "Nowhere/Land" },
		"note in answer": func(r *audit.Receipt) {
			r.Answer.Words.Notes = append(r.Answer.Words.Notes, wire.Note{Code: reason.JoinFanOut, Message: "x"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := whole.Encode()
			if err != nil {
				t.Fatal(err)
			}
			r, err := audit.Decode(text)
			if err != nil {
				t.Fatal(err)
			}
			forge(r)
			forged, err := r.Sealed(audit.Key{})
			if err != nil {
				t.Fatal(err)
			}
			if report := audit.Verify(forged, audit.Evidence{Host: "test"}); report.OK() {
				t.Errorf("nothing failed:\n%s", statuses(report))
			}
			if report := audit.Verify(forged, audit.Evidence{Key: auditKey(t)}); !strings.Contains(statuses(report), "failed signature") {
				t.Errorf("with the key:\n%s", statuses(report))
			}
		})
	}
}

// What may not be answered unrecorded is not answered, nor any of it told on the way.
func TestARunThatCannotBeRecorded(t *testing.T) {
	full := errors.New("no space left on device /secret/path")
	for _, required := range []bool{true, false} {
		f := newFixture(t, recording(t, &kept{fails: full}, required))
		f.source.cell = func(int64) wire.Value { return wire.Text("Ann Kim") }
		f.deps.Logger = nil
		run := f.ask(t, t.Context(), pipeline.Question{Text: "customers by country", Caller: analyst, Stream: true})
		if run.Recorded {
			t.Error("the run says that it was recorded")
		}
		if !required {
			if run.Err() != nil || run.Answer.Outcome != wire.Answered || len(run.Answer.Results) != 1 {
				t.Errorf("not required: %v, %+v", run.Err(), run.Answer)
			}
			continue
		}
		err := errorOf(run)
		if err.Code != reason.Internal || run.Answer.Outcome != wire.Failed || !strings.Contains(err.SafeMessage, "not answered") {
			t.Errorf("required: %v, %s", err, run.Answer.Outcome)
		}
		said, _ := json.Marshal(run.Answer)
		for _, e := range f.events {
			text, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			said = append(said, text...)
			if e.Type == graph.RunCompleted {
				t.Error("the run is told to have answered")
			}
		}
		for _, secret := range []string{"Ann Kim", "/secret/path", "has 3 rows"} {
			if bytes.Contains(said, []byte(secret)) {
				t.Errorf("%q was told in %s", secret, said)
			}
		}
	}
}

// The events of an answer wait for its recording and come in their order.
func TestTheAnswerWaitsForItsRecording(t *testing.T) {
	f := newFixture(t)
	var before []graph.Event
	f.deps.Recorder = recorderFunc(func(context.Context, audit.Receipt) (*audit.Receipt, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		before = slices.Clone(f.events)
		return &audit.Receipt{}, nil
	})
	f.build(t)
	run := f.ask(t, t.Context(), question("customers by country"))
	if run.Err() != nil || len(before) == 0 {
		t.Fatalf("%v, %d events before", run.Err(), len(before))
	}
	for _, e := range before {
		if e.Type == graph.AnswerCompleted {
			t.Error("the answer was told before it was recorded")
		}
	}
}

type recorderFunc func(context.Context, audit.Receipt) (*audit.Receipt, error)

func (r recorderFunc) Record(ctx context.Context, receipt audit.Receipt) (*audit.Receipt, error) {
	return r(ctx, receipt)
}

func (recorderFunc) Required() bool { return true }

// A plan that is only looked at leaves no receipt.
func TestPlansAreNotRecorded(t *testing.T) {
	store := &kept{}
	f := newFixture(t, recording(t, store, true))
	run := f.engine.Plan(t.Context(), question("customers by country"))
	defer run.Close()
	if run.Err() != nil || len(store.receipts) != 0 {
		t.Errorf("%v, %d receipts", run.Err(), len(store.receipts))
	}
}

// What an asker gets holds nothing of the policy, and still proves what it says.
func TestTheAskersReceiptHoldsNoPolicy(t *testing.T) {
	whole := oneReceipt(t)
	r, err := whole.ForAsker(auditKey(t))
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []string{":user.land", "customer_id", "placed_on", "total", "deny"} {
		if bytes.Contains(text, []byte(hidden)) {
			t.Errorf("%q is in it", hidden)
		}
	}
	again, err := audit.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	report := audit.Verify(again, audit.Evidence{Key: auditKey(t), Whole: whole})
	if !report.OK() || strings.Contains(statuses(report), "what was left out") || !strings.Contains(statuses(report), "needs the whole one") {
		t.Error(statuses(report))
	}
}

// A redacted receipt holds no text of the question's data, and can be checked against
// the whole one with the key.
func TestRedactedReceipts(t *testing.T) {
	whole := oneReceipt(t)
	redacted := func(how audit.Redaction) (*audit.Receipt, []byte) {
		t.Helper()
		r, err := whole.Redacted(auditKey(t), how)
		if err != nil {
			t.Fatal(err)
		}
		text, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if r, err = audit.Decode(text); err != nil {
			t.Fatal(err)
		}
		return r, text
	}
	for _, c := range []struct {
		arguments audit.Arguments
		find      func(string) [][2]int
		gone      []string
		checked   []string // although texts are left out
	}{
		{config.ArgumentsText, nil, []string{"Ann Kim", "Norway"}, []string{"q1: SQL from plan"}},
		{config.ArgumentsTagged, nil, []string{"Norway"}, []string{"q1: SQL from plan", "q1: arguments"}},
		{config.ArgumentsAll, nil, []string{"Ann Kim", "Norway", "id > 3"}, nil},
		{config.ArgumentsNone, func(text string) [][2]int { at := strings.Index(text, "Ann"); return [][2]int{{at, at + 3}} }, []string{"Norway"}, nil},
	} {
		t.Run(string(c.arguments), func(t *testing.T) {
			r, text := redacted(audit.Redaction{Arguments: c.arguments, Find: c.find})
			for _, gone := range c.gone {
				if bytes.Contains(text, []byte(gone)) {
					t.Errorf("%q is in it:\n%s", gone, text)
				}
			}
			if len(r.Results[0].Rows) > 0 || r.Answer.Words != nil || c.find != nil && strings.Contains(r.Question.Text, "Ann") {
				t.Errorf("rows, words or the name are in it: %q", r.Question.Text)
			}
			for what, e := range map[string]audit.Evidence{"nothing": {}, "the key": {Key: auditKey(t)}, "all": {Key: auditKey(t), Whole: whole}} {
				report := audit.Verify(r, e)
				said := statuses(report)
				if !report.OK() {
					t.Errorf("with %s:\n%s", what, said)
				}
				if asks := strings.Contains(said, "what was left out"); asks != (what != "all") {
					t.Errorf("with %s:\n%s", what, said)
				}
				for _, checked := range c.checked {
					if strings.Contains(said, checked) {
						t.Errorf("with %s, %s is not checked:\n%s", what, checked, said)
					}
				}
			}
		})
	}
	if _, err := whole.Redacted(audit.Key{}, audit.Redaction{}); err == nil {
		t.Error("a receipt was redacted without a key")
	}
	r, _ := redacted(audit.Redaction{})
	for name, forge := range map[string]func(r *audit.Receipt){
		"argument":  func(r *audit.Receipt) { r.Queries[0].Args[0].HMAC = strings.Repeat("0", 64) },
		"question":  func(r *audit.Receipt) { r.Question.HMAC = strings.Repeat("0", 64) },
		"attribute": func(r *audit.Receipt) { r.Caller.Attributes = map[string]string{"land": "hmac:0"} },
	} {
		forged := *r
		forged.Queries = slices.Clone(r.Queries)
		forged.Queries[0].Args = slices.Clone(r.Queries[0].Args)
		forge(&forged)
		again, err := forged.Sealed(auditKey(t)) // by someone who has the key, even
		if err != nil {
			t.Fatal(err)
		}
		if audit.Verify(again, audit.Evidence{Key: auditKey(t), Whole: whole}).OK() {
			t.Errorf("another %s: not found", name)
		}
	}
}

// What redaction took out of an answer is not in the receipt that its asker gets.
func TestReceiptsDoNotUndoRedaction(t *testing.T) {
	store := &kept{}
	f := newFixture(t, recording(t, store, true), func(f *fixture) {
		f.source.cell = func(int64) wire.Value { return wire.Text("ann.kim@example.com") }
		f.config.Settings.Redaction.ResultTable = config.RedactAll
	})
	run := f.ask(t, t.Context(), question("customers by country"))
	said, err := json.Marshal(run.Answer)
	if err != nil || run.Err() != nil || bytes.Contains(said, []byte("ann.kim")) {
		t.Fatalf("%v, %v, %s", err, run.Err(), said)
	}
	whole := store.receipts[0]
	if hash, err := audit.AnswerHash(*run.Answer); err != nil || whole.Answer.Given == nil || whole.Answer.Given.Hash != hash {
		t.Errorf("the hash of what was given is %+v, want %s, %v", whole.Answer.Given, hash, err)
	}
	for name, part := range map[string]func(audit.Key) (*audit.Receipt, error){"for the asker": whole.ForAsker, "as given": whole.AsGiven} {
		r, err := part(auditKey(t))
		if err != nil {
			t.Fatal(err)
		}
		text, err := r.Encode()
		if err != nil || bytes.Contains(text, []byte("ann.kim")) {
			t.Errorf("%s: %v, %s", name, err, text)
		}
		if report := audit.Verify(r, audit.Evidence{Key: auditKey(t), Whole: whole}); !report.OK() {
			t.Errorf("%s: %s", name, statuses(report))
		}
	}
}

// Where no filter and no mask is in the SQL, the asker can have it written again, too,
// over the structure that they may see.
func TestTheAskerCanCheckTheSQL(t *testing.T) {
	store := &kept{}
	f := newFixture(t, recording(t, store, true), func(f *fixture) {
		role := f.config.Roles["analyst"]
		role.Columns.Deny = []string{"*.main.orders.total"}
		f.config.Roles["analyst"] = role
		f.service.plan = proposes(wire.Plan{Clauses: wire.Clauses{
			From: "orders o", Joins: []string{"customers c"}, Where: "c.name = 'Ann Kim'", Select: []string{"c.country", "count(*) as n"},
		}})
	})
	if run := f.ask(t, t.Context(), question("orders of Ann Kim by country")); run.Err() != nil {
		t.Fatal(run.Err())
	}
	r, err := store.receipts[0].ForAsker(auditKey(t))
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Encode()
	if err != nil || bytes.Contains(text, []byte(`"total"`)) || bytes.Contains(text, []byte("Deny")) {
		t.Errorf("%v, %s", err, text)
	}
	said := statuses(audit.Verify(r, audit.Evidence{Key: auditKey(t)}))
	for _, checked := range []string{"SQL from plan", "plan id:", "arguments", "statement as sent"} {
		if strings.Contains(said, "q1: "+checked) {
			t.Errorf("not checked is %s:\n%s", checked, said)
		}
	}
	if strings.Contains(said, "failed") || !strings.Contains(said, "policy hash") {
		t.Error(said)
	}
	forged := *r
	forged.Queries = slices.Clone(r.Queries)
	forged.Queries[0].SQL += " LIMIT 1"
	again, err := forged.Sealed(audit.Key{})
	if err != nil || audit.Verify(again, audit.Evidence{}).OK() {
		t.Errorf("other SQL: not found, %v", err)
	}
}
