package plan

import (
	"strings"

	"querent.dev/querent/sdk/wire"
)

// clauseParser reads one clause. It looks one lexeme ahead; copies of its lexer look
// further.
type clauseParser struct {
	lex   lexer
	tok   lexeme
	depth int
}

func newParser(src string) *clauseParser {
	p := &clauseParser{lex: lexer{src: src}}
	p.advance()
	return p
}

// parseExpr reads a clause that is one expression.
func parseExpr(src string) (node, error) {
	p := newParser(src)
	n, err := p.expr(0)
	if err != nil {
		return nil, err
	}
	return n, p.end("an operator or the end of the clause")
}

func (p *clauseParser) src() string { return p.lex.src }

func (p *clauseParser) advance() lexeme {
	old := p.tok
	p.tok = p.lex.next()
	return old
}

// after is the lexeme behind the current one.
func (p *clauseParser) after() lexeme {
	ahead := p.lex
	return ahead.next()
}

// accept takes the current lexeme if it is the word.
func (p *clauseParser) accept(word string) bool {
	if !p.tok.is(word) {
		return false
	}
	p.advance()
	return true
}

func (p *clauseParser) expect(word string) error {
	if p.accept(word) {
		return nil
	}
	return p.unexpected(quote(word))
}

func (p *clauseParser) end(expected string) error {
	if p.tok.kind == tokenEnd {
		return nil
	}
	err := p.unexpected(expected)
	if p.tok.is(",") {
		return err.hint("each entry of a list is one expression")
	}
	return err
}

// unexpected says that the current lexeme is not what could stand there.
func (p *clauseParser) unexpected(expected string) *Error {
	if p.tok.kind == tokenBad {
		return p.tok.err
	}
	err := fault(p.src(), p.tok.start, "")
	err.Expected = expected
	err.Got = "the end"
	if p.tok.kind != tokenEnd {
		err.Got = quote(p.src()[p.tok.start:p.tok.end])
	}
	if p.tok.is("select") {
		return err.hint("a sub-query is a block: put it into \"with\" and use in(x, block), exists(block, condition) or scalar(block)")
	}
	return err
}

// The binding powers of the operators, from loose to tight.
const (
	powerOr = iota + 1
	powerAnd
	powerNot
	powerCompare
	powerConcat
	powerAdd
	powerMul
	powerNeg
	powerCast
)

var binaryPowers = map[string]struct {
	power int
	op    BinaryOp
}{
	"or": {powerOr, OpOr}, "and": {powerAnd, OpAnd},
	"=": {powerCompare, OpEq}, "==": {powerCompare, OpEq}, "<>": {powerCompare, OpNe}, "!=": {powerCompare, OpNe},
	"<": {powerCompare, OpLt}, "<=": {powerCompare, OpLe}, ">": {powerCompare, OpGt}, ">=": {powerCompare, OpGe},
	"||": {powerConcat, OpConcat}, "+": {powerAdd, OpAdd}, "-": {powerAdd, OpSub},
	"*": {powerMul, OpMul}, "/": {powerMul, OpDiv}, "%": {powerMul, OpMod},
}

// expr reads an expression whose operators bind tighter than power.
func (p *clauseParser) expr(power int) (node, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return nil, fault(p.src(), p.tok.start, "the expression nests more than %d levels deep", maxDepth)
	}
	left, err := p.prefix()
	for height := p.depth; err == nil; height++ {
		op, found := p.operator()
		if !found || op.power <= power {
			return left, nil
		}
		if height > maxDepth {
			return nil, fault(p.src(), p.tok.start, "the expression has more than %d operators in a row", maxDepth).
				hint("write a choice of values as x in (…)")
		}
		if op.power == powerCompare && isComparison(left) {
			return nil, p.chained()
		}
		left, err = op.read(p, left)
	}
	return nil, err
}

// infix is an operator behind an operand.
type infix struct {
	power int
	read  func(p *clauseParser, left node) (node, error)
}

// operator is the operator at the current lexeme.
func (p *clauseParser) operator() (infix, bool) {
	word := strings.ToLower(p.tok.text)
	if p.tok.kind != tokenWord && p.tok.kind != tokenSymbol {
		return infix{}, false
	}
	if b, ok := binaryPowers[word]; ok {
		return infix{b.power, func(p *clauseParser, left node) (node, error) { return p.binary(left, b.op, b.power) }}, true
	}
	switch word {
	case "::":
		return infix{powerCast, (*clauseParser).castSuffix}, true
	case "is":
		return infix{powerCompare, (*clauseParser).isNull}, true
	case "in", "between", "like", "ilike":
		return infix{powerCompare, func(p *clauseParser, left node) (node, error) { return p.predicate(left, false) }}, true
	case "not":
		return infix{powerCompare, func(p *clauseParser, left node) (node, error) {
			p.advance()
			return p.predicate(left, true)
		}}, true
	}
	return infix{}, false
}

func (p *clauseParser) binary(left node, op BinaryOp, power int) (node, error) {
	mark := p.advance()
	right, err := p.expr(power)
	if err != nil {
		return nil, err
	}
	return &binaryNode{at(mark.start), op, left, right}, nil
}

func isComparison(n node) bool {
	switch n := n.(type) {
	case *binaryNode:
		return binaryPowers[string(n.op)].power == powerCompare
	case *inNode, *betweenNode, *likeNode, *isNullNode:
		return true
	}
	return false
}

func (p *clauseParser) chained() error {
	return fault(p.src(), p.tok.start, "a comparison cannot follow a comparison").
		hint("join them with 'and', or put the first into parentheses")
}

func (p *clauseParser) isNull(left node) (node, error) {
	mark := p.advance()
	negate := p.accept("not")
	truth := p.tok
	switch {
	case p.accept("null"):
		return &isNullNode{at(mark.start), left, negate}, nil
	case p.accept("distinct"):
		return p.distinctFrom(left, at(mark.start), !negate)
	case p.accept("true"), p.accept("false"):
		var test node = closed(left)
		if truth.is("false") {
			test = &unaryNode{at(mark.start), "not", test}
		}
		is := &callNode{at: at(mark.start), name: "coalesce", args: []node{test, &literalNode{at(truth.start), wire.Bool(false)}}}
		return negatedNode(is, negate), nil
	}
	return nil, p.unexpected("null, true, false or 'distinct from'")
}

// distinctFrom reads "x is [not] distinct from y", under which null equals null.
func (p *clauseParser) distinctFrom(left node, start at, negate bool) (node, error) {
	if err := p.expect("from"); err != nil {
		return nil, err
	}
	right, err := p.expr(powerCompare)
	if err != nil {
		return nil, err
	}
	if l, ok := right.(*literalNode); ok && l.value.IsNull() {
		return &isNullNode{start, left, negate}, nil
	}
	both := &binaryNode{start, OpAnd, &isNullNode{start, left, false}, &isNullNode{start, right, false}}
	same := &callNode{at: start, name: "coalesce", args: []node{&binaryNode{start, OpEq, left, right}, both}}
	return negatedNode(same, negate), nil
}

func negatedNode(n node, negate bool) node {
	if negate {
		return &unaryNode{at(n.offset()), "not", n}
	}
	return n
}

// predicate reads in, between and like behind their operand.
func (p *clauseParser) predicate(left node, negate bool) (node, error) {
	mark := p.tok
	switch {
	case p.accept("in"):
		list, err := p.list()
		return &inNode{at(mark.start), left, list, negate}, err
	case p.accept("between"):
		low, err := p.expr(powerCompare)
		if err != nil {
			return nil, err
		}
		if err := p.expect("and"); err != nil {
			return nil, err
		}
		high, err := p.expr(powerCompare)
		return &betweenNode{at(mark.start), left, low, high, negate}, err
	case p.accept("like"), p.accept("ilike"):
		pattern, err := p.expr(powerCompare)
		return &likeNode{at(mark.start), left, pattern, negate}, err
	}
	return nil, p.unexpected("in, between or like")
}

// list reads (x, y, …), which may be empty.
func (p *clauseParser) list() ([]node, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	var out []node
	for !p.tok.is(")") {
		if len(out) > 0 && !p.accept(",") {
			return nil, p.unexpected("',' or ')'")
		}
		n, err := p.expr(0)
		if err != nil {
			return nil, err
		}
		if out = append(out, n); len(out) > maxList {
			return nil, fault(p.src(), p.tok.start, "the list has more than %d entries", maxList)
		}
	}
	p.advance()
	return out, nil
}
