package pipeline_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
)

// library is an engine as a Go program makes one: its own configuration, its own
// database, providers that run in the process.
func library(settings config.Settings, prompts map[string]string, m *model) (*pipeline.Engine, error) {
	cfg, _, err := config.Build(config.Config{
		Version: 1,
		Providers: map[config.ProviderName]config.Provider{
			"local": {Plugin: "ollama", Model: "m:7b"}, "words": {Plugin: config.TemplatePlugin},
		},
		Agents:      map[config.AgentName]config.Agent{config.AgentDefault: {Provider: "local"}, config.AgentAnswerSynthesizer: {Provider: "words"}},
		Datasources: map[schema.DatasourceID]config.Datasource{"shop": {Adapter: "sqlite", Path: "shop.db"}},
		Roles:       map[config.RoleName]config.Role{"analyst": {Tables: config.TableRules{Allow: []string{"shop.main.*"}}}},
		Settings:    settings,
	}, ".")
	if err != nil {
		return nil, err
	}
	cfg.Prompts = prompts
	words := &service{}
	providers, err := provider.NewRegistry(cfg, map[config.ProviderName]provider.Services{
		"local": {Plugin: "ollama", Model: m}, "words": {Plugin: config.TemplatePlugin, Planner: words, Synthesizer: words},
	}, hclog.NewNullLogger())
	if err != nil {
		return nil, err
	}
	rights, err := policy.Compile(cfg.Roles)
	if err != nil {
		return nil, err
	}
	return pipeline.New(cfg, pipeline.Deps{
		Providers: providers, Policy: rights, Clock: func() time.Time { return noon },
		Datasources: map[schema.DatasourceID]datasource.Datasource{"shop": &source{id: "shop", rows: 3}},
		ReadFile:    func(string) ([]byte, error) { return []byte("You plan questions about a small shop."), nil },
	})
}

// The rules and examples at the head of a node's prompt are a file of the
// configuration; the reference of the plan language follows them as ever.
func Example_prompts() {
	m := &model{replies: []reply{says(goodPlan)}}
	engine, err := library(config.DefaultSettings(), map[string]string{pipeline.StepASTPlanner: "rules.txt"}, m)
	if err != nil {
		fmt.Println(err)
		return
	}
	run := engine.Ask(context.Background(), question("customers by country"), nil)
	defer run.Close()
	rules, _, _ := strings.Cut(m.asked[0].Messages[0].Content, "\n")
	fmt.Println(rules)
	fmt.Println(run.Answer.Outcome)
	// Output:
	// You plan questions about a small shop.
	// answered
}

// Engines of one process have nothing in common but the code.
func Example_engines() {
	few, many := config.DefaultSettings(), config.DefaultSettings()
	few.Results.RowLimit, few.Results.PreviewRows = 1, 1
	for _, settings := range []config.Settings{few, many} {
		engine, err := library(settings, nil, &model{replies: []reply{says(goodPlan)}})
		if err != nil {
			fmt.Println(err)
			return
		}
		run := engine.Ask(context.Background(), question("customers by country"), nil)
		fmt.Println(run.Sub["q1"].RowCount, run.Sub["q1"].Truncated)
		if err := run.Close(); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 1 true
	// 3 false
}
