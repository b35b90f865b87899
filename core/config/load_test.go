package config_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

func parse(t *testing.T, text string) *config.Config {
	t.Helper()
	c, _, err := config.Parse(filepath.Join(t.TempDir(), "querent.yaml"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDefaults(t *testing.T) {
	c := parse(t, "version: 1\n")
	if got, want := c.Settings, config.DefaultSettings(); !reflect.DeepEqual(got, want) {
		t.Errorf("settings %+v, want the defaults %+v", got, want)
	}
	s := c.Settings
	if s.Results.RowLimit != 100_000 || s.Results.PreviewRows != 20 || s.Results.ByteLimit != 64<<20 || s.Results.ResultCharLimit != 4000 {
		t.Errorf("results %+v", s.Results)
	}
	if *s.SQLAgent.MaxRetries != 2 || s.SQLAgent.Backoff.Std() != 500*time.Millisecond || s.Run.Timeout.Std() != 2*time.Minute {
		t.Errorf("sql_agent %+v, run %+v", s.SQLAgent, s.Run)
	}
	if s.Time != (config.Time{Zone: "UTC", WeekStart: "monday", FiscalYearStart: "01-01"}) {
		t.Errorf("time %+v", s.Time)
	}
	if c.PluginLock != (config.PluginLock{File: "plugins.lock", Mode: config.LockAuto}) {
		t.Errorf("plugin_lock %+v", c.PluginLock)
	}
	if a := c.Agent(config.AgentASTPlanner); a.Provider != "template" || a.Timeout.Std() != time.Minute {
		t.Errorf("ast_planner %+v, want the template provider", a)
	}
	if c.TemplateProvider() != "template" || c.Providers["template"].Plugin != config.TemplatePlugin {
		t.Errorf("providers %+v, want one of the template plugin", c.Providers)
	}
}

func TestEverySettingIsRead(t *testing.T) {
	c := parse(t, `
version: 1
plugin_dir: ./bin
plugins:
  ollama: {env: [HTTPS_PROXY], network: any, tls: off}
providers:
  local: {plugin: ollama, model: "qwen2.5-coder:7b", max_parallel: 2, config: {url: "http://127.0.0.1:1", num_ctx: 8192, deep: [1, {a: 1.5}]}, data: {values: true, rows: true}}
  words: {plugin: template}
agents:
  default: {provider: local, timeout: 1m30s, fallback: [words], temperature: 0, options: {num_ctx: 8192, mirostat: true, top_p: 0.9}}
  ast_planner: {fallback: [{on: [unavailable, timeout], to: words}], seed: 7, max_output_tokens: 1500.0}
datasources:
  demo:
    adapter: sqlite
    path: demo.db
    columns: {"main.orders.placed_at": {storage: epoch_ms, tags: [x]}}
roles:
  analyst: {tables: {allow: ["*.main.*"], deny: [demo.main.salaries]}, columns: {deny: ["*.*.*.password"]}}
callers: {cli: {role: analyst, user: {region: EU, level: 3}}, anonymous: deny}
settings: {results: {byte_limit: 2048}}
`)
	local := c.Providers["local"]
	if local.Plugin != "ollama" || local.MaxParallel != 2 || !local.Data.Values || !local.Data.Rows {
		t.Errorf("local %+v", local)
	}
	a := c.Agent(config.AgentDefault)
	want := map[string]string{"num_ctx": "8192", "mirostat": "true", "top_p": "0.9"}
	if !reflect.DeepEqual(a.Options, want) || *a.Temperature != 0 || a.Timeout.Std() != 90*time.Second {
		t.Errorf("default %+v", a)
	}
	planner := c.Agent(config.AgentASTPlanner)
	if got := planner.Fallback; len(got) != 1 || got[0].To != "words" || !reflect.DeepEqual(got[0].On, []string{"unavailable", "timeout"}) {
		t.Errorf("fallback %+v", got)
	}
	if *planner.Seed != 7 || planner.MaxOutputTokens != 1500 || planner.Provider != "local" {
		t.Errorf("ast_planner %+v", planner)
	}
	if c.Plugins["ollama"].TLS != "off" || c.Settings.Results.ByteLimit != 2048 {
		t.Errorf("plugins %+v, byte_limit %v", c.Plugins, c.Settings.Results.ByteLimit)
	}
	if c.Roles["analyst"].Tables.Allow[0] != "*.main.*" || !c.Callers["anonymous"].Deny || c.Callers["cli"].User["level"] != "3" {
		t.Errorf("roles %+v, callers %+v", c.Roles, c.Callers)
	}
	if c.Datasources["demo"].Columns["main.orders.placed_at"].Storage != "epoch_ms" {
		t.Errorf("columns %+v", c.Datasources["demo"].Columns)
	}
	if got, _ := c.SQLitePath("demo"); got != filepath.Join(c.Dir(), "demo.db") {
		t.Errorf("path %s", got)
	}
}

func TestAgentTakesWhatFitsFromDefault(t *testing.T) {
	c := parse(t, `
version: 1
providers:
  a: {plugin: ollama, model: small}
  b: {plugin: openai, model: big}
agents:
  default: {provider: a, model: tuned, thinking: false, options: {k: v}, timeout: 5s, temperature: 0.5, fallback: [b, template]}
  ast_planner: {provider: b}
  answer_synthesizer: {timeout: 9s}
`)
	other := c.Agent(config.AgentASTPlanner)
	if other.Model != "" || other.Options != nil || other.Thinking != nil {
		t.Errorf("ast_planner %+v took what belongs to another provider", other)
	}
	if other.Timeout.Std() != 5*time.Second || *other.Temperature != 0.5 {
		t.Errorf("ast_planner %+v lacks the common settings", other)
	}
	if len(other.Fallback) != 1 || other.Fallback[0].To != "template" {
		t.Errorf("fallback %+v, want its own provider left out", other.Fallback)
	}
	same := c.Agent(config.AgentAnswerSynthesizer)
	if same.Provider != "a" || same.Model != "tuned" || *same.Thinking || same.Options["k"] != "v" || same.Timeout.Std() != 9*time.Second {
		t.Errorf("answer_synthesizer %+v", same)
	}
}

func TestTemplateProviderIsTheSynthesizersOwn(t *testing.T) {
	c := parse(t, `
version: 1
providers: {a: {plugin: template}, b: {plugin: template}}
agents: {default: {provider: a}, answer_synthesizer: {provider: b}}
`)
	if got := c.TemplateProvider(); got != "b" {
		t.Errorf("template provider %s, want b", got)
	}
}

func TestFolderIsMerged(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.yaml":      "version: 1\nsettings: {results: {row_limit: 10, preview_rows: 5}}\n",
		"llm.yml":     "version: 1\nproviders: {local: {plugin: ollama, model: m}}\nagents: {default: {provider: local}}\n",
		"z.yaml":      "settings: {results: {result_char_limit: 900}}\nproviders: {words: {plugin: template}}\n",
		".draft.yaml": "nonsense: [",
		"notes.txt":   "not read",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, warnings, err := config.Load(dir)
	if err != nil || len(warnings) != 0 {
		t.Fatal(warnings, err)
	}
	if r := c.Settings.Results; r.RowLimit != 10 || r.ResultCharLimit != 900 || len(c.Providers) != 2 || c.Dir() != dir {
		t.Errorf("results %+v, providers %v, dir %s", r, c.Providers, c.Dir())
	}
}

func TestLoadSaysWhatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	big := filepath.Join(dir, "big.yaml")
	if err := os.WriteFile(big, make([]byte, 5<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		filepath.Join(dir, "none.yaml"): "none.yaml: there is no configuration: no such file or directory",
		t.TempDir():                     "the folder holds no *.yaml file",
		big:                             "expected a YAML file of at most 4MiB",
	} {
		_, _, err := config.Load(name)
		var problems config.Problems
		if !errors.As(err, &problems) || !strings.Contains(err.Error(), want) {
			t.Errorf("Load(%s) = %v, want %q", name, err, want)
		}
	}
}

func TestIgnoredSettingsWarn(t *testing.T) {
	_, warnings, err := config.Parse("x.yaml", []byte(`
version: 1
datasources: {d: {adapter: sqlite, path: ./d.db, semantics: d.yaml}}
server: {listen: "127.0.0.1:8080"}
agents: {refiner: {timeout: 5s}, ast_planner: {strategy: deterministic_first}}
settings: {sql_agent: {max_retries: 1}, validator: {fan_out: warn}, nodes: {executor: {timeout: 5s}, decomposer: {timeout: 5s}}, answer: {compliance: false}}
roles: {r: {masks: {}, row_filters: {}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range warnings {
		if w.Code != reason.SettingIgnored || w.Place.Line == 0 {
			t.Errorf("warning %+v", w)
		}
		got = append(got, w.Place.Key)
	}
	want := []string{"datasources.d.semantics"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("warnings for %v, want %v", got, want)
	}
}

// Editors on Windows begin a file with a byte order mark.
func TestByteOrderMarkIsNoPartOfTheFirstKey(t *testing.T) {
	if c, _, err := config.Parse("querent.yaml", []byte("\ufeffversion: 1\n")); err != nil || c.Version != 1 {
		t.Errorf("Parse = %+v, %v", c, err)
	}
}

func TestBuild(t *testing.T) {
	c, _, err := config.Build(config.Config{
		Version:     1,
		Datasources: map[schema.DatasourceID]config.Datasource{"my_db": {Adapter: "sqlite", Path: `/tmp/odd "name": #1.db`}},
		Roles:       map[config.RoleName]config.Role{"all": {Tables: config.TableRules{Allow: []string{"my_db.*.*"}}}},
		Callers:     map[string]config.Caller{"cli": {Role: "all"}, "anonymous": {Deny: true}},
		Agents:      map[config.AgentName]config.Agent{"default": {Provider: "p", Timeout: config.Duration(90 * time.Second), Fallback: []config.Fallback{{To: "q"}, {To: "q", On: []string{"timeout"}}}}},
		Providers:   map[config.ProviderName]config.Provider{"p": {Plugin: "ollama", Model: "m:1"}, "q": {Plugin: "template"}},
	}, "/tmp")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Datasources["my_db"].Path; got != `/tmp/odd "name": #1.db` {
		t.Errorf("path %q", got)
	}
	if !c.Callers["anonymous"].Deny || c.Agent("default").Fallback[1].On[0] != "timeout" || c.Agent("default").Timeout.Std() != 90*time.Second {
		t.Errorf("%+v", c)
	}
	_, _, err = config.Build(config.Config{Version: 1, Callers: map[string]config.Caller{"cli": {Role: "none"}}}, "/tmp")
	if err == nil || err.Error() != `callers.cli.role: there is no role "none"` {
		t.Errorf("error %v", err)
	}
}

func TestResolve(t *testing.T) {
	c := parse(t, "version: 1\n")
	t.Setenv("QUERENT_TEST_KEY", "sk-1")
	if err := os.WriteFile(filepath.Join(c.Dir(), "secret"), []byte("s3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := c.Resolve(map[string]any{
		"api_key": "${env:QUERENT_TEST_KEY}", "header": "Bearer ${file:secret}!", "n": int64(1 << 60), "list": []any{"${file:secret}", true},
	})
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(got, &back); err != nil || back["api_key"] != "sk-1" || back["header"] != "Bearer s3!" || back["list"].([]any)[0] != "s3" {
		t.Errorf("resolved %s, %v", got, err)
	}
	if !strings.Contains(string(got), "1152921504606846976") {
		t.Errorf("resolved %s lost digits", got)
	}
	if got, err := c.Resolve(nil); string(got) != "{}" || err != nil {
		t.Errorf("nothing resolves to %s, %v", got, err)
	}
}

func TestResolveNamesTheReferenceAndNoValue(t *testing.T) {
	c := parse(t, "version: 1\n")
	t.Setenv("QUERENT_TEST_OTHER", "sk-other")
	_, err := c.Resolve(map[string]any{"a": map[string]any{"api_key": "${env:QUERENT_TEST_NOT_SET}"}, "b": "${env:QUERENT_TEST_OTHER} ${file:nowhere}", "c": "${file:.}"})
	var problems config.Problems
	if !errors.As(err, &problems) || len(problems) != 3 {
		t.Fatalf("error %v, want three problems", err)
	}
	for _, want := range []string{"a.api_key: the environment variable QUERENT_TEST_NOT_SET is not set", "b: the file nowhere cannot be read", "c: . is no file"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "sk-other") {
		t.Errorf("error %v holds a secret", err)
	}
}

func TestShowHidesSecretsAndReadsBack(t *testing.T) {
	c := parse(t, `
version: 1
providers:
  cloud: {plugin: openai, model: m, config: {api_key: sk-literal, base_url: "https://me:pw-literal@host/v1?token=tk-literal&x=1", headers: {X-Auth: hd-literal}, max_tokens: 5, organization: org}}
  other: {plugin: openai, model: m, config: {api_key: "${env:OPENAI_API_KEY}"}}
agents: {default: {provider: cloud, fallback: [other]}}
callers: {anonymous: deny}
`)
	text, err := c.Show()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "literal") {
		t.Errorf("a secret is shown:\n%s", text)
	}
	for _, want := range []string{"${env:OPENAI_API_KEY}", "(hidden)", "max_tokens: 5", "organization: org", "row_limit: 100000", "timeout: 2m", "anonymous: deny", "byte_limit: 64MiB"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not shown:\n%s", want, text)
		}
	}
	if c.Providers["cloud"].Config["api_key"] != "sk-literal" {
		t.Error("showing changed the configuration")
	}
	if _, _, err := config.Parse("shown.yaml", text); err != nil {
		t.Errorf("what is shown does not load: %v\n%s", err, text)
	}
}

func TestSchemaIsClosed(t *testing.T) {
	var s struct {
		AdditionalProperties *bool `json:"additionalProperties"`
	}
	if err := json.Unmarshal(config.Schema(), &s); err != nil || s.AdditionalProperties == nil || *s.AdditionalProperties {
		t.Errorf("additionalProperties %v, %v", s.AdditionalProperties, err)
	}
}
