package plan

import (
	"fmt"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// words says what an expression is.
func (x *explainer) words(e Expr) string {
	switch e := e.(type) {
	case *Column:
		return "the " + clip(e.Column.Name) + " of " + x.sourceName(e.Source)
	case *Output:
		return "the " + clip(e.Source.Block.Columns()[e.Item].Label) + " of " + x.sourceName(e.Source)
	case *Literal:
		return literalWords(e)
	case *Call:
		return x.call(e)
	case *Window:
		return x.window(e)
	case *Binary:
		return x.binary(e)
	case *Neg:
		return "minus " + x.inner(e.X)
	case *Case:
		return x.caseOf(e)
	case *Cast:
		return x.inner(e.X) + " as " + e.T.String()
	case *Scalar:
		return "the value of " + quote(e.Block.Name)
	case *Lookup:
		return "over the rows of " + quote(e.Source.Block.Name) + " where " + x.words(e.Cond) + ": " + x.words(e.Value)
	}
	return x.condition(e)
}

// inner puts what has parts into parentheses.
func (x *explainer) inner(e Expr) string {
	switch e.(type) {
	case *Binary, *Case, *Not, *Lookup, *Between, *Neg:
		return "(" + x.words(e) + ")"
	}
	return x.words(e)
}

func literalWords(l *Literal) string {
	switch {
	case l.Relative == "today()":
		return "today"
	case l.Relative == "now()":
		return "now"
	case l.Relative != "":
		return l.Relative
	case l.Value.IsNull():
		return "nothing"
	case l.Value.Kind() == wire.KindText:
		return quote(l.Value.String())
	}
	return clip(l.Value.String())
}

// operatorWords stand between two operands.
var operatorWords = map[BinaryOp]string{
	OpEq: "is", OpNe: "is not", OpLt: "is less than", OpLe: "is at most", OpGt: "is more than", OpGe: "is at least",
	OpAnd: "and", OpOr: "or", OpAdd: "plus", OpSub: "minus", OpMul: "times", OpDiv: "divided by", OpMod: "modulo", OpConcat: "followed by",
}

// momentWords stand between two moments in place of less and more.
var momentWords = map[BinaryOp]string{
	OpLt: "is before", OpLe: "is not after", OpGt: "is after", OpGe: "is not before",
}

func (x *explainer) binary(e *Binary) string {
	word := operatorWords[e.Op]
	if moment, ok := momentWords[e.Op]; ok && e.L.Type().Kind.Temporal() {
		word = moment
	}
	side := func(part Expr) string {
		if p, ok := part.(*Binary); ok && (p.Op == e.Op && e.Op == OpAnd || binaryPowers[string(p.Op)].power == powerCompare && e.Op == OpAnd) {
			return x.words(part)
		}
		return x.inner(part)
	}
	return side(e.L) + " " + word + " " + side(e.R)
}

func (x *explainer) caseOf(e *Case) string {
	var b strings.Builder
	for _, w := range e.Whens {
		b.WriteString(x.words(w.Then) + " if " + x.words(w.Cond) + ", ")
	}
	if e.Else == nil {
		return b.String() + "else nothing"
	}
	return b.String() + "else " + x.words(e.Else)
}

// condition words the tests.
func (x *explainer) condition(e Expr) string {
	switch e := e.(type) {
	case *Not:
		return "it is not so that " + x.inner(e.X)
	case *IsNull:
		return x.inner(e.X) + negation(" is empty", " is not empty", e.Negate)
	case *InList:
		return x.inner(e.X) + negation(" is one of ", " is none of ", e.Negate) + x.all(e.List)
	case *InBlock:
		return x.inner(e.X) + negation(" is among the rows of ", " is not among the rows of ", e.Negate) + quote(e.Block.Name)
	case *Exists:
		text := quote(e.Source.Block.Name) + negation(" has a row", " has no row", e.Negate)
		if e.Cond != nil {
			text += " where " + x.words(e.Cond)
		}
		return text
	case *Between:
		return x.inner(e.X) + negation(" is from ", " is not from ", e.Negate) + x.inner(e.Low) + " to " + x.inner(e.High)
	case *Like:
		return x.inner(e.X) + negation(" is like ", " is not like ", e.Negate) + x.inner(e.Pattern)
	case *During:
		return x.inner(e.X) + " is in " + periodWords(e.Text)
	}
	return "a value"
}

// periodWords words a period in normal form.
func periodWords(text string) string {
	if from, to, ok := strings.Cut(text, ".."); ok {
		switch {
		case from == "":
			return "the time up to " + periodWords(to)
		case to == "":
			return "the time since " + periodWords(from)
		}
		return "the time from " + periodWords(from) + " to " + periodWords(to)
	}
	name, arg, called := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	unit := strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(name, "last_"), "this_"), "_", " ")
	switch {
	case !called:
		return text
	case name == "today":
		return "today"
	case name == "fiscal_year":
		return "the fiscal year " + arg
	case strings.HasPrefix(name, "this_"):
		return "this " + unit
	case arg == "1":
		return "the last whole " + strings.TrimSuffix(unit, "s")
	}
	return "the last " + arg + " whole " + unit
}

func (x *explainer) all(list []Expr) string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = x.words(e)
	}
	return strings.Join(out, ", ")
}

// window words a call over rows.
func (x *explainer) window(w *Window) string {
	text := x.call(w.Call)
	if len(w.Partition) > 0 {
		parts := make([]string, len(w.Partition))
		for i, e := range w.Partition {
			parts[i] = strings.TrimPrefix(x.words(e), "the ")
		}
		text += " among the rows of the same " + listed(parts)
	} else {
		text += " among all rows"
	}
	if len(w.Order) > 0 {
		text += " in the order of " + x.order(w.Order)
	}
	switch f := w.Frame; {
	case f != nil && f.partial():
		text += ", from " + boundWords(f.From) + " to " + boundWords(f.To)
	case f == nil && len(w.Order) > 0 && w.Call.Func.Kind == AggregateFunction:
		text += ", up to the current one"
	}
	return text
}

func boundWords(b Bound) string {
	switch b.Kind {
	case UnboundedPreceding:
		return "the first row"
	case UnboundedFollowing:
		return "the last row"
	case CurrentRow:
		return "the current row"
	}
	side := "before"
	if b.Kind == Following {
		side = "behind"
	}
	return fmt.Sprintf("%d rows %s", b.Offset, side)
}
