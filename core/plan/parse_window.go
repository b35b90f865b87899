package plan

import (
	"strconv"
	"strings"
)

type (
	// windowNode is what stands in over (…).
	windowNode struct {
		at
		partition []node
		order     []termNode
		frame     *Frame
	}
	// termNode is an ordering term inside a call.
	termNode struct {
		expr  node
		desc  bool
		nulls NullOrder
	}
)

// over reads the parentheses behind "over".
func (p *clauseParser) over() (*windowNode, error) {
	w := &windowNode{at: at(p.advance().start)}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	var err error
	if p.tok.is("partition") && p.after().is("by") {
		p.advance()
		p.advance()
		if w.partition, err = p.exprs(); err != nil {
			return nil, err
		}
	}
	if w.order, err = p.orderBy(); err != nil {
		return nil, err
	}
	if p.tok.is("rows") || p.tok.is("range") {
		if w.frame, err = p.frame(); err != nil {
			return nil, err
		}
	}
	return w, p.closeWindow(w)
}

func (p *clauseParser) closeWindow(w *windowNode) error {
	if p.accept(")") {
		return nil
	}
	expected := "')', partition by, order by, rows or range"
	if w.frame != nil {
		expected = "')'"
	}
	err := p.unexpected(expected)
	switch {
	case p.tok.is("groups"), p.tok.is("exclude"):
		err = err.hint("a frame counts rows, or a range from or to the current row")
	case p.tok.kind == tokenWord && p.after().is(")"):
		err = err.hint("a window has no name; write it out in each over (…)")
	}
	return err
}

// exprs reads expressions with commas between them, at least one.
func (p *clauseParser) exprs() ([]node, error) {
	var out []node
	for {
		n, err := p.expr(0)
		if err != nil {
			return nil, err
		}
		if out = append(out, n); len(out) > maxItems {
			return nil, fault(p.src(), p.tok.start, "the list has more than %d entries", maxItems)
		}
		if !p.accept(",") {
			return out, nil
		}
	}
}

// orderBy reads "order by …" if it stands there.
func (p *clauseParser) orderBy() ([]termNode, error) {
	if !p.tok.is("order") || !p.after().is("by") {
		return nil, nil
	}
	p.advance()
	p.advance()
	var out []termNode
	for {
		n, err := p.expr(0)
		if err != nil {
			return nil, err
		}
		t := termNode{expr: n}
		if !p.accept("asc") {
			t.desc = p.accept("desc")
		}
		if t.nulls, err = p.nulls(); err != nil {
			return nil, err
		}
		if out = append(out, t); len(out) > maxItems {
			return nil, fault(p.src(), p.tok.start, "the order has more than %d terms", maxItems)
		}
		if !p.accept(",") {
			return out, nil
		}
	}
}

func (p *clauseParser) nulls() (NullOrder, error) {
	switch {
	case !p.accept("nulls"):
		return NullsDefault, nil
	case p.accept("first"):
		return NullsFirst, nil
	case p.accept("last"):
		return NullsDefault, nil
	}
	return NullsDefault, p.unexpected("'first' or 'last'")
}

// frame reads "rows between A and B", or one bound, which goes to the current row.
func (p *clauseParser) frame() (*Frame, error) {
	mark := p.advance()
	f := &Frame{Unit: FrameUnit(strings.ToLower(mark.text)), To: Bound{Kind: CurrentRow}}
	both := p.accept("between")
	var err error
	if f.From, err = p.bound(); err == nil && both {
		if err = p.expect("and"); err == nil {
			f.To, err = p.bound()
		}
	}
	if err != nil {
		return nil, err
	}
	if f.Unit == FrameRange && (f.From.counted() || f.To.counted()) {
		return nil, fault(p.src(), mark.start, "a range has no bound that counts").
			hint("count rows: rows between 2 preceding and current row")
	}
	if f.From.place() > f.To.place() || f.From.Kind == UnboundedFollowing || f.To.Kind == UnboundedPreceding {
		return nil, fault(p.src(), mark.start, "the frame ends before it begins")
	}
	return f, nil
}

func (b Bound) counted() bool { return b.Kind == Preceding || b.Kind == Following }

// place is where a bound lies, in rows from the current one.
func (b Bound) place() int64 {
	switch b.Kind {
	case UnboundedPreceding:
		return -maxOffset - 1
	case Preceding:
		return -b.Offset
	case Following:
		return b.Offset
	case UnboundedFollowing:
		return maxOffset + 1
	}
	return 0
}

const boundForms = "unbounded preceding, n preceding, current row, n following or unbounded following"

func (p *clauseParser) bound() (Bound, error) {
	mark := p.tok
	switch {
	case p.accept("current"):
		return Bound{Kind: CurrentRow}, p.expect("row")
	case p.accept("unbounded"):
		return p.boundSide(UnboundedPreceding, UnboundedFollowing, 0)
	case mark.kind == tokenNumber:
		n, err := strconv.ParseInt(mark.text, 10, 64)
		if err != nil || n > maxOffset {
			return Bound{}, fault(p.src(), mark.start, "a frame reaches at most %d rows, a whole number of them", maxOffset)
		}
		p.advance()
		return p.boundSide(Preceding, Following, n)
	}
	return Bound{}, p.unexpected(boundForms)
}

func (p *clauseParser) boundSide(before, behind BoundKind, n int64) (Bound, error) {
	switch {
	case p.accept("preceding"):
		return Bound{Kind: before, Offset: n}, nil
	case p.accept("following"):
		return Bound{Kind: behind, Offset: n}, nil
	}
	return Bound{}, p.unexpected("'preceding' or 'following'")
}
