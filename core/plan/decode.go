package plan

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// Decode reads a wire plan from JSON, as a model or a file writes it. Unknown and
// doubled keys are errors, and so is text around the object. Models fall back
// into a spelled-out form, which is taken and brought to the short one: blocks
// and result, group_by and order_by, {"expr","as"}, {"table","as"}, null for
// what is absent, one string for a list of one, and numbers in quotes.
//
// Decode does not look into the clauses; Bind does. The error is a
// *reason.Error, PLAN_INVALID around an *Error.
func Decode(data []byte) (wire.Plan, error) {
	v, err := readJSON(data)
	if err != nil {
		return wire.Plan{}, refuse(err)
	}
	top, ok := v.(*fields)
	if !ok {
		return wire.Plan{}, refuse(&Error{Message: "a plan is a JSON object, not " + jsonName(v)})
	}
	p, err := readPlan(top)
	if err != nil {
		return wire.Plan{}, refuse(err)
	}
	return p, nil
}

// The keys of a plan and of a block, in their documented order, and the keys of
// the spelled-out form that mean one of them.
var (
	clauseKeys = []string{"from", "joins", "where", "group", "select", "having", "order", "limit", "offset", "per", "distinct"}
	planKeys   = append([]string{"version", "reasoning", "with", "result"}, clauseKeys...)
	blockKeys  = append([]string{"name", "op", "of", "recursive"}, clauseKeys...)
	otherKeys  = map[string]string{"blocks": "with", "group_by": "group", "groupBy": "group", "order_by": "order", "orderBy": "order", "join": "joins"}
)

// keyed brings the keys of an object to their short spellings.
func keyed(f *fields, known []string, path string) (map[string]any, error) {
	out := map[string]any{}
	for _, key := range f.keys {
		name := key
		if short, ok := otherKeys[key]; ok && slices.Contains(known, short) {
			name = short
		}
		if !slices.Contains(known, name) {
			return nil, (&Error{Field: join(path, key), Message: "there is no such key"}).hint("%s", keyHint(key, known))
		}
		if _, twice := out[name]; twice {
			return nil, &Error{Field: join(path, key), Message: "the key " + quote(name) + " stands twice, in two spellings"}
		}
		out[name] = f.values[key]
	}
	return out, nil
}

func keyHint(key string, known []string) string {
	if near := nearest(key, known); near != "" {
		return "did you mean " + quote(near) + "?"
	}
	return "the keys are " + strings.Join(known, ", ")
}

func readPlan(top *fields) (wire.Plan, error) {
	values, err := keyed(top, planKeys, "")
	if err != nil {
		return wire.Plan{}, err
	}
	r := &fieldReader{values: values}
	p := wire.Plan{Version: int(r.count("version")), Reasoning: r.text("reasoning")}
	for i, v := range r.entries("with") {
		b, err := readBlock(v, fmt.Sprintf("with[%d]", i+1))
		if err != nil {
			return p, err
		}
		p.With = append(p.With, b)
	}
	p.Clauses = r.clauses()
	if r.err != nil {
		return p, r.err
	}
	return withResult(p, values["result"])
}

func readBlock(v any, path string) (wire.Block, error) {
	f, ok := v.(*fields)
	if !ok {
		return wire.Block{}, &Error{Field: path, Message: "a block is an object, not " + jsonName(v)}
	}
	values, err := keyed(f, blockKeys, path)
	if err != nil {
		return wire.Block{}, err
	}
	r := &fieldReader{path: path, values: values}
	b := wire.Block{Name: r.text("name"), Op: r.text("op"), Of: r.list("of", asText), Recursive: r.truth("recursive")}
	b.Clauses = r.clauses()
	return b, r.err
}

// withResult makes the plan's own clauses of the spelled-out form's result: an
// object, or the name of a block. Without a from of its own, a plan of blocks
// means the last of them.
func withResult(p wire.Plan, result any) (wire.Plan, error) {
	name := ""
	switch result := result.(type) {
	case nil:
	case string:
		name = result
	case *fields:
		b, err := readBlock(result, "result")
		if err != nil {
			return p, err
		}
		if b.Name == "" {
			b.Name = "result"
		}
		p.With, name = append(p.With, b), b.Name
	default:
		return p, &Error{Field: "result", Message: "the result is a block or the name of one, not " + jsonName(result)}
	}
	if !blank(p.From) || len(p.Select) > 0 || len(p.With) == 0 {
		if name != "" {
			return p, &Error{Field: "result", Message: "a plan has either a result or clauses of its own"}
		}
		return p, nil
	}
	if name == "" {
		name = p.With[len(p.With)-1].Name
	}
	i := slices.IndexFunc(p.With, func(b wire.Block) bool { return strings.EqualFold(b.Name, name) })
	if i < 0 {
		return p, &Error{Field: "result", Message: "there is no block " + quote(name)}
	}
	b := p.With[i]
	if blank(b.From) && len(b.Of) == 0 {
		return p, nil // nothing to take as the result; Bind says so
	}
	if op := strings.ToLower(b.Op); (op == "" || op == string(OpSelect)) && len(b.Of) == 0 && !b.Recursive {
		p.Clauses = b.Clauses
		p.With = slices.Delete(p.With, i, i+1)
		return p, nil
	}
	p.From, p.Select = b.Name, []string{"*"}
	return p, nil
}

// fieldReader reads the values of an object. The first error stays; reads after
// it give nothing.
type fieldReader struct {
	path   string
	values map[string]any
	err    error
}

func (r *fieldReader) fail(key, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{Field: join(r.path, key), Message: fmt.Sprintf(format, args...)}
	}
}

func (r *fieldReader) clauses() wire.Clauses {
	return wire.Clauses{
		From: r.source("from"), Joins: r.list("joins", asJoin), Where: r.condition("where"), Group: r.list("group", asItem),
		Select: r.list("select", asItem), Having: r.condition("having"), Order: r.list("order", asTerm),
		Limit: r.count("limit"), Offset: r.count("offset"), Per: r.list("per", asItem), Distinct: r.truth("distinct"),
	}
}

func (r *fieldReader) text(key string) string {
	switch v := r.values[key].(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		r.fail(key, "a string is needed, not %s", jsonName(v))
		return ""
	}
}

// entries is a list; one value alone is a list of one.
func (r *fieldReader) entries(key string) []any {
	switch v := r.values[key].(type) {
	case nil:
		return nil
	case []any:
		return v
	default:
		return []any{v}
	}
}

// list reads clauses with as. Empty ones are left out.
func (r *fieldReader) list(key string, as func(any) (string, error)) []string {
	var out []string
	for i, v := range r.entries(key) {
		s, err := as(v)
		if err != nil {
			r.fail(fmt.Sprintf("%s[%d]", key, i+1), "%s", err)
			return nil
		}
		if !blank(s) {
			out = append(out, s)
		}
	}
	return out
}

// source reads the one table of from.
func (r *fieldReader) source(key string) string {
	list := r.list(key, asSource)
	if len(list) > 1 {
		r.fail(key, "one table stands here; the others are entries of \"joins\"")
		return ""
	}
	return strings.Join(list, "")
}

// condition reads a condition; a list of them means all of them.
func (r *fieldReader) condition(key string) string {
	list := r.list(key, asItem)
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return "(" + strings.Join(list, ") and (") + ")"
}

// count reads a whole number, also in quotes; null and "" are 0.
func (r *fieldReader) count(key string) int64 {
	text := ""
	switch v := r.values[key].(type) {
	case nil:
		return 0
	case json.Number:
		text = v.String()
	case string:
		if text = strings.TrimSpace(v); text == "" {
			return 0
		}
	}
	// A count longer than this is out of range; a long exponent would cost time.
	const longest = 24
	if len(text) <= longest && !strings.ContainsAny(text, "eE/_xX") {
		if n, ok := new(big.Rat).SetString(text); ok && n.IsInt() && n.Num().IsInt64() {
			return n.Num().Int64()
		}
	}
	r.fail(key, "a whole number is needed, not %s", jsonName(r.values[key]))
	return 0
}

// truth reads true or false, also in quotes; null and "" are false.
func (r *fieldReader) truth(key string) bool {
	switch v := r.values[key].(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true":
			return true
		case "false", "":
			return false
		}
	}
	r.fail(key, "true or false is needed, not %s", jsonName(r.values[key]))
	return false
}

func jsonName(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case json.Number:
		return "the number " + clip(v.String())
	case string:
		return "the string " + quote(v)
	case []any:
		return "a list"
	}
	return "an object"
}
