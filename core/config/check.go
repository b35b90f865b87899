package config

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

// checker collects what is wrong between the parts of a configuration whose
// shape is right.
type checker struct {
	c        *Config
	src      *source
	problems Problems
}

func check(c *Config, src *source) Problems {
	k := &checker{c: c, src: src}
	k.references(nil, src.values)
	k.plugins()
	k.agents()
	k.datasources()
	k.roles()
	k.callers()
	k.verified()
	k.settings()
	k.redaction()
	k.timeLimits()
	k.prompts()
	k.server()
	k.records()
	k.compliance()
	return k.problems
}

func (k *checker) fail(at path, format string, args ...any) {
	k.problems = append(k.problems, Problem{k.src.at(at), fmt.Sprintf(format, args...)})
}

func (k *checker) references(at path, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			k.references(at.with(key), v[key])
		}
	case []any:
		for i, e := range v {
			k.references(at.with(strconv.Itoa(i)), e)
		}
	case string:
		if err := checkReferences(v); err != nil {
			k.fail(at, "%v", err)
		}
	}
}

// KnowsDatasource is an error, with the nearest name, unless id is a datasource of
// the configuration.
func (c *Config) KnowsDatasource(id schema.DatasourceID) error {
	if _, ok := c.Datasources[id]; ok {
		return nil
	}
	return fmt.Errorf("there is no datasource %q%s", id, didYouMean(string(id), words(sortedKeys(c.Datasources))))
}

func (k *checker) plugins() {
	for _, name := range sortedKeys(k.c.Plugins) {
		for i, variable := range k.c.Plugins[name].Env {
			if !envName.MatchString(variable) {
				k.fail(path{"plugins", string(name), "env", strconv.Itoa(i)}, "expected the name of an environment variable of the host, such as HTTPS_PROXY")
			}
		}
	}
	k.confinement()
	known := slices.Concat(builtinPlugins, sortedKeys(k.c.Plugins))
	for _, name := range sortedKeys(k.c.Providers) {
		p, at := k.c.Providers[name], path{"providers", string(name)}
		if !slices.Contains(known, p.Plugin) {
			k.fail(at.with("plugin"), "there is no plugin %q%s; define a plugin of your own under plugins", p.Plugin, didYouMean(string(p.Plugin), words(known)))
		}
		if p.Plugin == TemplatePlugin && p.Model != "" {
			k.fail(at.with("model"), "the template plugin has no model; remove the line, or choose another plugin")
		}
	}
	for _, p := range k.c.Providers {
		if p.Plugin == TemplatePlugin {
			return
		}
	}
	k.fail(path{"providers", string(TemplatePlugin)}, "this name is kept for the template plugin; rename the provider")
}

func (k *checker) agents() {
	if k.c.Agents[AgentDefault].Provider == "" {
		k.fail(path{"agents", string(AgentDefault), "provider"}, "is missing: choose one of %s", oneOf(words(sortedKeys(k.c.Providers))))
	}
	for _, name := range sortedKeys(k.c.Agents) {
		own, at := k.c.Agents[name], path{"agents", string(name)}
		if own.Provider != "" {
			k.provider(at.with("provider"), own.Provider)
		}
		for i, f := range own.Fallback {
			k.fallback(at.with("fallback").with(strconv.Itoa(i)), k.c.Agent(name).Provider, f)
		}
		k.model(at, k.c.Agent(name))
	}
}

func (k *checker) provider(at path, name ProviderName) {
	if _, ok := k.c.Providers[name]; !ok {
		k.fail(at, "there is no provider %q%s", name, didYouMean(string(name), words(sortedKeys(k.c.Providers))))
	}
}

func (k *checker) fallback(at path, own ProviderName, f Fallback) {
	if f.To == own {
		k.fail(at, "falls back to the agent's own provider %q", own)
	} else {
		k.provider(at, f.To)
	}
	for _, kind := range f.On {
		if kinds := words(reason.Kinds()); !slices.Contains(kinds, kind) {
			k.fail(at.with("on"), "there is no failure %q%s", kind, didYouMean(kind, kinds))
		}
	}
}

// model holds only where the plugin is one of ours: what another needs is for
// its own schema to say.
func (k *checker) model(at path, a Agent) {
	p, ok := k.c.Providers[a.Provider]
	if ok && (p.Plugin == "openai" || p.Plugin == "ollama") && p.Model == "" && a.Model == "" {
		k.fail(at, "provider %q has no model: add model to providers.%s or to the agent", a.Provider, a.Provider)
	}
}

func (k *checker) datasources() {
	for _, id := range sortedKeys(k.c.Datasources) {
		d, at := k.c.Datasources[id], path{"datasources", string(id)}
		if d.Adapter == string(schema.SQLite) {
			k.databaseFile(at, d)
		} else {
			k.databaseServer(at, d)
		}
		for _, name := range sortedKeys(d.Columns) {
			if strings.Count(name, ".") < 2 {
				k.fail(at.with("columns").with(name), "expected schema.table.column, such as main.orders.placed_at")
			}
		}
	}
}

func (k *checker) databaseFile(at path, d Datasource) {
	switch {
	case d.DSN != "" && d.Path != "":
		k.fail(at.with("dsn"), "contradicts path: adapter sqlite takes path alone")
	case d.DSN != "":
		k.fail(at.with("dsn"), "adapter sqlite takes path, the database file")
	case d.Path == "":
		k.fail(at, "path is missing: the database file")
	case namesFile(d.Path):
		k.fail(at.with("path"), "takes ${env:NAME} alone: what ${file:…} names is kept secret, and a path is shown")
	}
	if len(d.Schemas) > 0 && !slices.Equal(d.Schemas, []string{"main"}) {
		k.fail(at.with("schemas"), "a SQLite database has the schema main alone")
	}
}

func (k *checker) databaseServer(at path, d Datasource) {
	switch {
	case d.Path != "":
		k.fail(at.with("path"), "adapter %s takes dsn, the address of the server", d.Adapter)
	case d.DSN == "":
		k.fail(at, "dsn is missing: the address of the server, such as %s://USER:PASSWORD@HOST/DATABASE", d.Adapter)
	}
	for n, name := range d.Schemas {
		if name == "" || slices.Contains(d.Schemas[:n], name) {
			k.fail(at.with("schemas"), "an entry is empty, or stands there twice")
		}
	}
}

func (k *checker) callers() {
	for _, name := range sortedKeys(k.c.Callers) {
		c, at := k.c.Callers[name], path{"callers", name}
		if _, ok := k.c.Roles[c.Role]; !ok && !c.Deny {
			k.fail(at.with("role"), "there is no role %q%s", c.Role, didYouMean(string(c.Role), words(sortedKeys(k.c.Roles))))
		}
	}
}

func (k *checker) settings() {
	t, at := k.c.Settings.Time, path{"settings", "time"}
	if _, err := time.LoadLocation(t.Zone); err != nil || t.Zone == "Local" {
		k.fail(at.with("zone"), "%q is no time zone: expected an IANA name such as Europe/Berlin", t.Zone)
	}
	// 29 February starts no year in most years.
	if _, err := time.Parse("2006-01-02", "2001-"+t.FiscalYearStart); err != nil {
		k.fail(at.with("fiscal_year_start"), "%q is no day of every year: expected MM-DD, such as 04-01", t.FiscalYearStart)
	}
	if l := k.c.Settings.Answer.Language; l != LanguageOfQuestion {
		if _, err := language.Parse(l); err != nil {
			k.fail(path{"settings", "answer", "language"}, "%q is no language: expected question, or a tag such as en or ko", l)
		}
	}
	if k.c.Settings.Run.Budget.Cost > 0 && !k.anyPrices() {
		k.fail(path{"settings", "run", "budget", "cost"}, "no provider has prices: add prices to the providers with a model, or limit tokens instead")
	}
	if r := k.c.Settings.Results; int64(r.PreviewRows) > r.RowLimit {
		k.fail(path{"settings", "results", "preview_rows"}, "%d contradicts row_limit: a result has at most %d rows", r.PreviewRows, r.RowLimit)
	}
}

func (k *checker) anyPrices() bool {
	for _, p := range k.c.Providers {
		if p.Prices != nil {
			return true
		}
	}
	return false
}

// timeLimited are the settings that end a wait.
var timeLimited = []string{"agents.*.timeout", "agents.*.load_timeout", "providers.*.queue.timeout", "providers.*.breaker.pause", "datasources.*.statement_timeout", "settings.run.timeout", "settings.nodes.*.timeout", "server.drain_timeout"}

// timeLimits looks at what was written, since a zero in Config is the default.
func (k *checker) timeLimits() {
	for _, pattern := range timeLimited {
		for _, at := range find(k.src.values, nil, strings.Split(pattern, ".")) {
			text, _ := k.src.value(at).(string)
			if limit, err := time.ParseDuration(text); err == nil && limit == 0 {
				k.fail(at, "%s leaves no time for anything: expected a time above zero, or leave the line out for the default", text)
			}
		}
	}
}

func (k *checker) prompts() {
	for _, node := range sortedKeys(k.c.Prompts) {
		k.file(path{"prompts", node}, k.c.Prompts[node])
	}
}

func (k *checker) file(at path, name string) {
	if info, err := os.Stat(k.c.Path(name)); err != nil {
		k.fail(at, "the file %s cannot be read: %s", k.c.Path(name), reasonOf(err))
	} else if !info.Mode().IsRegular() {
		k.fail(at, "%s is no file", k.c.Path(name))
	}
}

func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
