package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Explain says in plain English what the query computes: a line for each block, the
// result last. It is for people who check a plan; the same query gives the same
// text. It holds names of the catalog and text of the plan, so it is for whoever
// may see both.
func (q *Query) Explain() string {
	var lines []string
	for i, b := range q.Blocks {
		text := explainBlock(b)
		if i < len(q.Blocks)-1 {
			text = quote(b.Name) + ": " + text
		}
		if len(q.Blocks) > 1 {
			text = strconv.Itoa(i+1) + ". " + text
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n") + "\n"
}

// setWords say what a set operation makes of its inputs.
var setWords = map[BlockOp]string{
	OpUnion: "the rows of %s together, each once", OpUnionAll: "the rows of %s together",
	OpIntersect: "the rows that all of %s have", OpExcept: "the rows of %s, without those that the later ones have",
}

func explainBlock(b *Block) string {
	switch {
	case b.Recursive:
		repeated := "every row that it finds"
		if b.Op == OpUnion {
			repeated = "every row that is new"
		}
		return sentence(fmt.Sprintf("starts with the rows of %s; then, again and again with %s: %s", quote(b.Of[0].Name), repeated, explainSelect(b)))
	case b.Op != OpSelect:
		names := make([]string, len(b.Of))
		for i, input := range b.Of {
			names[i] = quote(input.Name)
		}
		return sentence(fmt.Sprintf(setWords[b.Op], listed(names)))
	}
	return sentence(explainSelect(b))
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// listed joins words as a sentence does.
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func explainSelect(b *Block) string {
	x := &explainer{block: b}
	parts := []string{x.subject()}
	if len(b.Sources) > 0 {
		parts[0] += x.sources()
	}
	if b.Where != nil {
		parts = append(parts, "only where "+x.words(b.Where))
	}
	if b.Having != nil {
		parts = append(parts, "only groups where "+x.words(b.Having))
	}
	if b.Distinct {
		parts = append(parts, "each different row once")
	}
	if order := x.order(b.Order); order != "" {
		parts = append(parts, "sorted by "+order)
	}
	if cut := x.cut(); cut != "" {
		parts = append(parts, cut)
	}
	return strings.Join(parts, "; ")
}

// explainer words the expressions of one block.
type explainer struct{ block *Block }

// subject is what the block has a row for, and what is in it.
func (x *explainer) subject() string {
	b := x.block
	items := make([]string, 0, len(b.Select))
	for _, item := range b.Select {
		if b.Aggregated && slices.ContainsFunc(b.Group, func(k Expr) bool { return key(k) == key(item.Expr) }) {
			continue // the row is one of it
		}
		text := x.words(item.Expr)
		if item.Label != defaultLabel(item.Expr) {
			text += " (" + clip(item.Label) + ")"
		}
		items = append(items, text)
	}
	what := listed(items)
	switch {
	case b.Aggregated && len(b.Group) > 0:
		keys := make([]string, len(b.Group))
		for i, k := range b.Group {
			keys[i] = strings.TrimPrefix(x.words(k), "the ")
		}
		if what == "" {
			return "each " + listed(keys)
		}
		return "for each " + listed(keys) + ": " + what
	case b.Aggregated:
		return "in one row: " + what
	case len(b.Sources) == 0:
		return what
	}
	return "for each row: " + what
}

// joinWording says what a join does with rows that match none.
var joinWording = map[JoinKind]string{
	JoinInner: "with the matching %s", JoinLeft: "with the matching %s, if there are any",
	JoinRight: "with all of %s, whether they match or not", JoinFull: "with %s, keeping what matches on neither side",
	JoinCross: "with every row of %s", JoinSemi: "only those that have a matching row of %s", JoinAnti: "only those that have no matching row of %s",
}

func (x *explainer) sources() string {
	var b strings.Builder
	b.WriteString(", from " + x.sourceName(x.block.Sources[0]))
	for _, s := range x.block.Sources[1:] {
		b.WriteString(", " + fmt.Sprintf(joinWording[s.Join], x.sourceName(s)))
		if s.On != nil {
			b.WriteString(" (" + x.words(s.On) + ")")
		}
	}
	return b.String()
}

// sourceName is what an occurrence is called: its table, and its alias where the
// table stands there more than once.
func (x *explainer) sourceName(s *Source) string {
	name := ""
	if s.Block != nil {
		name = quote(s.Block.Name)
	} else {
		name = clip(s.Table.Name)
	}
	for _, other := range x.block.Sources {
		if other != s && other.Table == s.Table && other.Block == s.Block {
			return name + " " + clip(s.Alias)
		}
	}
	return name
}

func (x *explainer) order(order []Order) string {
	var out []string
	for _, o := range order {
		text := x.words(o.Expr)
		if o.Desc {
			text += " from the highest down"
		}
		if o.Nulls == NullsFirst {
			text += ", empty ones first"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", then ")
}

// cut is what limit, offset and per leave.
func (x *explainer) cut() string {
	b := x.block
	var text string
	switch {
	case b.Limit == 0 && b.Offset == 0:
		return ""
	case b.Limit == 0:
		text = fmt.Sprintf("without the first %d", b.Offset)
	case b.Offset == 0 && b.Limit == 1:
		text = "the first only"
	case b.Offset == 0:
		text = fmt.Sprintf("the first %d", b.Limit)
	default:
		text = fmt.Sprintf("%d after the first %d", b.Limit, b.Offset)
	}
	if len(b.Per) > 0 {
		per := make([]string, len(b.Per))
		for i, e := range b.Per {
			per[i] = strings.TrimPrefix(x.words(e), "the ")
		}
		text += " of each " + listed(per)
	}
	return text
}
