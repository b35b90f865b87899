package telemetry_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/telemetry"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// read is what Prometheus would read.
func read(t *testing.T, m *telemetry.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("status %d, %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func expect(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			t.Errorf("the metrics lack %s\n%s", line, text)
		}
	}
}

// What happened is counted, under names of the configuration and of closed sets.
func TestMetrics(t *testing.T) {
	m := telemetry.New("1.2.3", func() telemetry.Live {
		return telemetry.Live{
			Configuration: 2, Runs: 3, Draining: 1,
			Plugins:   []telemetry.Plugin{{Provider: "cloud", Plugin: "openai", State: pluginhost.State{Name: pluginhost.StateReady, Generation: 4}}},
			Providers: []provider.State{{Provider: "cloud", Model: "a", Breaker: provider.BreakerOpen, Running: 5, Waiting: 6}, {Provider: "cloud", Model: "b", Breaker: provider.BreakerClosed, Running: 5, Waiting: 6}},
		}
	})
	m.Run(&pipeline.Run{
		Answer: &wire.Answer{Outcome: wire.Answered}, Elapsed: 2 * time.Second,
		Timings: []pipeline.Timing{{Step: "what was asked/executor", Elapsed: time.Second}},
		Calls: []pipeline.AgentCall{{Call: provider.Call{Attempts: []provider.Attempt{
			{Provider: "cloud", Model: "a", Purpose: provider.PurposeAsk, Code: reason.ProviderCode(reason.Unavailable), Reason: reason.Reason(reason.Unavailable)},
			{Provider: "cloud", Model: "a", Purpose: provider.PurposeRetry, Usage: sdkUsage(7, 8), Took: 3 * time.Second},
		}}}},
	})
	m.Event(graph.Event{Type: graph.NodeRetrying, Node: "executor"})
	m.PluginEvent(pluginhost.Event{Provider: "cloud", Plugin: "openai", State: pluginhost.State{Name: pluginhost.StateRestarting, LastError: "secret"}})
	m.Reload(telemetry.Kept, time.Unix(10, 0))
	m.Reload(telemetry.Reloaded, time.Unix(1_000_000, 500_000_000))
	text := read(t, m)
	expect(t, text,
		`querent_runs_total{code="",outcome="answered",reason=""} 1`,
		`querent_run_duration_seconds_sum{outcome="answered"} 2`,
		`querent_node_duration_seconds_count{node="executor"} 1`,
		`querent_node_retries_total{node="executor"} 1`,
		`querent_provider_calls_total{kind="unavailable",model="a",provider="cloud",purpose="ask"} 1`,
		`querent_provider_calls_total{kind="ok",model="a",provider="cloud",purpose="retry"} 1`,
		`querent_provider_call_duration_seconds_sum{model="a",provider="cloud"} 3`,
		`querent_provider_tokens_total{model="a",provider="cloud",type="input"} 7`,
		`querent_provider_tokens_total{model="a",provider="cloud",type="output"} 8`,
		`querent_provider_breaker_state{model="a",provider="cloud",state="open"} 1`,
		`querent_provider_breaker_state{model="a",provider="cloud",state="closed"} 0`,
		`querent_provider_calls_in_flight{provider="cloud"} 5`, `querent_provider_calls_waiting{provider="cloud"} 6`,
		`querent_plugin_state{plugin="openai",provider="cloud",state="ready"} 1`,
		`querent_plugin_state{plugin="openai",provider="cloud",state="failed"} 0`,
		`querent_plugin_generation{plugin="openai",provider="cloud"} 4`,
		`querent_plugin_restarts_total{plugin="openai",provider="cloud"} 1`,
		`querent_config_reloads_total{result="kept"} 1`, `querent_config_reloads_total{result="reloaded"} 1`,
		`querent_config_last_reload_success_timestamp_seconds 1.0000005e+06`,
		`querent_config_generation 2`, `querent_runs_in_flight 3`, `querent_config_draining 1`)
	if strings.Contains(text, "what was asked") || strings.Contains(text, "secret") {
		t.Errorf("the metrics tell too much\n%s", text)
	}
}

// However many models a server names, there is a bound to the series.
func TestModelsAreBounded(t *testing.T) {
	m := telemetry.New("1", func() telemetry.Live { return telemetry.Live{} })
	for n := range 1000 {
		m.Run(&pipeline.Run{Answer: &wire.Answer{Outcome: wire.Answered}, Calls: []pipeline.AgentCall{{Call: provider.Call{
			Attempts: []provider.Attempt{{Provider: "cloud", Model: fmt.Sprintf("m%d", n), Purpose: provider.PurposeAsk}}}}}})
	}
	text := read(t, m)
	if n := strings.Count(text, "querent_provider_calls_total{"); n != 51 {
		t.Errorf("%d series of models", n)
	}
	expect(t, text, `querent_provider_calls_total{kind="ok",model="`+telemetry.OtherModel+`",provider="cloud",purpose="ask"} 950`)
}

func sdkUsage(input, output int64) sdk.Usage {
	return sdk.Usage{Input: sdk.Known(input), Output: sdk.Known(output)}
}
