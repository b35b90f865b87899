package pipeline_test

import (
	"context"
	"encoding/json"
	"sync"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/wire"
)

// model is a model that says what a test tells it: the calls' replies in order, the
// last of them again and again.
type model struct {
	replies []reply
	choose  func(turn string) reply   // replies by what it is told instead; may be nil
	pause   func(ctx context.Context) // before it replies; may be nil

	mu    sync.Mutex
	asked []sdk.GenerateRequest
}

type reply struct {
	text string
	err  error
}

func (m *model) Generate(ctx context.Context, r sdk.GenerateRequest) (sdk.GenerateResponse, error) {
	m.mu.Lock()
	m.asked = append(m.asked, r)
	got := m.replies[min(len(m.asked), len(m.replies))-1]
	m.mu.Unlock()
	if m.choose != nil {
		got = m.choose(r.Messages[len(r.Messages)-1].Content)
	}
	if m.pause != nil {
		m.pause(ctx)
	}
	if ctx.Err() != nil {
		return sdk.GenerateResponse{}, context.Cause(ctx)
	}
	return sdk.GenerateResponse{Text: got.text, Finish: sdk.FinishStop}, got.err
}

func (m *model) ModelInfo(context.Context, string) (sdk.ModelInfo, error) {
	return sdk.ModelInfo{}, sdk.ErrUnsupported
}

func (m *model) GenerateStream(context.Context, sdk.GenerateRequest, func(sdk.Chunk) error) error {
	return sdk.ErrUnsupported
}

func (m *model) Embed(context.Context, sdk.EmbedRequest) (sdk.EmbedResponse, error) {
	return sdk.EmbedResponse{}, sdk.ErrUnsupported
}

// turn is what the model was told in its n-th call, from 0.
func (m *model) turn(n int) string {
	messages := m.asked[n].Messages
	return messages[len(messages)-1].Content
}

// says is the reply of a plan.
func says(p wire.Plan) reply {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return reply{text: string(text)}
}

var (
	goodPlan = selects("customers", "country", "count(*) as n")
	badPlan  = selects("customers", "nation")
)

// planned is a setup whose plans come from a model; templates word the answers.
func planned(replies ...reply) setup {
	return func(f *fixture) {
		f.model = &model{replies: replies}
		f.config.Providers["local"] = config.Provider{Plugin: "ollama", Model: "m:7b", Data: config.Data{Values: true, Rows: true}}
		f.config.Agents = map[config.AgentName]config.Agent{
			config.AgentDefault: {Provider: "fixed"}, config.AgentASTPlanner: {Provider: "local"},
		}
	}
}

// retries sets how often a plan is tried again.
func retries(n int) setup {
	return func(f *fixture) { f.config.Settings.SQLAgent.MaxRetries = &n }
}

// without switches the cache of plans off.
func withoutCache(f *fixture) {
	none := 0
	f.config.Settings.SQLAgent.PlanCache.Entries = &none
}

// retrying are the events that announced another attempt.
func (f *fixture) retrying() []graph.Event {
	var out []graph.Event
	for _, e := range f.events {
		if e.Type == graph.NodeRetrying {
			out = append(out, e)
		}
	}
	return out
}

// recovered counts the errors of a run that a later attempt replaced, and the
// others.
func recovered(run *pipeline.Run) (replaced, left int) {
	for _, f := range run.Errors {
		if f.Err.Recovered {
			replaced++
		} else {
			left++
		}
	}
	return replaced, left
}
