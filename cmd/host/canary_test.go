package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/plugins/openai/openaitest"
)

// The secrets of these tests look like nothing that a detector knows: they are taken
// out since the host knows them.
const (
	keyCanary      = "Zanzibar_quartz_harbour"
	passwordCanary = "Lagoon+velvet=thistle"
	maskCanary     = "Meadow lantern orchard"
)

// canaryConfig has a secret wherever one can be: a plugin's key, a password in an
// address, the key of a mask.
func (i *installation) canaryConfig(t *testing.T, leak, base string) string {
	t.Helper()
	link(t, filepath.Join(built, "querent-plugin-failing"), filepath.Join(i.dir, "querent-plugin-failing"))
	planner := "odd"
	if leak == "" {
		planner = "cloud"
	}
	path := filepath.Join(i.dir, "canary.yaml")
	text := fmt.Sprintf(`version: 1
plugin_dir: .
plugins: {failing: {}}
providers:
  fixed: {plugin: template}
  odd: {plugin: failing, config: {kind: unavailable, leak: %q, api_key: "${env:CANARY_KEY}"}}
  cloud: {plugin: openai, model: gpt-5-mini, config: {base_url: %q, api_key: "${file:key.txt}"}}
agents: {default: {provider: fixed}, ast_planner: {provider: %s}}
datasources:
  demo: {adapter: sqlite, path: demo.db}
  away: {adapter: postgres, dsn: "${file:dsn.txt}"}
roles:
  analyst:
    tables: {allow: ["demo.main.*", "away.*.*"]}
    masks: {demo.main.customers.email: {kind: hash, hash_key: %q}}
callers: {cli: {role: analyst}}
`, leak, base, planner, maskCanary)
	closed := closedAddress(t)
	for name, content := range map[string]string{
		"canary.yaml": text, "key.txt": keyCanary + "\n",
		"dsn.txt": "postgres://reader:" + strings.NewReplacer("+", "%2B", "=", "%3D").Replace(passwordCanary) + "@" + closed + "/shop?sslmode=disable",
	} {
		if err := os.WriteFile(filepath.Join(i.dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// closedAddress is where nobody listens.
func closedAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// command is the host with the canaries in its surroundings.
func (i *installation) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(i.dir, "querent"), args...)
	cmd.Env = append(os.Environ(), "CANARY_KEY="+keyCanary)
	cmd.Dir = i.dir
	return cmd
}

func sings(t *testing.T, where, text string) {
	t.Helper()
	for _, canary := range []string{keyCanary, passwordCanary, strings.NewReplacer("+", "%2B", "=", "%3D").Replace(passwordCanary), maskCanary, testKey} {
		if at := strings.Index(text, canary); at >= 0 {
			t.Errorf("%s tells %q: …%s…", where, canary, text[max(0, at-120):min(len(text), at+len(canary)+60)])
		}
	}
}

// A plugin that gives its key away, in every way it has, tells it to nobody.
func TestASecretIsToldNowhere(t *testing.T) {
	for _, leak := range []string{"error", "log", "print", "panic"} {
		for _, args := range [][]string{
			{"ask", "--config", "canary.yaml", "--log-level", "trace", "--verbose", "--datasource", "demo", "Which stores are in Kenya?"},
			{"ask", "--config", "canary.yaml", "--log-level", "trace", "--output", "json", "--datasource", "demo", "Which stores are in Kenya?"},
		} {
			t.Run(leak+" "+args[4], func(t *testing.T) {
				i := install(t, "", "")
				i.canaryConfig(t, leak, "http://127.0.0.1:1/v1")
				ctx, cancel := context.WithTimeout(t.Context(), hostDeadline)
				defer cancel()
				out, _ := i.command(ctx, args...).CombinedOutput() // that it fails is what is asked
				if !strings.Contains(string(out), "PROVIDER_") {
					t.Errorf("the plugin did not fail:\n%s", out)
				}
				if leak != "error" && !strings.Contains(string(out), "[token:") {
					t.Errorf("what the plugin told is nowhere to be seen:\n%s", out)
				}
				sings(t, "ask", string(out))
			})
		}
	}
}

func TestOtherCommandsTellNoSecret(t *testing.T) {
	i := install(t, "", "")
	i.canaryConfig(t, "error", "http://127.0.0.1:1/v1")
	for _, args := range [][]string{
		{"config", "show"}, {"config", "show", "--output", "json"}, {"config", "validate"}, {"plugins", "list", "--log-level", "trace"}, {"doctor", "--log-level", "trace"},
		{"doctor", "--output", "json"}, {"schema", "show", "--log-level", "trace"}, {"ask", "--log-level", "trace", "--datasource", "away", "How many orders are there?"},
		{"plan", "--log-level", "trace", "--datasource", "demo", "How many stores are there?"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), hostDeadline)
			defer cancel()
			head := len(args)
			if strings.Contains(args[head-1], " ") {
				head--
			}
			out, _ := i.command(ctx, append(append(args[:head:head], "--config", "canary.yaml"), args[head:]...)...).CombinedOutput()
			if len(out) == 0 {
				t.Error("it says nothing")
			}
			sings(t, args[0], string(out))
		})
	}
}

// A server that repeats the key in its refusal, and one in whose answer it stands.
func TestASecretThatAServerRepeatsIsToldNowhere(t *testing.T) {
	for name, reply := range map[string]openaitest.Reply{
		"refusal":    openaitest.JSONError(401, "Incorrect API key provided: "+keyCanary, "invalid_request_error", "", "invalid_api_key"),
		"no JSON":    {Status: 502, ContentType: "text/html", Body: "<html>upstream said: Authorization: Bearer " + keyCanary + "</html>"},
		"its answer": openaitest.Text(`{"from":"` + keyCanary + `"}`),
	} {
		t.Run(name, func(t *testing.T) {
			server := openaitest.New(t, openaitest.Script{Chat: openaitest.Always(reply)})
			i := install(t, server.BaseURL(), "")
			i.canaryConfig(t, "", server.BaseURL())
			ctx, cancel := context.WithTimeout(t.Context(), hostDeadline)
			defer cancel()
			out, _ := i.command(ctx, "ask", "--config", "canary.yaml", "--log-level", "trace", "--output", "json", "--datasource", "demo", "Which stores are in Kenya?").CombinedOutput()
			if len(server.Requests()) == 0 || !strings.Contains(server.Requests()[0].Header.Get("Authorization"), keyCanary) {
				t.Error("the server was not sent the key")
			}
			sings(t, "ask", string(out))
		})
	}
}

// TestNoProcessShowsASecret looks at the host and its plugins while they run: only the
// host's own surroundings hold what the configuration takes from there.
func TestNoProcessShowsASecret(t *testing.T) {
	called := make(chan struct{}, 8)
	server := openaitest.New(t, openaitest.Script{Chat: func(openaitest.Request) openaitest.Reply {
		called <- struct{}{}
		return openaitest.Reply{Hang: true}
	}})
	i := install(t, server.BaseURL(), "")
	i.canaryConfig(t, "", server.BaseURL())
	ctx, cancel := context.WithTimeout(t.Context(), hostDeadline)
	defer cancel()
	cmd := i.command(ctx, "ask", "--config", "canary.yaml", "--timeout", "30s", "--log-level", "trace", "--datasource", "demo", "Which stores are in Kenya?")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-called
	plugins := 0
	for _, p := range executables(t) {
		if filepath.Dir(p.path) != i.dir {
			continue
		}
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.pid))
		if err != nil {
			t.Fatal(err)
		}
		sings(t, "the arguments of "+p.path, string(line))
		if p.pid == cmd.Process.Pid {
			continue
		}
		plugins++
		surroundings, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
		if err != nil {
			t.Fatal(err)
		}
		sings(t, "the environment of "+p.path, string(surroundings))
	}
	if plugins < 2 {
		t.Errorf("only %d plugins were running", plugins)
	}
	cancel()
	_ = cmd.Wait() // it was interrupted
	sings(t, "ask", out.String())
}
