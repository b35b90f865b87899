package plan

import (
	"strconv"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// call reads name(…) and what may follow it.
func (p *clauseParser) call() (node, error) {
	first := p.advance()
	n := &callNode{at: at(first.start), name: strings.ToLower(first.text)}
	switch n.name {
	case "cast":
		return p.castCall(first)
	case "extract":
		return p.extract(n)
	case "during":
		return p.during(first)
	case "position":
		return p.position(n)
	}
	if err := p.arguments(n); err != nil {
		return nil, err
	}
	return n, p.suffix(n)
}

func (p *clauseParser) arguments(n *callNode) error {
	if err := p.expect("("); err != nil {
		return err
	}
	n.distinct = p.accept("distinct")
	if p.accept("*") {
		n.star = true
		return p.expect(")")
	}
	for !p.tok.is(")") && !p.orders() {
		if len(n.args) > 0 && !p.accept(",") {
			return p.unexpected("',' or ')'")
		}
		arg, err := p.expr(0)
		if err != nil {
			return err
		}
		if n.args = append(n.args, arg); len(n.args) > maxItems {
			return fault(p.src(), n.offset(), "%s has more than %d arguments", quote(n.name), maxItems)
		}
	}
	var err error
	if n.order, err = p.orderBy(); err != nil {
		return err
	}
	if p.tok.is("separator") && p.after().kind == tokenString {
		mark := p.advance()
		n.args = append(n.args, &literalNode{at(mark.start), wire.Text(p.advance().text)})
	}
	return p.expect(")")
}

// orders reports whether "order by" or "separator" stands there, which end the
// arguments of string_agg.
func (p *clauseParser) orders() bool {
	return p.tok.is("order") && p.after().is("by") || p.tok.is("separator") && p.after().kind == tokenString
}

// suffix reads what may follow a call: within group (order by x), filter (where …)
// and over (…).
func (p *clauseParser) suffix(n *callNode) error {
	if p.tok.is("within") && p.after().is("group") {
		if err := p.withinGroup(n); err != nil {
			return err
		}
	}
	if p.tok.is("filter") && p.after().is("(") {
		p.advance()
		p.advance()
		if err := p.expect("where"); err != nil {
			return err
		}
		var err error
		if n.filter, err = p.expr(0); err != nil {
			return err
		}
		if err := p.expect(")"); err != nil {
			return err
		}
	}
	if !p.tok.is("over") || !p.after().is("(") {
		return nil
	}
	var err error
	n.over, err = p.over()
	return err
}

// withinGroup reads the SQL form percentile_cont(0.9) within group (order by x),
// which is percentile(x, 0.9), and listagg(x, ', ') within group (order by y).
func (p *clauseParser) withinGroup(n *callNode) error {
	mark := p.advance()
	p.advance()
	if err := p.expect("("); err != nil {
		return err
	}
	var err error
	if n.order, err = p.orderBy(); err != nil {
		return err
	}
	if n.name == "percentile_cont" && len(n.args) == 1 && len(n.order) == 1 && !n.order[0].desc {
		n.args, n.order = []node{n.order[0].expr, n.args[0]}, nil
	} else if len(n.order) == 0 || n.name == "percentile_cont" {
		return fault(p.src(), mark.start, "within group does not stand here").hint("write percentile(x, 0.9), or string_agg(x, ', ' order by y)")
	}
	return p.expect(")")
}

// position reads position(part in text), which is position(text, part), and the
// call with a comma.
func (p *clauseParser) position(n *callNode) (node, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	first, err := p.expr(powerCompare)
	if err != nil {
		return nil, err
	}
	n.args = []node{first}
	if p.accept("in") {
		text, err := p.expr(0)
		if err != nil {
			return nil, err
		}
		n.args = []node{text, first}
		return n, p.expect(")")
	}
	for p.accept(",") {
		arg, err := p.expr(0)
		if err != nil {
			return nil, err
		}
		if n.args = append(n.args, arg); len(n.args) > maxItems {
			return nil, fault(p.src(), n.offset(), "%s has more than %d arguments", quote(n.name), maxItems)
		}
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	return n, p.suffix(n)
}

// extract reads extract(part from x), which is date_part('part', x).
func (p *clauseParser) extract(n *callNode) (node, error) {
	p.advance()
	if p.tok.kind != tokenWord {
		return nil, p.unexpected("year, month, day or another part of a date")
	}
	part := &nameNode{at: at(p.tok.start), parts: []string{p.tok.text}, bare: true}
	p.advance()
	if err := p.expect("from"); err != nil {
		return nil, err
	}
	x, err := p.expr(0)
	if err != nil {
		return nil, err
	}
	n.name, n.args = "date_part", []node{part, x}
	return n, p.expect(")")
}

// during reads during(x, PERIOD). A period is kept as it is written, quoted or
// not; two bounds are a period from the one to the other.
func (p *clauseParser) during(first lexeme) (node, error) {
	p.advance()
	x, err := p.expr(0)
	if err != nil {
		return nil, err
	}
	if !p.tok.is(",") {
		return nil, p.unexpected("',' and a period such as '2025-03'")
	}
	from := p.lex.at
	var bounds []string
	for more := true; more; {
		var text string
		if text, more, err = p.rawArgument(); err != nil {
			return nil, err
		}
		bounds = append(bounds, text)
	}
	p.advance()
	period := strings.Join(bounds, "..")
	if len(bounds) > 2 || strings.TrimSpace(period) == "" {
		return nil, fault(p.src(), from, "during takes a column and one period").hint("%s", periodForms)
	}
	return &duringNode{at: at(first.start), x: x, period: period, from: from}, nil
}

// rawArgument takes the text up to the comma or the parenthesis that ends the
// argument, without quotes around it. The lexer stands behind that mark then;
// more is set for a comma.
func (p *clauseParser) rawArgument() (text string, more bool, err error) {
	start, depth := p.lex.at, 0
	for {
		t := p.lex.next()
		switch {
		case t.kind == tokenEnd:
			p.tok = t
			return "", false, p.unexpected("')'")
		case t.kind == tokenBad:
			return p.rawBad(start, t)
		case t.is("("):
			depth++
		case t.is(")") && depth > 0:
			depth--
		case t.is(")"), t.is(",") && depth == 0:
			return unquote(p.src()[start:t.start]), t.is(","), nil
		}
	}
}

// rawBad handles a period that is no row of lexemes, such as 2025Q1: it goes up
// to the next comma or parenthesis.
func (p *clauseParser) rawBad(start int, t lexeme) (string, bool, error) {
	n := strings.IndexAny(p.src()[t.start:], ",()")
	if n < 0 || p.src()[t.start+n] == '(' {
		return "", false, t.err
	}
	p.lex.at = t.start + n + 1
	return unquote(p.src()[start : t.start+n]), p.src()[t.start+n] == ',', nil
}

// unquote takes the quotes off a text that is one quoted string.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	l := lexer{src: s}
	if t := l.next(); t.kind == tokenString && t.end == len(s) {
		return strings.TrimSpace(t.text)
	}
	return s
}

func (p *clauseParser) castCall(first lexeme) (node, error) {
	p.advance()
	x, err := p.expr(0)
	if err != nil {
		return nil, err
	}
	if err := p.expect("as"); err != nil {
		return nil, err
	}
	to, err := p.typeName()
	if err != nil {
		return nil, err
	}
	return &castNode{at(first.start), x, to}, p.expect(")")
}

func (p *clauseParser) castSuffix(left node) (node, error) {
	mark := p.advance()
	to, err := p.typeName()
	return &castNode{at(mark.start), left, to}, err
}

var castKinds = map[string]wire.Kind{
	"int": wire.KindInt, "integer": wire.KindInt, "bigint": wire.KindInt, "signed": wire.KindInt,
	"decimal": wire.KindDecimal, "numeric": wire.KindDecimal,
	"float": wire.KindFloat, "real": wire.KindFloat, "double": wire.KindFloat, "float8": wire.KindFloat,
	"text": wire.KindText, "varchar": wire.KindText, "char": wire.KindText, "string": wire.KindText,
	"date": wire.KindDate, "timestamp": wire.KindTimestamp, "datetime": wire.KindTimestamp,
}

const castForms = "int, float, decimal(p,s), text, date or timestamp"

// typeName reads the target of a cast.
func (p *clauseParser) typeName() (wire.Type, error) {
	t := p.tok
	kind, ok := castKinds[strings.ToLower(t.text)]
	if t.kind != tokenWord || !ok {
		return wire.Type{}, p.unexpected(castForms)
	}
	p.advance()
	if kind == wire.KindFloat {
		p.accept("precision")
	}
	sizes, err := p.sizes()
	if err != nil || kind != wire.KindDecimal {
		return wire.Type{Kind: kind}, err
	}
	return p.decimalType(t, sizes)
}

// sizes reads the numbers of varchar(20) and decimal(10, 2).
func (p *clauseParser) sizes() ([]int, error) {
	if !p.accept("(") {
		return nil, nil
	}
	var out []int
	for {
		n, err := strconv.Atoi(p.tok.text)
		if p.tok.kind != tokenNumber || err != nil {
			return nil, p.unexpected("a whole number")
		}
		p.advance()
		out = append(out, n)
		if !p.accept(",") {
			return out, p.expect(")")
		}
	}
}

func (p *clauseParser) decimalType(t lexeme, sizes []int) (wire.Type, error) {
	if len(sizes) != 2 || sizes[0] < 1 || sizes[0] > maxPrecision || sizes[1] > min(sizes[0], maxScale) {
		return wire.Type{}, fault(p.src(), t.start, "a decimal needs its digits, at most %d, and those after the point, at most %d", maxPrecision, maxScale).
			hint("write decimal(12,2)")
	}
	return wire.Type{Kind: wire.KindDecimal, Precision: int32(sizes[0]), Scale: int32(sizes[1])}, nil
}
