package main

import (
	"database/sql"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// troubles has a case for each row of the table of reasons.
func troubles() []trouble {
	out := []trouble{
		{reason.InvalidState, reason.ReasonInvalidState, defect("invalid_state"), wire.Failed, "", false},
		{reason.PlanningFailure, reason.ReasonPlanningFailed, says(`{"with":[],"from":"","joins":[],"where":"","group":[],"select":[],"having":"","order":[],"limit":0,"offset":0,"per":[],"distinct":false}`), wire.CannotAnswer, "", false},
		{reason.PlanInvalid, reason.ReasonPlanInvalid, says(strings.ReplaceAll(modelPlan, "s.country", "s.continent")), wire.CannotAnswer, "continent", false},
		{reason.PolicyDenied, reason.ReasonNotPermitted, says(`{"from":"employees","select":["avg(salary) as pay"]}`), wire.Refused, "", false},
		{reason.CallerAuthRequired, reason.ReasonAuthContextRequired, asks(errand{flags: []string{"--as", "nobody"}}), wire.Refused, "", false},
		{reason.UnmappedCode, reason.ReasonNoDatasource, asks(errand{provider: "fixed", question: "What will the weather be?", more: twoDatasources}), wire.CannotAnswer, "", false},
		{reason.UnmappedCode, reason.ReasonUnsupportedDatasource, asks(errand{question: twoQuestions, chat: openaitest.Always(openaitest.Text(
			`{"subqueries":[],"combine":[],"post":[],"unmapped":[{"text":"stores and products","reason":"unsupported_datasource"}]}`))}), wire.CannotAnswer, "", false},
		{reason.UnmappedCode, reason.ReasonRestrictedDatasource, asks(errand{more: `roles: {analyst: {tables: {allow: ["demo.main.nothing"]}}}`}), wire.Refused, "", false},
		{reason.Ambiguous, reason.ReasonNeedsClarification, asks(errand{provider: "fixed", question: "how many employees in 2025"}), wire.NeedsClarification, "more than one way", false},
		{reason.NotUnderstood, reason.ReasonWordsNotUnderstood, asks(errand{provider: "fixed", question: "How many unicorns are there?"}), wire.CannotAnswer, "unicorns", false},
		{reason.CostLimit, reason.ReasonTooExpensive, says(`{"from":"order_lines a","joins":["cross order_lines b"],"select":["count(*) as pairs"]}`), wire.Failed, "more than the 5000000 that are allowed", false},
		{reason.BudgetExceeded, reason.ReasonBudgetExceeded, asks(errand{more: "settings: {run: {budget: {tokens: 100}}}"}), wire.Failed, "settings.run.budget.tokens", false},
		{reason.DatasourceUnreachable, reason.ReasonUnavailable, faulty(databaseMissing), wire.Failed, "", false},
		{reason.DatasourceAuthFailed, reason.ReasonAuthFailed, accountRefused, wire.Failed, "", false},
		{reason.SchemaChanged, reason.ReasonSchemaChanged, faulty(tableDropped), wire.Failed, "", false},
		{reason.QueryTimeout, reason.ReasonTimeout, queryTooSlow, wire.Failed, "", false},
		{reason.ExecutionFailed, reason.ReasonExecutionFailed, beyond64Bits, wire.Failed, "larger than a 64-bit integer", false},
		{reason.AggregatorFailed, reason.ReasonAggregatorFailed, asks(errand{question: twoQuestions, chat: takesApart(`{"id":"c","op":"join","inputs":["a","b"],"on":["country"]}`)}), wire.Failed, `no column "country"`, true},
		{reason.RunTimeout, reason.ReasonTimeout, asks(errand{chat: openaitest.Always(openaitest.Reply{Hang: true}), flags: []string{"--timeout", "5s"}}), wire.Failed, "", false},
		{reason.CancelledCode, reason.ReasonCancelled, interrupted, wire.Cancelled, "", false},
		{reason.Internal, reason.ReasonInternal, noRoomForRows, wire.Failed, "", false},
	}
	for kind, brew := range kinds() {
		out = append(out, trouble{reason.ProviderCode(kind), reason.Reason(kind), brew, wire.Failed, "", false})
	}
	return out
}

// kinds has a case for each kind of a provider's failure: what servers were seen to
// send, and for two kinds that none sends a plugin of its own.
func kinds() map[reason.Kind]func(*testing.T, *installation) errand {
	failure := openaitest.JSONError
	return map[reason.Kind]func(*testing.T, *installation) errand{
		reason.AuthFailed:       replies(failure(401, "Incorrect API key provided: "+testKey+".", "invalid_request_error", "", "invalid_api_key")),
		reason.PermissionDenied: replies(failure(403, "Project does not have access to model, secret words", "invalid_request_error", "", "model_not_found")),
		reason.ModelNotFound:    replies(failure(404, "The model `gpt-9` does not exist or you do not have access to it.", "invalid_request_error", "", "model_not_found")),
		reason.Misconfigured:    replies(openaitest.Reply{Status: 404, ContentType: "text/plain", Body: "404 page not found"}),
		reason.InvalidRequest:   replies(openaitest.Reply{Status: 400, Body: `{"detail":"not so, secret words"}`}),
		reason.RateLimited:      replies(failure(429, "Rate limit reached for gpt-5-mini", "tokens", "", "rate_limit_exceeded")),
		reason.QuotaExhausted:   replies(failure(429, "You exceeded your current quota, please check your plan and billing details.", "insufficient_quota", "", "insufficient_quota")),
		reason.Overloaded:       replies(failure(503, "The engine is currently overloaded", "server_error", "", "")),
		reason.Unavailable:      faulty(modelDown),
		reason.Timeout: func(t *testing.T, i *installation) errand {
			i.timeout = "1s"
			return errand{chat: openaitest.Always(openaitest.Reply{Hang: true})}
		},
		reason.Cancelled:        fails(reason.Cancelled),
		reason.ContextOverflow:  replies(failure(400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.", "invalid_request_error", "messages", "context_length_exceeded")),
		reason.PromptTruncated:  asks(errand{provider: "local", local: &ollamatest.Reply{Content: modelPlan, PromptTokens: 32768}}),
		reason.OutputTruncated:  replies(openaitest.Reply{Content: `{"from":"stores`, Finish: "length"}),
		reason.Incomplete:       replies(openaitest.Reply{Content: modelPlan, NoFinish: true}),
		reason.ContentFiltered:  replies(openaitest.Reply{Content: "{", Finish: "content_filter"}),
		reason.RefusedByModel:   replies(openaitest.Reply{Refusal: "I'm sorry, I can't help with secret words."}),
		reason.InvalidOutput:    says("I cannot say, but SELECT * FROM stores might do."),
		reason.InternalProvider: fails(reason.InternalProvider),
	}
}

// asks is trouble that the call alone makes.
func asks(e errand) func(*testing.T, *installation) errand {
	return func(*testing.T, *installation) errand {
		if e.chat == nil && e.provider == "" {
			e.chat = openaitest.Always(openaitest.Text(modelPlan))
		}
		return e
	}
}

// says is a model that always writes the text.
func says(text string) func(*testing.T, *installation) errand { return replies(openaitest.Text(text)) }

func replies(r openaitest.Reply) func(*testing.T, *installation) errand {
	return asks(errand{chat: openaitest.Always(r)})
}

// faulty is trouble of the kind that has its own tests.
func faulty(fault func(*testing.T, *installation) func(openaitest.Request) openaitest.Reply) func(*testing.T, *installation) errand {
	return func(t *testing.T, i *installation) errand { return errand{chat: fault(t, i)} }
}

// fails is a plugin whose every plan fails so.
func fails(kind reason.Kind) func(*testing.T, *installation) errand {
	return func(t *testing.T, i *installation) errand {
		link(t, filepath.Join(built, "querent-plugin-failing"), filepath.Join(i.dir, "querent-plugin-failing"))
		return errand{provider: "odd", more: fmt.Sprintf("plugins: {failing: {}}\nproviders: {fixed: {plugin: template}, odd: {plugin: failing, config: {kind: %s}}}\nagents: {default: {provider: fixed}, ast_planner: {provider: odd}}\nplugin_dir: .", kind)}
	}
}

const twoDatasources = `datasources: {demo: {adapter: sqlite, path: demo.db}, again: {adapter: sqlite, path: demo.db}}
roles: {analyst: {tables: {allow: ["*.main.*"]}}}`

// defect is the host with a fault in one of its steps.
func defect(kind string) func(*testing.T, *installation) errand {
	return func(t *testing.T, i *installation) errand {
		program := filepath.Join(i.dir, "querent")
		if err := os.Remove(program); err != nil {
			t.Fatal(err)
		}
		own, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		link(t, own, program)
		return errand{provider: "fixed", env: []string{defectVariable + "=" + kind}}
	}
}

// accountRefused is a PostgreSQL server that refuses the password, as it does on
// the wire.
func accountRefused(t *testing.T, _ *installation) errand {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var served sync.WaitGroup
	served.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			refuseAccount(c)
		}
	})
	t.Cleanup(func() { _ = l.Close(); served.Wait() })
	return errand{more: fmt.Sprintf("datasources: {demo: {adapter: postgres, dsn: \"postgres://reader:%s@%s/shop?sslmode=disable\"}}", testKey, l.Addr()),
		chat: openaitest.Always(openaitest.Text(modelPlan))}
}

func refuseAccount(c net.Conn) {
	defer c.Close()
	if _, err := c.Read(make([]byte, 1024)); err != nil { // the client's start-up message
		return
	}
	const fields = "SFATAL\x00VFATAL\x00C28P01\x00Mpassword authentication failed for user \"reader\"\x00Fauth.c\x00L326\x00Rauth_failed\x00\x00"
	_, _ = c.Write(append([]byte{'E', 0, 0, 0, byte(len(fields) + 4)}, fields...)) // a client that left has its error
}

func queryTooSlow(*testing.T, *installation) errand {
	return errand{
		chat: openaitest.Always(openaitest.Text(`{"from":"order_lines a","joins":["cross order_lines b","cross order_lines c"],"select":["count(*) as triples"],"limit":1}`)),
		more: "datasources: {demo: {adapter: sqlite, path: demo.db, statement_timeout: 300ms}}\n" +
			"settings: {sql_agent: {max_retries: 0}, nodes: {physical_validator: {max_rows: 1000000000000000}}}",
	}
}

// beyond64Bits is a sum that SQLite cannot add up.
func beyond64Bits(t *testing.T, i *installation) errand {
	db, err := sql.Open("sqlite", i.database())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("create table stars (id integer primary key, atoms integer); insert into stars (atoms) values (9223372036854775807), (1)"); err != nil {
		t.Fatal(err)
	}
	return errand{chat: openaitest.Always(openaitest.Text(`{"from":"stars","select":["sum(atoms) as atoms"]}`))}
}

// interrupted is a run that the asker ends while the model thinks.
func interrupted(*testing.T, *installation) errand {
	asked := make(chan struct{})
	var once sync.Once
	return errand{signal: asked, chat: func(openaitest.Request) openaitest.Reply {
		once.Do(func() { close(asked) })
		return openaitest.Reply{Hang: true}
	}}
}

// noRoomForRows is a result that is too large for memory, for a program that may
// write no large file.
func noRoomForRows(*testing.T, *installation) errand {
	return errand{
		chat:       openaitest.Always(openaitest.Text(`{"from":"order_lines l","joins":["products p"],"select":["l.order_id","l.line_no","p.name","concat(p.name, p.name, p.name, p.name) as names"]}`)),
		smallFiles: true,
		more:       "plugins: {template: {network: any, files: any}}", // a confined plugin is copied first, for which there is no room either
	}
}
