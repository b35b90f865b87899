package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"querent.dev/querent/core/audit"
	"querent.dev/querent/core/store"
)

// recordingLines have runs recorded, and nothing answered without.
const recordingLines = `store: {dsn: "sqlite:./receipts.db"}
audit: {file: audit.jsonl, key: "${file:audit.key}", required: true}
`

// keep makes the key that recordingLines name.
func (i *installation) keep(t *testing.T) audit.Key {
	t.Helper()
	text := audit.NewKey()
	if err := os.WriteFile(filepath.Join(i.dir, "audit.key"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	key, err := audit.ParseKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// beside is the configuration of the server for the command line, with a caller of the
// name that the server's API key has.
func (i *installation) beside(t *testing.T, more string) string {
	t.Helper()
	text, err := os.ReadFile(i.configure(t, "local"))
	if err != nil {
		t.Fatal(err)
	}
	own := strings.Replace(string(text), "callers: {cli: {role: analyst}}", "callers: {cli: {role: analyst}, reports: {role: analyst}}", 1)
	own = strings.Replace(own, "default: {provider: local", "default: {provider: fixed", 1)
	path := filepath.Join(i.dir, "beside.yaml")
	if err := os.WriteFile(path, []byte(own+more), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// entries are those of the log.
func (i *installation) entries(t *testing.T) []audit.Entry {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(i.dir, "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var out []audit.Entry
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var e audit.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

func (i *installation) querent(t *testing.T, args ...string) (int, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(i.dir, "querent"), args...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// get is the server's answer to a request.
func (s *serving) get(t *testing.T, method, path, body string) (int, string) {
	t.Helper()
	res, err := s.do(t.Context(), method, path, body)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	return res.StatusCode, string(text)
}

// TestRecordsOfSeveralProcesses asks the server and on the command line at once: no
// entry and no receipt is lost, and each caller reads its own receipts alone, whatever
// the others are called.
func TestRecordsOfSeveralProcesses(t *testing.T) {
	i := install(t, "http://127.0.0.1:1", "http://127.0.0.1:1")
	key := i.keep(t)
	s := i.serve(t, "fixed", recordingLines)
	beside := i.beside(t, recordingLines)
	const each = 4
	var mu sync.Mutex
	runs := map[string][]string{} // by who asked
	found := func(who, envelope string) {
		var e struct {
			RunID string `json:"run_id"`
		}
		if err := json.Unmarshal([]byte(envelope), &e); err != nil || e.RunID == "" {
			t.Errorf("%s: %v, %s", who, err, envelope)
		}
		mu.Lock()
		defer mu.Unlock()
		runs[who] = append(runs[who], e.RunID)
	}
	var asking sync.WaitGroup
	for range each {
		asking.Go(func() {
			status, text := s.get(t, http.MethodPost, "/v1/ask", `{"question":"`+question+`"}`)
			if status != http.StatusOK {
				t.Errorf("HTTP %d: %s", status, text)
			}
			found("key", text)
		})
	}
	asking.Go(func() {
		for range each {
			cmd := exec.CommandContext(t.Context(), filepath.Join(i.dir, "querent"), "ask", "--config", beside, "--as", "reports", "--output", "json", question)
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("ask: %v, %s", err, out)
			}
			found("configured", string(out))
		}
	})
	asking.Wait()
	if t.Failed() {
		t.FailNow()
	}
	if n, err := store.Count(t.Context(), filepath.Join(i.dir, "receipts.db")); err != nil || n != 2*each {
		t.Errorf("%d receipts, %v", n, err)
	}
	i.readReceipts(t, s, beside, runs)
	if status, text := s.get(t, http.MethodGet, "/readyz", ""); status != http.StatusOK || !strings.Contains(text, `{"name":"store","ready":true}`) || !strings.Contains(text, `{"name":"audit log","ready":true}`) {
		t.Errorf("readyz is %d: %s", status, text)
	}
	report, err := audit.VerifyLog(t.Context(), filepath.Join(i.dir, "audit.jsonl"), key, "")
	if err != nil || !report.Checks.OK() || report.First != nil {
		t.Errorf("%+v, %v", report, err)
	}
	if finished := len(i.kinds(t, audit.RunFinished)); finished != 2*each {
		t.Errorf("%d runs are in the log", finished)
	}
}

func (i *installation) kinds(t *testing.T, kind audit.Kind) []audit.Entry {
	t.Helper()
	return slices.DeleteFunc(i.entries(t), func(e audit.Entry) bool { return e.Kind != kind })
}

// readReceipts reads one's own receipt, that of the other of the same name, and one of
// no run, both ways.
func (i *installation) readReceipts(t *testing.T, s *serving, beside string, runs map[string][]string) {
	t.Helper()
	for who, id := range map[string]string{"key": runs["key"][0], "configured": runs["configured"][0], "nobody": "none"} {
		status, text := s.get(t, http.MethodGet, "/v1/runs/"+id+"/receipt", "")
		if want := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[who == "key"]; status != want {
			t.Errorf("the key reads the receipt of %s: %d %s", who, status, text)
		}
		code, out := i.querent(t, "receipt", "show", id, "--config", beside, "--as", "reports")
		if want := map[bool]int{true: 0, false: 2}[who == "configured"]; code != want {
			t.Errorf("the command line reads the receipt of %s: %d %s", who, code, out)
		}
	}
	var refused []string
	for _, e := range i.kinds(t, audit.ReceiptRefused) {
		if e.Caller != "reports" || e.Receipt != "" {
			t.Errorf("refused: %+v", e)
		}
		refused = append(refused, string(e.By)+" "+e.RunID)
	}
	slices.Sort(refused)
	want := []string{" " + runs["key"][0], " none", "key " + runs["configured"][0], "key none"}
	slices.Sort(want)
	if !slices.Equal(refused, want) {
		t.Errorf("refused are %q, want %q", refused, want)
	}
	if read := i.kinds(t, audit.ReceiptRead); len(read) != 2 || read[0].Receipt == "" {
		t.Errorf("read are %+v", read)
	}
}

// TestAServerWhoseRecordsAreGone answers nothing, says that it is not ready, and
// gives no receipt whose reading it cannot note.
func TestAServerWhoseRecordsAreGone(t *testing.T) {
	i := install(t, "http://127.0.0.1:1", "http://127.0.0.1:1")
	i.keep(t)
	s := i.serve(t, "fixed", recordingLines)
	if err := os.Remove(filepath.Join(i.dir, "audit.jsonl")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(i.dir, "receipts.db"), filepath.Join(i.dir, "old.db")); err != nil {
		t.Fatal(err)
	}
	status, text := s.get(t, http.MethodPost, "/v1/ask", `{"question":"`+question+`"}`)
	if strings.Contains(text, "France") || !strings.Contains(text, "could not be recorded") {
		t.Errorf("%d %s", status, text)
	}
	if status, text := s.get(t, http.MethodGet, "/v1/runs/none/receipt", ""); status != http.StatusInternalServerError || strings.Contains(text, i.dir) {
		t.Errorf("a receipt: %d %s", status, text)
	}
	status, text = s.get(t, http.MethodGet, "/readyz", "")
	if status != http.StatusServiceUnavailable || !strings.Contains(text, `{"name":"store","ready":false,"code":"INTERNAL"`) || !strings.Contains(text, `{"name":"audit log","ready":false`) || strings.Contains(text, i.dir) {
		t.Errorf("readyz is %d: %s", status, text)
	}
}
