package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"querent.dev/querent/plugins/ollama/ollamatest"
	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk"
)

// fetchable is a server that has its model only once it was fetched.
func fetchable(pull ollamatest.Reply, there *atomic.Bool) ollamatest.Script {
	return ollamatest.Script{
		Chat: answering[ollamatest.Request](ollamatest.Text, probeAnswer, planOfAddresses),
		Pull: func(ollamatest.Request) ollamatest.Reply {
			there.Store(strings.Contains(pull.Body, "success"))
			return pull
		},
		Show: func(ollamatest.Request) ollamatest.Reply {
			if !there.Load() {
				return ollamatest.Error(404, "model 'qwen2.5-coder:7b' not found")
			}
			return ollamatest.Reply{Body: `{"model_info":{"general.architecture":"qwen2","qwen2.context_length":32768},"capabilities":["completion"]}`}
		},
	}
}

const download = `{"status":"pulling manifest"}
{"status":"pulling dde5aa3fc5ff","digest":"sha256:dde5","total":2019377376}
{"status":"pulling dde5aa3fc5ff","digest":"sha256:dde5","total":2019377376,"completed":1009688688}
{"status":"pulling dde5aa3fc5ff","digest":"sha256:dde5","total":2019377376,"completed":2019377376}
{"status":"verifying sha256 digest"}
{"status":"success"}
`

func TestDoctorFetchesWhatIsMissing(t *testing.T) {
	const fetched = localModel + ", fetched"
	for name, c := range map[string]struct {
		flags []string
		pull  ollamatest.Reply
		exit  int
		want  map[string]string // check: what its report holds; "": it is not made
	}{
		"as asked": {[]string{"--pull"}, ollamatest.Reply{Body: download}, 0,
			map[string]string{fetched: "ok " + fetched + ": the model was fetched; its largest part has 2.0 GB", localModel: "ok", realPlan: "ok"}},
		"not asked": {nil, ollamatest.Reply{Body: download}, 5,
			map[string]string{fetched: "", localModel: "querent doctor --pull"}},
		"but cannot": {[]string{"--pull", "--quick"}, ollamatest.Reply{Body: `{"error":"pull model manifest: file does not exist"}` + "\n"}, 5,
			map[string]string{fetched: "PROVIDER_MODEL_NOT_FOUND", localModel: "fail"}},
	} {
		t.Run(name, func(t *testing.T) {
			var there atomic.Bool
			server := ollamatest.New(t, fetchable(c.pull, &there))
			i := install(t, "http://127.0.0.1:1", server.URL)
			checks, exit := i.examine(t, i.configure(t, "local"), c.flags...)
			if exit != c.exit {
				t.Errorf("exit code %d, want %d: %v", exit, c.exit, checks)
			}
			for check, want := range c.want {
				got, made := checks[check]
				if made != (want != "") || !strings.Contains(got.String(), want) {
					t.Errorf("%q, want %q", got, want)
				}
			}
		})
	}
}

// What is there already is not fetched again, and how far the rest is shows on
// standard error, in lines where that is no terminal.
func TestDoctorShowsHowFarADownloadIs(t *testing.T) {
	var there atomic.Bool
	server := ollamatest.New(t, fetchable(ollamatest.Reply{Body: download}, &there))
	i := install(t, "http://127.0.0.1:1", server.URL)
	config := i.configure(t, "local")
	for _, want := range []string{"pulling manifest\npulling dde5aa3fc5ff: 0 % of 2.0 GB\npulling dde5aa3fc5ff: 50 % of 2.0 GB\npulling dde5aa3fc5ff: 100 % of 2.0 GB\nverifying sha256 digest\nsuccess\n", ""} {
		cmd := exec.Command(filepath.Join(i.dir, "querent"), "doctor", "--config", config, "--quick", "--pull")
		cmd.Env = append(cmd.Environ(), "TEST_API_KEY="+testKey)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if out, err := cmd.Output(); err != nil || stderr.String() != want {
			t.Errorf("%v\n%s\nstandard error:\n%s\nwant:\n%s", err, out, &stderr, want)
		}
	}
	if n := len(server.To("/api/pull")); n != 1 {
		t.Errorf("the model was fetched %d times", n)
	}
}

func TestDoctorCannotFetchWhereNothingFetches(t *testing.T) {
	server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(openaitest.Text("{}")), Models: []string{"other"}})
	i := install(t, server.BaseURL(), "http://127.0.0.1:1")
	checks, _ := i.examine(t, i.configure(t, "cloud"), "--pull", "--quick")
	if got := checks[cloudModel+", fetched"]; got.Status != checkSkipped {
		t.Errorf("%v", got)
	}
}

// On a terminal there is a bar for each part, which a server's words cannot break.
func TestBarsOfADownload(t *testing.T) {
	var w bytes.Buffer
	b := &bars{w: &w}
	for _, p := range []sdk.PullProgress{
		{Status: "pulling manifest"}, {Status: "one\x1b[2J", Total: 2e9}, {Status: "one\x1b[2J", Total: 2e9, Completed: 1e9},
		{Status: "one\x1b[2J", Total: 2e9, Completed: 3e9}, {Status: "two", Total: 1000, Completed: -5}, {Status: "success"},
	} {
		if err := b.show(p); err != nil {
			t.Fatal(err)
		}
	}
	b.end()
	got := w.String()
	if !regexp.MustCompile(`(?s)^pulling manifest\n.*one.*100%.*\n.*two.*0%.*\nsuccess\n$`).MatchString(got) || strings.Contains(got, "\x1b[2J") {
		t.Errorf("the bars are %q", got)
	}
}
