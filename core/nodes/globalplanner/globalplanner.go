// Package globalplanner is the node that turns a decomposition into what is
// carried out: stable ids, layers of sub-queries that run side by side, steps in
// an order in which each finds its inputs, and the results that answer. The same
// decomposition gives the same plan, byte for byte.
package globalplanner

import (
	"context"
	"fmt"
	"slices"

	"querent.dev/querent/core/nodes/decomposer"
	"querent.dev/querent/core/nodes/engineaggregator"
	"querent.dev/querent/sdk/reason"
)

// Input is what the node reads of the run.
type Input struct {
	Decomposition decomposer.Decomposition
}

// Output is what the node gives to the run.
type Output struct {
	SubQueries []decomposer.SubQuery // with their ids: q1, q2, …
	// Layers are the ids of the sub-queries: those of a layer run side by side.
	Layers [][]string
	// Steps are what is done with their results: c1, c2, … that combine and p1, p2, …
	// after that, each behind what it needs.
	Steps []engineaggregator.Step
	// Terminal are the ids of the results that answer, in order.
	Terminal []string
	// Needs are, by sub-query, those of its expected columns that steps name: a
	// result without them cannot be used.
	Needs   map[string][]string
	Summary string
}

// Node is the node. It needs nothing and is safe for concurrent use.
type Node struct{}

// Run plans. A decomposition with unknown or circular inputs is INVALID_STATE: it
// was to be checked by the one who made it.
func (Node) Run(_ context.Context, in Input) (Output, error) {
	p := planner{ids: map[string]string{}}
	var out Output
	var scans []string
	for i, q := range in.Decomposition.SubQueries {
		old := q.ID
		q.ID = fmt.Sprintf("q%d", i+1)
		if err := p.rename(old, q.ID); err != nil {
			return out, err
		}
		out.SubQueries, scans = append(out.SubQueries, q), append(scans, q.ID)
	}
	if len(scans) == 0 {
		return out, reason.New(reason.InvalidState, reason.ReasonInvalidState, "there is no sub-query to run")
	}
	steps, err := p.numbered(in.Decomposition)
	if err != nil {
		return out, err
	}
	if out.Steps, err = ordered(scans, steps); err != nil {
		return out, err
	}
	out.Layers, out.Terminal = [][]string{scans}, terminal(scans, out.Steps)
	out.Needs = needs(out.SubQueries, out.Steps)
	if len(scans)+len(steps) == 1 {
		return out, nil // there is nothing to say of a question that is one query
	}
	out.Summary = fmt.Sprintf("Sub-queries: %d, steps on their results: %d, results that answer: %d.", len(scans), len(steps), len(out.Terminal))
	return out, nil
}

// planner replaces the decomposer's ids.
type planner struct{ ids map[string]string }

func (p planner) rename(old, id string) error {
	if _, taken := p.ids[old]; taken {
		return reason.New(reason.InvalidState, reason.ReasonInvalidState, "the id %q is declared twice", old)
	}
	p.ids[old] = id
	return nil
}

// numbered are all steps under their own ids.
func (p planner) numbered(d decomposer.Decomposition) ([]engineaggregator.Step, error) {
	all := slices.Concat(d.Combine, d.Post)
	for i := range all {
		id := fmt.Sprintf("c%d", i+1)
		if i >= len(d.Combine) {
			id = fmt.Sprintf("p%d", i-len(d.Combine)+1)
		}
		if err := p.rename(all[i].ID, id); err != nil {
			return nil, err
		}
		all[i].ID = id
	}
	for i := range all {
		inputs := make([]string, len(all[i].Inputs))
		for j, old := range all[i].Inputs {
			id, ok := p.ids[old]
			if !ok {
				return nil, reason.New(reason.InvalidState, reason.ReasonInvalidState, "step %s needs %q, which nothing gives", all[i].ID, old)
			}
			inputs[j] = id
		}
		all[i].Inputs = inputs
	}
	return all, nil
}

// ordered puts each step behind those that it needs, and otherwise keeps them in
// their order.
func ordered(scans []string, steps []engineaggregator.Step) ([]engineaggregator.Step, error) {
	done := map[string]bool{}
	for _, id := range scans {
		done[id] = true
	}
	var out []engineaggregator.Step
	for left := slices.Clone(steps); len(left) > 0; {
		ready := slices.IndexFunc(left, func(s engineaggregator.Step) bool {
			return !slices.ContainsFunc(s.Inputs, func(id string) bool { return !done[id] })
		})
		if ready < 0 {
			return nil, reason.New(reason.InvalidState, reason.ReasonInvalidState, "the steps from %s on need each other in a circle", left[0].ID)
		}
		done[left[ready].ID] = true
		out, left = append(out, left[ready]), slices.Delete(left, ready, ready+1)
	}
	return out, nil
}

// needs finds the expected columns that the steps on a sub-query's result name,
// also behind other steps.
func needs(parts []decomposer.SubQuery, steps []engineaggregator.Step) map[string][]string {
	out := map[string][]string{}
	for _, q := range parts {
		reached := map[string]bool{q.ID: true}
		for _, s := range steps {
			if s.Op == engineaggregator.Standalone || !slices.ContainsFunc(s.Inputs, func(id string) bool { return reached[id] }) {
				continue
			}
			reached[s.ID] = true
			for _, column := range q.ExpectedSchema {
				named := slices.ContainsFunc(s.Names(), func(name string) bool { return engineaggregator.SameLabel(name, column) })
				if named && !slices.Contains(out[q.ID], column) {
					out[q.ID] = append(out[q.ID], column)
				}
			}
		}
	}
	return out
}

// terminal are the results that no step uses, and those that are to stand alone.
// A standalone step has no result of its own: its inputs are taken in its place.
func terminal(scans []string, steps []engineaggregator.Step) []string {
	used, alone := map[string]bool{}, map[string]bool{}
	for _, s := range steps {
		for _, id := range s.Inputs {
			if s.Op == engineaggregator.Standalone {
				alone[id] = true
			} else {
				used[id] = true
			}
		}
	}
	var out []string
	for _, id := range scans {
		if !used[id] || alone[id] {
			out = append(out, id)
		}
	}
	for _, s := range steps {
		if s.Op != engineaggregator.Standalone && (!used[s.ID] || alone[s.ID]) {
			out = append(out, s.ID)
		}
	}
	return out
}
