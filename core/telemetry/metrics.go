// Package telemetry counts what operators watch: runs, nodes, calls of providers,
// plugins and changes of the configuration, as metrics that Prometheus reads.
//
// It is told by typed values: ended runs, events of runs and of plugins. Labels hold
// names of the configuration and closed sets alone, and no text of a question, of a
// database or of a provider; models are bounded in number.
package telemetry

import (
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/sdk/reason"
)

const namespace = "querent"

// maxModels is how many models have series of their own; a server may name as many
// as it likes. Those beyond are OtherModel.
const maxModels = 50

// OtherModel stands for models beyond those that are counted by their names.
const OtherModel = "other"

// Metrics counts. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry

	runs        *prometheus.CounterVec
	runSeconds  *prometheus.HistogramVec
	nodeSeconds *prometheus.HistogramVec
	nodeRetries *prometheus.CounterVec

	calls        *prometheus.CounterVec
	callSeconds  *prometheus.HistogramVec
	queueSeconds *prometheus.HistogramVec
	tokens       *prometheus.CounterVec

	pluginStates *prometheus.CounterVec
	pluginStarts *prometheus.CounterVec
	reloads      *prometheus.CounterVec
	reloaded     prometheus.Gauge

	mu     sync.Mutex
	models map[string]bool
}

// Buckets reach from what a cache answers to the longest that a run may take.
var (
	runBuckets  = []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 20, 40, 80, 160}
	nodeBuckets = []float64{.001, .005, .025, .1, .5, 1, 2.5, 5, 10, 20, 40, 80}
)

// New makes Metrics. version is that of the program; live, which is called for each
// reading, tells what is now.
func New(version string, live func() Live) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), models: map[string]bool{}}
	m.runs = m.counter("runs_total", "Runs that ended, by what came of them.", "outcome", "code", "reason")
	m.runSeconds = m.histogram("run_duration_seconds", "How long runs took.", runBuckets, "outcome")
	m.nodeSeconds = m.histogram("node_duration_seconds", "How long the steps of runs took.", nodeBuckets, "node")
	m.nodeRetries = m.counter("node_retries_total", "Steps of runs that were taken again.", "node")
	m.calls = m.counter("provider_calls_total", "Calls of providers, by why they were made and how they ended (kind ok: answered).", "provider", "model", "purpose", "kind")
	m.callSeconds = m.histogram("provider_call_duration_seconds", "How long calls of providers took.", runBuckets, "provider", "model")
	m.queueSeconds = m.histogram("provider_queue_seconds", "How long calls waited for one of their provider's places.", nodeBuckets, "provider")
	m.tokens = m.counter("provider_tokens_total", "Tokens as providers counted them.", "provider", "model", "type")
	m.pluginStates = m.counter("plugin_state_changes_total", "States that plugins entered.", "provider", "plugin", "state")
	m.pluginStarts = m.counter("plugin_restarts_total", "Processes of plugins that died and were to be replaced.", "provider", "plugin")
	m.reloads = m.counter("config_reloads_total", "Attempts to change the configuration, by how they ended.", "result")
	m.reloaded = prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: "config_last_reload_success_timestamp_seconds", Help: "When the configuration that acts was read."})
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "The program that runs.",
		ConstLabels: prometheus.Labels{"version": version, "go_version": runtime.Version()},
	})
	build.Set(1)
	for _, result := range []Result{Reloaded, Kept} {
		m.reloads.WithLabelValues(string(result)) // there from the start, so that a first failure is an increase
	}
	m.registry.MustRegister(m.reloaded, build, newLiveCollector(live),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	m.registry.MustRegister(c)
	return c
}

func (m *Metrics) histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
	m.registry.MustRegister(h)
	return h
}

// Handler answers GET with the metrics in the form that Prometheus reads.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{EnableOpenMetrics: true})
}

// Event counts an event of a run.
func (m *Metrics) Event(e graph.Event) {
	if e.Type == graph.NodeRetrying {
		m.nodeRetries.WithLabelValues(e.Node).Inc()
	}
}

// Run counts a run that has ended, and the calls of providers that it made.
func (m *Metrics) Run(run *pipeline.Run) {
	outcome, code, why := string(run.Answer.Outcome), "", ""
	if err := run.Err(); err != nil {
		known := reason.From(err)
		code, why = string(known.Code), string(known.Reason)
	}
	m.runs.WithLabelValues(outcome, code, why).Inc()
	m.runSeconds.WithLabelValues(outcome).Observe(run.Elapsed.Seconds())
	for _, t := range run.Timings {
		m.nodeSeconds.WithLabelValues(nodeOf(t.Step)).Observe(t.Elapsed.Seconds())
	}
	for _, c := range run.Calls {
		for _, a := range c.Attempts {
			m.attempt(a)
		}
	}
}

// answered is the kind of a call that did not fail.
const answered = "ok"

func (m *Metrics) attempt(a provider.Attempt) {
	name, model, kind := string(a.Provider), m.model(a.Model), answered
	if a.Code != "" {
		kind = string(a.Reason)
	}
	m.calls.WithLabelValues(name, model, string(a.Purpose), kind).Inc()
	m.callSeconds.WithLabelValues(name, model).Observe(a.Took.Seconds())
	m.queueSeconds.WithLabelValues(name).Observe(a.Queued.Seconds())
	for of, count := range map[string]struct {
		known bool
		n     int64
	}{
		"input": {a.Usage.Input.Known, a.Usage.Input.N}, "output": {a.Usage.Output.Known, a.Usage.Output.N},
		"cached": {a.Usage.Cached.Known, a.Usage.Cached.N}, "reasoning": {a.Usage.Reasoning.Known, a.Usage.Reasoning.N},
	} {
		if count.known && count.n > 0 {
			m.tokens.WithLabelValues(name, model, of).Add(float64(count.n))
		}
	}
}

// model is the label of a model.
func (m *Metrics) model(name string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.models[name] && len(m.models) >= maxModels {
		return OtherModel
	}
	m.models[name] = true
	return name
}

// PluginEvent counts a state that a plugin entered. It is a
// pluginhost.Options.OnEvent.
func (m *Metrics) PluginEvent(e pluginhost.Event) {
	m.pluginStates.WithLabelValues(string(e.Provider), string(e.Plugin), string(e.State.Name)).Inc()
	if e.State.Name == pluginhost.StateRestarting {
		m.pluginStarts.WithLabelValues(string(e.Provider), string(e.Plugin)).Inc()
	}
}

// Result is how an attempt to change the configuration ended.
type Result string

// The results.
const (
	Reloaded Result = "reloaded" // the new configuration acts
	Kept     Result = "kept"     // the new one cannot be used, so the old one goes on
)

// Reload counts an attempt to change the configuration.
func (m *Metrics) Reload(r Result, at time.Time) {
	m.reloads.WithLabelValues(string(r)).Inc()
	if r == Reloaded {
		m.Loaded(at)
	}
}

// Loaded notes when the configuration that acts was read.
func (m *Metrics) Loaded(at time.Time) { m.reloaded.Set(float64(at.UnixMilli()) / 1000) }
