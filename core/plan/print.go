package plan

import (
	"strconv"
	"strings"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// names says how a printer calls sources and blocks.
type names struct {
	source func(*Source) string // the qualifier of a column; "" for none
	block  func(*Block) string
}

// The ways of calling them: as the plan does, not at all (for labels), and by
// their places (for ids, which must not depend on what a plan calls things).
var (
	writtenNames = names{
		source: func(s *Source) string { return nameText(s.Alias) },
		block:  func(b *Block) string { return nameText(b.Name) },
	}
	bareNames = names{
		source: func(*Source) string { return "" },
		block:  func(b *Block) string { return nameText(b.Name) },
	}
	placeNames = names{source: sourcePlace, block: blockPlace}
)

func sourcePlace(s *Source) string {
	if s.Index < 0 {
		return blockPlace(s.Block)
	}
	return "t" + strconv.Itoa(s.Index+1)
}

func blockPlace(b *Block) string { return "b" + strconv.Itoa(b.Index+1) }

// key is an expression in normal form. Two expressions of one block mean the
// same if their keys are equal.
func key(e Expr) string { return writtenNames.expr(e) }

// Name writes a name as a plan must write it: in backticks if it would be read as
// something else without them.
func Name(name string) string { return nameText(name) }

// nameText writes a name, in backticks if it needs them.
func nameText(name string) string {
	if plainName(name) {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

// tableText writes a table with its schema.
func tableText(t *schema.Table) string { return nameText(t.Schema) + "." + nameText(t.Name) }

// expr writes an expression in normal form: the parser reads the same expression
// from it.
func (n names) expr(e Expr) string {
	var b strings.Builder
	n.write(&b, e, 0)
	return b.String()
}

// write puts e into parentheses if it binds looser than power.
func (n names) write(b *strings.Builder, e Expr, power int) {
	if own := powerOf(e); own < power {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch e := e.(type) {
	case *Column:
		n.column(b, e.Source, e.Column.Name)
	case *Output:
		n.column(b, e.Source, e.Source.Block.Columns()[e.Item].Label)
	case *Literal:
		b.WriteString(literalText(e))
	case *Call:
		n.call(b, e)
	case *Binary:
		own := powerOf(e)
		left := own
		if own == powerCompare {
			left++
		}
		n.write(b, e.L, left)
		b.WriteString(" " + string(e.Op) + " ")
		n.write(b, e.R, own+1)
	case *Not:
		b.WriteString("not ")
		n.write(b, e.X, powerNot)
	case *Neg:
		b.WriteString("-")
		n.write(b, e.X, powerNeg)
	case *Window:
		n.window(b, e)
	case *Scalar:
		b.WriteString("scalar(" + n.block(e.Block) + ")")
	case *Lookup:
		b.WriteString("scalar(" + n.block(e.Source.Block) + ", ")
		n.write(b, e.Value, 0)
		b.WriteString(", ")
		n.write(b, e.Cond, 0)
		b.WriteString(")")
	case *Case:
		n.caseOf(b, e)
	case *Cast:
		b.WriteString("cast(")
		n.write(b, e.X, 0)
		b.WriteString(" as " + e.T.String() + ")")
	default:
		n.test(b, e)
	}
}

// test writes the conditions.
func (n names) test(b *strings.Builder, e Expr) {
	switch e := e.(type) {
	case *IsNull:
		n.write(b, e.X, powerCompare+1)
		b.WriteString(negation(" is null", " is not null", e.Negate))
	case *InList:
		n.write(b, e.X, powerCompare+1)
		b.WriteString(negation(" in (", " not in (", e.Negate))
		n.list(b, e.List)
		b.WriteString(")")
	case *InBlock:
		b.WriteString(negation("in(", "not in(", e.Negate))
		n.write(b, e.X, 0)
		b.WriteString(", " + n.block(e.Block) + ")")
	case *Exists:
		b.WriteString(negation("exists(", "not exists(", e.Negate) + n.block(e.Source.Block))
		if e.Cond != nil {
			b.WriteString(", ")
			n.write(b, e.Cond, 0)
		}
		b.WriteString(")")
	case *Between:
		n.write(b, e.X, powerCompare+1)
		b.WriteString(negation(" between ", " not between ", e.Negate))
		n.write(b, e.Low, powerCompare+1)
		b.WriteString(" and ")
		n.write(b, e.High, powerCompare+1)
	case *Like:
		n.write(b, e.X, powerCompare+1)
		b.WriteString(negation(" like ", " not like ", e.Negate))
		n.write(b, e.Pattern, powerCompare+1)
	case *During:
		b.WriteString("during(")
		n.write(b, e.X, 0)
		b.WriteString(", " + textLiteral(e.Text) + ")")
	}
}

func negation(plain, negated string, negate bool) string {
	if negate {
		return negated
	}
	return plain
}

// powerOf is how tight an expression binds as it is written.
func powerOf(e Expr) int {
	switch e := e.(type) {
	case *Binary:
		return binaryPowers[string(e.Op)].power
	case *Not:
		return powerNot
	case *IsNull, *InList, *Between, *Like:
		return powerCompare
	case *InBlock:
		return negatedPower(e.Negate)
	case *Exists:
		return negatedPower(e.Negate)
	case *Neg:
		return powerNeg
	case *Literal:
		if strings.HasPrefix(literalText(e), "-") {
			return powerNeg
		}
	}
	return powerCast
}

func negatedPower(negate bool) int {
	if negate {
		return powerNot
	}
	return powerCast
}

func (n names) column(b *strings.Builder, s *Source, name string) {
	if q := n.source(s); q != "" {
		b.WriteString(q + ".")
	}
	b.WriteString(nameText(name))
}

func (n names) list(b *strings.Builder, list []Expr) {
	for i, x := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		n.write(b, x, 0)
	}
}

func (n names) call(b *strings.Builder, c *Call) {
	b.WriteString(c.Func.Name + "(")
	if c.Distinct {
		b.WriteString("distinct ")
	}
	if len(c.Args) == 0 && c.Func.Name == "count" {
		b.WriteString("*")
	}
	n.list(b, c.Args)
	n.order(b, " ", c.Order)
	b.WriteString(")")
	if c.Filter != nil {
		b.WriteString(" filter (where ")
		n.write(b, c.Filter, 0)
		b.WriteString(")")
	}
}

// window writes a call with the rows that it is over.
func (n names) window(b *strings.Builder, w *Window) {
	n.call(b, w.Call)
	b.WriteString(" over (")
	space := ""
	if len(w.Partition) > 0 {
		b.WriteString("partition by ")
		n.list(b, w.Partition)
		space = " "
	}
	n.order(b, space, w.Order)
	if f := w.Frame; f != nil {
		if len(w.Order) > 0 {
			space = " "
		}
		b.WriteString(space + string(f.Unit) + " between " + f.From.text() + " and " + f.To.text())
	}
	b.WriteString(")")
}

func (b Bound) text() string {
	if b.counted() {
		return strconv.FormatInt(b.Offset, 10) + " " + string(b.Kind)
	}
	return string(b.Kind)
}

// order writes the order inside a call behind a space, if there is one.
func (n names) order(b *strings.Builder, space string, order []Order) {
	for i, o := range order {
		if i == 0 {
			b.WriteString(space + "order by ")
		} else {
			b.WriteString(", ")
		}
		n.write(b, o.Expr, 0)
		b.WriteString(o.direction())
	}
}

// direction is what stands behind an ordering term.
func (o Order) direction() string {
	text := ""
	if o.Desc {
		text = " desc"
	}
	if o.Nulls == NullsFirst {
		text += " nulls first"
	}
	return text
}

func (n names) caseOf(b *strings.Builder, c *Case) {
	b.WriteString("case")
	for _, w := range c.Whens {
		b.WriteString(" when ")
		n.write(b, w.Cond, 0)
		b.WriteString(" then ")
		n.write(b, w.Then, 0)
	}
	if c.Else != nil {
		b.WriteString(" else ")
		n.write(b, c.Else, 0)
	}
	b.WriteString(" end")
}

// literalText writes a constant so that the parser reads the same kind of it. A
// constant of the clock is its call.
func literalText(l *Literal) string {
	if l.Relative != "" {
		return l.Relative
	}
	text := l.Value.String()
	switch l.Value.Kind() {
	case wire.KindNull:
		return "null"
	case wire.KindText:
		return textLiteral(text)
	case wire.KindFloat:
		if !strings.Contains(text, "e") {
			return text + "e0"
		}
	case wire.KindDate, wire.KindTime, wire.KindUUID, wire.KindTimestamp:
		return l.Value.Kind().String() + " " + textLiteral(text)
	case wire.KindTimestampTZ:
		return "timestamp " + textLiteral(text)
	}
	return text
}

func textLiteral(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
