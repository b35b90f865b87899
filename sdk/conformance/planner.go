package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

func plannerChecks() []check {
	on := func(name, promise string, run func(context.Context, *session) error) check {
		return check{name: "planner/" + name, promise: promise, service: sdk.ServicePlanner, run: run}
	}
	return []check{
		on("plans", "at least one of the target's questions gets a plan, from a table of the catalog", plans),
		on("refuses", "a question without a meaning is refused with a reason of the protocol", refuses),
		on("empty_catalog", "without a table there is a refusal, no plan", emptyCatalog),
		on("deterministic", "the same request gives the same bytes, also in another process", plannerDeterministic),
		on("at_once", "requests at once give what they give one by one", plannerAtOnce),
		on("large_catalog", "a catalog of 5,000 columns is taken", largeCatalog),
	}
}

const nonsense = "qzxv wvrkl ftupd?"

func planRequest(question string) sdk.PlanRequest {
	text, integer, real := wire.Type{Kind: wire.KindText}, wire.Type{Kind: wire.KindInt}, wire.Type{Kind: wire.KindFloat}
	column := func(name string, t wire.Type) wire.ColumnView { return wire.ColumnView{Name: name, Type: t} }
	return sdk.PlanRequest{
		RequestID: "conformance", Question: question, Intent: question,
		Catalog: wire.CatalogView{Datasource: "demo", Dialect: "sqlite", Tables: []wire.TableView{
			{Name: "riders", Columns: []wire.ColumnView{column("id", integer), column("name", text), column("city", text)}, PrimaryKey: []string{"id"}},
			{Name: "trips", Columns: []wire.ColumnView{column("id", integer), column("rider_id", integer), column("km", real), column("started_at", wire.Type{Kind: wire.KindTimestamp})},
				PrimaryKey: []string{"id"}, ForeignKeys: []wire.KeyView{{Columns: []string{"rider_id"}, Table: "riders", RefColumns: []string{"id"}}}},
		}},
		Now: "2026-03-14T09:00:00Z", Zone: "UTC", WeekStart: "monday", FiscalYearStart: "01-01", Language: "en",
	}
}

func plans(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	for _, question := range s.target.Questions {
		r, err := p.Planner().Plan(ctx, planRequest(question))
		if err != nil {
			return fmt.Errorf("%s: %w", question, err)
		}
		if r.Plan == nil {
			continue
		}
		if err := knownTables(*r.Plan); err != nil {
			return fmt.Errorf("%s: %w", question, err)
		}
		if strings.TrimSpace(r.Reading) == "" {
			return fmt.Errorf("%s: the plan has no reading in plain words", question)
		}
		return nil
	}
	return fmt.Errorf("every one of %q was refused", s.target.Questions)
}

// knownTables checks that a plan begins with tables of the catalog, or with its
// own blocks.
func knownTables(p wire.Plan) error {
	names := map[string]bool{"riders": true, "trips": true}
	for _, b := range p.With {
		names[b.Name] = true
	}
	first := strings.Fields(p.From)
	if len(first) == 0 || !names[strings.Trim(first[0], "`")] {
		return fmt.Errorf("the plan is from %q, which is neither a table of the catalog nor a block", p.From)
	}
	return nil
}

func refuses(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	return refused(ctx, p, planRequest(nonsense))
}

func emptyCatalog(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	r := planRequest(s.target.Questions[0])
	r.Catalog.Tables = nil
	return refused(ctx, p, r)
}

func refused(ctx context.Context, p *plugin, r sdk.PlanRequest) error {
	response, err := p.Planner().Plan(ctx, r)
	if err != nil {
		return err
	}
	if response.Refusal == nil {
		return fmt.Errorf("%q got the plan %+v", r.Question, *response.Plan)
	}
	for _, row := range reason.Rows() {
		if string(row.Reason) == response.Refusal.Reason {
			return nil
		}
	}
	return fmt.Errorf("the reason %q of the refusal is none of the protocol's", response.Refusal.Reason)
}

// planned is what comes of every question, as bytes.
func planned(ctx context.Context, s *session, p *plugin) (string, error) {
	var all strings.Builder
	for _, question := range append([]string{nonsense}, s.target.Questions...) {
		r, err := p.Planner().Plan(ctx, planRequest(question))
		if err != nil {
			return "", fmt.Errorf("%s: %w", question, err)
		}
		b, err := json.Marshal(r)
		if err != nil {
			return "", err
		}
		all.Write(b)
	}
	return all.String(), nil
}

func plannerDeterministic(ctx context.Context, s *session) error {
	return sameBytes(ctx, s, func(p *plugin) (string, error) { return planned(ctx, s, p) })
}

// sameBytes checks that a plugin, asked twice, and a second one give the same.
func sameBytes(ctx context.Context, s *session, ask func(*plugin) (string, error)) error {
	first, err := s.ready(ctx)
	if err != nil {
		return err
	}
	second, err := s.ready(ctx)
	if err != nil {
		return err
	}
	var before string
	for i, p := range []*plugin{first, first, second} {
		now, err := ask(p)
		if err != nil {
			return err
		}
		if i > 0 && now != before {
			return fmt.Errorf("once it is %s\nand once %s", before, now)
		}
		before = now
	}
	return nil
}

func plannerAtOnce(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	return sameAtOnce(func() (string, error) { return planned(ctx, s, p) })
}

// sameAtOnce checks that asking at once gives what asking alone does.
func sameAtOnce(ask func() (string, error)) error {
	alone, err := ask()
	if err != nil {
		return err
	}
	return together(func(int) error {
		now, err := ask()
		if err == nil && now != alone {
			err = fmt.Errorf("alone it is %s\nand at once with others %s", alone, now)
		}
		return err
	})
}

func largeCatalog(ctx context.Context, s *session) error {
	p, err := s.ready(ctx)
	if err != nil {
		return err
	}
	r := planRequest(s.target.Questions[0])
	for t := range 250 {
		table := wire.TableView{Name: fmt.Sprintf("archive_%d", t), Description: strings.Repeat("what the table is for ", 5)}
		for c := range 20 {
			table.Columns = append(table.Columns, wire.ColumnView{Name: fmt.Sprintf("field_%d_%d", t, c), Type: wire.Type{Kind: wire.KindText}, Description: strings.Repeat("what the column is for ", 5)})
		}
		r.Catalog.Tables = append(r.Catalog.Tables, table)
	}
	response, err := p.Planner().Plan(ctx, r)
	if err != nil {
		return err
	}
	if response.Plan == nil && response.Refusal == nil {
		return errors.New("there is neither a plan nor a refusal")
	}
	return nil
}
