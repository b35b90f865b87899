package plan

import (
	"strings"

	"querent.dev/querent/sdk/wire"
)

// choose binds iif(condition, x, y), which is a case.
func (e *exprBinder) choose(n *callNode) (Expr, error) {
	if err := e.plainArgs(n, 3, "iif(condition, x, y)"); err != nil {
		return nil, err
	}
	return e.caseOf(&caseNode{at: n.at, whens: []whenNode{{n.args[0], n.args[1]}}, otherwise: n.args[2]})
}

// modulo binds mod(a, b), which is a % b.
func (e *exprBinder) modulo(n *callNode) (Expr, error) {
	if err := e.plainArgs(n, 2, "mod(a, b)"); err != nil {
		return nil, err
	}
	return e.binary(&binaryNode{at: n.at, op: OpMod, l: n.args[0], r: n.args[1]})
}

// plainArgs checks the arguments of a form.
func (e *exprBinder) plainArgs(n *callNode, count int, signature string) error {
	if len(n.args) != count || n.star || n.distinct || n.filter != nil {
		return e.fault(n, "%s does not take these arguments: %s", quote(n.name), signature)
	}
	return nil
}

// formats are the formats of dates that mean a function of the table.
var formats = map[string]string{
	"%Y": "year", "%m": "month", "%d": "day", "%H": "hour", "%M": "minute", "%S": "second", "%Y-%m": "year_month", "%Y-%m-%d": "date",
	"YYYY": "year", "MM": "month", "DD": "day", "HH24": "hour", "MI": "minute", "SS": "second", "YYYY-MM": "year_month", "YYYY-MM-DD": "date",
}

// formatted binds strftime('%Y', x), date_format(x, '%Y') and to_char(x, 'YYYY')
// for the formats that a function stands for.
func (e *exprBinder) formatted(n *callNode) (Expr, error) {
	if err := e.plainArgs(n, 2, "year(x), month(x), year_month(x), date(x)"); err != nil {
		return nil, err
	}
	format, x := n.args[1], n.args[0]
	if n.name == "strftime" {
		format, x = x, format
	}
	text, ok := format.(*literalNode)
	name := ""
	if ok {
		name = formats[text.value.String()]
		if n.name == "date_format" && text.value.String() == "%i" {
			name = "minute"
		}
	}
	if name == "" || n.name == "date_format" && text.value.String() == "%M" {
		return nil, e.fault(n, "dates are not formatted freely").
			hint("use year(x), quarter(x), month(x), day(x), year_month(x), date(x) or date_trunc('month', x)")
	}
	return e.call(&callNode{at: n.at, name: name, args: []node{x}})
}

// datePart binds date_part('year', x), which is year(x).
func (e *exprBinder) datePart(n *callNode) (Expr, error) {
	if err := e.plainArgs(n, 2, "year(x), month(x), day(x)"); err != nil {
		return nil, err
	}
	name := ""
	switch part := n.args[0].(type) {
	case *literalNode:
		name = part.value.String()
	case *nameNode:
		name = part.parts[0]
	}
	return e.part(n, strings.ToLower(name), n.args[1])
}

// part is a part of a date by its name.
func (e *exprBinder) part(n node, name string, x node) (Expr, error) {
	switch name {
	case "year", "quarter", "month", "day", "hour", "minute", "second", "isodow":
		return e.call(&callNode{at: at(n.offset()), name: name, args: []node{x}})
	}
	return nil, e.fault(n, "%s is no part of a date", quote(name)).
		hint("use year, quarter, month, day, hour, minute or second; weekday(x) and iso_week(x) are functions")
}

// during binds a test for a period.
func (e *exprBinder) during(n *duringNode) (Expr, error) {
	x, err := e.value(n.x)
	if err != nil {
		return nil, err
	}
	kind := x.Type().Kind
	if !kind.Temporal() {
		err := e.fault(n.x, "during needs a date or a timestamp, not %s", typeName(x.Type()))
		if kind == wire.KindText {
			return nil, err.hint("use date(x) if the text is written as 2025-03-31")
		}
		return nil, err
	}
	p, err := parsePeriod(n.period, e.scope.Clock)
	if err != nil {
		if periodErr, ok := err.(*Error); ok {
			periodErr.Position = position(e.src, n.from)
		}
		return nil, err
	}
	return &During{X: x, Text: p.text, From: moment(p.from, kind), To: moment(p.to, kind)}, nil
}

// caseOf binds a case; one with an operand becomes a searched one.
func (e *exprBinder) caseOf(n *caseNode) (Expr, error) {
	out := &Case{}
	operand, err := e.operand(n)
	if err != nil {
		return nil, err
	}
	var results []side
	for _, w := range n.whens {
		cond, err := e.when(operand, w)
		if err != nil {
			return nil, err
		}
		then, err := e.side(w.then)
		if err != nil {
			return nil, err
		}
		out.Whens = append(out.Whens, When{Cond: cond})
		results = append(results, then)
	}
	if n.otherwise != nil {
		s, err := e.side(n.otherwise)
		if err != nil {
			return nil, err
		}
		results = append(results, s)
	}
	values, err := e.unified(results)
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		t, ok := unify(out.T, v.Type())
		if !ok {
			return nil, e.fault(results[i].node, "a case gives values of one type, but there are %s and %s", typeName(out.T), typeName(v.Type()))
		}
		if out.T = t; i < len(out.Whens) {
			out.Whens[i].Then = v
			continue
		}
		if !isNull(v) {
			out.Else = v
		}
	}
	return out, nil
}

// operand binds what a case compares; its node is nil for a searched case.
func (e *exprBinder) operand(n *caseNode) (side, error) {
	if n.operand == nil {
		return side{}, nil
	}
	return e.side(n.operand)
}

func (e *exprBinder) when(operand side, w whenNode) (Expr, error) {
	if operand.node == nil {
		return e.isCondition(w.cond)
	}
	r, err := e.side(w.cond)
	if err != nil {
		return nil, err
	}
	return e.compare(w.cond, OpEq, operand, r)
}

// cast binds a conversion. One that a function of the table makes is its call.
func (e *exprBinder) cast(n *castNode) (Expr, error) {
	x, err := e.side(n.x)
	if err != nil {
		return nil, err
	}
	from := x.expr.Type()
	if from == n.to {
		return x.expr, nil
	}
	switch n.to.Kind {
	case wire.KindText:
		return e.convert(n, "text", x)
	case wire.KindDate:
		return e.convert(n, "date", x)
	case wire.KindTimestamp:
		if c, ok := constant(x.expr); ok && from.Kind == wire.KindText {
			return e.timestampOf(n, c)
		}
		if !from.Kind.Temporal() && from.Kind != wire.KindText {
			return nil, e.fault(n, "%s is no timestamp", typeName(from))
		}
		return &Cast{X: x.expr, T: n.to}, nil
	case wire.KindFloat:
		if from.Kind == wire.KindText {
			return e.convert(n, "number", x)
		}
	}
	if !from.Kind.Numeric() && from.Kind != wire.KindText && from.Kind != wire.KindBool {
		return nil, e.fault(n, "%s cannot become a number", typeName(from))
	}
	if from.Kind == wire.KindBool {
		x.expr = oneOrZero(x.expr)
	}
	if x.expr.Type() == n.to {
		return x.expr, nil
	}
	return &Cast{X: x.expr, T: n.to}, nil
}

// timestampOf reads a constant as a timestamp; a day begins at midnight.
func (e *exprBinder) timestampOf(n node, c *Literal) (Expr, error) {
	x, err := e.fromText(n, c, wire.Type{Kind: wire.KindTimestamp})
	if day, ok := x.(*Literal); ok && day.T.Kind == wire.KindDate {
		return e.midnight(day, wire.KindTimestamp), nil
	}
	return x, err
}
