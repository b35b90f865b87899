package main

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/schema"
)

// wholeDatabase is the role of the one caller of a configuration that --db makes.
const wholeDatabase config.RoleName = "whole_database"

// databaseConfig is the configuration behind --db: one datasource that the
// caller cli may read whole, and the provider that spec names.
func databaseConfig(db, spec string, env func(string) string) (*config.Config, error) {
	id, source, err := databaseOf(db)
	if err != nil {
		return nil, err
	}
	name, provider, err := providerOf(spec, env)
	if err != nil {
		return nil, err
	}
	c, _, err := config.Build(config.Config{
		Version:     1,
		Providers:   map[config.ProviderName]config.Provider{name: provider},
		Agents:      map[config.AgentName]config.Agent{config.AgentDefault: {Provider: name, Timeout: callTimeout(provider)}},
		Datasources: map[schema.DatasourceID]config.Datasource{id: source},
		Roles:       map[config.RoleName]config.Role{wholeDatabase: {Tables: config.TableRules{Allow: []string{string(id) + ".*.*"}}}},
		Callers:     map[string]config.Caller{defaultCaller: {Role: wholeDatabase}},
	}, workingDir(source.Path))
	return c, err
}

// localModelTimeout lets a model that is not in memory yet be loaded, which counts
// as part of the first call and takes longer than the 60 s that agents have. It
// leaves the run, which has 120 s, time to say that the model was too slow.
const localModelTimeout = config.Duration(110 * time.Second)

// callTimeout is the time limit of a call of the provider, 0 for the default.
func callTimeout(p config.Provider) config.Duration {
	if p.Plugin == "ollama" {
		return localModelTimeout
	}
	return 0
}

// workingDir is where the lock file of plugins is looked for: the working
// directory, or, when that has been removed, the folder of the database.
func workingDir(path string) string {
	if _, err := os.Getwd(); err != nil && path != "" {
		return filepath.Dir(path)
	}
	return "."
}

// adapters are those that the scheme of a URL names.
var adapters = map[string]schema.Dialect{
	"postgres": schema.Postgres, "postgresql": schema.Postgres, "mysql": schema.MySQL, "mariadb": schema.MySQL,
}

// databaseOf is the datasource that --db names: the URL of a server, or a file.
func databaseOf(db string) (schema.DatasourceID, config.Datasource, error) {
	if strings.Contains(db, "${") {
		return "", config.Datasource{}, usage("--db: references are for configuration files; let the shell fill in the name")
	}
	scheme, _, ok := strings.Cut(db, "://")
	if !ok || strings.ContainsAny(scheme, `/\`) {
		path, err := filepath.Abs(strings.TrimPrefix(db, "sqlite:"))
		if err != nil {
			return "", config.Datasource{}, usage("--db %q: %v", db, err)
		}
		return datasourceName(path), config.Datasource{Adapter: string(schema.SQLite), Path: path}, nil
	}
	adapter, ok := adapters[scheme]
	if !ok {
		return "", config.Datasource{}, usage("--db: there are no databases of the kind %s; it opens SQLite files, postgres://… and mysql://…", scheme)
	}
	u, err := url.Parse(db)
	if err != nil || strings.Trim(u.Path, "/") == "" {
		// The error is left out: it quotes the URL with what may be a password.
		return "", config.Datasource{}, usage("--db: expected %s://USER:PASSWORD@HOST:PORT/DATABASE, with special characters escaped as %%XX", scheme)
	}
	return datasourceName(u.Path), config.Datasource{Adapter: string(adapter), DSN: db}, nil
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// datasourceName is the file's name as far as names of datasources may hold it.
func datasourceName(path string) schema.DatasourceID {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	name := strings.Trim(notInNames.ReplaceAllString(base, "_"), "_-")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = strings.TrimSuffix("db_"+name, "_")
	}
	return schema.DatasourceID(name)
}

// providerOf is the provider that PLUGIN[:MODEL] names. Rows and values of the
// database go to a model only where it runs on this machine.
func providerOf(spec string, env func(string) string) (config.ProviderName, config.Provider, error) {
	plugin, model, _ := strings.Cut(spec, ":")
	p := config.Provider{Plugin: config.PluginName(plugin), Model: model}
	switch plugin {
	case "", string(config.TemplatePlugin):
		if model != "" {
			return "", p, usage("--provider %s: the template plugin has no model", spec)
		}
		p.Plugin = config.TemplatePlugin
	case "ollama":
		server := ollamaURL(env("OLLAMA_HOST"))
		p.Config = map[string]any{"url": server}
		p.Data = config.Data{Values: isLoopback(server), Rows: isLoopback(server)}
	case "openai":
		p.Config = map[string]any{"api_key": "${env:OPENAI_API_KEY}"}
		if server := env("OPENAI_BASE_URL"); server != "" {
			p.Config["base_url"] = server
		}
	default:
		return "", p, usage("--provider %s: there is no such plugin; expected template, ollama:MODEL or openai:MODEL", spec)
	}
	if p.Plugin != config.TemplatePlugin && model == "" {
		return "", p, usage("--provider %s: name the model, as in --provider %s:MODEL", spec, plugin)
	}
	return config.ProviderName(p.Plugin), p, nil
}

const (
	ollamaDefault = "http://127.0.0.1:11434"
	ollamaPort    = "11434"
)

// ollamaURL is the server that OLLAMA_HOST names, in the forms that Ollama's own
// client reads: a URL, a host, or a host with a port.
func ollamaURL(host string) string {
	host = strings.TrimRight(strings.TrimSpace(host), "/")
	if host == "" {
		return ollamaDefault
	}
	if strings.Contains(host, "://") {
		return host
	}
	if _, _, err := net.SplitHostPort(host); err != nil {
		host = net.JoinHostPort(strings.Trim(host, "[]"), ollamaPort)
	}
	return "http://" + host
}

// isLoopback reports whether the server is on this machine for certain.
func isLoopback(server string) bool {
	u, err := url.Parse(server)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
