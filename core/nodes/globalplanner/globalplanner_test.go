package globalplanner_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"querent.dev/querent/core/nodes/decomposer"
	"querent.dev/querent/core/nodes/engineaggregator"
	"querent.dev/querent/core/nodes/globalplanner"
	"querent.dev/querent/sdk/reason"
)

type step = engineaggregator.Step

func parts(ids ...string) []decomposer.SubQuery {
	var out []decomposer.SubQuery
	for _, id := range ids {
		out = append(out, decomposer.SubQuery{ID: id, Intent: "part " + id, Datasource: "shop"})
	}
	return out
}

func TestPlans(t *testing.T) {
	union := func(id string, inputs ...string) step {
		return step{ID: id, Op: engineaggregator.Union, Inputs: inputs}
	}
	limit := func(id, input string) step {
		return step{ID: id, Op: engineaggregator.Limit, Inputs: []string{input}, N: 1}
	}
	alone := step{ID: "s", Op: engineaggregator.Standalone, Inputs: []string{"b", "a"}}
	for name, c := range map[string]struct {
		in   decomposer.Decomposition
		want string // layers, step ids with inputs, terminal
	}{
		"one":              {decomposer.Decomposition{SubQueries: parts("x")}, `[[["q1"]],null,["q1"]]`},
		"two that are two": {decomposer.Decomposition{SubQueries: parts("a", "b")}, `[[["q1","q2"]],null,["q1","q2"]]`},
		"what is combined does not answer itself": {
			decomposer.Decomposition{SubQueries: parts("a", "b", "c"), Combine: []step{union("u", "c", "a")}, Post: []step{limit("l", "u")}},
			`[[["q1","q2","q3"]],[["c1","q3","q1"],["p1","c1"]],["q2","p1"]]`},
		"what stands alone answers too": {
			decomposer.Decomposition{SubQueries: parts("a", "b"), Combine: []step{alone, union("u", "a", "b")}},
			`[[["q1","q2"]],[["c1","q2","q1"],["c2","q1","q2"]],["q1","q2","c2"]]`},
		"steps stand behind what they need": {
			decomposer.Decomposition{SubQueries: parts("a", "b", "c"), Combine: []step{union("v", "u", "c"), union("u", "a", "b")}, Post: []step{limit("l", "u"), limit("m", "v")}},
			`[[["q1","q2","q3"]],[["c2","q1","q2"],["c1","c2","q3"],["p1","c2"],["p2","c1"]],["p1","p2"]]`},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := globalplanner.Node{}.Run(t.Context(), globalplanner.Input{Decomposition: c.in})
			if err != nil {
				t.Fatal(err)
			}
			var steps [][]string
			for _, s := range out.Steps {
				steps = append(steps, append([]string{s.ID}, s.Inputs...))
			}
			got, err := json.Marshal([]any{out.Layers, steps, out.Terminal})
			if err != nil || string(got) != c.want {
				t.Errorf("got  %s\nwant %s (%v)", got, c.want, err)
			}
			if c.in.SubQueries[0].ID == "q1" || len(c.in.Combine) > 0 && c.in.Combine[0].ID == "c1" {
				t.Error("the decomposition was changed")
			}
		})
	}
}

func TestExpectedColumnsThatStepsNameAreNeeded(t *testing.T) {
	in := decomposer.Decomposition{SubQueries: parts("a", "b", "c")}
	for i := range in.SubQueries {
		in.SubQueries[i].ExpectedSchema = []string{"No", "total", "name"}
	}
	in.Combine = []step{{ID: "j", Op: engineaggregator.Join, Inputs: []string{"a", "b"}, On: []engineaggregator.Pair{{Left: "no", Right: "no"}}},
		{ID: "s", Op: engineaggregator.Standalone, Inputs: []string{"c"}}}
	in.Post = []step{{ID: "g", Op: engineaggregator.Summarize, Inputs: []string{"j"}, Measure: []engineaggregator.Measure{{Func: "sum", Column: "total"}}}}
	out, err := globalplanner.Node{}.Run(t.Context(), globalplanner.Input{Decomposition: in})
	if err != nil || !slices.Equal(out.Needs["q1"], []string{"No", "total"}) || len(out.Needs["q2"]) != 2 || len(out.Needs["q3"]) != 0 {
		t.Errorf("needs %v, %v", out.Needs, err)
	}
}

func TestWhatCannotBePlanned(t *testing.T) {
	two := []step{{ID: "u", Op: engineaggregator.Union, Inputs: []string{"a", "v"}}, {ID: "v", Op: engineaggregator.Union, Inputs: []string{"a", "u"}}}
	for name, in := range map[string]decomposer.Decomposition{
		"nothing":       {},
		"an id twice":   {SubQueries: parts("a", "a")},
		"a step's id":   {SubQueries: parts("u"), Combine: []step{{ID: "u", Op: engineaggregator.Union, Inputs: []string{"u"}}}},
		"unknown input": {SubQueries: parts("a"), Combine: []step{{ID: "u", Op: engineaggregator.Union, Inputs: []string{"b"}}}},
		"a circle":      {SubQueries: parts("a"), Combine: two},
	} {
		if _, err := (globalplanner.Node{}).Run(t.Context(), globalplanner.Input{Decomposition: in}); !errors.Is(err, &reason.Error{Code: reason.InvalidState}) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
