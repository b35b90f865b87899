package plan

import (
	"strings"
)

// dateOfNow binds date('now') as today(), as models write it that know SQLite. It
// is false for other calls.
func (e *exprBinder) dateOfNow(n *callNode, f *Function) (Expr, bool, error) {
	if f.Name != "date" || len(n.args) == 0 {
		return nil, false, nil
	}
	now, ok := n.args[0].(*literalNode)
	if !ok || !strings.EqualFold(now.value.String(), "now") {
		return nil, false, nil
	}
	if len(n.args) > 1 {
		return nil, true, e.fault(n, "date('now', …) is not supported").
			hint("write add_days(today(), -30), date_trunc('month', today()) or during(x, 'last_days(30)')")
	}
	return e.clockCall(&callNode{at: n.at, name: "today"})
}

// prefixes are the beginnings of a date, by their length, as functions of it.
var prefixes = map[int64]string{4: "year", 7: "year_month", 10: "date"}

// datePrefix binds substr(x, 1, 7) and left(x, 7) of a date as the text of the
// function that gives it.
func (e *exprBinder) datePrefix(n *callNode, f *Function, sides []side) (Expr, error) {
	start, length := int64(1), int64(0)
	switch {
	case f.Name == "left":
		length = wholeNumber(sides[1].expr)
	case len(sides) == 3:
		start, length = wholeNumber(sides[1].expr), wholeNumber(sides[2].expr)
	}
	name, ok := prefixes[length]
	if !ok || start != 1 {
		return nil, e.fault(n, "a date is not text").hint("use year(x), month(x), year_month(x) or date(x)")
	}
	part, err := e.convert(n, name, sides[0])
	if err != nil {
		return nil, err
	}
	return e.convert(n, "text", side{n, part})
}

// wholeNumber is the value of a constant, else 0.
func wholeNumber(x Expr) int64 {
	c, ok := constant(x)
	if !ok {
		return 0
	}
	return c.Value.Int()
}

// convert calls a function of one bound argument.
func (e *exprBinder) convert(n node, name string, s side) (Expr, error) {
	f, _ := FindFunction(name)
	return e.apply(n, f, s)
}
