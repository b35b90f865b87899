package config

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"querent.dev/querent/core/schema"
)

// TemplatePlugin is the plugin that is always loaded: it words what no model may
// or can word.
const TemplatePlugin PluginName = "template"

// builtinPlugins need no line under plugins.
var builtinPlugins = []PluginName{"openai", "ollama", TemplatePlugin}

// The defaults, those of the documentation's example. The limits are sized for
// one person's machine: a run of two minutes, results that fit in memory.
const (
	defaultAgentTimeout     = Duration(60 * time.Second)
	defaultStatementTimeout = Duration(20 * time.Second)
	defaultParallel         = 4
	defaultPreviewRows      = 20
	defaultRowLimit         = 100_000
	defaultByteLimit        = Bytes(64 << 20)
	defaultResultChars      = 4000
	defaultMaxRetries       = 2
	defaultBackoff          = Duration(500 * time.Millisecond)
	defaultPlanCache        = 256                         // a plan has about a kilobyte
	defaultLoadTimeout      = Duration(120 * time.Second) // tens of gigabytes from a disk
	defaultRunTimeout       = Duration(120 * time.Second)

	defaultListen = "127.0.0.1:8080"
	// defaultMaxRuns is more than providers and databases take at once: what is
	// above their own limits waits within the run's time limit.
	defaultMaxRuns = 128
	// defaultMaxBody is ten times the longest question that a model reads.
	defaultMaxBody = Bytes(64 << 10)
	// defaultDrainTimeout is what orchestrators usually grant before they kill.
	defaultDrainTimeout = Duration(30 * time.Second)
)

// The bounds of asking providers, exported for engines without a configuration file.
const (
	// DefaultProviderCalls bridges a restart or a short overload, and leaves a call to
	// repair an answer.
	DefaultProviderCalls = 3
	// DefaultAgentCalls is what two providers take.
	DefaultAgentCalls = 6
	// DefaultQueueLength holds the calls of more runs than the server takes at once.
	DefaultQueueLength = 512
	// DefaultBreakerFailures is more than one question meets by itself.
	DefaultBreakerFailures = 5
	// DefaultBreakerPause is about what a server takes to restart.
	DefaultBreakerPause = Duration(30 * time.Second)
	// DefaultCurrency is that of the largest vendors' price lists.
	DefaultCurrency = "USD"
)

// fillDefaults completes c in place, before anyone else sees it.
func (c *Config) fillDefaults() {
	orDefault(&c.PluginLock.File, "plugins.lock")
	orDefault(&c.PluginLock.Mode, LockAuto)
	orDefault(&c.TemplateLock.File, "templates.lock")
	orDefault(&c.TemplateLock.Mode, LockAuto)
	c.addTemplateProvider()
	for name, p := range c.Providers {
		orDefault(&p.MaxParallel, defaultParallel)
		orDefault(&p.MaxCalls, DefaultProviderCalls)
		c.Providers[name] = p
	}
	c.addDefaultAgent()
	for id, d := range c.Datasources {
		orDefault(&d.MaxParallel, defaultParallel)
		orDefault(&d.StatementTimeout, defaultStatementTimeout)
		c.Datasources[id] = d
	}
	c.Settings.fillDefaults()
	c.Server.fillDefaults()
	c.Audit.fillDefaults()
}

func (s *Server) fillDefaults() {
	orDefault(&s.Listen, defaultListen)
	orDefault(&s.MaxRuns, defaultMaxRuns)
	orDefault(&s.MaxBody, defaultMaxBody)
	orDefault(&s.DrainTimeout, defaultDrainTimeout)
}

// DefaultSettings are the settings of a configuration that sets none.
func DefaultSettings() Settings {
	var s Settings
	s.fillDefaults()
	return s
}

func (s *Settings) fillDefaults() {
	orDefault(&s.Results.PreviewRows, defaultPreviewRows)
	orDefault(&s.Results.RowLimit, defaultRowLimit)
	orDefault(&s.Results.ByteLimit, defaultByteLimit)
	orDefault(&s.Results.ResultCharLimit, defaultResultChars)
	if s.SQLAgent.MaxRetries == nil {
		retries := defaultMaxRetries
		s.SQLAgent.MaxRetries = &retries
	}
	orDefault(&s.SQLAgent.Backoff, defaultBackoff)
	orDefault(&s.SQLAgent.Refine, RefineHost)
	if s.SQLAgent.PlanCache.Entries == nil {
		entries := defaultPlanCache
		s.SQLAgent.PlanCache.Entries = &entries
	}
	orDefault(&s.Run.Timeout, defaultRunTimeout)
	orDefault(&s.Run.MaxParallel, defaultParallel)
	orDefault(&s.Run.Budget.Currency, DefaultCurrency)
	orDefault(&s.Fallback, FallbackAllow)
	orDefault(&s.Validator.FanOut, "warn")
	orDefault(&s.Time.Zone, "UTC")
	orDefault(&s.Time.WeekStart, "monday")
	orDefault(&s.Time.FiscalYearStart, "01-01")
	orDefault(&s.Answer.Language, LanguageOfQuestion)
	orDefault(&s.Answer.Stream, StreamGrounded)
	orDefault(&s.Answer.Charts, ChartsAuto)
}

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// addTemplateProvider makes sure that some provider runs the template plugin.
func (c *Config) addTemplateProvider() {
	if c.Providers == nil {
		c.Providers = map[ProviderName]Provider{}
	}
	for _, p := range c.Providers {
		if p.Plugin == TemplatePlugin {
			return
		}
	}
	name := ProviderName(TemplatePlugin)
	if _, taken := c.Providers[name]; !taken {
		c.Providers[name] = Provider{Plugin: TemplatePlugin}
	}
}

// addDefaultAgent binds the default agent where the configuration leaves no
// choice: to the one provider that was written, or to the template provider.
func (c *Config) addDefaultAgent() {
	if c.Agents == nil {
		c.Agents = map[AgentName]Agent{}
	}
	a := c.Agents[AgentDefault]
	if a.Provider == "" {
		var others []ProviderName
		for name, p := range c.Providers {
			if p.Plugin != TemplatePlugin {
				others = append(others, name)
			}
		}
		switch len(others) {
		case 0:
			a.Provider = c.TemplateProvider()
		case 1:
			a.Provider = others[0]
		}
	}
	orDefault(&a.Timeout, defaultAgentTimeout)
	orDefault(&a.LoadTimeout, defaultLoadTimeout)
	orDefault(&a.MaxCalls, DefaultAgentCalls)
	c.Agents[AgentDefault] = a
}

// TemplateProvider is the provider that stands in for every synthesizer: the
// answer synthesizer's own if it runs the template plugin, else the first by
// name that does.
func (c *Config) TemplateProvider() ProviderName {
	own := c.Agent(AgentAnswerSynthesizer).Provider
	if c.Providers[own].Plugin == TemplatePlugin {
		return own
	}
	for _, name := range sortedKeys(c.Providers) {
		if c.Providers[name].Plugin == TemplatePlugin {
			return name
		}
	}
	return ""
}

// Agent is the agent as it acts: its own settings over those of default. What
// belongs to a provider (model, options, thinking) is taken from default only by
// an agent that has the same provider; a fallback to the agent's own provider is
// left out.
func (c *Config) Agent(name AgentName) Agent {
	d := c.Agents[AgentDefault]
	a, own := c.Agents[name]
	if !own || name == AgentDefault {
		return d
	}
	orDefault(&a.Provider, d.Provider)
	if a.Provider == d.Provider {
		orDefault(&a.Model, d.Model)
		if a.Options == nil {
			a.Options = d.Options
		}
		if a.Thinking == nil {
			a.Thinking = d.Thinking
		}
	}
	orDefault(&a.Timeout, d.Timeout)
	orDefault(&a.LoadTimeout, d.LoadTimeout)
	orDefault(&a.Strategy, d.Strategy)
	orDefault(&a.MaxOutputTokens, d.MaxOutputTokens)
	orDefault(&a.MaxCalls, d.MaxCalls)
	if a.Temperature == nil {
		a.Temperature = d.Temperature
	}
	if a.Seed == nil {
		a.Seed = d.Seed
	}
	if a.Fallback == nil {
		a.Fallback = slices.DeleteFunc(slices.Clone(d.Fallback), func(f Fallback) bool { return f.To == a.Provider })
	}
	return a
}

// Dir is the folder that relative paths of the configuration start from. It is
// absolute.
func (c *Config) Dir() string { return c.dir }

// Plan is the path of the verified query's plan file.
func (c *Config) Plan(v Verified) string { return c.Path(v.Plan) }

// IsSQL reports whether the query's file holds SQL, which is imported as a plan.
func (v Verified) IsSQL() bool { return strings.EqualFold(filepath.Ext(v.Plan), ".sql") }

// SQLitePath is the datasource's file as the program opens it, its references
// resolved. A reference to nothing is Problems.
func (c *Config) SQLitePath(id schema.DatasourceID) (string, error) {
	p, err := c.expand(c.Datasources[id].Path)
	if err != nil {
		return "", problem("datasources."+string(id)+".path", "%v", err)
	}
	return c.Path(p), nil
}

// DSN is the address of the datasource's server, its references resolved. It may
// hold a password: it is for the adapter alone, never for a log. A reference to
// nothing is Problems.
func (c *Config) DSN(id schema.DatasourceID) (string, error) {
	dsn, err := c.expand(c.Datasources[id].DSN)
	if err != nil {
		return "", problem("datasources."+string(id)+".dsn", "%v", err)
	}
	return dsn, nil
}
