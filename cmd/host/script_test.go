package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"querent.dev/querent/core/answer"
)

// TestScripts runs the stories of testdata with the real programs. A script
// finds the examples under examples, with the demo's database beside them.
//
//	exits CODE querent …     runs a program and compares its exit code
//	interrupts TEXT querent … sends SIGINT when stderr holds TEXT, expects exit 130;
//	                         leaves interrupted.out and interrupted.err
//	answer NAME              the file, or stdout, is a valid strict answer
//	runid NAME               $RUN is the id of the run in the file's envelope
//	deaf VAR                 starts a server that never answers; $VAR is its URL
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata", RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", built+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("BIN", built)
			examples := filepath.Join(env.WorkDir, "examples")
			if err := os.CopyFS(examples, os.DirFS("../../examples")); err != nil {
				return err
			}
			_ = os.Remove(filepath.Join(examples, "demo.db")) // made by hand in the checkout
			return os.Link(demoDatabase, filepath.Join(examples, "demo.db"))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "interrupts": interrupts, "answer": checkAnswer, "deaf": deaf, "runid": runID,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE program …")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var ended *exec.ExitError
	got := 0
	if errors.As(err, &ended) {
		got = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\nstdout:\n%s\nstderr:\n%s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// interruptDeadline is far beyond what a cancelled run takes to explain itself.
const interruptDeadline = 30 * time.Second

func interrupts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupts TEXT program …")
	}
	program := filepath.Join(built, args[1])
	cmd := exec.Command(program, args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_BASE_URL"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	var stdout bytes.Buffer
	stderr := &watched{text: args[0], seen: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &stdout, stderr
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-stderr.seen:
	case err := <-ended:
		ts.Fatalf("ended early: %v\n%s\n%s", err, stdout.String(), stderr.all.String())
	}
	ts.Check(cmd.Process.Signal(syscall.SIGINT))
	select {
	case <-ended:
	case <-time.After(interruptDeadline):
		_ = cmd.Process.Kill()
		ts.Fatalf("did not end within %s of SIGINT", interruptDeadline)
	}
	ts.Check(os.WriteFile(ts.MkAbs("interrupted.out"), stdout.Bytes(), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("interrupted.err"), stderr.all.Bytes(), 0o600))
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		ts.Fatalf("exit code %d, want 130\n%s\n%s", code, stdout.String(), stderr.all.String())
	}
}

// watched closes seen when text has been written to it.
type watched struct {
	text string
	seen chan struct{}
	all  bytes.Buffer
	said bool
}

func (w *watched) Write(p []byte) (int, error) {
	w.all.Write(p)
	if !w.said && strings.Contains(w.all.String(), w.text) {
		w.said = true
		close(w.seen)
	}
	return len(p), nil
}

func runID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: runid FILE")
	}
	var envelope struct {
		RunID string `json:"run_id"`
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &envelope))
	ts.Setenv("RUN", envelope.RunID)
}

func checkAnswer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: answer FILE")
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer.Schema()))
	ts.Check(err)
	c := jsonschema.NewCompiler()
	ts.Check(c.AddResource("answer.json", schema))
	compiled, err := c.Compile("answer.json")
	ts.Check(err)
	text := ts.ReadFile(args[0])
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	ts.Check(d.Decode(&v))
	if d.More() {
		ts.Fatalf("more than one JSON value:\n%s", text)
	}
	if err := compiled.Validate(v); err != nil {
		ts.Fatalf("no valid answer: %v\n%s", err, text)
	}
}

func deaf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: deaf VAR")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	var held sync.WaitGroup
	held.Go(func() { hold(l) })
	ts.Defer(func() {
		_ = l.Close()
		held.Wait()
	})
	ts.Setenv(args[0], fmt.Sprintf("http://%s/v1", l.Addr()))
}

// hold takes connections and says nothing until l is closed.
func hold(l net.Listener) {
	var open []net.Conn
	for {
		c, err := l.Accept()
		if err != nil {
			break
		}
		open = append(open, c)
	}
	for _, c := range open {
		_ = c.Close()
	}
}
