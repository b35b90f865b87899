package plan

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"querent.dev/querent/sdk/wire"
)

// call binds a call: of the plan language's own forms, of another spelling of a
// form, or of a function of the table.
func (e *exprBinder) call(n *callNode) (Expr, error) {
	if form, ok := forms[n.name]; ok {
		if _, ofAggregate := conditional[n.name]; len(n.order) > 0 || n.over != nil && !ofAggregate {
			return nil, e.fault(n, "%s takes no order and no over (…)", n.name)
		}
		return form(e, n)
	}
	if x, ok, err := e.clockCall(n); ok {
		return x, err
	}
	f, ok := FindFunction(n.name)
	if !ok {
		return nil, e.unknownFunction(n)
	}
	if instead, ok, err := e.dateOfNow(n, f); ok {
		return instead, err
	}
	if err := e.checkCall(n, f); err != nil {
		return nil, err
	}
	switch {
	case n.over != nil:
		return e.windowed(n, f)
	case f.Kind == WindowFunction:
		return nil, e.fault(n, "%s needs the rows that it looks at", f.Name).hint("write %s over (order by …)", f.Signature)
	case f.Kind == AggregateFunction:
		return e.aggregate(n, f)
	}
	return e.scalarCall(n, f)
}

// forms are the calls that are more, or less, than a function of the table.
var forms map[string]func(*exprBinder, *callNode) (Expr, error)

func init() {
	forms = map[string]func(*exprBinder, *callNode) (Expr, error){
		"in": (*exprBinder).inCall, "exists": (*exprBinder).existsCall, "scalar": (*exprBinder).scalarBlock,
		"share": (*exprBinder).share, "running": (*exprBinder).runningTotal, "prior": (*exprBinder).prior,
		"if": (*exprBinder).choose, "iif": (*exprBinder).choose, "mod": (*exprBinder).modulo,
		"strftime": (*exprBinder).formatted, "date_format": (*exprBinder).formatted, "to_char": (*exprBinder).formatted,
		"date_part": (*exprBinder).datePart, "datepart": (*exprBinder).datePart,
	}
	for name := range conditional {
		forms[name] = (*exprBinder).filtered
	}
}

// unsupported are names of the plan language, of SQL and of models' habits that
// cannot be called, with what to write instead.
var unsupported = map[string]string{
	"log":       "write ln(x) or log10(x)",
	"datediff":  "write days_between(start, end)",
	"julianday": "write days_between(start, end)",
	"date_diff": "write days_between(start, end)",
	"dateadd":   "write add_days(x, n), add_months(x, n) or add_years(x, n)",
	"date_add":  "write add_days(x, n), add_months(x, n) or add_years(x, n)",
	"date_sub":  "write add_days(x, -n), add_months(x, -n) or add_years(x, -n)",
	"dayofweek": "write weekday(x): 1 is Monday, 7 is Sunday",
	"week":      "write iso_week(x), or date_trunc('week', x)",
	"datetime":  "write date(x), or compare with '2025-03-31 14:05:00'",
	"distinct":  "write count(distinct x), or set \"distinct\"",
}

func (e *exprBinder) unknownFunction(n *callNode) error {
	err := e.fault(n, "there is no function %s", quote(n.name))
	if instead, ok := unsupported[n.name]; ok {
		err.Message = quote(n.name) + " is not supported"
		return err.hint("%s", instead)
	}
	for name := range lastPeriods {
		if strings.HasPrefix(n.name, name) {
			return err.hint("a period stands in during(x, '%s(…)')", clip(n.name))
		}
	}
	var names []string
	for _, f := range functions {
		names = append(names, f.Name)
	}
	if near := nearest(n.name, names); near != "" {
		f, _ := FindFunction(near)
		return err.hint("did you mean %s?", f.Signature)
	}
	return err
}

var lastPeriods = map[string]bool{"last_": true, "this_": true, "fiscal_": true}

// checkCall checks what the syntax allows for any call.
func (e *exprBinder) checkCall(n *callNode, f *Function) error {
	switch {
	case n.star && f.Name != "count":
		return e.fault(n, "only count takes *")
	case n.star && n.distinct:
		return e.fault(n, "count(distinct *) is not supported").hint("count one column: count(distinct x)")
	case len(n.order) > 0 && f.Name != "string_agg":
		return e.fault(n, "%s takes no order; only string_agg does", n.name)
	case n.distinct && (f.Name == "median" || f.Name == "percentile"):
		return e.fault(n, "%s takes no distinct", n.name).hint("compute it over a block that selects the values with \"distinct\"")
	case f.Kind == ScalarFunction && n.distinct:
		return e.fault(n, "%s takes no distinct; only aggregates do", n.name)
	case f.Kind == ScalarFunction && n.filter != nil:
		return e.fault(n, "%s takes no filter; only aggregates do", n.name)
	}
	if n.star {
		return nil
	}
	if f.Name == "count" && len(n.args) == 0 && n.distinct {
		return e.fault(n, "count(distinct) needs what to count: count(distinct x)")
	}
	if f.Name == "count" && len(n.args) > 1 {
		return e.fault(n, "count takes one column").hint("count over a block that selects the columns with \"distinct\"")
	}
	if err := f.checkCount(len(n.args)); err != nil {
		return e.fault(n, "%s", err)
	}
	return nil
}

// scalarCall binds a call of a scalar function.
func (e *exprBinder) scalarCall(n *callNode, f *Function) (Expr, error) {
	sides := make([]side, len(n.args))
	for i, arg := range n.args {
		var err error
		if sides[i], err = e.argument(f, i, arg); err != nil {
			return nil, err
		}
	}
	if f.Name == "substr" || f.Name == "left" {
		if k := sides[0].expr.Type().Kind; k.Temporal() {
			return e.datePrefix(n, f, sides)
		}
	}
	return e.apply(n, f, sides...)
}

// apply makes the call of a scalar function of bound arguments. A conversion that
// changes nothing is its argument.
func (e *exprBinder) apply(n node, f *Function, sides ...side) (Expr, error) {
	args, err := e.fit(f, sides)
	if err != nil {
		return nil, err
	}
	c, err := e.typed(n, f, &Call{Func: f, Args: args})
	if err != nil {
		return nil, err
	}
	if isConversion(f) && len(args) == 1 && args[0].Type() == c.T {
		return args[0], nil
	}
	return e.fold(c), nil
}

func isConversion(f *Function) bool {
	return f.Name == "text" || f.Name == "number" || f.Name == "date"
}

// argument binds an argument. A word of a closed set may stand without quotes.
func (e *exprBinder) argument(f *Function, i int, n node) (side, error) {
	name, ok := n.(*nameNode)
	if set := f.Constants[i].OneOf; ok && name.bare && oneOf(set, name.parts[0]) != "" {
		return side{n, literal(wire.Text(name.parts[0]))}, nil
	}
	return e.side(n)
}

// oneOf is the member of a closed set that a word is, also in the plural.
func oneOf(set []string, word string) string {
	word = strings.ToLower(word)
	for _, s := range set {
		if word == s || word == s+"s" {
			return s
		}
	}
	return ""
}

// fit gives constant arguments the types that the function takes.
func (e *exprBinder) fit(f *Function, sides []side) ([]Expr, error) {
	if f.alike {
		return e.unified(sides)
	}
	out := make([]Expr, len(sides))
	for i, s := range sides {
		out[i] = s.expr
		c, ok := constant(s.expr)
		if set := f.Constants[i].OneOf; ok && len(set) > 0 {
			if unit := oneOf(set, c.Value.String()); unit != "" {
				out[i] = literal(wire.Text(unit))
			}
			continue
		}
		want := f.class(i)
		if !ok || c.T.Kind != wire.KindText || want != aMoment && want != timed && f.Name != "date" {
			continue
		}
		var err error
		if out[i], err = e.fromText(s.node, c, wire.Type{Kind: wire.KindTimestamp}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// unified gives the constants among the sides the type of the rest.
func (e *exprBinder) unified(sides []side) ([]Expr, error) {
	t := wire.Type{}
	for _, s := range sides {
		if c, ok := constant(s.expr); ok && c.T.Kind == wire.KindText {
			continue
		}
		if u, ok := unify(t, s.expr.Type()); ok {
			t = u
		}
	}
	out := make([]Expr, len(sides))
	for i, s := range sides {
		var err error
		if out[i], err = e.take(s, t); err != nil {
			return nil, err
		}
		if day, ok := constant(out[i]); ok && day.T.Kind == wire.KindDate && t.Kind.Temporal() && t.Kind != wire.KindDate {
			out[i] = e.midnight(day, t.Kind)
		}
	}
	return out, nil
}

// typed checks a call's arguments and gives it its type.
func (e *exprBinder) typed(n node, f *Function, c *Call) (*Call, error) {
	types := make([]wire.Type, len(c.Args))
	for i, a := range c.Args {
		types[i] = a.Type()
	}
	t, err := f.Check(types)
	if err != nil {
		return nil, e.fault(n, "%s", err).hint("%s", adviceOn(err))
	}
	for i := range c.Args {
		if err := e.checkConstant(n, f, i, c.Args[i]); err != nil {
			return nil, err
		}
	}
	if c.T = t; f.refine != nil {
		c.T = f.refine(c.Args, t)
	}
	if f.Name == "date_trunc" && oneOf(timeUnits, c.Args[0].(*Literal).Value.String()) != "" && c.Args[1].Type().Kind == wire.KindDate {
		return nil, e.fault(n, "a date has no time of day to cut").hint("cut to %s", strings.Join(dayUnits, ", "))
	}
	return c, nil
}

// adviceOn says how an argument becomes what a function takes, if a function of
// the table does that.
func adviceOn(err error) string {
	var wrong *argumentError
	if !errors.As(err, &wrong) || wrong.got.Kind != wire.KindText {
		return ""
	}
	switch class(wrong.want) {
	case number:
		return "read a number with number(x)"
	case aMoment:
		return "read a day with date(x) if the text is written as 2025-03-31"
	}
	return ""
}

// checkConstant checks an argument that must be written as a constant.
func (e *exprBinder) checkConstant(n node, f *Function, i int, arg Expr) error {
	rule, ok := f.Constants[i]
	if !ok {
		return nil
	}
	c, isConstant := constant(arg)
	if len(rule.OneOf) > 0 {
		if !isConstant || oneOf(rule.OneOf, c.Value.String()) == "" {
			return e.fault(n, "argument %d of %s must be %s: %s", i+1, f.Name, rule, f.Signature)
		}
		return nil
	}
	if !isConstant && rule.Computed {
		return nil
	}
	if !isConstant || !rule.takes(c) {
		return e.fault(n, "argument %d of %s must be %s, written as such: %s", i+1, f.Name, rule, f.Signature)
	}
	return nil
}

// takes reports whether a constant is in the bounds of a rule without a closed set.
func (c Constant) takes(l *Literal) bool {
	switch {
	case c.Text:
		n := int64(utf8.RuneCountInString(l.Value.String()))
		return l.T.Kind == wire.KindText && n >= c.Min && n <= c.Max
	case c.Fraction:
		return l.T.Kind.Numeric() && l.Value.Float() >= float64(c.Min) && l.Value.Float() <= float64(c.Max)
	}
	return l.T.Kind == wire.KindInt && l.Value.Int() >= c.Min && l.Value.Int() <= c.Max
}

// String is what the constant must be, in the words of messages.
func (c Constant) String() string {
	switch {
	case len(c.OneOf) > 0:
		return "one of " + strings.Join(c.OneOf, ", ")
	case c.Text:
		return fmt.Sprintf("a text of %d to %d characters", c.Min, c.Max)
	case c.Fraction:
		return fmt.Sprintf("a number from %d to %d", c.Min, c.Max)
	}
	return fmt.Sprintf("a whole number from %d to %d", c.Min, c.Max)
}
