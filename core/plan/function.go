package plan

import "querent.dev/querent/sdk/wire"

// FunctionKind tells aggregates from scalar functions.
type FunctionKind string

// The kinds of functions.
const (
	ScalarFunction    FunctionKind = "scalar"
	AggregateFunction FunctionKind = "aggregate"
)

// Function is a line of the one table of functions. The table is closed: what is
// not in it cannot be called. The parser, the type check, the prompt's list, the
// docs and the renderers all read it.
type Function struct {
	Name    string   // lower case
	Aliases []string // other spellings that models write, with the same meaning
	Kind    FunctionKind
	// Signature is the call as people write it: "round(number [, digits])".
	Signature string
	// Doc is one sentence, for the prompt and the docs.
	Doc string
	// MinArgs and MaxArgs bound the arguments; MaxArgs -1 means any number.
	MinArgs, MaxArgs int
	// Check gives the type of the result, or an error that says what was expected.
	Check func(args []wire.Type) (wire.Type, error)
}
