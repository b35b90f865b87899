package plan

import (
	"fmt"
	"slices"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// FunctionKind tells scalar functions, aggregates and window functions apart.
type FunctionKind string

// The kinds of functions.
const (
	ScalarFunction    FunctionKind = "scalar"
	AggregateFunction FunctionKind = "aggregate"
	WindowFunction    FunctionKind = "window" // called with over (…) only
)

// Function is a line of the one table of functions. The table is closed: what is
// not in it cannot be called. The parser, the type check, the prompt's list, the
// docs and the renderers all read it.
type Function struct {
	Name    string   // lower case; the key by which renderers know it
	Aliases []string // other spellings that models write, with the same meaning
	Kind    FunctionKind
	// Signature is the call as people write it: "round(number [, digits])".
	Signature string
	// Doc is one sentence, for the prompt and the docs.
	Doc string
	// MinArgs and MaxArgs bound the arguments; MaxArgs -1 means any number.
	MinArgs, MaxArgs int
	// Check gives the type of the result, or an error that says what was
	// expected. A null argument fits everywhere.
	Check func(args []wire.Type) (wire.Type, error)
	// Constants bounds the arguments, by position, that must be literals: a
	// renderer finds a *Literal there, of the kind and the range given.
	Constants map[int]Constant
	// Rare is set on what few questions need: prompts name it without its signature.
	Rare bool

	takes  []class                                  // by position; the last stands for the rest
	alike  bool                                     // all arguments are of one type
	refine func(args []Expr, t wire.Type) wire.Type // sharpens Check's type by constants; may be nil
}

// Constant says what a literal argument may be: one of OneOf; with Text a text of
// Min to Max characters; with Fraction a number from Min to Max; or else an
// integer from Min to Max.
type Constant struct {
	OneOf    []string
	Text     bool
	Fraction bool
	Min, Max int64
	// Computed lets an integer be an expression, too. A renderer then takes what is
	// below Min for Min, and what is above Max for Max.
	Computed bool
}

// Functions is every function, aggregates first, in the order of the docs.
func Functions() []Function { return slices.Clone(functions) }

// FindFunction finds a function by its name or an alias, in any case.
func FindFunction(name string) (*Function, bool) {
	f, ok := functionIndex[strings.ToLower(name)]
	return f, ok
}

var functions = slices.Concat(aggregates(), windowFunctions(), numberFunctions(), textFunctions(), choiceFunctions(),
	timeFunctions(), spanFunctions())

// rare are the functions that few questions need.
var rare = []string{
	"variance", "percentile", "bool_and", "bool_or",
	"dense_rank", "percent_rank", "cume_dist", "ntile", "first_value", "last_value", "nth_value",
	"sign", "sqrt", "power", "exp", "ln", "log10", "log2", "div", "trunc",
	"pi", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "radians", "degrees",
	"ltrim", "rtrim", "like_case", "lpad", "rpad", "repeat", "reverse", "ends_with",
	"iso_week", "iso_year", "day_of_year", "add_hours", "add_minutes", "add_seconds", "seconds_between",
	"make_date", "epoch", "from_epoch",
}

func init() {
	for _, name := range rare {
		functionIndex[name].Rare = true
	}
}

var functionIndex = indexFunctions(functions)

func indexFunctions(list []Function) map[string]*Function {
	out := map[string]*Function{}
	for i := range list {
		f := &list[i]
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			if _, taken := out[name]; taken {
				panic("plan: two functions are named " + name)
			}
			out[name] = f
		}
	}
	return out
}

// class says what an argument may be, in the words of the error.
type class string

const (
	anyValue  class = "a value"
	number    class = "a number"
	wholeNum  class = "a whole number"
	textValue class = "text"
	aMoment   class = "a date or a timestamp"
	timed     class = "a timestamp"
	condition class = "a condition"
	sortable  class = "a number, a text, a date or a time"
	writable  class = "a number, a text, a date, a timestamp or a condition"
	parsable  class = "a number or a text"
)

func (c class) fits(k wire.Kind) bool {
	switch c {
	case number:
		return k.Numeric()
	case wholeNum:
		return k == wire.KindInt
	case textValue:
		return k == wire.KindText
	case aMoment:
		return k.Temporal()
	case timed:
		return k == wire.KindTimestamp || k == wire.KindTimestampTZ
	case condition:
		return k == wire.KindBool
	case sortable:
		return ordered(k)
	case writable:
		return k.Numeric() || k.Temporal() || k == wire.KindText || k == wire.KindBool
	case parsable:
		return k.Numeric() || k == wire.KindText
	default:
		return k != wire.KindJSON && k != wire.KindArray
	}
}

// ordered reports whether values of the kind have an order that is the same on
// every database.
func ordered(k wire.Kind) bool {
	return k.Numeric() || k.Temporal() || k == wire.KindText || k == wire.KindTime
}

// result gives the type of a call from those of its arguments, which fit.
type result func(args []wire.Type) (wire.Type, error)

// define completes a line of the table: its counts of arguments and its Check
// follow from what it takes. The last of optional arguments may be left out.
func define(f Function, optional int, r result, takes ...class) Function {
	f.takes = takes
	f.MaxArgs = len(takes)
	f.MinArgs = len(takes) - optional
	return withCheck(f, r)
}

// defineMany completes a line that takes any number of arguments of a class, at
// least two.
func defineMany(f Function, r result, takes class) Function {
	f.takes = []class{takes}
	f.MinArgs, f.MaxArgs = 2, -1
	return withCheck(f, r)
}

func withCheck(f Function, r result) Function {
	if f.Kind == "" {
		f.Kind = ScalarFunction
	}
	f.Check = func(args []wire.Type) (wire.Type, error) {
		if err := f.checkCount(len(args)); err != nil {
			return wire.Type{}, err
		}
		for i, t := range args {
			if want := f.class(i); t.Kind != wire.KindNull && !want.fits(t.Kind) {
				return wire.Type{}, &argumentError{fn: &f, index: i, want: string(want), got: t}
			}
		}
		return r(args)
	}
	return f
}

func (f *Function) class(i int) class {
	if i >= len(f.takes) {
		return f.takes[len(f.takes)-1]
	}
	return f.takes[i]
}

func (f *Function) checkCount(n int) error {
	if n >= f.MinArgs && (n <= f.MaxArgs || f.MaxArgs < 0) {
		return nil
	}
	return fmt.Errorf("%s takes %s, not %d: %s", f.Name, f.counts(), n, f.Signature)
}

func (f *Function) counts() string {
	switch {
	case f.MaxArgs < 0:
		return fmt.Sprintf("at least %d arguments", f.MinArgs)
	case f.MinArgs == f.MaxArgs && f.MinArgs == 1:
		return "1 argument"
	case f.MinArgs == f.MaxArgs:
		return fmt.Sprintf("%d arguments", f.MinArgs)
	}
	return fmt.Sprintf("%d to %d arguments", f.MinArgs, f.MaxArgs)
}

// argumentError is an argument of the wrong type.
type argumentError struct {
	fn    *Function
	index int
	want  string
	got   wire.Type
}

func (e *argumentError) Error() string {
	if len(e.fn.takes) == 1 {
		return fmt.Sprintf("%s takes %s, not %s: %s", e.fn.Name, e.want, typeName(e.got), e.fn.Signature)
	}
	return fmt.Sprintf("argument %d of %s must be %s, not %s: %s", e.index+1, e.fn.Name, e.want, typeName(e.got), e.fn.Signature)
}

// always is the result of a function whose type does not depend on arguments.
func always(k wire.Kind) result {
	return func([]wire.Type) (wire.Type, error) { return wire.Type{Kind: k}, nil }
}

// asFirst is the result of a function that gives its first argument's type.
func asFirst(args []wire.Type) (wire.Type, error) { return args[0], nil }

// common is the result of a function that gives one of its arguments.
func common(args []wire.Type) (wire.Type, error) {
	t := wire.Type{}
	for _, a := range args {
		u, ok := unify(t, a)
		if !ok {
			return t, fmt.Errorf("all arguments must be of one type, but there are %s and %s", typeName(t), typeName(a))
		}
		t = u
	}
	return t, nil
}
