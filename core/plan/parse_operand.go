package plan

import (
	"strconv"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// reserved are the words that cannot be a name without backticks.
var reserved = map[string]bool{
	"and": true, "or": true, "not": true, "in": true, "between": true, "like": true, "ilike": true, "is": true,
	"null": true, "true": true, "false": true, "case": true, "when": true, "then": true, "else": true, "end": true,
	"as": true, "on": true, "via": true, "distinct": true, "select": true, "from": true, "where": true,
	"current_date": true, "current_timestamp": true,
}

// prefix reads an operand.
func (p *clauseParser) prefix() (node, error) {
	t := p.tok
	switch t.kind {
	case tokenNumber:
		p.advance()
		return p.numberLiteral(t)
	case tokenString:
		p.advance()
		return &literalNode{at(t.start), wire.Text(t.text)}, nil
	case tokenQuoted:
		return p.name()
	case tokenSymbol:
		return p.symbol(t)
	case tokenWord:
		return p.word(t)
	}
	return nil, p.unexpected("an expression")
}

func (p *clauseParser) symbol(t lexeme) (node, error) {
	switch t.text {
	case "(":
		p.advance()
		n, err := p.expr(0)
		if err != nil {
			return nil, err
		}
		return closed(n), p.expect(")")
	case "-", "+":
		p.advance()
		n, err := p.expr(powerNeg)
		if err != nil || t.text == "+" {
			return n, err
		}
		return &unaryNode{at(t.start), "-", n}, nil
	}
	return nil, p.unexpected("an expression")
}

// groupNode is an expression in parentheses: a comparison in it may stand in
// another comparison.
type groupNode struct{ node }

func closed(n node) node {
	if isComparison(n) {
		return &groupNode{n}
	}
	return n
}

// numberLiteral keeps every digit: an integer that is too large for 64 bits is
// a decimal, and only an exponent makes a float.
func (p *clauseParser) numberLiteral(t lexeme) (node, error) {
	if strings.ContainsAny(t.text, "eE") {
		f, err := strconv.ParseFloat(t.text, 64)
		if err != nil {
			return nil, fault(p.src(), t.start, "the number %s is out of range", quote(t.text))
		}
		return &literalNode{at(t.start), wire.Float(f)}, nil
	}
	if i, err := strconv.ParseInt(t.text, 10, 64); err == nil {
		return &literalNode{at(t.start), wire.Int(i)}, nil
	}
	v, err := wire.Decimal(t.text)
	if err != nil {
		return nil, fault(p.src(), t.start, "%s is not a number", quote(t.text))
	}
	return &literalNode{at(t.start), v}, nil
}

// word reads what begins with a word: a keyword, a typed literal, a call, a name.
func (p *clauseParser) word(t lexeme) (node, error) {
	word := strings.ToLower(t.text)
	if p.after().is("(") && (!reserved[word] || word == "in") {
		return p.call()
	}
	if n, ok, err := p.typedLiteral(word, t); ok {
		return n, err
	}
	switch word {
	case "not":
		p.advance()
		n, err := p.expr(powerNot - 1)
		return &unaryNode{at(t.start), "not", n}, err
	case "null":
		p.advance()
		return &literalNode{at(t.start), wire.Null()}, nil
	case "true", "false":
		p.advance()
		return &literalNode{at(t.start), wire.Bool(word == "true")}, nil
	case "case":
		return p.caseOf()
	case "current_date", "current_timestamp":
		p.advance()
		return &callNode{at: at(t.start), name: word}, nil
	case "interval":
		if p.after().kind == tokenString {
			return nil, fault(p.src(), t.start, "there are no intervals").
				hint("use add_days(x, n), add_months(x, n) or during(x, 'last_days(30)')")
		}
	}
	if reserved[word] {
		return nil, p.reservedWord(t)
	}
	return p.name()
}

func (p *clauseParser) reservedWord(t lexeme) error {
	err := p.unexpected("an expression")
	next := p.after()
	if operand := next.kind == tokenSymbol && !next.is("*") && !next.is("(") || next.kind == tokenEnd; err.Suggestion == "" || operand {
		err = err.hint("a column of this name stands in backticks: `%s`", t.text)
	}
	return err
}

var literalKinds = map[string]wire.Kind{
	"date": wire.KindDate, "timestamp": wire.KindTimestamp, "time": wire.KindTime, "uuid": wire.KindUUID,
}

// typedLiteral reads date '2025-03-31' and its like.
func (p *clauseParser) typedLiteral(word string, t lexeme) (node, bool, error) {
	kind, ok := literalKinds[word]
	if !ok || p.after().kind != tokenString {
		return nil, false, nil
	}
	p.advance()
	text := p.advance()
	v, ok := parseLiteral(kind, text.text)
	if !ok {
		return nil, true, fault(p.src(), text.start, "%s is not a %s", quote(text.text), word).hint("write it as %s", literalForm(kind))
	}
	return &literalNode{at(t.start), v}, true, nil
}

// name reads a.b.c, parts with or without backticks.
func (p *clauseParser) name() (node, error) {
	first := p.advance()
	n := &nameNode{at: at(first.start), parts: []string{first.text}, bare: first.kind == tokenWord}
	for p.accept(".") {
		if p.tok.kind != tokenWord && p.tok.kind != tokenQuoted {
			return nil, p.unexpected("a name after '.'")
		}
		n.parts, n.bare = append(n.parts, p.advance().text), false
	}
	if p.tok.is("(") && len(n.parts) > 1 {
		return nil, fault(p.src(), first.start, "a function has no qualifier")
	}
	return n, nil
}

// caseOf reads case … end, searched or with an operand.
func (p *clauseParser) caseOf() (node, error) {
	n := &caseNode{at: at(p.advance().start)}
	var err error
	if !p.tok.is("when") {
		if n.operand, err = p.expr(0); err != nil {
			return nil, err
		}
	}
	for p.accept("when") {
		var w whenNode
		if w.cond, err = p.expr(0); err != nil {
			return nil, err
		}
		if err = p.expect("then"); err != nil {
			return nil, err
		}
		if w.then, err = p.expr(0); err != nil {
			return nil, err
		}
		n.whens = append(n.whens, w)
	}
	if len(n.whens) == 0 {
		return nil, p.unexpected("'when'")
	}
	if p.accept("else") {
		if n.otherwise, err = p.expr(0); err != nil {
			return nil, err
		}
	}
	return n, p.expect("end")
}
