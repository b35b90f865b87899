package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// trouble is a run of the host that ends with one row of the table of reasons.
type trouble struct {
	code reason.Code
	why  reason.Reason
	// brew gets the host into trouble: it says what is asked, of whom, and changes
	// the installation.
	brew    func(t *testing.T, i *installation) errand
	outcome wire.OutcomeKind
	says    string // what is said beyond the table's explanation; "": nothing
	partial bool   // some of the results are there and are shown
}

// errand is a call of querent ask. The zero value asks the cloud's model for the
// number of stores by country.
type errand struct {
	provider string // "": cloud
	question string // "": question
	chat     func(openaitest.Request) openaitest.Reply
	local    *ollamatest.Reply
	more     string // of the configuration, in place of what is there
	flags    []string
	env      []string
	signal   <-chan struct{} // SIGINT is sent when it is closed

	smallFiles bool // the host may not write files of more than a few kilobytes
}

// Every row of the table of reasons is what a run of the program can end with, and
// its end is told alike to people and to programs.
func TestEveryReasonIsTold(t *testing.T) {
	known := map[[2]string]trouble{}
	for _, c := range troubles() {
		known[[2]string{string(c.code), string(c.why)}] = c
	}
	if len(known) != len(reason.Rows()) {
		t.Errorf("%d cases for %d rows", len(known), len(reason.Rows()))
	}
	for _, row := range reason.Rows() {
		t.Run(fmt.Sprintf("%s/%s", row.Code, row.Reason), func(t *testing.T) {
			c, ok := known[[2]string{string(row.Code), string(row.Reason)}]
			if !ok {
				t.Fatalf("no run ends with %s (%s)", row.Code, row.Reason)
			}
			if c.says == "" {
				c.says = row.SafeMessage
			}
			t.Run("text", func(t *testing.T) { c.inText(t, row) })
			t.Run("json", func(t *testing.T) { c.inJSON(t, row) })
		})
	}
}

func (c trouble) inText(t *testing.T, row reason.Row) {
	said := c.run(t, row, "--log-level", "debug")
	last := regexp.MustCompile(fmt.Sprintf(`(?m)^querent: %s \(%s\) at (\S+), trace (\w+): `, row.Code, row.Reason)).FindStringSubmatch(said.stderr)
	if last == nil {
		t.Fatalf("the last line does not say %s (%s):\n%s", row.Code, row.Reason, said.stderr)
	}
	node := last[1][strings.LastIndexByte(last[1], '/')+1:]
	if logged := fmt.Sprintf("querent.%s: node failed: step=%s trace=%s code=%s", node, last[1], last[2], row.Code); !strings.Contains(said.stderr, logged) {
		t.Errorf("%q is not logged in\n%s", logged, said.stderr)
	}
	for _, want := range []string{
		row.SafeMessage, c.says, "Asked: ", "Attempted: ", "Failed step: ", "Stage: " + string(row.Stage),
		fmt.Sprintf("Reason: %s (%s)", row.Reason, row.Code), "What to do: ",
	} {
		if !strings.Contains(said.stdout, want) {
			t.Errorf("%q is not said in\n%s", want, said.stdout)
		}
	}
	if shown := strings.Contains(said.stdout, "Partial results:"); shown != c.partial {
		t.Errorf("partial results are shown: %v\n%s", shown, said.stdout)
	}
}

func (c trouble) inJSON(t *testing.T, row reason.Row) {
	said := c.run(t, row, "--output", "json")
	var envelope struct {
		Exit    int
		TraceID string `json:"trace_id"`
		Answer  struct {
			Outcome       wire.OutcomeKind
			Summary       string
			SynthesizedBy string `json:"synthesized_by"`
			Failure       *struct {
				wire.Failure
				Partial []json.RawMessage `json:"partial_results"`
			}
		}
	}
	if err := json.Unmarshal([]byte(said.stdout), &envelope); err != nil {
		t.Fatalf("no envelope: %v\n%s", err, said.stdout)
	}
	a := envelope.Answer
	f := a.Failure
	if f == nil {
		t.Fatalf("no failure\n%s", said.stdout)
	}
	if a.Outcome != c.outcome || f.Code != row.Code || f.Reason != row.Reason || f.Stage != row.Stage || envelope.Exit != row.Exit {
		t.Errorf("outcome %s, %s (%s), stage %s, exit %d; want %s, %s (%s), %s, %d",
			a.Outcome, f.Code, f.Reason, f.Stage, envelope.Exit, c.outcome, row.Code, row.Reason, row.Stage, row.Exit)
	}
	if !strings.Contains(f.Message, c.says) || a.Summary == "" || f.Requirement == "" || f.FailedStep == "" || f.NextAction == "" ||
		envelope.TraceID == "" || len(f.Attempted) == 0 {
		t.Errorf("the explanation lacks something: %q %+v, want %q", a.Summary, f, c.says)
	}
	if !strings.Contains(said.stderr, "trace "+envelope.TraceID) {
		t.Errorf("stderr does not name the trace %s:\n%s", envelope.TraceID, said.stderr)
	}
	if len(f.Partial) > 0 != c.partial {
		t.Errorf("%d partial results", len(f.Partial))
	}
	if a.SynthesizedBy != "template" && a.SynthesizedBy != "fixed" {
		t.Errorf("strict JSON is worded by %s", a.SynthesizedBy)
	}
	if strings.Contains(strings.ToLower(a.Summary), "sorry") {
		t.Errorf("a reason became an apology: %q", a.Summary)
	}
}

// told is what a run of the program wrote.
type told struct{ stdout, stderr string }

// secrets are words of providers and databases that no answer may repeat.
var secrets = []string{testKey, "secret words", "<html>"}

// run gets into the trouble and compares the exit code.
func (c trouble) run(t *testing.T, row reason.Row, flags ...string) told {
	t.Helper()
	i := install(t, "", "http://127.0.0.1:1")
	e := c.brew(t, i)
	said, code := i.send(t, e, flags)
	if code != row.Exit {
		t.Fatalf("exit %d, want %d\n%s\n%s", code, row.Exit, said.stdout, said.stderr)
	}
	for _, secret := range secrets {
		if strings.Contains(said.stdout, secret) {
			t.Errorf("%q is told to the asker:\n%s", secret, said.stdout)
		}
	}
	return said
}

func (i *installation) send(t *testing.T, e errand, flags []string) (told, int) {
	t.Helper()
	if e.chat != nil {
		i.cloud = openaitest.New(t, openaitest.Script{Chat: e.chat}).BaseURL()
	}
	if e.local != nil {
		i.local = ollamatest.New(t, ollamatest.Script{Chat: ollamatest.Always(*e.local)}).URL
	}
	ctx, cancel := context.WithTimeout(t.Context(), hostDeadline)
	defer cancel()
	args := append([]string{"ask", "--config", i.arrange(t, e)}, append(flags, e.flags...)...)
	args = append([]string{"-c", `exec "$0" "$@"`, filepath.Join(i.dir, "querent")}, append(args, or(e.question, question))...)
	if e.smallFiles {
		args[1] = "ulimit -f 8; " + args[1]
	}
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Env = append(append(os.Environ(), "TEST_API_KEY="+testKey), e.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if e.signal != nil {
		select {
		case <-e.signal:
		case <-ctx.Done():
		}
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Error(err)
		}
	}
	err := cmd.Wait()
	var ended *exec.ExitError
	if ctx.Err() != nil || err != nil && !errors.As(err, &ended) {
		t.Fatalf("the host hangs, or does not run: %v\n%s\n%s", err, stdout.String(), stderr.String())
	}
	return told{stdout.String(), stderr.String()}, cmd.ProcessState.ExitCode()
}

// arrange writes the configuration of an errand. Its settings make one attempt:
// that others are made is shown elsewhere.
func (i *installation) arrange(t *testing.T, e errand) string {
	t.Helper()
	path := i.configure(t, or(e.provider, "cloud"))
	base, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(base)
	if !strings.Contains(e.more, "settings:") {
		e.more += "\nsettings: {sql_agent: {max_retries: 0}}"
	}
	more := strings.TrimSpace(e.more) + "\n"
	text = without(text, more) + more
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// without is a configuration without the sections that others begin.
func without(text, others string) string {
	for line := range strings.SplitSeq(others, "\n") {
		// A section lasts until the next line that is not indented.
		if name, _, found := strings.Cut(line, ":"); found && !strings.HasPrefix(line, " ") {
			text = regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(name)+`:.*\n(  .*\n)*`).ReplaceAllLiteralString(text, "")
		}
	}
	return text
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
