package sqlimport

import (
	"strings"

	"querent.dev/querent/core/sqlimport/internal/tree"
	"querent.dev/querent/sdk/wire"
)

// calling is a call of a scalar function with its translated arguments.
type calling struct {
	t    *translator
	n    *tree.Call
	s    *scope
	args []value
}

// translation turns the call of a function of SQL into a clause.
type translation func(c *calling) (value, error)

// call translates a call: of an aggregate, over a window, or of a function of the
// flavour or of all.
func (t *translator) call(n *tree.Call, s *scope) (value, error) {
	switch {
	case n.Over != nil:
		return t.windowed(n, s)
	case isAggregate(n):
		return t.aggregate(n, s)
	case n.Name == "grouping":
		return t.grouping(n, s)
	case n.Filter != nil || n.Distinct:
		return value{}, t.unsupported(n, "the call of "+n.Name, "plans have filter and distinct in aggregates only")
	}
	own := map[bool]map[string]translation{t.sqlite(): sqliteFunctions, t.postgres(): postgresFunctions, t.mysql(): mysqlFunctions}[true]
	write, ok := own[n.Name]
	if !ok {
		write, ok = commonFunctions[n.Name]
	}
	if !ok {
		return value{}, t.unsupported(n, "the function "+n.Name, "plans have no such function")
	}
	c := &calling{t: t, n: n, s: s}
	if !rawCalls[n.Name] {
		for _, e := range n.Args {
			v, err := t.expr(e, s)
			if err != nil {
				return v, err
			}
			c.args = append(c.args, v)
		}
	}
	return write(c)
}

// rawCalls are the functions that read their arguments as they are written.
var rawCalls = words("date datetime time strftime julianday unixepoch timestampdiff timestampadd extract date_part")

// commonFunctions are those that mean the same in every flavour that has them.
var commonFunctions map[string]translation

func init() {
	commonFunctions = map[string]translation{
		"abs": numeric("abs", 1), "sign": numeric("sign", 1), "floor": numeric("floor", 1), "ceil": numeric("ceil", 1), "ceiling": numeric("ceil", 1),
		"sqrt": numeric("sqrt", 1), "exp": numeric("exp", 1), "ln": numeric("ln", 1), "log10": numeric("log10", 1), "log2": numeric("log2", 1),
		"power": numeric("power", 2), "pow": numeric("power", 2), "mod": operator("%"), "div": operator("div"), "pi": numeric("pi", 0),
		"sin": numeric("sin", 1), "cos": numeric("cos", 1), "tan": numeric("tan", 1), "asin": numeric("asin", 1), "acos": numeric("acos", 1),
		"atan": numeric("atan", 1), "atan2": numeric("atan2", 2), "radians": numeric("radians", 1), "degrees": numeric("degrees", 1),
		"round": rounded("round"), "trunc": rounded("trunc"), "truncate": rounded("trunc"), "log": logarithm,
		"lower": text("lower", 1), "lcase": text("lower", 1), "upper": text("upper", 1), "ucase": text("upper", 1),
		"length": text("length", 1), "char_length": text("length", 1), "character_length": text("length", 1),
		"trim": trimmed("trim"), "btrim": trimmed("trim"), "ltrim": trimmed("ltrim"), "rtrim": trimmed("rtrim"),
		"replace": text("replace", 3), "reverse": text("reverse", 1), "instr": text("position", 2), "strpos": text("position", 2),
		"substr": substring, "substring": substring, "mid": substring, "left": prefix("left"), "right": prefix("right"),
		"lpad": padding("lpad"), "rpad": padding("rpad"), "repeat": prefix("repeat"), "starts_with": startsWith,
		"concat": concatenated, "concat_ws": joinedBy, "split_part": splitPart, "substring_index": substringIndex,
		"coalesce": firstOf, "ifnull": firstOf, "nvl": firstOf, "nullif": nullIf, "iif": chosenBy, "if": chosenBy,
		"greatest": extremeOf("greatest"), "least": extremeOf("least"), "max": extremeOf("greatest"), "min": extremeOf("least"),
		"now": clockCall("now()", tStamp), "current_timestamp": clockCall("now()", tStamp), "localtimestamp": clockCall("now()", tStamp),
		"current_date": clockCall("today()", tDate),
	}
}

// count checks the number of arguments.
func (c *calling) count(least, most int) error {
	if len(c.args) >= least && len(c.args) <= most {
		return nil
	}
	return c.t.unsupported(c.n, "this call of "+c.n.Name, "plans know it with %d to %d arguments, and there are %d", least, most, len(c.args))
}

func (c *calling) anyNull() bool {
	for _, a := range c.args {
		if a.isNull() {
			return true
		}
	}
	return false
}

// numeric is a function of the plan that takes numbers.
func numeric(name string, args int) translation {
	return func(c *calling) (value, error) {
		if err := c.count(args, args); err != nil || c.anyNull() {
			return nullValue(), err
		}
		list := make([]value, args)
		for i, a := range c.args {
			var err error
			if list[i], err = c.t.numeric(a, c.n); err != nil {
				return a, err
			}
		}
		out := fn(name, list...)
		if name != "abs" && name != "sign" && name != "floor" && name != "ceil" && name != "pi" {
			out.nullable = true
		}
		if name == "abs" {
			out.scale = list[0].scale
		}
		return out, nil
	}
}

func operator(op string) translation {
	return func(c *calling) (value, error) {
		if err := c.count(2, 2); err != nil || c.anyNull() {
			return nullValue(), err
		}
		l, err := c.t.numeric(c.args[0], c.n)
		if err != nil {
			return l, err
		}
		r, err := c.t.numeric(c.args[1], c.n)
		if err != nil {
			return r, err
		}
		return c.t.calculated(op, l, r), nil
	}
}

// rounded is round or trunc. SQLite takes digits below zero for zero.
func rounded(name string) translation {
	return func(c *calling) (value, error) {
		if err := c.count(1, 2); err != nil || c.anyNull() {
			return nullValue(), err
		}
		if c.n.Name == "trunc" && c.args[0].typ.Kind.Temporal() {
			return c.t.toDate(c.args[0], c.n)
		}
		x, err := c.t.numeric(c.args[0], c.n)
		if err != nil {
			return x, err
		}
		list := []value{x}
		if len(c.args) == 2 {
			n, ok := wholeNumber(c.args[1])
			if !ok {
				return x, c.t.unsupported(c.n, "this "+c.n.Name, "its digits must be a constant")
			}
			if c.t.sqlite() {
				n = max(n, 0)
			}
			if n > 9 {
				return x, nil
			}
			list = append(list, intValue(n))
		}
		if name == "round" && len(list) == 1 && !c.t.sqlite() {
			return c.t.roundedWhole(x), nil
		}
		out := fn(name, list...)
		out.nullable = x.nullable
		if c.t.sqlite() {
			out.typ = tFloat
		}
		return out, nil
	}
}

// logarithm is that to base 10, or the natural one on MariaDB; with two arguments
// the first is the base.
func logarithm(c *calling) (value, error) {
	if err := c.count(1, 2); err != nil {
		return value{}, err
	}
	name := "log10"
	if c.t.mysql() {
		name = "ln"
	}
	x, err := c.t.numeric(c.args[len(c.args)-1], c.n)
	if err != nil || len(c.args) == 1 {
		return fn(name, x).mayBeNull(), err
	}
	base, err := c.t.numeric(c.args[0], c.n)
	return binary(fn("ln", x), "/", fn("ln", base), powMul, tFloat).mayBeNull(), err
}

// chosenBy is iif(condition, x, y).
func chosenBy(c *calling) (value, error) {
	if err := c.count(2, 3); err != nil {
		return value{}, err
	}
	cond, err := c.t.truth(c.args[0], c.n)
	if err != nil {
		return cond, err
	}
	return c.t.chosen([]value{cond}, c.args[1:], c.n)
}

func firstOf(c *calling) (value, error) {
	if err := c.count(1, 100); err != nil {
		return value{}, err
	}
	var list []value
	for _, a := range c.args {
		if !a.isNull() {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		return nullValue(), nil
	}
	list, typ, err := c.t.unified(list, c.n)
	if err != nil || len(list) == 1 {
		return list[0], err
	}
	out := fn("coalesce", list...).typed(typ)
	out.nullable = true
	for _, v := range list {
		out.nullable = out.nullable && v.nullable
		out.scale = max(out.scale, v.scale)
	}
	return out, nil
}

func nullIf(c *calling) (value, error) {
	if err := c.count(2, 2); err != nil || c.args[0].isNull() || c.args[1].isNull() {
		return c.args[0], err
	}
	eq, err := c.t.compare("=", c.args[0], c.args[1], c.n)
	if err != nil {
		return eq, err
	}
	if eq.constant {
		return c.args[0], nil
	}
	if c.args[0].typ.Kind != wire.KindBool && eq.text == binary(c.args[0], "=", c.args[1], powCompare, tBool).text {
		out := fn("nullif", c.args[0], c.args[1]).typed(c.args[0].typ).mayBeNull()
		out.scale = c.args[0].scale
		return out, nil
	}
	null := nullValue()
	return choice(c.args[0].typ, &c.args[0], eq, null).mayBeNull(), nil
}

// extremeOf is the greatest or the least. Plans skip nulls, as PostgreSQL does; on
// SQLite and MariaDB one makes the result null.
func extremeOf(name string) translation {
	return func(c *calling) (value, error) {
		if err := c.count(1, 100); err != nil || c.anyNull() && !c.t.postgres() {
			return nullValue(), err
		}
		list, typ, err := c.t.unified(c.args, c.n)
		if err != nil || len(list) == 1 {
			return list[0], err
		}
		out := fn(name, list...).typed(typ)
		if c.t.postgres() || !out.nullable {
			return out, nil
		}
		var tests []value
		for _, v := range list {
			if v.nullable {
				tests = append(tests, notNull(v))
			}
		}
		return choice(typ, nil, allOf(tests...), out), nil
	}
}

func clockCall(text string, typ wire.Type) translation {
	return func(c *calling) (value, error) { return made(text, atom, typ, false), nil }
}

// word is an argument that is a word of a closed set, with or without quotes.
func (c *calling) word(i int) string {
	if i >= len(c.n.Args) {
		return ""
	}
	switch e := c.n.Args[i].(type) {
	case *tree.Literal:
		return strings.ToLower(e.Text)
	case *tree.Name:
		return strings.ToLower(e.Parts[len(e.Parts)-1])
	case *tree.Cast:
		if l, ok := e.X.(*tree.Literal); ok {
			return strings.ToLower(l.Text)
		}
	}
	return ""
}

// raw translates an argument of a call that reads them as they are written.
func (c *calling) raw(i int) (value, error) { return c.t.expr(c.n.Args[i], c.s) }

// rawMoment is such an argument as a moment.
func (c *calling) rawMoment(i int) (value, error) {
	v, err := c.raw(i)
	if err != nil {
		return v, err
	}
	return c.t.toMoment(v, c.n)
}
