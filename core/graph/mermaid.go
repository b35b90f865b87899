package graph

import (
	"fmt"
	"slices"
	"strings"
)

// drawing is a Mermaid flowchart in the making. Steps of a sub-graph carry its
// name in their ids, so that two graphs may use the same step names.
type drawing struct {
	out    strings.Builder
	indent string
	prefix string
}

// Mermaid draws the declared wiring as a Mermaid flowchart. The same graph is
// drawn the same way each time.
func (g *Graph[S]) Mermaid() string {
	d := &drawing{indent: "  "}
	d.out.WriteString("flowchart TD\n")
	g.draw(d)
	return d.out.String()
}

func (g *Graph[S]) draw(d *drawing) {
	d.line(`%s(["Start"])`, d.id("start"))
	for _, step := range g.spec.Steps {
		step.Work.draw(d)
	}
	d.line(`%s(["End"])`, d.id(End))
	if g.fails() {
		d.line(`%s(["Fail"])`, d.id(Fail))
	}
	edges(d, "start", g.spec.Start, "-->")
	for _, step := range g.spec.Steps {
		edges(d, step.Work.name(), step.Next, "-->")
		if len(step.OnError.Targets) > 0 {
			edges(d, step.Work.name(), step.OnError, "-.->")
		}
	}
}

// fails reports whether a route leads to Fail.
func (g *Graph[S]) fails() bool {
	for _, step := range g.spec.Steps {
		if slices.Contains(names(append(slices.Clip(step.Next.Targets), step.OnError.Targets...)), Fail) {
			return true
		}
	}
	return false
}

// edges draws solid arrows for what follows and dotted ones for failures.
func edges[S any](d *drawing, from string, r Route[S], arrow string) {
	for _, t := range r.Targets {
		label := t.When
		if label == "" && arrow != "-->" {
			label = "error"
		}
		if label != "" {
			label = fmt.Sprintf("|%s|", label)
		}
		d.line("%s %s%s %s", d.id(from), arrow, label, d.id(t.To))
	}
}

func (d *drawing) line(format string, args ...any) {
	fmt.Fprintf(&d.out, d.indent+format+"\n", args...)
}

// id is a step's name in the drawing; the bare word end is Mermaid's own.
func (d *drawing) id(name string) string {
	if d.prefix == "" && name == End {
		return "finish"
	}
	return d.prefix + name
}

func (n Node[S]) draw(d *drawing) { d.line("%s[%s]", d.id(n.Name), n.Name) }

func (f FanOut[S, B]) draw(d *drawing) {
	d.line("%s[[%s]]", d.id(f.Name), f.Name)
	d.line(`subgraph %s_graph ["%s, at most %d at a time"]`, d.id(f.Name), f.Graph.spec.Name, f.Parallel)
	prefix, indent := d.prefix, d.indent
	d.prefix, d.indent = prefix+f.Graph.spec.Name+"_", indent+"  "
	f.Graph.draw(d)
	d.prefix, d.indent = prefix, indent
	d.line("end")
	d.line("%s ==> %s%s_start", d.id(f.Name), prefix, f.Graph.spec.Name)
}
