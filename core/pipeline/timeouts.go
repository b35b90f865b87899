package pipeline

import (
	"time"

	"querent.dev/querent/core/config"
)

// lastWords is how long templates may take for the answer of a run that has
// ended: a process on this machine formats a few lines, and someone is waiting.
const lastWords = 5 * time.Second

// The timeouts of nodes that the configuration sets none for. They are there to
// end what hangs, not to limit what works.
const (
	// checkTimeout is for nodes that only compute: they take milliseconds.
	checkTimeout = 10 * time.Second
	// schemaTimeout is for reading the structure of a database with thousands of
	// tables over a network.
	schemaTimeout = 30 * time.Second
	// explainTimeout is for a database's plan of a statement, which it makes in
	// milliseconds unless it is in trouble.
	explainTimeout = 5 * time.Second
	// combineTimeout is for putting results together, each of which is as large as
	// the limits allow.
	combineTimeout = 60 * time.Second
	// slack is what a node gets on top of what it waits for.
	slack = 5 * time.Second
)

// timeouts are the nodes' timeouts by step.
type timeouts map[string]time.Duration

func newTimeouts(cfg *config.Config) timeouts {
	t := timeouts{
		StepDatasourceResolver: schemaTimeout + agentTimeout(cfg, config.AgentDatasourceResolver) + slack,
		StepDecomposer:         schemaTimeout + agentTimeout(cfg, config.AgentDecomposer) + slack,
		StepGlobalPlanner:      checkTimeout,
		StepEngineAggregator:   combineTimeout,
		StepVerifiedMatcher:    schemaTimeout, // it may be the first to read the structure
		StepSchemaRetriever:    schemaTimeout,
		StepASTPlanner:         agentTimeout(cfg, config.AgentASTPlanner) + slack,
		StepLogicalValidator:   checkTimeout,
		StepGenerator:          checkTimeout,
		StepPhysicalValidator:  explainTimeout,
		StepRefiner:            agentTimeout(cfg, config.AgentRefiner) + slack,
		StepAnswerSynthesizer:  agentTimeout(cfg, config.AgentAnswerSynthesizer) + lastWords + slack,
	}
	for _, d := range cfg.Datasources {
		t[StepExecutor] = max(t[StepExecutor], d.StatementTimeout.Std()+schemaTimeout)
	}
	for step, node := range cfg.Settings.Nodes {
		if node.Timeout > 0 {
			t[step] = node.Timeout.Std()
		}
	}
	return t
}

// agentTimeout is enough for the agent's provider and every fallback, each of
// which may first load a model.
func agentTimeout(cfg *config.Config, name config.AgentName) time.Duration {
	a := cfg.Agent(name)
	return (a.Timeout.Std() + a.LoadTimeout.Std()) * time.Duration(1+len(a.Fallback))
}

func (n nodes) timeout(step string) time.Duration { return n.timeouts[step] }
