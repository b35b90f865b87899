package graph_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"querent.dev/querent/core/graph"
	"querent.dev/querent/sdk/reason"
)

func TestStaticCheck(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*graph.Spec[state])
		want string
	}{
		"unknown target":    {func(s *graph.Spec[state]) { s.Steps[0].Next = graph.To[state]("bb") }, `a leads to "bb", which is no step; the steps are a, b`},
		"unknown start":     {func(s *graph.Spec[state]) { s.Start = graph.To[state]("x") }, `the start leads to "x"`},
		"no start":          {func(s *graph.Spec[state]) { s.Start = graph.Route[state]{} }, "the start leads nowhere"},
		"no next":           {func(s *graph.Spec[state]) { s.Steps[1].Next = graph.Route[state]{} }, "the route from b leads nowhere"},
		"unreachable":       {func(s *graph.Spec[state]) { s.Steps[0].Next = graph.To[state](graph.End) }, "nothing leads to step b"},
		"no way out":        {func(s *graph.Spec[state]) { s.Steps[1] = bounded("b", "b") }, "no way leads from step a to the end"},
		"unbounded cycle":   {func(s *graph.Spec[state]) { s.Steps[1].Next = either("a", graph.End) }, "nothing bounds the cycle a -> b -> a"},
		"cycle over errors": {func(s *graph.Spec[state]) { s.Steps[1].OnError = graph.To[state]("a") }, "nothing bounds the cycle a -> b -> a"},
		"two of a name":     {func(s *graph.Spec[state]) { s.Steps[1].Work = node("a") }, "two steps are named a"},
		"the reserved name": {func(s *graph.Spec[state]) { s.Steps[1].Work = node(graph.End) }, `step 1 cannot be named "end"`},
		"no work":           {func(s *graph.Spec[state]) { s.Steps[1].Work = nil }, "step 1 has no work"},
		"nothing to run":    {func(s *graph.Spec[state]) { s.Steps[1].Work = graph.Node[state]{Name: "b"} }, "step b has nothing to run"},
		"nothing chooses": {func(s *graph.Spec[state]) {
			s.Steps[1].Next.Targets = append(s.Steps[1].Next.Targets, graph.Target{To: "a"})
		}, "has 2 targets and nothing that chooses"},
		"no record":          {func(s *graph.Spec[state]) { s.Failed = nil }, "has no Failed"},
		"an empty fan-out":   {func(s *graph.Spec[state]) { s.Steps[1].Work = graph.FanOut[state, state]{Name: "b"} }, "step b has no graph to run"},
		"a fan-out of none":  {func(s *graph.Spec[state]) { s.Steps[1].Work = graph.FanOut[state, state]{Name: "b"} }, "runs 0 branches at a time"},
		"everything at once": {func(s *graph.Spec[state]) { s.Failed, s.Start = nil, graph.Route[state]{} }, "has no Failed to record failures with\ngraph test: the start leads nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			spec := line(node("a"), node("b"))
			c.edit(&spec)
			_, err := graph.New(spec)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

func bounded(name, next string) graph.Step[state] {
	return graph.Step[state]{Work: node(name), Next: graph.To[state](next), MaxVisits: 1}
}

func either(names ...string) graph.Route[state] {
	r := graph.Route[state]{Choose: func(state) string { return names[len(names)-1] }}
	for _, n := range names {
		r.Targets = append(r.Targets, graph.Target{To: n})
	}
	return r
}

func TestABoundedCycleIsLegal(t *testing.T) {
	spec := line(node("a"), node("b"))
	spec.Steps[1] = graph.Step[state]{Work: node("b"), Next: either("a", graph.End), MaxVisits: 2}
	build(t, spec)
}

func TestEdits(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*graph.Spec[state]) error
		want string
	}{
		"replace":                     {func(s *graph.Spec[state]) error { return s.Replace("b", node("b")) }, "a b c"},
		"replace with another name":   {func(s *graph.Spec[state]) error { return s.Replace("b", node("x")) }, "a x c"},
		"replace the first":           {func(s *graph.Spec[state]) error { return s.Replace("a", node("x")) }, "x b c"},
		"insert":                      {func(s *graph.Spec[state]) error { return s.InsertAfter("b", node("x")) }, "a b x c"},
		"insert at the end":           {func(s *graph.Spec[state]) error { return s.InsertAfter("c", node("x")) }, "a b c x"},
		"remove":                      {func(s *graph.Spec[state]) error { return s.Remove("b") }, "a c"},
		"remove the first":            {func(s *graph.Spec[state]) error { return s.Remove("a") }, "b c"},
		"remove the last":             {func(s *graph.Spec[state]) error { return s.Remove("c") }, "a b"},
		"an unknown step is an error": {func(s *graph.Spec[state]) error { return s.Remove("x") }, `graph test has no step "x"; it has a, b, c`},
	} {
		t.Run(name, func(t *testing.T) {
			spec := line(node("a"), node("b"), node("c"))
			if err := c.edit(&spec); err != nil {
				if err.Error() != c.want {
					t.Errorf("error %v", err)
				}
				return
			}
			s, err, _ := run(t, t.Context(), spec)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(s.trail, " "); got != c.want {
				t.Errorf("trail %q, want %q", got, c.want)
			}
		})
	}
}

func TestRemovingAStepKeepsBothChoices(t *testing.T) {
	spec := line(node("a"), node("b"), node("c"))
	spec.Steps[0].Next = graph.Route[state]{Targets: []graph.Target{{To: "b"}, {To: "c", When: "short"}}, Choose: func(state) string { return "b" }}
	spec.Steps[1].Next = either("c", graph.End)
	if err := spec.Remove("b"); err != nil {
		t.Fatal(err)
	}
	s, err, _ := run(t, t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.trail, " "); got != "a" {
		t.Errorf("trail %q, want what the removed step would have chosen", got)
	}
}

func TestMermaid(t *testing.T) {
	f := fan(2, []string{"q1"}, func(context.Context, string) error { return nil })
	spec := line(node("a"), node("b"))
	spec.Steps = append(spec.Steps, graph.Step[state]{Work: f, Next: graph.To[state]("b")})
	spec.Steps[0].Next = graph.Route[state]{Targets: []graph.Target{{To: "fan", When: "several"}, {To: "b", When: "one"}}, Choose: func(state) string { return "b" }}
	spec.Steps[0].OnError = graph.To[state]("b")
	const want = `flowchart TD
  start(["Start"])
  a[a]
  b[b]
  fan[[fan]]
  subgraph fan_graph ["branch, at most 2 at a time"]
    branch_start(["Start"])
    branch_inner[inner]
    branch_end(["End"])
    branch_start --> branch_inner
    branch_inner --> branch_end
  end
  fan ==> branch_start
  finish(["End"])
  start --> a
  a -->|several| fan
  a -->|one| b
  a -.->|error| b
  b --> finish
  fan --> b
`
	if got := build(t, spec).Mermaid(); got != want {
		t.Errorf("drawn:\n%s", got)
	}
}

// A failure route may end a graph with its failure, and so may a route behind a
// step that only looked at it.
func TestFailEndsAGraphWithTheLastFailure(t *testing.T) {
	broken := errors.New("broken")
	direct := line(failing("a", broken))
	direct.Steps[0].OnError = graph.To[state](graph.Fail)
	later := line(failing("a", broken), node("look"))
	later.Steps[0].OnError, later.Steps[1].Next = graph.To[state]("look"), graph.To[state](graph.Fail)
	for name, spec := range map[string]graph.Spec[state]{"at once": direct, "after a look": later} {
		s, err, _ := run(t, t.Context(), spec)
		if err == nil || err.Node != "a" || !errors.Is(err, broken) || len(s.failures) != 1 {
			t.Errorf("%s: error %v, failures %v", name, err, s.failures)
		}
		if drawn := build(t, spec).Mermaid(); !strings.Contains(drawn, `fail(["Fail"])`) {
			t.Errorf("%s: drawn as\n%s", name, drawn)
		}
	}
	without := line(node("a"))
	without.Steps[0].Next = graph.To[state](graph.Fail)
	if _, err, _ := run(t, t.Context(), without); err == nil || err.Code != reason.InvalidState {
		t.Errorf("no step failed, and the error is %v", err)
	}
}
