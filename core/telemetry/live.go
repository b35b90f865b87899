package telemetry

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/provider"
)

// Live is what is now, of the configuration that takes new runs.
type Live struct {
	Configuration int // counts the configurations that acted, from 1
	Runs          int // on their way, those of earlier configurations among them
	Draining      int // earlier configurations that still have runs
	Plugins       []Plugin
	Providers     []provider.State
}

// Plugin is where a provider's plugin stands.
type Plugin struct {
	Provider config.ProviderName
	Plugin   config.PluginName
	State    pluginhost.State
}

// breakerStates are all of them, each a series.
var breakerStates = []provider.BreakerState{provider.BreakerClosed, provider.BreakerOpen, provider.BreakerHalfOpen}

// liveCollector reads what is now.
type liveCollector struct {
	live func() Live

	configuration, runs, draining     *prometheus.Desc
	pluginState, pluginProcess        *prometheus.Desc
	breaker, callsRunning, callsQueue *prometheus.Desc
}

func newLiveCollector(live func() Live) *liveCollector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
	}
	return &liveCollector{
		live:          live,
		configuration: desc("config_generation", "How many configurations have acted since the start."),
		runs:          desc("runs_in_flight", "Runs that are on their way."),
		draining:      desc("config_draining", "Earlier configurations under which runs are still on their way."),
		pluginState:   desc("plugin_state", "1 for the state in which a plugin is, 0 for the others.", "provider", "plugin", "state"),
		pluginProcess: desc("plugin_generation", "How many processes a plugin has had since it was opened.", "provider", "plugin"),
		breaker:       desc("provider_breaker_state", "1 for the state in which a model's breaker is, 0 for the others.", "provider", "model", "state"),
		callsRunning:  desc("provider_calls_in_flight", "Calls of a provider that are on their way.", "provider"),
		callsQueue:    desc("provider_calls_waiting", "Calls that wait for one of a provider's places.", "provider"),
	}
}

// Describe implements prometheus.Collector.
func (c *liveCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.configuration, c.runs, c.draining, c.pluginState, c.pluginProcess, c.breaker, c.callsRunning, c.callsQueue} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (c *liveCollector) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	now := c.live()
	gauge(c.configuration, float64(now.Configuration))
	gauge(c.runs, float64(now.Runs))
	gauge(c.draining, float64(now.Draining))
	for _, p := range now.Plugins {
		for _, s := range pluginhost.States {
			gauge(c.pluginState, is(p.State.Name == s), string(p.Provider), string(p.Plugin), string(s))
		}
		gauge(c.pluginProcess, float64(p.State.Generation), string(p.Provider), string(p.Plugin))
	}
	told := map[config.ProviderName]bool{}
	for _, p := range now.Providers {
		for _, s := range breakerStates {
			gauge(c.breaker, is(p.Breaker == s), string(p.Provider), p.Model, string(s))
		}
		if !told[p.Provider] {
			told[p.Provider] = true
			gauge(c.callsRunning, float64(p.Running), string(p.Provider))
			gauge(c.callsQueue, float64(p.Waiting), string(p.Provider))
		}
	}
}

func is(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// nodeOf is the node of a step <subquery>/<node>: sub-queries are named by questions.
func nodeOf(step string) string { return step[strings.LastIndexByte(step, '/')+1:] }
