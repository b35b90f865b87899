package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

const twoQuestions = "How many stores are there, and how many products?"

// takesApart is a model that takes twoQuestions apart, and plans the parts.
func takesApart(combine string) func(openaitest.Request) openaitest.Reply {
	part := func(id, table string) string {
		return fmt.Sprintf(`{"id":"%s","intent":"number of %s","datasource":"demo","expected_schema":["n"]}`, id, table)
	}
	plan := func(table string) openaitest.Reply {
		return openaitest.Text(strings.ReplaceAll(`{"with":[],"from":"TABLE","joins":[],"where":"","group":[],"select":["count(*) as n"],"having":"","order":[],"limit":0,"offset":0,"per":[],"distinct":false}`, "TABLE", table))
	}
	return func(r openaitest.Request) openaitest.Reply {
		switch {
		case bytes.Contains(r.Body, []byte(`"decomposition"`)):
			return openaitest.Text(`{"subqueries":[` + part("a", "stores") + "," + part("b", "products") + `],"combine":[` + combine + `],"post":[],"unmapped":[]}`)
		case bytes.Contains(r.Body, []byte(`"query_plan"`)) && bytes.Contains(r.Body, []byte(`number of stores`)):
			return plan("stores")
		case bytes.Contains(r.Body, []byte(`"query_plan"`)):
			return plan("products")
		}
		return openaitest.Text(`{"summary":"Both figures are in the table.","format_type":"text","content":"","warnings":[]}`)
	}
}

// A question of two parts goes through the real wire: it is taken apart, both parts
// are planned and run, and the answer has both results.
func TestAQuestionOfTwoParts(t *testing.T) {
	cloud := openaitest.New(t, openaitest.Script{Chat: takesApart("")})
	i := install(t, cloud.BaseURL(), "http://127.0.0.1:1")
	got := i.ask(t, i.configure(t, "cloud"), twoQuestions)
	if got.exit != 0 || got.answer.Outcome != wire.Answered || len(got.answer.Queries) != 2 {
		t.Fatalf("exit %d\n%s\n%s", got.exit, got.raw, got.stderr)
	}
	for n, part := range []string{"number of stores", "number of products"} {
		if want := fmt.Sprintf(`"sub_query":"q%d","part":"%s"`, n+1, part); !bytes.Contains(compact(t, got.raw), []byte(want)) {
			t.Errorf("there is no result %s in\n%s", want, got.raw)
		}
	}
	if n := len(cloud.Chats()); n != 4 {
		t.Errorf("the model was asked %d times, want 4: apart, two plans, the words", n)
	}
}

// Parts that do not fit together are explained by templates; the model is not asked
// for words.
func TestPartsThatDoNotFitTogether(t *testing.T) {
	cloud := openaitest.New(t, openaitest.Script{Chat: takesApart(`{"id":"c","op":"join","inputs":["a","b"],"on":["country"]}`)})
	i := install(t, cloud.BaseURL(), "http://127.0.0.1:1")
	ctx, cancel := context.WithTimeout(t.Context(), hostDeadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(i.dir, "querent"), "ask", "--config", i.configure(t, "cloud"), twoQuestions)
	cmd.Env = append(os.Environ(), "TEST_API_KEY="+testKey)
	said, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != reason.ExitInternal {
		t.Fatalf("exit %d, %v\n%s", code, err, said)
	}
	for _, want := range []string{"AGGREGATOR_FAILED (aggregator_failed) at engine_aggregator", `q1 has no column "country"; it has "n"`, "Partial results:\nnumber of stores:\n", "Planned by cloud (plugin openai), worded by fixed (plugin template)"} {
		if !strings.Contains(string(said), want) {
			t.Errorf("%q is not said in\n%s", want, said)
		}
	}
	if n := len(cloud.Chats()); n != 3 {
		t.Errorf("the model was asked %d times, want 3: apart and two plans", n)
	}
}

func compact(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
