package pipeline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/answer"
	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/nodes/answersynthesizer"
	"querent.dev/querent/core/nodes/astplanner"
	"querent.dev/querent/core/nodes/datasourceresolver"
	"querent.dev/querent/core/nodes/decomposer"
	"querent.dev/querent/core/nodes/engineaggregator"
	"querent.dev/querent/core/nodes/executor"
	"querent.dev/querent/core/nodes/generator"
	"querent.dev/querent/core/nodes/logicalvalidator"
	"querent.dev/querent/core/nodes/physicalvalidator"
	"querent.dev/querent/core/nodes/refiner"
	"querent.dev/querent/core/nodes/retryhandler"
	"querent.dev/querent/core/nodes/schemaretriever"
	"querent.dev/querent/core/nodes/verifiedmatcher"
	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/result"
	"querent.dev/querent/core/sanity"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/core/sqlgen"
)

// nodes are the nodes of one engine, ready to be wired. The zero nodes can be
// drawn but not run.
type nodes struct {
	settings config.Settings
	timeouts timeouts
	logger   hclog.Logger
	sources  *sources
	rights   func(policy.Caller) string // a hash of the caller's rights

	matcher     *verifiedmatcher.Matcher
	resolver    *datasourceresolver.Node
	splitter    *decomposer.Node
	aggregator  *engineaggregator.Node
	retriever   *schemaretriever.Retriever
	planner     *astplanner.Node
	validator   *logicalvalidator.Validator
	sqlWriter   *generator.Generator
	explainer   *physicalvalidator.Validator
	runner      *executor.Executor
	retrier     *retryhandler.Handler
	adviser     *refiner.Node
	synthesizer *answersynthesizer.Node
}

func newNodes(cfg *config.Config, d Deps, zone *time.Location) (nodes, error) {
	n := nodes{settings: cfg.Settings, timeouts: newTimeouts(cfg), logger: d.Logger, sources: newSources(d.Datasources)}
	queries, err := VerifiedQueries(cfg, d.ReadFile)
	if err != nil {
		return n, err
	}
	n.matcher, err = verifiedmatcher.New(queries, n.sources, d.Policy, d.Logger.Named(StepVerifiedMatcher))
	if err != nil {
		return n, fmt.Errorf("pipeline: %w", err)
	}
	planRules, err := rules(cfg, StepASTPlanner, d.ReadFile)
	if err != nil {
		return n, err
	}
	answerRules, err := rules(cfg, StepAnswerSynthesizer, d.ReadFile)
	if err != nil {
		return n, err
	}
	if err := n.addControl(cfg, d); err != nil {
		return n, err
	}
	n.retriever = &schemaretriever.Retriever{Catalogs: n.sources, Policy: d.Policy}
	adviceRules, err := rules(cfg, StepRefiner, d.ReadFile)
	if err != nil {
		return n, err
	}
	planner := d.Providers.Agent(config.AgentASTPlanner)
	n.planner = &astplanner.Node{
		Planner: planner, Proposer: proposer{n.matcher}, Time: cfg.Settings.Time, Rules: planRules,
		Cache: astplanner.NewCache(n.planCache()), Identity: planner.Identity(),
	}
	n.rights = d.Policy.PolicyHash
	n.explainer = &physicalvalidator.Validator{Sources: n.sources, MaxRows: maxRows(cfg)}
	n.retrier = &retryhandler.Handler{
		MaxRetries: n.attempts() - 1, Backoff: retryhandler.Backoff{Base: cfg.Settings.SQLAgent.Backoff.Std(), Jitter: d.Random},
	}
	n.adviser = &refiner.Node{Rules: adviceRules}
	if cfg.Settings.SQLAgent.Refine == config.RefineModel {
		n.adviser.Model = d.Providers.Agent(config.AgentRefiner)
	}
	n.validator = &logicalvalidator.Validator{Policy: d.Policy, RefuseFanOut: cfg.Settings.Validator.FanOut == config.FanOutRefuse}
	n.sqlWriter = &generator.Generator{Options: sqlgen.Options{Zone: zone}}
	n.runner = &executor.Executor{
		Sources: n.sources, Limits: limits(cfg), Store: result.Options{Head: cfg.Settings.Results.PreviewRows},
		Checks: &sanity.Checker{Policy: d.Policy, Options: sqlgen.Options{Zone: zone}},
	}
	n.synthesizer = &answersynthesizer.Node{
		Synthesizer: d.Providers.Agent(config.AgentAnswerSynthesizer), Template: d.Providers.Template(),
		Compliance: cfg.Settings.Answer.Compliance, Charts: cfg.Settings.Answer.Charts == config.ChartsAuto, Stream: cfg.Settings.Answer.Stream, Rules: answerRules, LastWords: lastWords,
		Preview: answer.Limits{Rows: cfg.Settings.Results.PreviewRows, Chars: cfg.Settings.Results.ResultCharLimit}, Say: d.Say, Spoken: d.Spoken,
	}
	return n, nil
}

// addControl makes the nodes of the control graph that are before and behind the
// sub-queries.
func (n *nodes) addControl(cfg *config.Config, d Deps) error {
	choiceRules, err := rules(cfg, StepDatasourceResolver, d.ReadFile)
	if err != nil {
		return err
	}
	partRules, err := rules(cfg, StepDecomposer, d.ReadFile)
	if err != nil {
		return err
	}
	splitter := d.Providers.Agent(config.AgentDecomposer)
	n.splitter = &decomposer.Node{Catalogs: n.sources, Policy: d.Policy, Agent: splitter, Rules: partRules}
	n.resolver = &datasourceresolver.Node{
		Datasources: slices.Sorted(maps.Keys(d.Datasources)), Catalogs: n.sources, Policy: d.Policy,
		Agent: d.Providers.Agent(config.AgentDatasourceResolver), Splits: splitter.HasModel(),
		Patience: schemaTimeout, Rules: choiceRules,
	}
	n.aggregator = &engineaggregator.Node{
		Limits: datasource.Limits{Rows: cfg.Settings.Results.RowLimit, Bytes: int64(cfg.Settings.Results.ByteLimit)},
		Store:  result.Options{Head: cfg.Settings.Results.PreviewRows},

		RefuseFanOut: cfg.Settings.Validator.FanOut == config.FanOutRefuse,
	}
	return nil
}

// attempts is how often a sub-query may be planned: once, and its retries.
func (n nodes) attempts() int {
	if n.settings.SQLAgent.MaxRetries == nil {
		return 1
	}
	return 1 + *n.settings.SQLAgent.MaxRetries
}

// planCache is how many plans are kept.
func (n nodes) planCache() int {
	if n.settings.SQLAgent.PlanCache.Entries == nil {
		return 0
	}
	return *n.settings.SQLAgent.PlanCache.Entries
}

// mostRows is how many rows a step of a database's plan may yield where the
// configuration does not say: a few seconds of work for any database.
const mostRows = 5_000_000

func maxRows(cfg *config.Config) int64 {
	if set := cfg.Settings.Nodes[StepPhysicalValidator].MaxRows; set > 0 {
		return set
	}
	return mostRows
}

// limits are the bounds of a query on a datasource.
func limits(cfg *config.Config) func(schema.DatasourceID) datasource.Limits {
	return func(id schema.DatasourceID) datasource.Limits {
		return datasource.Limits{
			Rows: cfg.Settings.Results.RowLimit, Bytes: int64(cfg.Settings.Results.ByteLimit),
			Timeout: cfg.Datasources[id].StatementTimeout.Std(),
		}
	}
}

// rules are the rules that the configuration puts at the head of a node's
// prompt, "" for the node's own.
func rules(cfg *config.Config, node string, read func(string) ([]byte, error)) (string, error) {
	name := cfg.Prompts[node]
	if name == "" {
		return "", nil
	}
	text, err := read(cfg.Path(name))
	if err != nil {
		return "", fmt.Errorf("pipeline: prompts.%s: %w", node, err)
	}
	return string(text), nil
}

// VerifiedQueries reads the plans of the configured verified queries, or their
// SQL, from the files that read opens. The error names the first that cannot be
// read.
func VerifiedQueries(cfg *config.Config, read func(string) ([]byte, error)) ([]verifiedmatcher.Query, error) {
	var out []verifiedmatcher.Query
	for _, v := range cfg.Verified {
		text, err := read(cfg.Plan(v))
		if err != nil {
			return nil, fmt.Errorf("pipeline: verified query %s: %w", v.ID, err)
		}
		if v.IsSQL() {
			flavour := schema.Dialect(cfg.Datasources[v.Datasource].Adapter)
			out = append(out, verifiedmatcher.Query{Verified: v, SQL: string(text), Flavour: flavour})
			continue
		}
		p, err := plan.Decode(text)
		if err != nil {
			return nil, fmt.Errorf("pipeline: verified query %s: %s: %w", v.ID, v.Plan, err)
		}
		out = append(out, verifiedmatcher.Query{Verified: v, Plan: p})
	}
	return out, nil
}

// proposer lets the planner offer verified questions.
type proposer struct{ matcher *verifiedmatcher.Matcher }

// Proposals implements astplanner.Proposer.
func (p proposer) Proposals(ctx context.Context, in astplanner.Input) []string {
	return p.matcher.Proposals(ctx, verifiedmatcher.Input{Question: in.Question, Caller: in.Caller, Datasource: in.Datasource, Clock: in.Clock})
}
