package plan

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// The calls that compare a group with the others. The binder spells them out: as
// a window over the groups, or as a block of their own.
//
//	share(agg)           agg / sum(agg) over ()
//	running(agg)         sum(agg) over (partition by the other keys order by the period)
//	prior(agg, '1 year') the agg of the group that is one year before

// overGroups binds the argument of such a call: a number made of aggregates.
func (e *exprBinder) overGroups(n *callNode, args int) (Expr, error) {
	if len(n.args) != args || n.star || n.distinct || n.filter != nil {
		return nil, e.fault(n, "%s takes other arguments", n.name).hint("write share(sum(x)), running(sum(x)) or prior(sum(x), '1 year')")
	}
	if e.noAggregates != "" {
		return nil, e.fault(n, "%s", e.noAggregates)
	}
	if e.noWindows != "" {
		return nil, e.fault(n, "%s", e.noWindows)
	}
	inner := *e
	inner.noWindows = "a comparison of groups cannot stand inside another"
	x, err := inner.value(n.args[0])
	if err != nil {
		return nil, err
	}
	switch {
	case !hasAggregate(x):
		return nil, e.fault(n, "%s compares groups, so it takes an aggregate", n.name).hint("write %s(sum(x)) or %s(count(*))", n.name, n.name)
	case !x.Type().Kind.Numeric() && n.name != "prior":
		return nil, e.fault(n, "%s takes a number, not %s", n.name, typeName(x.Type()))
	}
	return x, nil
}

// share binds share(agg). Division by a total of zero is null.
func (e *exprBinder) share(n *callNode) (Expr, error) {
	x, err := e.overGroups(n, 1)
	if err != nil {
		return nil, err
	}
	total, err := e.total(n, "sum", x)
	if err != nil {
		return nil, err
	}
	e.compared = true
	return &Binary{Op: OpDiv, L: x, R: &Window{Call: total}, T: wire.Type{Kind: wire.KindFloat}}, nil
}

// total is an aggregate over the groups.
func (e *exprBinder) total(n *callNode, name string, x Expr) (*Call, error) {
	f, _ := FindFunction(name)
	return e.typed(n, f, &Call{Func: f, Args: []Expr{x}})
}

// runningTotal binds running(agg). Its keys are known when the whole block is.
func (e *exprBinder) runningTotal(n *callNode) (Expr, error) {
	x, err := e.overGroups(n, 1)
	if err != nil {
		return nil, err
	}
	name := "sum"
	switch c, _ := x.(*Call); {
	case c == nil:
	case c.Func.Name == "min", c.Func.Name == "max":
		name = c.Func.Name
	case c.Func.Name != "sum" && c.Func.Name != "count", c.Distinct:
		return nil, e.fault(n, "a running %s is not the sum of its parts", quote(key(x))).
			hint("write a running sum and count, and divide them; or a window over the rows")
	}
	total, err := e.total(n, name, x)
	if err != nil {
		return nil, err
	}
	w := &Window{Call: total}
	e.compared, e.running = true, append(e.running, w)
	return w, nil
}

// finishRunning gives the running totals their keys: the period in its order, within
// the other keys.
func (bb *blockBinder) finishRunning() error {
	if len(bb.running) == 0 {
		return nil
	}
	p, err := bb.block.periodOf()
	if err != nil {
		return err
	}
	for _, w := range bb.running {
		w.Partition = append([]Expr(nil), p.others...)
		for _, k := range p.keys {
			w.Order = append(w.Order, Order{Expr: k})
		}
	}
	bb.running = nil
	return nil
}

// priorFunction is prior(agg, '1 year') until the whole block is bound, which spells
// it out. It is not in the table.
var priorFunction = Function{Name: "prior", Kind: ScalarFunction, MinArgs: 2, MaxArgs: 2}

var shiftForm = regexp.MustCompile(`^(?:(\d{1,4})\s+)?(year|quarter|month|week|day)s?$`)

// shift is how far back a comparison goes.
type shift struct {
	n    int64
	unit unit
}

func (s shift) text() string { return fmt.Sprintf("%d %s", s.n, s.unit) }

// prior binds prior(agg, '1 year').
func (e *exprBinder) prior(n *callNode) (Expr, error) {
	x, err := e.overGroups(n, 2)
	if err != nil {
		return nil, err
	}
	s, ok := readShift(n.args[1])
	if !ok {
		return nil, e.fault(n.args[1], "prior goes back by a number of years, quarters, months, weeks or days").hint("write prior(x, '1 year')")
	}
	e.compared, e.priors = true, true
	return &Call{Func: &priorFunction, Args: []Expr{x, literal(wire.Text(s.text()))}, T: x.Type()}, nil
}

func readShift(n node) (shift, bool) {
	text, ok := n.(*literalNode)
	if !ok || text.value.Kind() != wire.KindText {
		return shift{}, false
	}
	m := shiftForm.FindStringSubmatch(strings.ToLower(strings.TrimSpace(text.value.String())))
	if m == nil {
		return shift{}, false
	}
	s := shift{1, unit(m[2])}
	if m[1] != "" {
		s.n, _ = strconv.ParseInt(m[1], 10, 64) // at most four digits
	}
	return s, s.n > 0
}
