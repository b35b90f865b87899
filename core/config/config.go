// Package config is the host's configuration: its types, a strict reader that
// names file, line and the nearest valid key, its JSON Schema, and the
// resolution of secrets.
package config

import (
	"time"

	"querent.dev/querent/core/schema"
)

// ProviderName is a provider's name in the configuration.
type ProviderName string

// PluginName is a plugin's name: its executable is querent-plugin-<name>.
type PluginName string

// AgentName names a node that uses a provider.
type AgentName string

// The agents.
const (
	AgentDefault            AgentName = "default"
	AgentDatasourceResolver AgentName = "datasource_resolver"
	AgentDecomposer         AgentName = "decomposer"
	AgentASTPlanner         AgentName = "ast_planner"
	AgentRefiner            AgentName = "refiner"
	AgentAnswerSynthesizer  AgentName = "answer_synthesizer"
	AgentIndexingEnrichment AgentName = "indexing_enrichment"
	AgentEmbedding          AgentName = "embedding"
)

// RoleName is a role's name in the configuration.
type RoleName string

// Config is a whole configuration. Load returns it complete and checked, and it
// is read-only from then on: a run keeps the one it began with.
type Config struct {
	Version      int                                `yaml:"version" jsonschema:"enum=1"` // of this format
	PluginDir    string                             `yaml:"plugin_dir,omitempty"`        // default: the folder of the host's executable
	PluginLock   PluginLock                         `yaml:"plugin_lock,omitempty"`
	TemplateLock TemplateLock                       `yaml:"template_lock,omitempty"`
	Plugins      map[PluginName]Plugin              `yaml:"plugins,omitempty"`
	Providers    map[ProviderName]Provider          `yaml:"providers,omitempty"`
	Agents       map[AgentName]Agent                `yaml:"agents,omitempty"`
	Datasources  map[schema.DatasourceID]Datasource `yaml:"datasources,omitempty"`
	Roles        map[RoleName]Role                  `yaml:"roles,omitempty"`
	Callers      map[string]Caller                  `yaml:"callers,omitempty"`
	Verified     []Verified                         `yaml:"verified,omitempty"`
	Settings     Settings                           `yaml:"settings,omitempty"`
	Prompts      map[string]string                  `yaml:"prompts,omitempty"` // node -> file
	Store        Store                              `yaml:"store,omitempty"`
	Audit        Audit                              `yaml:"audit,omitempty"`
	Server       Server                             `yaml:"server,omitempty"`

	dir string // absolute
}

// LockMode says when plugins.lock is enforced.
type LockMode string

// The lock modes.
const (
	LockOff     LockMode = "off"
	LockAuto    LockMode = "auto" // enforced when the file exists; the default
	LockRequire LockMode = "require"
)

// PluginLock is where the lock file is and when it counts.
type PluginLock struct {
	File string   `yaml:"file,omitempty"` // default: plugins.lock beside the configuration
	Mode LockMode `yaml:"mode,omitempty" jsonschema:"enum=off,enum=auto,enum=require"`
}

// TemplateLock is where the approvals of template packs and question patterns are
// and when they count: under auto, when the file exists; under require, always.
// While they count, only files with the bytes that were approved are used. The
// packs and the grammar within the template plugin are approved with the plugin,
// by plugins.lock.
type TemplateLock struct {
	File string   `yaml:"file,omitempty"` // default: templates.lock beside the configuration
	Mode LockMode `yaml:"mode,omitempty" jsonschema:"enum=off,enum=auto,enum=require"`
}

// Plugin is how an executable is run.
type Plugin struct {
	Env []string `yaml:"env,omitempty"` // names of host variables that are passed on
	// Network is what the plugin reaches: any, or none, which leaves it its connection
	// to the host alone, on Linux. Default any; of the template plugin none where this
	// machine can take it away, as its files.
	Network     string        `yaml:"network,omitempty" jsonschema:"enum=none,enum=any"`
	Files       *PluginFiles  `yaml:"files,omitempty"`
	Limits      *PluginLimits `yaml:"limits,omitempty"`
	TLS         string        `yaml:"tls,omitempty" jsonschema:"enum=on,enum=off"` // on (default) or off
	DevOverride string        `yaml:"dev_override,omitempty"`                      // an executable that runs in place of the installed one, unlocked; every start warns
	Reattach    *Reattach     `yaml:"reattach,omitempty"`                          // a plugin that runs already, in a debugger for example; as QUERENT_REATTACH_<NAME>
}

// What a plugin may reach, of the network and of files.
const (
	ReachAny  = "any"
	ReachNone = "none"
)

// PluginFiles are the files that a plugin may open: any (default), none, or those of
// two lists, of files and of folders with all that is in them. A plugin needs none for
// its settings and packs, which the host reads; a script needs its interpreter's.
type PluginFiles struct {
	Any   bool     `yaml:"-"`
	Read  []string `yaml:"read,omitempty"`  // may be read and executed
	Write []string `yaml:"write,omitempty"` // may be read, executed and written
}

// PluginLimits bound what each process of a plugin takes. A plugin that needs more
// fails, and is restarted where it ends by that.
type PluginLimits struct {
	Memory    Bytes `yaml:"memory,omitempty"`                             // what it may write to; at least 128MiB, since programs in Go take it in steps of 64 MiB
	Processes int   `yaml:"processes,omitempty" jsonschema:"minimum=32"`  // processes and threads at the same time, its own with them
	OpenFiles int   `yaml:"open_files,omitempty" jsonschema:"minimum=32"` // files and connections at the same time
}

// Reattach says where a plugin listens that somebody runs by hand with
// QUERENT_PLUGIN_DEBUG=1, in the form that it prints. Where none does, the host
// starts one as ever.
type Reattach struct {
	Protocol        string          `yaml:"Protocol,omitempty" json:"Protocol,omitempty" jsonschema:"enum=grpc"`
	ProtocolVersion int             `yaml:"ProtocolVersion,omitempty" json:"ProtocolVersion,omitempty"`
	Pid             int             `yaml:"Pid,omitempty" json:"Pid,omitempty"` // shown, never signalled
	Test            bool            `yaml:"Test,omitempty" json:"Test,omitempty"`
	Addr            ReattachAddress `yaml:"Addr" json:"Addr"`
}

// ReattachAddress is the address of a listener.
type ReattachAddress struct {
	Network string `yaml:"Network" json:"Network" jsonschema:"enum=unix,enum=tcp"`
	String  string `yaml:"String" json:"String"`
}

// Provider is a configured instance of a plugin, with a process of its own.
type Provider struct {
	Plugin      PluginName     `yaml:"plugin"`
	Model       string         `yaml:"model,omitempty"`
	Config      map[string]any `yaml:"config,omitempty"`                              // checked against the plugin's own schema; may hold ${env:NAME} and ${file:PATH}
	MaxParallel int            `yaml:"max_parallel,omitempty" jsonschema:"minimum=1"` // calls at the same time; default 4
	// MaxCalls bounds the calls for one request of an agent: the first, those again
	// after a failure that may pass, and one that has an answer repaired; default 3.
	MaxCalls     int          `yaml:"max_calls,omitempty" jsonschema:"minimum=1,maximum=10"`
	Queue        Queue        `yaml:"queue,omitempty"`
	Breaker      Breaker      `yaml:"breaker,omitempty"`
	Prices       *Prices      `yaml:"prices,omitempty"`
	Capabilities Capabilities `yaml:"capabilities,omitempty"`
	Data         Data         `yaml:"data,omitempty"`
}

// Queue is where calls wait for one of max_parallel places. What does not find room
// in it, or waits too long, fails as overloaded.
type Queue struct {
	Length  *int     `yaml:"length,omitempty" jsonschema:"minimum=0"` // calls that wait; default 512
	Timeout Duration `yaml:"timeout,omitempty"`                       // above zero; default: as long as the agent has
}

// Breaker leaves a model alone that failed several times in a row: it was
// unavailable, overloaded, late, or its plugin failed. Calls then fail at once, or go
// to a fallback, until one of them is let through to see whether it works again.
type Breaker struct {
	Failures *int     `yaml:"failures,omitempty" jsonschema:"minimum=0"` // in a row; 0 never leaves it alone; default 5
	Pause    Duration `yaml:"pause,omitempty"`                           // above zero; default 30s
}

// Prices are what a million tokens cost, in the currency of settings.run.budget.
type Prices struct {
	Input  float64  `yaml:"input" jsonschema:"minimum=0"`
	Output float64  `yaml:"output" jsonschema:"minimum=0"`
	Cached *float64 `yaml:"cached,omitempty" jsonschema:"minimum=0"` // of the input, what the server had read before; default: as input
}

// Whether a model takes a temperature.
const (
	TemperatureFree  = "free"
	TemperatureFixed = "fixed"
)

// Capabilities say what the provider's models can do, where the provider does not
// know it or is wrong. A setting that a model does not take is not sent, and the
// answer says so.
type Capabilities struct {
	Output      []string `yaml:"output,omitempty" jsonschema:"enum=schema,enum=json,enum=tool,enum=text"` // the ways in which output of a form can be asked for
	Temperature string   `yaml:"temperature,omitempty" jsonschema:"enum=free,enum=fixed"`                 // fixed: none is taken
	Seed        *bool    `yaml:"seed,omitempty"`                                                          // whether a seed is taken
	Thinking    *bool    `yaml:"thinking,omitempty"`                                                      // whether thinking can be switched
	TokenLimit  *bool    `yaml:"token_limit,omitempty"`                                                   // whether max_output_tokens is taken
	Context     int64    `yaml:"context,omitempty" jsonschema:"minimum=1"`                                // tokens
	Patterns    *bool    `yaml:"patterns,omitempty"`                                                      // whether the server enforces patterns of a schema
}

// Data is what of the database's content may be sent to a provider. Both are
// false unless set.
type Data struct {
	Values bool `yaml:"values,omitempty"`
	Rows   bool `yaml:"rows,omitempty"`
}

// The strategies of ast_planner.
const (
	StrategyModel              = "model"
	StrategyDeterministicFirst = "deterministic_first"
)

// Agent binds a node to a provider. An empty field takes the default agent's;
// see Config.Agent.
type Agent struct {
	Provider        ProviderName      `yaml:"provider,omitempty"`
	Model           string            `yaml:"model,omitempty"`
	Timeout         Duration          `yaml:"timeout,omitempty"`      // of each provider, for all its calls for a request, above zero; default 60s
	LoadTimeout     Duration          `yaml:"load_timeout,omitempty"` // to load a model, on top of timeout, for providers that load models; above zero; default 120s
	Strategy        string            `yaml:"strategy,omitempty" jsonschema:"enum=model,enum=deterministic_first"`
	Temperature     *float64          `yaml:"temperature,omitempty" jsonschema:"minimum=0"`
	Seed            *int64            `yaml:"seed,omitempty"`
	Thinking        *bool             `yaml:"thinking,omitempty"`
	MaxOutputTokens int64             `yaml:"max_output_tokens,omitempty" jsonschema:"minimum=1"`
	MaxCalls        int               `yaml:"max_calls,omitempty" jsonschema:"minimum=1,maximum=30"` // of models for one request, those of fallbacks among them; default 6
	Options         map[string]string `yaml:"options,omitempty"`
	Fallback        []Fallback        `yaml:"fallback,omitempty"`
}

// Fallback is the provider to take when another failed: a bare name, or a name
// with the kinds of failure for which it stands.
type Fallback struct {
	On []string     `yaml:"on,omitempty"` // empty: any failure
	To ProviderName `yaml:"to"`
}

// Datasource is a database.
type Datasource struct {
	Adapter string `yaml:"adapter" jsonschema:"enum=sqlite,enum=postgres,enum=mysql"` // sqlite, postgres or mysql
	Path    string `yaml:"path,omitempty"`                                            // the file of adapter sqlite, relative to the configuration; may hold ${env:NAME}
	// DSN is the server of the other adapters: postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full
	// or libpq's key=value form; mysql://USER:PASSWORD@HOST:PORT/DATABASE?tls=true&tls-ca=FILE or the
	// driver's USER:PASSWORD@tcp(HOST:PORT)/DATABASE. It may hold ${env:NAME} and ${file:PATH}.
	DSN         string `yaml:"dsn,omitempty"`
	Description string `yaml:"description,omitempty"`
	// Schemas are read alone; default: all that the account may use (postgres), the database of dsn (mysql).
	Schemas          []string                `yaml:"schemas,omitempty"`
	Semantics        string                  `yaml:"semantics,omitempty"`
	MaxParallel      int                     `yaml:"max_parallel,omitempty" jsonschema:"minimum=1"` // queries at the same time; default 4
	StatementTimeout Duration                `yaml:"statement_timeout,omitempty"`                   // above zero; default 20s
	Columns          map[string]ColumnConfig `yaml:"columns,omitempty"`                             // schema.table.column
}

// ColumnConfig is what the configuration adds to a column.
type ColumnConfig struct {
	Storage     schema.Storage `yaml:"storage,omitempty" jsonschema:"enum=iso,enum=epoch_s,enum=epoch_ms,enum=julian,enum=dmy"`
	Tags        []string       `yaml:"tags,omitempty"`
	Description string         `yaml:"description,omitempty"`
	Synonyms    []string       `yaml:"synonyms,omitempty"`
	Collation   string         `yaml:"collation,omitempty"`
}

// Role says what its callers may read. What is not allowed is denied.
type Role struct {
	Tables     TableRules        `yaml:"tables,omitempty"`
	Columns    ColumnRules       `yaml:"columns,omitempty"`
	RowFilters map[string]string `yaml:"row_filters,omitempty"` // datasource.schema.table: condition on the rows that are there, in the plan language; :user.name is an attribute of the caller
	Masks      map[string]Mask   `yaml:"masks,omitempty"`       // datasource.schema.table.column: how its values are hidden
}

// TableRules are patterns of datasource.schema.table; deny wins.
type TableRules struct {
	Allow []string `yaml:"allow,omitempty"`
	Deny  []string `yaml:"deny,omitempty"`
}

// ColumnRules are patterns of datasource.schema.table.column. What deny names is
// not there for the role. What aggregate_only names may be counted, summed and
// averaged, over groups of at least min_group rows that have a value; smaller
// groups are left out.
type ColumnRules struct {
	Deny          []string `yaml:"deny,omitempty"`
	AggregateOnly []string `yaml:"aggregate_only,omitempty"`                   // only inside count, sum, avg, stddev and variance
	MinGroup      int      `yaml:"min_group,omitempty" jsonschema:"minimum=1"` // rows with a value that a group needs, to be shown; default 5
}

// MaskKind is how a mask changes a value.
type MaskKind string

// The kinds of masks. Null stays null under all of them.
const (
	MaskNull    MaskKind = "null"    // no value is seen
	MaskHash    MaskKind = "hash"    // text becomes a keyed digest, the same for the same text
	MaskPartial MaskKind = "partial" // text keeps its first or last characters
	MaskBucket  MaskKind = "bucket"  // a number or a day becomes the beginning of its range
)

// Mask is how a column's values are hidden: wherever a plan reads the column, it
// reads what the mask makes of the stored value. A mask without a kind is of the
// kind null, which is also what YAML makes of "kind: null".
type Mask struct {
	Kind      MaskKind `yaml:"kind,omitempty" jsonschema:"enum=null,enum=hash,enum=partial,enum=bucket"`         // default null
	KeepFirst int      `yaml:"keep_first,omitempty" jsonschema:"minimum=1"`                                      // of partial: characters that stay
	KeepLast  int      `yaml:"keep_last,omitempty" jsonschema:"minimum=1"`                                       // of partial: characters that stay
	Size      int      `yaml:"size,omitempty" jsonschema:"minimum=1"`                                            // of bucket: the range of a number
	Unit      string   `yaml:"unit,omitempty" jsonschema:"enum=year,enum=quarter,enum=month,enum=week,enum=day"` // of bucket: the range of a date or a timestamp
	HashKey   string   `yaml:"hash_key,omitempty"`                                                               // of hash: the key, at least 16 characters, as ${env:NAME} or ${file:PATH}
}

// Caller is who asks: a role with attributes, or the bare word deny.
type Caller struct {
	Role RoleName          `yaml:"role,omitempty"`
	User map[string]string `yaml:"user,omitempty"`
	Deny bool              `yaml:"-"`
}

// Verified is a question with an approved plan.
type Verified struct {
	ID          string              `yaml:"id"`
	Datasource  schema.DatasourceID `yaml:"datasource"`
	Questions   []string            `yaml:"questions"`
	Description string              `yaml:"description,omitempty"`
	Params      map[string]Param    `yaml:"params,omitempty"`
	Plan        string              `yaml:"plan"` // file of a wire plan, or of one SELECT of the datasource's flavour if its name ends in .sql; {name} stands for a parameter
	VerifiedBy  string              `yaml:"verified_by,omitempty"`
	VerifiedAt  string              `yaml:"verified_at,omitempty"` // YYYY-MM-DD
}

// Param is a typed slot of a verified query's questions.
type Param struct {
	Type string   `yaml:"type" jsonschema:"enum=int,enum=text,enum=date"` // int, text or date
	Min  *int64   `yaml:"min,omitempty"`
	Max  *int64   `yaml:"max,omitempty"`
	Enum []string `yaml:"enum,omitempty"`
}

// Settings are the engine's.
type Settings struct {
	Fallback  string          `yaml:"fallback,omitempty" jsonschema:"enum=allow,enum=forbid,enum=template_only"` // whether agents' fallbacks are asked: allow (default), forbid, or template_only, which lets no model stand in for another
	Results   Results         `yaml:"results,omitempty"`
	SQLAgent  SQLAgent        `yaml:"sql_agent,omitempty"`
	Run       Run             `yaml:"run,omitempty"`
	Nodes     map[string]Node `yaml:"nodes,omitempty"`
	Validator Validator       `yaml:"validator,omitempty"`
	Time      Time            `yaml:"time,omitempty"`
	Answer    Answer          `yaml:"answer,omitempty"`
	Redaction Redaction       `yaml:"redaction,omitempty"`
}

// Results bound what is read and what is shown to a model.
type Results struct {
	PreviewRows     int   `yaml:"preview_rows,omitempty" jsonschema:"minimum=1"`        // rows; default 20
	RowLimit        int64 `yaml:"row_limit,omitempty" jsonschema:"minimum=1"`           // rows a sub-query; default 100000
	ByteLimit       Bytes `yaml:"byte_limit,omitempty"`                                 // bytes of cells a sub-query; default 64MiB
	ResultCharLimit int   `yaml:"result_char_limit,omitempty" jsonschema:"minimum=200"` // characters of a preview; default 4000
}

// SQLAgent bounds the retries of a sub-query.
type SQLAgent struct {
	MaxRetries *int     `yaml:"max_retries,omitempty" jsonschema:"minimum=0,maximum=10"` // default 2
	Backoff    Duration `yaml:"backoff,omitempty"`                                       // before the first retry, twice as long before each further one; default 500ms
	// Refine says who words what was wrong with a plan for the next attempt: the
	// host alone, or the host with advice of the refiner's model.
	Refine    string    `yaml:"refine,omitempty" jsonschema:"enum=host,enum=model"` // host (default) or model
	PlanCache PlanCache `yaml:"plan_cache,omitempty"`
}

// Who words what was wrong with a plan.
const (
	RefineHost  = "host"
	RefineModel = "model"
)

// PlanCache keeps plans of models that answered a question, in memory: the same
// question, asked by a caller with the same rights of the same structure, takes
// its plan without a call.
type PlanCache struct {
	Entries *int `yaml:"entries,omitempty" jsonschema:"minimum=0"` // plans that are kept; 0 keeps none; default 256
}

// Run bounds a whole run.
type Run struct {
	Timeout     Duration `yaml:"timeout,omitempty"`                             // from the start of the plugins to the answer, above zero; default 120s
	MaxParallel int      `yaml:"max_parallel,omitempty" jsonschema:"minimum=1"` // sub-queries at the same time; default 4
	Budget      Budget   `yaml:"budget,omitempty"`
}

// Whether another provider may stand in for one that failed.
const (
	FallbackAllow        = "allow"
	FallbackForbid       = "forbid"
	FallbackTemplateOnly = "template_only"
)

// Budget is what a run may spend on models. A call that would go over it is not
// made: the run ends with BUDGET_EXCEEDED, or templates word its answer. What a
// provider does not count is estimated.
type Budget struct {
	Tokens   int64   `yaml:"tokens,omitempty" jsonschema:"minimum=1"` // of input and output; default: any number
	Cost     float64 `yaml:"cost,omitempty" jsonschema:"minimum=0"`   // by the providers' prices; default: any
	Currency string  `yaml:"currency,omitempty"`                      // of cost and of all prices; default USD
}

// Node is the settings of one node.
type Node struct {
	Timeout Duration `yaml:"timeout,omitempty"` // above zero
	MaxRows int64    `yaml:"max_rows,omitempty" jsonschema:"minimum=1"`
}

// What the validator does with aggregates that may count rows more than once.
const (
	FanOutWarn   = "warn"
	FanOutRefuse = "refuse"
)

// Validator is how strict the logical validator is.
type Validator struct {
	FanOut string `yaml:"fan_out,omitempty" jsonschema:"enum=warn,enum=refuse"` // aggregates that a join may make count rows more than once: warn (default) or refuse
}

// Time is the host's calendar.
type Time struct {
	Zone            string `yaml:"zone,omitempty"`                                            // an IANA name; default UTC
	WeekStart       string `yaml:"week_start,omitempty" jsonschema:"enum=monday,enum=sunday"` // default monday
	FiscalYearStart string `yaml:"fiscal_year_start,omitempty"`                               // MM-DD; default 01-01
}

// LanguageOfQuestion answers in the language of the question.
const LanguageOfQuestion = "question"

// What of a model's words is streamed before the answer is there.
const (
	StreamGrounded = "grounded"
	StreamRaw      = "raw"
	StreamOff      = "off"
)

// Whether answers come with a suggested chart.
const (
	ChartsAuto = "auto"
	ChartsOff  = "off"
)

// Answer is how answers are worded.
type Answer struct {
	Language string `yaml:"language,omitempty"`                                            // question (default), or a BCP 47 tag
	Stream   string `yaml:"stream,omitempty" jsonschema:"enum=grounded,enum=raw,enum=off"` // of a model's words to HTTP clients: grounded (default; what agrees with the result), raw (as they come) or off
	Charts   string `yaml:"charts,omitempty" jsonschema:"enum=auto,enum=off"`              // a suggested chart where the result calls for one: auto (default) or off
	// Compliance lets templates alone plan and word: no agent or fallback may be bound
	// to a provider with a model, and plugins, packs and question patterns must be
	// those that the lock files name.
	Compliance bool `yaml:"compliance,omitempty"`
}

// Server is the settings of querent serve.
type Server struct {
	Listen         string    `yaml:"listen,omitempty"`          // host:port; default 127.0.0.1:8080. Other than on the loopback interface it needs tls or insecure_listen
	InsecureListen bool      `yaml:"insecure_listen,omitempty"` // listen without TLS on any address, as behind a proxy that has it
	TLS            ServerTLS `yaml:"tls,omitempty"`
	APIKeys        string    `yaml:"api_keys,omitempty"`                        // file of the keys that callers may have; querent keys new makes one
	MaxRuns        int       `yaml:"max_runs,omitempty" jsonschema:"minimum=1"` // runs at the same time, beyond which callers are told to wait; default 128
	MaxBody        Bytes     `yaml:"max_body,omitempty"`                        // bytes of a request; default 64KiB
	DrainTimeout   Duration  `yaml:"drain_timeout,omitempty"`                   // how long runs may go on after SIGTERM until they are cancelled, above zero; default 30s
	OIDC           OIDC      `yaml:"oidc,omitempty"`
	// Watch says whether a change of the configuration, or of a file that it names, is
	// taken over while the server runs; default true. SIGHUP and querent plugins reload
	// do so always.
	Watch   *bool         `yaml:"watch,omitempty"`
	Metrics ServerMetrics `yaml:"metrics,omitempty"`
}

// ServerMetrics is where metrics are read, beside GET /metrics of the server itself,
// which needs a key unless the server listens on the loopback interface alone.
type ServerMetrics struct {
	Listen string `yaml:"listen,omitempty"` // host:port that answers GET /metrics alone, over plain HTTP and to everybody who reaches it; default none
}

// Watched reports whether changes of files are taken over while the server runs.
func (s Server) Watched() bool { return s.Watch == nil || *s.Watch }

// ServerTLS is the server's certificate and its key, PEM files.
type ServerTLS struct {
	Cert string `yaml:"cert,omitempty"`
	Key  string `yaml:"key,omitempty"`
}

// OIDC is the identity provider that the server trusts.
type OIDC struct {
	Issuer    string `yaml:"issuer,omitempty"`
	Audience  string `yaml:"audience,omitempty"`
	RoleClaim string `yaml:"role_claim,omitempty"`
}

// Duration is a time.Duration written as 500ms, 20s or 720h.
type Duration time.Duration

// Bytes is a size written as 64MiB, 10kB or a bare number of bytes.
type Bytes int64
