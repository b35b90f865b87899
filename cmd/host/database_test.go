package main

import (
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
)

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestDatasourceIsNamedAfterTheFile(t *testing.T) {
	for path, want := range map[string]schema.DatasourceID{
		"/a/my.sqlite": "my", "/a/my-db.v2.db": "my-db_v2", "/a/2024.db": "db_2024", "/a/매출.db": "db", "/a/odd name!.db": "odd_name", "/a/x": "x",
	} {
		if got := datasourceName(path); got != want {
			t.Errorf("datasourceName(%s) = %s, want %s", path, got, want)
		}
	}
}

func TestDatabaseConfigPermitsItsDatabaseToTheCLIAlone(t *testing.T) {
	c, err := databaseConfig("sqlite:/data/my shop.db", "", environment())
	if err != nil {
		t.Fatal(err)
	}
	if path, err := c.SQLitePath("my_shop"); path != "/data/my shop.db" || err != nil {
		t.Errorf("path %s, %v", path, err)
	}
	if got := c.Roles[wholeDatabase].Tables.Allow; len(got) != 1 || got[0] != "my_shop.*.*" {
		t.Errorf("allow %v", got)
	}
	if len(c.Callers) != 1 || c.Callers["cli"].Role != wholeDatabase {
		t.Errorf("callers %v", c.Callers)
	}
	if c.Agent(config.AgentASTPlanner).Provider != "template" {
		t.Errorf("planner %+v", c.Agent(config.AgentASTPlanner))
	}
}

// What may be sent to a model follows from where the model runs.
func TestOnlyAModelOnThisMachineIsSentRows(t *testing.T) {
	for _, c := range []struct {
		spec string
		env  func(string) string
		sent bool
		url  any
	}{
		{"ollama:m", environment(), true, "http://127.0.0.1:11434"},
		{"ollama:qwen2.5-coder:7b", environment("OLLAMA_HOST", "localhost:9000"), true, "http://localhost:9000"},
		{"ollama:m", environment("OLLAMA_HOST", "[::1]:9000"), true, "http://[::1]:9000"},
		{"ollama:m", environment("OLLAMA_HOST", "gpu.example.com"), false, "http://gpu.example.com:11434"},
		{"ollama:m", environment("OLLAMA_HOST", "http://127.0.0.1.example.com/"), false, "http://127.0.0.1.example.com"},
		{"ollama:m", environment("OLLAMA_HOST", "0.0.0.0"), false, "http://0.0.0.0:11434"},
		{"openai:m", environment(), false, nil},
		{"openai:m", environment("OPENAI_BASE_URL", "http://127.0.0.1:1/v1"), false, nil},
	} {
		_, p, err := providerOf(c.spec, c.env)
		if err != nil {
			t.Fatal(err)
		}
		if p.Data.Rows != c.sent || p.Data.Values != c.sent || p.Config["url"] != c.url {
			t.Errorf("%s: data %+v, url %v; want %t, %v", c.spec, p.Data, p.Config["url"], c.sent, c.url)
		}
	}
	_, p, _ := providerOf("ollama:qwen2.5-coder:7b", environment())
	if p.Model != "qwen2.5-coder:7b" {
		t.Errorf("model %q", p.Model)
	}
	_, p, _ = providerOf("openai:m", environment("OPENAI_API_KEY", "sk-secret"))
	if p.Config["api_key"] != "${env:OPENAI_API_KEY}" {
		t.Errorf("the key is not a reference: %v", p.Config)
	}
}

func TestDatabaseFlagsSayWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ db, provider, want string }{
		{"oracle://h/db", "", "no databases of the kind oracle"},
		{"postgres://u:p%zz@h/db", "", "expected postgres://"},
		{"mysql://u:secret@h", "", "expected mysql://"},
		{"${env:DB}", "", "references are for configuration files"},
		{"x.db", "ollama", "--provider ollama:MODEL"},
		{"x.db", "openai:", "--provider openai:MODEL"},
		{"x.db", "template:m", "has no model"},
		{"x.db", "gemini:m", "there is no such plugin; expected template"},
	} {
		_, err := databaseConfig(c.db, c.provider, environment())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("--db %s --provider %s: %v, want %q", c.db, c.provider, err, c.want)
		}
	}
}

// Loading a model takes part of the first call's time, and the run must live to
// say that it took too long.
func TestAModelOnThisMachineHasTimeToLoad(t *testing.T) {
	for spec, want := range map[string]time.Duration{"ollama:m": 110 * time.Second, "openai:m": time.Minute, "template": time.Minute} {
		c, err := databaseConfig("/a.db", spec, environment())
		if err != nil {
			t.Fatal(err)
		}
		got := c.Agent(config.AgentASTPlanner).Timeout.Std()
		if got != want || got >= c.Settings.Run.Timeout.Std() {
			t.Errorf("%s: a call has %s of the run's %s, want %s", spec, got, c.Settings.Run.Timeout, want)
		}
	}
}
