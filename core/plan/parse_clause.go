package plan

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// item is a select entry as it is written: an expression with an optional label,
// or a star with an optional qualifier.
type item struct {
	expr     node
	label    string // "" when none is given
	star     bool
	table    string // the qualifier of a star
	distinct bool   // the entry began with the keyword
}

// parseItem reads "EXPR [as LABEL]". A label goes to the end of the entry.
func parseItem(src string) (item, error) {
	p := newParser(src)
	it := item{}
	if p.tok.is("distinct") {
		p.advance()
		it.distinct = true
	}
	if ok := p.star(&it); ok {
		return it, p.end("the end of the entry")
	}
	var err error
	if it.expr, err = p.expr(0); err != nil {
		return it, err
	}
	if p.tok.is("as") {
		from := p.tok.end
		it.label, err = parseLabel(src, from)
		return it, err
	}
	if (p.tok.kind == tokenWord || p.tok.kind == tokenQuoted) && p.after().kind == tokenEnd {
		it.label, err = parseLabel(src, p.tok.start)
		return it, err
	}
	return it, p.end("'as' and a label, or the end of the entry")
}

// star reads * or t.*.
func (p *clauseParser) star(it *item) bool {
	ahead := *p
	if ahead.tok.kind == tokenWord || ahead.tok.kind == tokenQuoted {
		it.table = ahead.advance().text
		if !ahead.accept(".") {
			return false
		}
	}
	if !ahead.accept("*") {
		return false
	}
	it.star = true
	*p = ahead
	return true
}

// parseLabel reads the label that begins at offset from. Quotes of any kind
// around it are no part of it.
func parseLabel(src string, from int) (string, error) {
	label := strings.TrimSpace(src[from:])
	for _, mark := range []string{"`", "'", `"`} {
		if inner, ok := enclosed(label, mark); ok {
			label = strings.TrimSpace(inner)
			break
		}
	}
	return label, checkLabel(src, from, label)
}

// enclosed takes the marks off a text that is one quoted string.
func enclosed(s, mark string) (string, bool) {
	if len(s) < 2 || !strings.HasPrefix(s, mark) || !strings.HasSuffix(s, mark) {
		return "", false
	}
	inner := s[1 : len(s)-1]
	if strings.Contains(strings.ReplaceAll(inner, mark+mark, ""), mark) {
		return "", false
	}
	return strings.ReplaceAll(inner, mark+mark, mark), true
}

func checkLabel(src string, offset int, label string) error {
	switch {
	case label == "":
		return fault(src, offset, "the label is empty")
	case utf8.RuneCountInString(label) > maxLabel:
		return fault(src, offset, "the label is longer than %d characters", maxLabel)
	case strings.ContainsFunc(label, hidden):
		return fault(src, offset, "the label holds a control character")
	}
	return nil
}

// term is an order entry as it is written. text is what is ordered by, a label
// or an expression.
type term struct {
	text  string
	desc  bool
	nulls NullOrder
}

var termForm = regexp.MustCompile(`(?is)^(.*?)(?:\s+(asc|ascending|desc|descending))?(?:\s+nulls\s+(first|last))?\s*$`)

// parseTerm cuts the directions off the end of an order entry. It never fails:
// what is left is checked as an expression.
func parseTerm(src string) term {
	m := termForm.FindStringSubmatch(src)
	if m == nil {
		return term{text: src}
	}
	t := term{text: m[1], nulls: NullOrder(strings.ToLower(m[3]))}
	t.desc = strings.HasPrefix(strings.ToLower(m[2]), "desc")
	if t.nulls == NullsLast {
		t.nulls = NullsDefault
	}
	return t
}
