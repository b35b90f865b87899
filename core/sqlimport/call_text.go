package sqlimport

import (
	"querent.dev/querent/sdk/wire"
)

// text is a function of the plan that takes texts.
func text(name string, args int) translation {
	return func(c *calling) (value, error) {
		if err := c.count(args, args); err != nil || c.anyNull() {
			return nullValue(), err
		}
		list := make([]value, args)
		for i, a := range c.args {
			var err error
			if list[i], err = c.t.textual(a, c.n); err != nil {
				return a, err
			}
		}
		if name == "position" && c.n.Name == "locate" {
			list[0], list[1] = list[1], list[0]
		}
		if name == "position" && c.t.mysql() && (c.t.folds(list[0]) || c.t.folds(list[1])) {
			list[0], list[1] = c.t.folded(list[0]), c.t.folded(list[1])
		}
		out := fn(name, list...)
		if name != "length" && name != "position" {
			out.collation = list[0].collation
		}
		return out, nil
	}
}

// trimmed takes spaces off. Other characters are not offered by plans.
func trimmed(name string) translation {
	return func(c *calling) (value, error) {
		if err := c.count(1, 2); err != nil {
			return value{}, err
		}
		if len(c.args) == 2 && (!c.args[1].constant || c.args[1].literal != " ") {
			return value{}, c.t.unsupported(c.n, "this "+c.n.Name, "plans trim spaces only")
		}
		c.args = c.args[:1]
		return text(name, 1)(c)
	}
}

// substring is substr(text, start, length), or of a moment a part of it.
func substring(c *calling) (value, error) {
	if err := c.count(2, 3); err != nil || c.anyNull() {
		return nullValue(), err
	}
	start, constant := wholeNumber(c.args[1])
	length, bounded := int64(0), len(c.args) == 3
	if bounded {
		n, ok := wholeNumber(c.args[2])
		length, constant = n, constant && ok
	}
	if c.args[0].typ.Kind.Temporal() && constant && bounded {
		if v, ok := c.t.momentPart(c.args[0], start, length); ok {
			return v, nil
		}
	}
	x, err := c.t.textual(c.args[0], c.n)
	if err != nil {
		return x, err
	}
	if !constant {
		return c.computedSubstring(x)
	}
	var out value
	switch {
	case bounded && length < 0:
		return x, c.t.unsupported(c.n, "this "+c.n.Name, "its length is below zero")
	case start < 0 && (c.t.sqlite() || c.t.mysql()) && (!bounded || length >= -start):
		out = fn("right", x, intValue(-start))
	case start < 0 && (c.t.sqlite() || c.t.mysql()):
		short := binary(fn("length", x), "<", intValue(-start), powCompare, tBool)
		whole := fn("left", fn("right", x, intValue(-start)), intValue(length))
		out = choice(tText, &whole, short, fn("left", x, intValue(max(length, 0))))
		if c.t.sqlite() && length > 0 {
			return x, c.t.unsupported(c.n, "this "+c.n.Name, "its part begins at the end and is cut; write it with left and right")
		}
	case start < 1 && c.t.mysql():
		return textValue(""), nil
	case start < 1 && !bounded:
		return x, nil
	case start < 1:
		out = fn("left", x, intValue(max(length+start-1, 0)))
	case !bounded:
		out = fn("substr", x, intValue(start))
	default:
		out = fn("substr", x, intValue(start), intValue(length))
	}
	out.typ, out.nullable, out.collation = tText, x.nullable, x.collation
	return out, nil
}

// computedSubstring is one whose places are computed, which plans take as they are
// where they have them at all.
func (c *calling) computedSubstring(x value) (value, error) {
	list := []value{x}
	for _, a := range c.args[1:] {
		n, err := c.t.numeric(a, c.n)
		if err != nil {
			return n, err
		}
		list = append(list, n)
	}
	out := fn("substr", list...).typed(tText)
	out.collation = x.collation
	return out, nil
}

// momentPart is the part of a moment that stands at a place of its text.
func (t *translator) momentPart(m value, start, length int64) (value, bool) {
	part, ok := map[[2]int64]layout{
		{1, 4}: {"year", 4}, {6, 2}: {"month", 2}, {9, 2}: {"day", 2}, {12, 2}: {"hour", 2}, {15, 2}: {"minute", 2}, {18, 2}: {"second", 2},
		{1, 7}: {"year_month", 0}, {1, 10}: {"iso", 0}, {0, 5}: {"year", 4},
	}[[2]int64{start, length}]
	if !ok || m.typ.Kind == wire.KindDate && start >= 12 {
		return value{}, false
	}
	return t.piece(m, part), true
}

// prefix is a function of a text and a constant count.
func prefix(name string) translation {
	return func(c *calling) (value, error) {
		if err := c.count(2, 2); err != nil || c.anyNull() {
			return nullValue(), err
		}
		n, ok := wholeNumber(c.args[1])
		if ok && name == "left" && c.args[0].typ.Kind.Temporal() {
			if v, ok := c.t.momentPart(c.args[0], 1, n); ok {
				return v, nil
			}
		}
		x, err := c.t.textual(c.args[0], c.n)
		if err != nil {
			return x, err
		}
		count := c.args[1]
		if ok && n < 0 {
			return x, c.t.unsupported(c.n, "this "+c.n.Name, "its count is below zero")
		}
		out := fn(name, x, count).typed(tText)
		out.collation = x.collation
		return out, nil
	}
}

func padding(name string) translation {
	return func(c *calling) (value, error) {
		if err := c.count(2, 3); err != nil || c.anyNull() {
			return nullValue(), err
		}
		x, err := c.t.textual(c.args[0], c.n)
		if err != nil {
			return x, err
		}
		list := append([]value{x}, c.args[1:]...)
		return fn(name, list...).typed(tText), nil
	}
}

// startsWith is PostgreSQL's, for which case counts.
func startsWith(c *calling) (value, error) {
	if err := c.count(2, 2); err != nil || c.anyNull() {
		return nullValue(), err
	}
	return binary(fn("position", c.args[0], c.args[1]).typed(tInt), "=", intValue(1), powCompare, tBool), nil
}

// concatenated joins texts. A null counts as empty, but on MariaDB.
func concatenated(c *calling) (value, error) {
	if err := c.count(1, 100); err != nil {
		return value{}, err
	}
	if c.t.mysql() && c.anyNull() {
		return nullValue(), nil
	}
	var list []value
	for _, a := range c.args {
		x, err := c.t.textual(a, c.n)
		if err != nil {
			return x, err
		}
		if !x.isNull() {
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		return textValue(""), nil
	}
	if c.t.mysql() || !anyNullable(list) {
		out := list[0]
		for _, x := range list[1:] {
			out = binary(out, "||", x, powConcat, tText)
		}
		return out, nil
	}
	if len(list) == 1 {
		list = append(list, textValue(""))
	}
	out := fn("concat", list...).typed(tText)
	out.nullable = false
	return out, nil
}

func anyNullable(list []value) bool {
	for _, v := range list {
		if v.nullable {
			return true
		}
	}
	return false
}

// joinedBy is concat_ws, which leaves nulls out with their separator.
func joinedBy(c *calling) (value, error) {
	if err := c.count(2, 100); err != nil {
		return value{}, err
	}
	sep := c.args[0]
	if !sep.constant || anyNullable(c.args[1:]) {
		return sep, c.t.unsupported(c.n, "concat_ws", "plans join texts that are not null with || and a constant between them")
	}
	var out value
	for i, a := range c.args[1:] {
		x, err := c.t.textual(a, c.n)
		if err != nil {
			return x, err
		}
		if i == 0 {
			out = x
			continue
		}
		out = binary(binary(out, "||", sep, powConcat, tText), "||", x, powConcat, tText)
	}
	return out, nil
}

// before and behind are the parts of a text around the first separator, and the
// whole text, or nothing, where there is none.
func before(x, sep value) value {
	at := fn("position", x, sep).typed(tInt)
	part := fn("substr", x, intValue(1), binary(at, "-", intValue(1), powAdd, tInt)).typed(tText)
	return choice(tText, &x, binary(at, ">", intValue(0), powCompare, tBool), part)
}

func behind(x, sep value, otherwise value) value {
	at := fn("position", x, sep).typed(tInt)
	skipped := binary(at, "+", fn("length", sep).typed(tInt), powAdd, tInt)
	return choice(tText, &otherwise, binary(at, ">", intValue(0), powCompare, tBool), fn("substr", x, skipped).typed(tText))
}

// splitPart is split_part(text, separator, n) for the first two parts.
func splitPart(c *calling) (value, error) {
	if err := c.count(3, 3); err != nil || c.anyNull() {
		return nullValue(), err
	}
	x, err := c.t.textual(c.args[0], c.n)
	if err != nil {
		return x, err
	}
	switch n, _ := wholeNumber(c.args[2]); n {
	case 1:
		return before(x, c.args[1]), nil
	case 2:
		return before(behind(x, c.args[1], textValue("")), c.args[1]), nil
	}
	return x, c.t.unsupported(c.n, "this split_part", "plans take the first or the second part")
}

// substringIndex is substring_index(text, separator, n) for what stands before the
// first separator and behind the last.
func substringIndex(c *calling) (value, error) {
	if err := c.count(3, 3); err != nil || c.anyNull() {
		return nullValue(), err
	}
	x, err := c.t.textual(c.args[0], c.n)
	if err != nil {
		return x, err
	}
	switch n, _ := wholeNumber(c.args[2]); n {
	case 1:
		return before(x, c.args[1]), nil
	case -1:
		back := fn("reverse", x).typed(tText)
		return fn("reverse", before(back, fn("reverse", c.args[1]).typed(tText))).typed(tText), nil
	}
	return x, c.t.unsupported(c.n, "this substring_index", "plans take what stands before the first separator or behind the last")
}
