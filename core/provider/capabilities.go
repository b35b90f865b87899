package provider

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk"
)

// capabilities are what is known of a model, as far as the host acts by it: what its
// provider says of it, and over that what the configuration says. Of one that
// nobody says anything of, nothing holds.
type capabilities struct {
	loads    bool             // the provider loads it, which may take minutes
	enforces bool             // its server enforces lengths and patterns of a schema
	modes    []sdk.OutputMode // that it takes; nil: not known
	refused  []string         // settings that it does not take
	context  int64            // tokens; 0: not known
	// until is when to ask again one that did not say; zero: never.
	until time.Time
}

const (
	// reticence is how long a provider that did not say is left alone: some servers
	// have nothing that tells of their models, and others are just starting.
	reticence = time.Minute
	// memory is how long a refusal is remembered: the server behind an address may be
	// replaced by one that takes more.
	memory = time.Hour
)

// factBook remembers what a provider said of its models and what they refused. It
// is safe for concurrent use.
type factBook struct {
	mu      sync.Mutex
	known   map[string]capabilities
	asking  map[string]chan struct{}        // closed when the answer is there
	refused map[string]map[string]time.Time // by model and setting or output mode: until when
}

// ask is what the link's provider says of its model, which it is asked once. One
// that does not say is asked again later.
func (l link) ask(ctx context.Context) capabilities {
	if l.Services.Model == nil {
		return capabilities{}
	}
	for {
		c, known, others := l.facts.begin(l.model)
		if known {
			return c
		}
		if others == nil {
			return l.facts.end(l.model, l.inquire(ctx))
		}
		select {
		case <-others:
		case <-ctx.Done():
			return l.configured(capabilities{})
		}
	}
}

// begin is what is known of a model, or who is being asked by another. With neither,
// the caller asks, and must call end.
func (b *factBook) begin(model string) (c capabilities, known bool, others chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c, known := b.told(model); known {
		return c, true, nil
	}
	if others, busy := b.asking[model]; busy {
		return capabilities{}, false, others
	}
	if b.asking == nil {
		b.asking = map[string]chan struct{}{}
	}
	b.asking[model] = make(chan struct{})
	return capabilities{}, false, nil
}

func (b *factBook) told(model string) (capabilities, bool) {
	c, known := b.known[model]
	return c, known && (c.until.IsZero() || time.Now().Before(c.until))
}

func (b *factBook) end(model string, c capabilities) capabilities {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.known == nil {
		b.known = map[string]capabilities{}
	}
	b.known[model] = c
	close(b.asking[model])
	delete(b.asking, model)
	return c
}

// inquire asks the provider of its model. It never panics: others wait for it.
func (l link) inquire(ctx context.Context) (c capabilities) {
	defer func() {
		if recover() != nil {
			c = l.configured(capabilities{until: time.Now().Add(reticence)})
		}
	}()
	info, err := l.Services.Model.ModelInfo(ctx, l.model)
	switch {
	case err != nil && ctx.Err() != nil && !errors.Is(context.Cause(ctx), errReticent):
		return l.configured(capabilities{until: time.Now()}) // who asked has left; the next one asks
	case err != nil:
		return l.configured(capabilities{until: time.Now().Add(reticence)})
	}
	c = capabilities{
		loads:    info.Details[sdk.DetailLoads] == "true",
		enforces: info.Details[sdk.DetailEnforcesPatterns] == "true",
		modes:    info.OutputModes,
	}
	if info.FixedSampling {
		c.refused = append(c.refused, sdk.SettingTemperature)
	}
	if info.Details[sdk.DetailTokenLimit] == "none" {
		c.refused = append(c.refused, sdk.SettingMaxOutputTokens)
	}
	if info.ContextLength.Known {
		c.context = info.ContextLength.N
	}
	return l.configured(c)
}

// configured is c with what the configuration says over it.
func (l link) configured(c capabilities) capabilities {
	said := l.said
	if len(said.Output) > 0 {
		c.modes = nil
		for _, m := range said.Output {
			c.modes = append(c.modes, sdk.OutputMode(m))
		}
	}
	if said.Context > 0 {
		c.context = said.Context
	}
	if said.Patterns != nil {
		c.enforces = *said.Patterns
	}
	takes := func(setting string, does *bool) {
		if does == nil {
			return
		}
		c.refused = slices.DeleteFunc(c.refused, func(s string) bool { return s == setting })
		if !*does {
			c.refused = append(c.refused, setting)
		}
	}
	if said.Temperature != "" {
		free := said.Temperature == config.TemperatureFree
		takes(sdk.SettingTemperature, &free)
	}
	takes(sdk.SettingSeed, said.Seed)
	takes(sdk.SettingThinking, said.Thinking)
	takes(sdk.SettingMaxOutputTokens, said.TokenLimit)
	return c
}

// known is what is known of the link's model so far.
func (l link) known() capabilities {
	l.facts.mu.Lock()
	defer l.facts.mu.Unlock()
	if c, ok := l.facts.told(l.model); ok {
		return c
	}
	return l.configured(capabilities{})
}

// refuses reports whether the link's model does not take a setting or an output mode.
func (l link) refuses(what string) bool {
	if slices.Contains(l.known().refused, what) {
		return true
	}
	l.facts.mu.Lock()
	defer l.facts.mu.Unlock()
	return time.Now().Before(l.facts.refused[l.model][what])
}

// remember notes that the link's model refused a setting or an output mode.
func (l link) remember(what string) {
	l.facts.mu.Lock()
	defer l.facts.mu.Unlock()
	if l.facts.refused == nil {
		l.facts.refused = map[string]map[string]time.Time{}
	}
	if l.facts.refused[l.model] == nil {
		l.facts.refused[l.model] = map[string]time.Time{}
	}
	l.facts.refused[l.model][what] = time.Now().Add(memory)
}
