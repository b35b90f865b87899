package graph

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// wiring is a graph's shape without its types.
type wiring struct {
	start   []string
	order   []string
	next    map[string][]string // also those after a failure
	bounded map[string]bool
}

func check[S any](spec Spec[S]) error {
	w := wiring{start: names(spec.Start.Targets), next: map[string][]string{}, bounded: map[string]bool{}}
	var problems []error
	report := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("graph %s: %s", spec.Name, fmt.Sprintf(format, args...)))
	}
	if spec.Failed == nil {
		report("has no Failed to record failures with")
	}
	for i, step := range spec.Steps {
		if step.Work == nil {
			report("step %d has no work", i)
			continue
		}
		name := step.Work.name()
		if name == "" || ends(name) {
			report("step %d cannot be named %q", i, name)
		}
		if _, twice := w.next[name]; twice {
			report("two steps are named %s", name)
		}
		for _, p := range step.Work.problems() {
			report("step %s %s", name, p)
		}
		w.order = append(w.order, name)
		w.next[name] = append(names(step.Next.Targets), names(step.OnError.Targets)...)
		w.bounded[name] = step.MaxVisits > 0
		checkRoute(step.Next, "the route from "+name, true, report)
		checkRoute(step.OnError, "the failure route from "+name, false, report)
	}
	checkRoute(spec.Start, "the start", true, report)
	if problems = append(problems, w.unknown(spec.Name)...); len(problems) == 0 {
		problems = w.unconnected(spec.Name)
	}
	return errors.Join(problems...)
}

func ends(target string) bool { return target == End || target == Fail }

func names(targets []Target) []string {
	out := make([]string, len(targets))
	for i, t := range targets {
		out[i] = t.To
	}
	return out
}

func checkRoute[S any](r Route[S], what string, required bool, report func(string, ...any)) {
	switch n := len(r.Targets); {
	case n == 0 && required:
		report("%s leads nowhere", what)
	case n > 1 && r.Choose == nil:
		report("%s has %d targets and nothing that chooses", what, n)
	}
}

func (w wiring) unknown(graph string) []error {
	var out []error
	look := func(from string, targets []string) {
		for _, to := range targets {
			if _, ok := w.next[to]; !ok && !ends(to) {
				out = append(out, fmt.Errorf("graph %s: %s leads to %q, which is no step; the steps are %s", graph, from, to, strings.Join(w.order, ", ")))
			}
		}
	}
	look("the start", w.start)
	for _, name := range w.order {
		look(name, w.next[name])
	}
	return out
}

// unconnected reports what no run can use: it needs every target to exist.
func (w wiring) unconnected(graph string) []error {
	var out []error
	reached := map[string]bool{}
	w.reach(w.start, reached)
	for _, name := range w.order {
		if !reached[name] {
			out = append(out, fmt.Errorf("graph %s: nothing leads to step %s", graph, name))
		}
		ahead := map[string]bool{}
		if w.reach([]string{name}, ahead); !ahead[End] && !ahead[Fail] {
			out = append(out, fmt.Errorf("graph %s: no way leads from step %s to the end", graph, name))
		}
	}
	if cycle := w.cycle(); cycle != nil {
		out = append(out, fmt.Errorf("graph %s: nothing bounds the cycle %s; give one of its steps MaxVisits", graph, strings.Join(cycle, " -> ")))
	}
	return out
}

func (w wiring) reach(from []string, seen map[string]bool) {
	for _, name := range from {
		if !seen[name] {
			seen[name] = true
			w.reach(w.next[name], seen)
		}
	}
}

// cycle is a cycle through steps without a bound, or nil.
func (w wiring) cycle() []string {
	done := map[string]bool{}
	var visit func(path []string, name string) []string
	visit = func(path []string, name string) []string {
		if i := slices.Index(path, name); i >= 0 {
			return append(path[i:], name)
		}
		if done[name] || w.bounded[name] {
			return nil
		}
		for _, to := range w.next[name] {
			if found := visit(append(path, name), to); found != nil {
				return found
			}
		}
		done[name] = true
		return nil
	}
	for _, name := range w.order {
		if found := visit(nil, name); found != nil {
			return found
		}
	}
	return nil
}

func (n Node[S]) problems() []string {
	if n.Run == nil {
		return []string{"has nothing to run"}
	}
	return nil
}
