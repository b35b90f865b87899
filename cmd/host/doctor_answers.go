package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"querent.dev/querent/core/config"
	"querent.dev/querent/core/nodes/answersynthesizer"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/provider"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// verified binds the verified queries to what is there.
func (d *doctor) verified(ctx context.Context) {
	if len(d.cfg.Verified) == 0 {
		return
	}
	d.check(ctx, "verified queries", verifiedTime, func(ctx context.Context) finding {
		clock, err := pipeline.Clock(d.cfg.Settings.Time, time.Now())
		if err != nil {
			return failed(reason.ExitUsage, err)
		}
		checker := &verifiedChecker{cfg: d.cfg, rules: d.rules, clock: clock, sources: d.sources, catalogs: d.catalogs}
		reports, err := checker.all(ctx)
		if err != nil {
			return failed(reason.ExitUsage, err)
		}
		count := map[checkStatus]int{}
		said := map[checkStatus][]string{}
		for _, r := range reports {
			count[r.Status]++
			said[r.Status] = append(said[r.Status], r.ID+": "+r.Detail)
		}
		switch {
		case count[checkFail] > 0:
			f := failed(reason.ExitUsage, errors.New(strings.Join(said[checkFail], "; ")))
			f.advice = "Correct these plans, or the databases that they were written for: querent verified test runs them."
			return f
		case count[checkWarn] > 0:
			return fine("%s", strings.Join(said[checkWarn], "; ")).but("Permit what they read to a role, or remove them.")
		case count[checkOK] == 0:
			return skipped("no datasource of theirs could be read")
		}
		return fine("%d bind, %d could not be looked at", count[checkOK], count[checkSkipped])
	})
}

// templates asks the template provider to word every failure that there is, in
// each language that answers may be in.
func (d *doctor) templates(ctx context.Context) {
	words := d.services[d.cfg.TemplateProvider()].Synthesizer
	if words == nil {
		return
	}
	d.check(ctx, "templates", templatesTime, func(ctx context.Context) finding {
		languages := []string{"en", "ko"}
		if own := d.cfg.Settings.Answer.Language; own != "" && own != config.LanguageOfQuestion && !slices.Contains(languages, own) {
			languages = append(languages, own)
		}
		var missing []string
		for _, language := range languages {
			for _, row := range reason.Rows() {
				got, err := words.Synthesize(ctx, sdk.SynthesizeRequest{RequestID: "doctor", Language: language, Outcome: failureOf(row, language)})
				switch {
				case err != nil:
					return providerFailed(fmt.Errorf("wording %s (%s) in %s: %w", row.Code, row.Reason, language, err))
				case strings.TrimSpace(got.Response.Summary) == "" || len(got.TemplateIDs) == 0:
					missing = append(missing, fmt.Sprintf("%s (%s) in %s", row.Code, row.Reason, language))
				}
			}
		}
		if len(missing) > 0 {
			return fine("no words for %s", strings.Join(missing, ", ")).but("Add them to a template pack; until then the host's own English words are used.")
		}
		return fine("all %d failures have words in %s", len(reason.Rows()), strings.Join(languages, ", "))
	})
}

// failureOf is a failure of that row as a synthesizer is asked to word it.
func failureOf(row reason.Row, language string) wire.Outcome {
	err := reason.New(row.Code, row.Reason, "%s", row.SafeMessage)
	return wire.Outcome{
		Kind: answersynthesizer.KindOf(err), Question: "How many are there?", Language: language,
		Failure: &wire.Failure{
			Requirement: "How many are there?", Stage: err.Stage, Code: row.Code, Reason: row.Reason,
			Message: err.SafeMessage, NextAction: err.NextAction,
		},
	}
}

// planTries is how many tables are tried until a question about one is understood:
// a planner without a model does not know every name.
const planTries = 5

// plan asks the planner one trivial question, as a caller who may read something.
// What comes is bound and secured like any plan, and not run.
func (d *doctor) plan(ctx context.Context) {
	limit := d.cfg.Settings.Run.Timeout.Std()
	d.check(ctx, "one real plan", limit, func(ctx context.Context) finding {
		caller, id, tables := d.asker()
		switch {
		case d.flags.quick:
			return skipped("--quick asks no model")
		case len(tables) == 0:
			return skipped("there is no table that a caller may read")
		case d.services == nil:
			return skipped("no provider was started")
		}
		registry, err := provider.NewRegistry(d.cfg, d.services, d.logger)
		if err != nil {
			return failed(reason.ExitUsage, err)
		}
		engine, err := pipeline.New(d.cfg, pipeline.Deps{Datasources: d.sources, Providers: registry, Policy: d.rules, Logger: d.logger})
		if err != nil {
			return failed(reason.ExitUsage, err)
		}
		f := d.planOn(ctx, engine, caller, id, tables)
		if err := engine.Close(ctx); err != nil {
			return failed(reason.ExitInternal, err)
		}
		return f
	})
}

// planOn asks about table after table until a plan comes that no verified query
// made.
func (d *doctor) planOn(ctx context.Context, engine *pipeline.Engine, caller policy.Caller, id schema.DatasourceID, tables []string) finding {
	var last finding
	for _, table := range tables[:min(planTries, len(tables))] {
		question := fmt.Sprintf("How many %s are there?", strings.ReplaceAll(table, "_", " "))
		run := engine.Plan(ctx, pipeline.Question{Text: question, Caller: caller, Datasource: id})
		last = planned(run, question)
		if err := run.Close(); err != nil {
			return failed(reason.ExitInternal, err)
		}
		if run.Verified == nil && !errors.Is(run.Err(), &reason.Error{Code: reason.NotUnderstood}) {
			return last
		}
	}
	return last
}

// planned is the finding of a run that was to make a plan.
func planned(run *pipeline.Run, question string) finding {
	err := reason.From(run.Err())
	queries := run.Queries()
	switch {
	case err != nil && err.Code == reason.NotUnderstood:
		return fine("the planner does not understand %q", question).
			but("A planner without a model knows simple questions alone: describe the tables with synonyms, or plan with a model.")
	case err != nil:
		f := failed(reason.ExitCode(err), err)
		f.detail = fmt.Sprintf("%q: %s (%s): %s", question, err.Code, err.Reason, err.Message)
		return f
	case len(queries) == 0:
		return failed(reason.ExitInternal, fmt.Errorf("%q led to no plan", question))
	}
	return fine("%q became a plan by %s that binds and is permitted: %s", question, queries[0].Planner, queries[0].SQL)
}

// asker is a caller with tables of a datasource that it may read: cli if there is
// one, else the first by name, else one with the first role.
func (d *doctor) asker() (policy.Caller, schema.DatasourceID, []string) {
	callers := []policy.Caller{callerOf(d.cfg, defaultCaller)}
	for _, name := range slices.Sorted(maps.Keys(d.cfg.Callers)) {
		callers = append(callers, callerOf(d.cfg, name))
	}
	for _, role := range slices.Sorted(maps.Keys(d.cfg.Roles)) {
		callers = append(callers, policy.Caller{Name: "doctor", Roles: []string{string(role)}})
	}
	for _, caller := range callers {
		for _, id := range slices.Sorted(maps.Keys(d.catalogs)) {
			view, err := d.rules.View(d.catalogs[id], caller)
			if err != nil {
				continue
			}
			var tables []string
			for _, t := range d.catalogs[id].Tables {
				if view.Table(t) {
					tables = append(tables, t.Name)
				}
			}
			return caller, id, tables
		}
	}
	return policy.Caller{}, "", nil
}
