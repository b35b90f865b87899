package plan

import (
	"slices"

	"querent.dev/querent/sdk/wire"
)

// Tags are the tags of what each column of the result shows of the catalog's columns:
// those of a column that is selected, also within functions, and through blocks.
// Counts, sums and averages show none of what they are made of, nor do conditions.
func (q *Query) Tags() [][]string {
	result := q.Result()
	out := make([][]string, len(result.Columns()))
	for i := range out {
		out[i] = itemTags(result, i, map[*Block]bool{})
	}
	return out
}

// itemTags are those of a block's column in all its inputs. Seen ends recursion.
func itemTags(b *Block, item int, seen map[*Block]bool) []string {
	if seen[b] {
		return nil
	}
	seen[b] = true
	defer delete(seen, b)
	var out []string
	for _, input := range b.Of {
		out = allOf(out, itemTags(input, item, seen))
	}
	if item < len(b.Select) {
		out = allOf(out, tagsOf(b.Select[item].Expr, seen))
	}
	return out
}

func tagsOf(e Expr, seen map[*Block]bool) []string {
	switch e := e.(type) {
	case nil, *InBlock, *Exists:
		return nil
	case *Column:
		return e.Column.Tags
	case *Output:
		return itemTags(e.Source.Block, e.Item, seen)
	case *Scalar:
		return itemTags(e.Block, 0, seen)
	case *Lookup:
		return tagsOf(e.Value, seen)
	case *Case:
		out := tagsOf(e.Else, seen)
		for _, w := range e.Whens {
			out = allOf(out, tagsOf(w.Then, seen))
		}
		return out
	case *Window:
		return tagsOf(e.Call, seen)
	case *Call:
		return callTags(e, seen)
	}
	if e.Type().Kind == wire.KindBool {
		return nil
	}
	inside, err := parts(e)
	if err != nil {
		return nil // such a plan is refused
	}
	var out []string
	for _, x := range inside {
		if x != nil {
			out = allOf(out, tagsOf(x, seen))
		}
	}
	return out
}

// showing are the aggregates and window functions whose value is one of those they
// are made of, or holds it.
var showing = []string{"min", "max", "string_agg", "first_value", "last_value", "nth_value", "lag", "lead", "median", "percentile", "mode", "array_agg"}

func callTags(c *Call, seen map[*Block]bool) []string {
	if c.Func.Kind != ScalarFunction && !slices.Contains(showing, c.Func.Name) || c.Type().Kind == wire.KindBool {
		return nil
	}
	var out []string
	for _, a := range c.Args {
		out = allOf(out, tagsOf(a, seen))
	}
	return out
}

func allOf(a, b []string) []string {
	for _, tag := range b {
		if !slices.Contains(a, tag) {
			a = append(slices.Clip(a), tag)
		}
	}
	return a
}
