package plan

import "querent.dev/querent/sdk/wire"

// node is an expression as it is written: no name is looked up yet.
type node interface{ offset() int }

// at is where a node starts, in bytes of its clause.
type at int

func (a at) offset() int { return int(a) }

type (
	// nameNode is a name with its qualifiers: schema, table, column.
	nameNode struct {
		at
		parts []string
		// bare is set for one part without backticks, which may be a keyword of
		// a call such as an unquoted period.
		bare bool
	}
	literalNode struct {
		at
		value wire.Value
	}
	unaryNode struct {
		at
		op string // "-" or "not"
		x  node
	}
	binaryNode struct {
		at   // the operator's place
		op   BinaryOp
		l, r node
	}
	isNullNode struct {
		at
		x      node
		negate bool
	}
	inNode struct {
		at
		x      node
		list   []node
		negate bool
	}
	betweenNode struct {
		at
		x, low, high node
		negate       bool
	}
	likeNode struct {
		at
		x, pattern node
		negate     bool
	}
	caseNode struct {
		at
		operand   node // nil for a searched case
		whens     []whenNode
		otherwise node
	}
	whenNode struct{ cond, then node }
	castNode struct {
		at
		x  node
		to wire.Type
	}
	callNode struct {
		at
		name     string // lower case
		args     []node
		star     bool
		distinct bool
		filter   node
		order    []termNode
		over     *windowNode
	}
	duringNode struct {
		at
		x      node
		period string
		from   int // where the period stands
	}
)
