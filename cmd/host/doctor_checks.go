package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/datasource"
	"querent.dev/querent/core/pluginhost"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
)

// doctor makes the checks, each on what those before it left. Close it.
type doctor struct {
	app    *app
	flags  doctorFlags
	logger hclog.Logger
	checks []checkReport

	cfg      *config.Config
	file     string // of the configuration
	rules    *policy.Policy
	plugins  *pluginhost.Host
	services map[config.ProviderName]provider.Services
	sources  map[schema.DatasourceID]datasource.Datasource
	catalogs map[schema.DatasourceID]*schema.Catalog // of the datasources that could be read
}

// all makes every check, in the order in which one needs the other.
func (d *doctor) all(ctx context.Context) {
	if !d.configuration(ctx) {
		return
	}
	d.clock(ctx)
	d.compile(ctx)
	d.keys(ctx)
	d.records(ctx)
	d.providers(ctx)
	d.datasources(ctx)
	if d.rules == nil {
		return
	}
	d.roles(ctx)
	d.verified(ctx)
	d.templates(ctx)
	d.plan(ctx)
}

func (d *doctor) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	var errs []error
	for _, source := range d.sources {
		errs = append(errs, source.Close())
	}
	if d.plugins != nil {
		errs = append(errs, d.plugins.Close(ctx))
	}
	return errors.Join(errs...)
}

// configuration loads the configuration, and looks at what it names.
func (d *doctor) configuration(ctx context.Context) bool {
	return d.check(ctx, "configuration", datasourceCheckTime, func(context.Context) finding {
		cfg, file, warnings, err := d.flags.load(d.app)
		if err != nil {
			return failed(reason.ExitUsage, err)
		}
		d.cfg, d.file = cfg, file
		if problems := inspect(cfg, file).problems; len(problems) > 0 {
			return failed(reason.ExitUsage, problems)
		}
		f := fine("%s is valid: %d datasources, %d providers, %d roles, %d verified queries",
			file, len(cfg.Datasources), len(cfg.Providers), len(cfg.Roles), len(cfg.Verified))
		var said []string
		for _, w := range warnings {
			said = append(said, w.String())
		}
		switch {
		case len(said) > 0:
			f.detail += "; " + strings.Join(said, "; ")
			return f.but("Remove the settings that have no effect.")
		case len(cfg.Datasources) == 0:
			return f.but("Add a database under datasources: querent init writes a configuration for one.")
		}
		return f
	}) != checkFail
}

// clockSlack is how far files may be ahead of the clock: they may come from other
// machines, whose clocks differ.
const clockSlack = time.Hour

// clock looks whether the clock can be right, and says which day it is where
// questions are asked.
func (d *doctor) clock(ctx context.Context) {
	d.check(ctx, "clock", datasourceCheckTime, func(context.Context) finding {
		zone, err := time.LoadLocation(d.cfg.Settings.Time.Zone)
		if err != nil {
			return failed(reason.ExitUsage, fmt.Errorf("settings.time.zone: %w", err))
		}
		now := time.Now()
		f := fine("%s in the zone %s (settings.time.zone), %s on this machine", now.In(zone).Format("Monday 2006-01-02 15:04"), zone, now.Format("15:04 MST"))
		if info, err := os.Stat(d.file); err == nil && now.Add(clockSlack).Before(info.ModTime()) {
			return f.but("The clock is behind the time at which %s was written: set it, or last month and today are other periods.", d.file)
		}
		return f
	})
}

func (d *doctor) compile(ctx context.Context) {
	d.check(ctx, "roles compile", datasourceCheckTime, func(context.Context) finding {
		rules, err := compileRoles(d.cfg)
		if err != nil {
			return failed(reason.ExitUsage, err)
		}
		d.rules = rules
		return fine("%d roles, %d callers", len(d.cfg.Roles), len(d.cfg.Callers))
	})
}

// keys looks at the keys of the HTTP API, if there are any.
func (d *doctor) keys(ctx context.Context) {
	if d.cfg.Server.APIKeys == "" {
		return
	}
	d.check(ctx, "api keys", datasourceCheckTime, func(context.Context) finding {
		if _, err := callersOf(d.cfg); err != nil {
			return failed(reason.ExitUsage, err)
		}
		return fine("the file of keys can be read, and its roles are there")
	})
}

func (d *doctor) datasources(ctx context.Context) {
	d.sources = map[schema.DatasourceID]datasource.Datasource{}
	d.catalogs = map[schema.DatasourceID]*schema.Catalog{}
	for _, id := range slices.Sorted(maps.Keys(d.cfg.Datasources)) {
		d.datasource(ctx, id, "datasource "+string(id))
	}
}

func (d *doctor) datasource(ctx context.Context, id schema.DatasourceID, name string) {
	reached := d.check(ctx, name+": reachable", datasourceCheckTime, func(ctx context.Context) finding {
		source, err := openDatasource(d.cfg, id)
		if err != nil {
			return failed(reason.ExitUsage, err)
		}
		d.sources[id] = source
		if err := reach(ctx, source); err != nil {
			return failed(reason.ExitDatasource, err)
		}
		return fine("%s answers", source.Dialect())
	})
	if reached != checkOK {
		d.check(ctx, name+": structure", 0, func(context.Context) finding { return skipped("the database cannot be reached") })
		d.check(ctx, name+": account", 0, func(context.Context) finding { return skipped("the database cannot be reached") })
		return
	}
	d.check(ctx, name+": structure", structureTime, func(ctx context.Context) finding { return d.structure(ctx, id) })
	d.check(ctx, name+": account", datasourceCheckTime, func(ctx context.Context) finding { return account(ctx, d.sources[id]) })
	if cat := d.catalogs[id]; cat != nil && d.rules != nil {
		d.check(ctx, name+": roles fit", datasourceCheckTime, func(context.Context) finding {
			if err := d.rules.Check(cat); err != nil {
				return failed(reason.ExitUsage, err)
			}
			if unmatched := policy.Unmatched(d.cfg.Roles, cat); len(unmatched) > 0 {
				return fine("these rules name what the database does not have: %s", strings.Join(unmatched, ", ")).
					but("correct the names, or take the rules out: they protect nothing")
			}
			return fine("row filters and masks fit its columns")
		})
	}
}

// structure reads the tables.
func (d *doctor) structure(ctx context.Context, id schema.DatasourceID) finding {
	cat, err := d.sources[id].Introspect(ctx)
	if err != nil {
		return failed(reason.ExitDatasource, err)
	}
	d.catalogs[id] = cat
	tables, views, columns, keys := 0, 0, 0, 0
	for _, t := range cat.Tables {
		if t.Kind == schema.KindView {
			views++
		} else {
			tables++
		}
		columns += len(t.Columns)
		keys += len(t.ForeignKeys)
	}
	f := fine("%d tables, %d views, %d columns, %d foreign keys", tables, views, columns, keys)
	switch {
	case len(cat.Tables) == 0:
		return f.but("There is nothing to ask: check which database and which schemas are configured, and what the account may read.")
	case keys == 0 && len(cat.Tables) > 1:
		return f.but("No foreign key says how tables belong together, so plans must spell out how they join. Declare keys where you can.")
	}
	return f
}

// account says whether the account itself could write.
func account(ctx context.Context, source datasource.Datasource) finding {
	checker, ok := source.(datasource.AccountChecker)
	if !ok {
		return skipped("this adapter cannot tell what the account may do")
	}
	can, right, err := checker.CanWrite(ctx)
	switch {
	case err != nil:
		return failed(reason.ExitDatasource, err)
	case !can:
		return fine("the account may only read")
	}
	return fine("the account could write: %s", right).
		but("Querent only ever reads, but an account that cannot write is safer: give it no more than the right to read.")
}

// roles says what each role may read of what is there.
func (d *doctor) roles(ctx context.Context) {
	if len(d.catalogs) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(d.cfg.Roles)) {
		d.check(ctx, "role "+string(name), datasourceCheckTime, func(context.Context) finding {
			readable, all := 0, 0
			for _, cat := range d.catalogs {
				all += len(cat.Tables)
				view, err := d.rules.View(cat, policy.Caller{Name: "doctor", Roles: []string{string(name)}})
				if err != nil {
					continue // no table of this datasource is permitted
				}
				for _, t := range cat.Tables {
					if view.Table(t) {
						readable++
					}
				}
			}
			f := fine("may read %d of %d tables", readable, all)
			if readable == 0 {
				return f.but("Its callers are always refused: check roles.%s.tables.allow against the names that querent schema show prints.", name)
			}
			return f
		})
	}
}
