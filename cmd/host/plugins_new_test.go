package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// goSettings are what the go command needs to build from its caches, and to ask nobody.
func goSettings(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	caches := strings.Fields(string(out))
	return []string{"GOCACHE=" + caches[0], "GOMODCACHE=" + caches[1], "GOPROXY=off", "GOFLAGS=", "GOTOOLCHAIN=local"}
}

func checkout(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// TestNewPlugins has plugins written, built, checked and asked, as the scripts of
// testdata/authors tell. $CHECKOUT is this one.
func TestNewPlugins(t *testing.T) { authorScripts(t, "testdata/authors") }

func authorScripts(t *testing.T, dir string) {
	t.Helper()
	settings, root := goSettings(t), checkout(t)
	testscript.Run(t, testscript.Params{
		Dir: dir, RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, settings...)
			env.Setenv("PATH", built+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("CHECKOUT", root)
			env.Setenv("BIN", built)
			return os.Link(demoDatabase, filepath.Join(env.WorkDir, "demo.db"))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// The guide of plugin authors shows commands, in blocks that begin so.
const (
	shellBegins = "```sh\n"
	pythonPart  = "\n## A plugin in Python\n"
)

// TestPluginAuthorsGuide runs the commands of the guide, one after the other.
func TestPluginAuthorsGuide(t *testing.T) {
	before, _, found := strings.Cut(authorsGuide(t), pythonPart)
	if !found {
		t.Fatalf("the guide has no part %q", pythonPart)
	}
	said := runGuide(t, before)
	for _, want := range []string{"(planner) conforms:", "how_many: 3,000.", "Planned by mine (plugin weather)"} {
		if !strings.Contains(said, want) {
			t.Errorf("the commands of the guide do not say %q:\n%s", want, said)
		}
	}
}

// guideWait is how long what a failed command left running may hold the output open.
const guideWait = 10 * time.Second

func authorsGuide(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/plugin-authors.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// runGuide runs the commands of a text in a folder of its own, and returns what they
// print.
func runGuide(t *testing.T, text string) string {
	t.Helper()
	var script strings.Builder
	for {
		_, rest, found := strings.Cut(text, shellBegins)
		if !found {
			break
		}
		commands, after, _ := strings.Cut(rest, "```")
		script.WriteString(commands)
		text = after
	}
	if script.Len() == 0 {
		t.Fatal("the text has no commands")
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-euxo", "pipefail", "-c", "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n"+script.String())
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), goSettings(t)...)
	cmd.Env = append(cmd.Env, "PATH="+built+string(os.PathListSeparator)+os.Getenv("PATH"), "QUERENT="+checkout(t))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, guideWait
	if err := cmd.Run(); err != nil {
		t.Fatalf("the commands of the guide: %v\n%s", err, out.String())
	}
	return out.String()
}
