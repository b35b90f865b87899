package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

// reachTimeout is how long a database may take to answer before a configuration
// that names it newly is refused.
const reachTimeout = 10 * time.Second

// lastWords is what a run may take beyond its time limit, amply.
const lastWords = 15 * time.Second

// openRecords opens what runs are recorded in.
func (h *host) openRecords(ctx context.Context, o opening) error {
	key, err := recordsKey(h.cfg)
	if err != nil {
		return err
	}
	if from := o.from; from != nil && from.recording.key == key {
		h.recording = from.recording.take()
	} else {
		opened, err := openRecords(ctx, h.cfg, o.logger)
		if err != nil {
			return err
		}
		h.recording = share(key, opened, opened.Close)
	}
	h.closers = append(h.closers, h.recording.letGo)
	own := *h.recording.it
	own.cfg = h.cfg
	h.records = &own
	return nil
}

func recordsKey(cfg *config.Config) (string, error) {
	key, err := cfg.AuditKey()
	if err != nil {
		return "", err
	}
	file, err := cfg.StoreFile()
	if err != nil {
		return "", err
	}
	return fingerprint(cfg.Dir(), cfg.Store, cfg.Audit, file, key)
}

// openDatasources opens the databases. One that the host before has, with the same
// settings, is not opened again.
func (h *host) openDatasources(ctx context.Context, o opening) error {
	h.sources = map[schema.DatasourceID]datasource.Datasource{}
	h.opened = map[schema.DatasourceID]*shared[datasource.Datasource]{}
	h.files = map[schema.DatasourceID]fs.FileInfo{}
	for _, id := range slices.Sorted(maps.Keys(h.cfg.Datasources)) {
		key, err := sourceKey(h.cfg, id)
		if err != nil {
			return err
		}
		s, known := (*shared[datasource.Datasource])(nil), false
		if o.from != nil {
			s, known = o.from.opened[id]
		}
		h.files[id] = fileOf(h.cfg, id)
		if known && s.key == key && stillThere(h.files[id], o.from.files[id]) {
			s.take()
		} else if s, err = o.openDatasource(ctx, h.cfg, id, key); err != nil {
			return err
		}
		h.opened[id], h.sources[id] = s, s.it
		h.closers = append(h.closers, s.letGo)
	}
	return nil
}

func (o opening) openDatasource(ctx context.Context, cfg *config.Config, id schema.DatasourceID, key string) (*shared[datasource.Datasource], error) {
	source, err := openDatasource(cfg, id)
	if err != nil {
		return nil, err
	}
	s := share(key, source, func(context.Context) error { return source.Close() })
	if !o.whole {
		return s, nil
	}
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	if err := reach(ctx, source); err != nil {
		_ = source.Close() // it was not used; why it cannot be is told
		return nil, err
	}
	return s, nil
}

// fileOf is the file of a database, nil where there is none.
func fileOf(cfg *config.Config, id schema.DatasourceID) fs.FileInfo {
	if schema.Dialect(cfg.Datasources[id].Adapter) != schema.SQLite {
		return nil
	}
	path, err := cfg.SQLitePath(id)
	if err != nil {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return info
}

// stillThere reports whether the file of a database is the one that it was: another may
// have taken its name.
func stillThere(a, b fs.FileInfo) bool {
	return a == nil && b == nil || a != nil && b != nil && os.SameFile(a, b)
}

func sourceKey(cfg *config.Config, id schema.DatasourceID) (string, error) {
	d := cfg.Datasources[id]
	at, err := cfg.DSN(id)
	if schema.Dialect(d.Adapter) == schema.SQLite {
		at, err = cfg.SQLitePath(id)
	}
	if err != nil {
		return "", err
	}
	return fingerprint(d, at)
}

// startProviders starts the plugins, under the rules of the lock file as it is now.
func (h *host) startProviders(ctx context.Context, o opening) (map[config.ProviderName]provider.Services, error) {
	if err := h.openPlugins(o); err != nil {
		return nil, err
	}
	h.closers = append(h.closers, h.plugins.letGo)
	specs, err := providerSpecs(h.cfg)
	if err != nil {
		return nil, err
	}
	starting, cancel := context.WithTimeout(ctx, h.cfg.Settings.Run.Timeout.Std())
	defer cancel()
	set, services, err := startAll(starting, h.plugins.it, specs, pluginhost.OpenOptions{Tolerate: !o.whole})
	if ctx.Err() != nil {
		return nil, reason.New(reason.CancelledCode, reason.ReasonCancelled, "stopped while the plugins were starting")
	}
	if err != nil {
		return nil, err
	}
	h.closers = append(h.closers, set.Close)
	h.late = starting.Err() != nil
	h.providers = providerStates{set: set, wrong: brokenOf(services)}
	if o.whole {
		return services, h.reachModels(ctx, o.from, services)
	}
	return services, nil
}

// openPlugins finds who runs the plugins: the host before, unless other executables
// may run now than then.
func (h *host) openPlugins(o opening) error {
	lock, err := pluginhost.OpenLock(h.cfg.Path(h.cfg.PluginLock.File), h.cfg.PluginLock.Mode)
	if err != nil {
		return usage("%v", err)
	}
	if err := unlockedInCompliance(h.cfg, lock); err != nil {
		return err
	}
	drain := h.cfg.Settings.Run.Timeout.Std() + lastWords
	key, err := fingerprint(lock, h.cfg.Settings.Answer.Compliance, drain)
	if err != nil {
		return err
	}
	if o.from != nil && o.from.plugins.key == key {
		h.plugins = o.from.plugins.take()
		return nil
	}
	plugins := pluginhost.New(pluginhost.Options{
		Logger: o.logger, Lock: lock, Compliance: h.cfg.Settings.Answer.Compliance,
		RuntimeDir: os.Getenv(runtimeDirVariable), Redact: o.redact, OnEvent: o.onEvent, Timeouts: pluginhost.Timeouts{Drain: drain},
	})
	h.plugins = share(key, plugins, plugins.Close)
	return nil
}

// fingerprint is the same for the same values. It holds no secret: it is a hash.
func fingerprint(values ...any) (string, error) {
	text, err := json.Marshal(values)
	if err != nil {
		return "", fmt.Errorf("compare configurations: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
