package sqlgen

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"querent.dev/querent/core/plan"
	"querent.dev/querent/core/policy"
	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// renderer is the state of one Render: the text so far, its arguments in the
// order of the text, and the names that are in scope. After the first error it
// writes nothing more.
type renderer struct {
	dialect dialect
	secured policy.Secured
	zone    *time.Location // nil: UTC

	text []byte
	args []wire.Value
	err  error

	aliases map[*plan.Source]string // sources in scope
	names   map[*plan.Block]string  // blocks that stand in WITH
	count   int                     // aliases made so far
	current *plan.Block             // the block that is being written
	over    *plan.Window            // the window whose call is being written, until its OVER is
	windows int                     // how many windows a dialect has numbered
	negated int                     // how many NOTs what is being written stands in
	// folds are the full joins that a derived table takes the place of, by the block.
	folds map[*plan.Block]*fold
	// besides is the block whose rows the windows of its aggregates run over, while
	// those are written.
	besides *plan.Block
	// swaps are expressions that a derived table computes; they are read from it.
	swaps []swap
	// grouped is set while keys of groups are read as aggregates, and rowSwaps are the
	// swaps of the rows under them.
	grouped  bool
	rowSwaps []swap
	// added are the columns that the renderer reads beside those of the plan.
	added []*schema.Column
	// used are the columns that the plan reads of each source; nil until asked for.
	used map[*plan.Source][]*schema.Column
	// byPolicy is set while what the policy put on an occurrence is written, and
	// concealed is what of it is not shown.
	byPolicy  bool
	concealed concealment
}

// swap says under which name a derived table gives an expression.
type swap struct {
	expr plan.Expr
	name string
}

// exact, as a part of put, writes an expression free of rounding errors.
type exact struct{ plan.Expr }

// put writes its parts in order: a string is text of this package, an expression
// is rendered as its value, a wire.Value becomes an argument, a func writes
// itself.
func (r *renderer) put(parts ...any) {
	for _, part := range parts {
		switch p := part.(type) {
		case string:
			r.write(p)
		case exact:
			r.exact(p.Expr)
		case plan.Expr:
			r.value(p)
		case wire.Value:
			r.arg(p)
		case func():
			p()
		default:
			r.fail(reason.New(reason.Internal, reason.ReasonInternal, "a part of type %T cannot be written", part))
		}
	}
}

func (r *renderer) write(text string) {
	if r.err != nil {
		return
	}
	if len(r.text)+len(text) > maxLength {
		r.fail(invalid("The plan is too long to be written as one query of at most %d bytes. Split the question.", maxLength))
		return
	}
	r.text = append(r.text, text...)
}

// list writes n parts with a separator between them.
func (r *renderer) list(n int, separator string, part func(i int)) {
	for i := range n {
		if r.err != nil {
			return
		}
		if i > 0 {
			r.write(separator)
		}
		part(i)
	}
}

func (r *renderer) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// invalid is the error of a plan that cannot be written. The text is shown to
// the asker and must name no object.
func invalid(format string, args ...any) *reason.Error {
	text := fmt.Sprintf(format, args...)
	return reason.New(reason.PlanInvalid, reason.ReasonPlanInvalid, "%s", text).WithSafe("%s", text)
}

// malformed is the error of a plan that binding cannot have made.
func malformed(format string, args ...any) *reason.Error {
	return reason.New(reason.InvalidState, reason.ReasonInvalidState, format, args...)
}

// arg binds a value.
func (r *renderer) arg(v wire.Value) {
	if r.err != nil {
		return
	}
	bound, err := r.dialect.bind(v)
	if err == nil && bound.Kind() == wire.KindText && !plainText(bound.String()) {
		err = invalid("A text of the plan holds a NUL character or is not valid UTF-8, which no database can compare.")
	}
	if err != nil {
		r.fail(err)
		return
	}
	if r.byPolicy {
		r.concealed.args = append(r.concealed.args, len(r.args))
	}
	r.args = append(r.args, bound)
	r.write(r.dialect.placeholder(len(r.args), v))
}

// plainText reports whether every database keeps the text as it is.
func plainText(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

// identifier writes a name of the catalog.
func (r *renderer) identifier(name string) {
	if name == "" || !plainText(name) {
		r.fail(malformed("the catalog has a name that is empty, holds a NUL character or is not valid UTF-8: %q", name))
		return
	}
	if len(name) > r.dialect.longest() {
		r.fail(malformed("the catalog has a name of %d bytes, which its database cannot have", len(name)))
		return
	}
	r.write(r.dialect.quote(name))
}

// alias makes a name for a table of a FROM clause. It is unique in the statement.
func (r *renderer) alias() string {
	r.count++
	return "t" + strconv.Itoa(r.count)
}

// output is the name of the i-th column of a block, from 0.
func output(i int) string { return "c" + strconv.Itoa(i+1) }

// exact writes e free of rounding errors; what a derived table gives is.
func (r *renderer) exact(e plan.Expr) {
	if name, ok := r.swapped(e); ok && !isColumn(e) {
		r.write(name)
		return
	}
	r.dialect.exact(r, e)
}

func isColumn(e plan.Expr) bool {
	switch e.(type) {
	case *plan.Column, *plan.Output:
		return true
	}
	return false
}

// swapped finds the name under which a derived table gives e.
func (r *renderer) swapped(e plan.Expr) (string, bool) {
	for _, s := range r.swaps {
		if same(s.expr, e) {
			return s.name, true
		}
	}
	return "", false
}

// same reports whether two expressions are the same calculation over the same
// sources. Sources, columns, blocks and functions are compared by identity.
func same(a, b plan.Expr) bool { return a == b || reflect.DeepEqual(a, b) }

// probe reports whether rendering e needs something that a database does not see
// as equal when it stands in a query twice: an argument or a sub-query.
func (r *renderer) probe(e plan.Expr) bool {
	text, args, concealed, count, err := len(r.text), len(r.args), r.concealed, r.count, r.err
	r.exact(e)
	differs := len(r.args) > args || readsBlock(e)
	r.text, r.args, r.concealed, r.count, r.err = r.text[:text], r.args[:args], concealed, count, err
	return differs
}

func readsBlock(e plan.Expr) bool {
	found := false
	// The policy has walked the expression: it is of known types.
	_ = plan.Walk(e, func(x plan.Expr) bool {
		found = found || plan.Reads(x) != nil
		return !found
	})
	return found
}
