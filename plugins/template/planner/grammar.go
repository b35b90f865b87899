package planner

import (
	"slices"
	"strconv"
	"strings"

	"querent.dev/querent/sdk/wire"
)

// maxSteps bounds the readings that are tried. Questions of people take fewer than
// a hundred; a text made to explode ends here, as not understood.
const maxSteps = 2_000

// parser tries to read a question as one about table t. Every rule takes the
// readings so far and returns those that go on, so all readings are found.
type parser struct {
	tokens []token
	hits   []hit
	l      *lexicon
	t      *table
	steps  int
	far    int // the furthest token that any reading reached
}

// hit is a value of the data that occurs in the question.
type hit struct {
	wire.ValueHit
	words []string
}

// rule is a part of the grammar.
type rule func(query) []query

// seq is one rule after the other.
func seq(rules ...rule) rule {
	return func(q query) []query {
		now := []query{q}
		for _, r := range rules {
			var next []query
			for _, q := range now {
				next = append(next, r(q)...)
			}
			now = next
		}
		return now
	}
}

// either is all readings of all rules.
func either(rules ...rule) rule {
	return func(q query) []query {
		var out []query
		for _, r := range rules {
			out = append(out, r(q)...)
		}
		return out
	}
}

// maybe is the rule, or nothing.
func maybe(r rule) rule { return func(q query) []query { return append(r(q), q) } }

// many is the rule any number of times; the rule must take a token.
func many(r rule) rule {
	return func(q query) []query {
		out := []query{q}
		for _, next := range r(q) {
			if next.at > q.at {
				out = append(out, many(r)(next)...)
			}
		}
		return out
	}
}

// step counts a reading; it is false when there were too many.
func (p *parser) step(q query) bool {
	p.steps++
	p.far = max(p.far, q.at)
	return p.steps < maxSteps
}

// said reads one of the phrases; the longest that fits alone, since a shorter
// one would leave its rest without a meaning.
func (p *parser) said(list []phrase, used string) rule {
	return func(q query) []query {
		best := 0
		for _, words := range list {
			if len(words) > best && p.fits(q.at, words) {
				best = len(words)
			}
		}
		if best == 0 || !p.step(q) {
			return nil
		}
		next := q.take(p.tokens, best, used)
		p.far = max(p.far, next.at)
		return []query{next}
	}
}

func (p *parser) fits(at int, words phrase) bool {
	if at+len(words) > len(p.tokens) {
		return false
	}
	for i, w := range words {
		if t := p.tokens[at+i]; t.kind == quotedToken || t.word != w {
			return false
		}
	}
	return true
}

// choice reads the longest key of a map that fits and passes its value on.
func choice[V any](p *parser, words map[string]V, then func(query, string, V) []query) rule {
	return func(q query) []query {
		best := ""
		for text := range words {
			if len(text) > len(best) && p.fits(q.at, strings.Fields(text)) {
				best = text
			}
		}
		if best == "" || !p.step(q) {
			return nil
		}
		return then(q, best, words[best])
	}
}

// weightless reads words that change nothing.
func (p *parser) weightless(list []phrase) rule { return maybe(p.said(list, "")) }

func (p *parser) comma(q query) []query {
	if q.at < len(p.tokens) && p.tokens[q.at].kind == commaToken && p.step(q) {
		return []query{q.take(p.tokens, 1, "")}
	}
	return nil
}

// named reads a name of the table.
func (p *parser) named(t *table, used string) rule {
	return func(q query) []query {
		var out []query
		for _, n := range matchName(p.tokens, q.at, t.names, t.exact) {
			if p.step(q) {
				out = append(out, q.take(p.tokens, n, used))
				p.far = max(p.far, q.at+n)
			}
		}
		return out
	}
}

// subjectTable reads the name of the table that the question is about.
func (p *parser) subjectTable(q query) []query { return p.named(p.t, "table "+p.t.Name)(q) }

// compound marks readings of the rule as unsure whose words, together, are also
// the name of a column: "order total" is the total of an order, or the
// order_total of an invoice.
func (p *parser) compound(r rule) rule {
	return func(q query) []query {
		out := r(q)
		for i := range out {
			out[i].unsure = out[i].unsure || isColumn(p.l.tables, p.tokens[q.at:out[i].at], out[i].measured())
		}
		return out
	}
}

// isColumn reports whether words are the name of a column that is not own, nor a
// key to it.
func isColumn(tables []*table, words []token, own *column) bool {
	return slices.ContainsFunc(tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(c *column) bool {
			return c != own && !leads(c, own) && slices.Contains(matchName(words, 0, c.names, c.exact), len(words))
		})
	})
}

// leads reports whether a key leads from a column to another.
func leads(from, to *column) bool {
	return to != nil && slices.ContainsFunc(from.table.ForeignKeys, func(k wire.KeyView) bool {
		i := slices.Index(k.Columns, from.Name)
		return i >= 0 && i < len(k.RefColumns) && k.Table == to.table.Name && k.RefColumns[i] == to.Name
	})
}

func (p *parser) possessiveMark(q query) []query {
	if q.at < len(p.tokens) && p.tokens[q.at].word == "'s" {
		return []query{q.take(p.tokens, 1, "")}
	}
	return nil
}

// use is what becomes of a column that was read.
type use func(query, ref) (query, bool)

// column reads a column of the table, or of one that a key leads to, with or
// without the name of its table in front. One word alone is not certain to mean
// the other table's column: the status of an order is not that of its customer.
func (p *parser) column(then use) rule {
	return func(q query) []query {
		out := p.columnOf(q, p.t, nil, then)
		for i := range p.t.keys {
			k := &p.t.keys[i]
			out = append(out, p.columnOf(q, k.to, k, then)...)
		}
		return out
	}
}

// ownColumn reads a column of the table itself.
func (p *parser) ownColumn(then use) rule {
	return func(q query) []query { return p.columnOf(q, p.t, nil, then) }
}

func (p *parser) columnOf(q query, t *table, via *key, then use) []query {
	starts := append([]query{q}, seq(p.named(t, "table "+t.Name), maybe(p.possessiveMark))(q)...)
	if via != nil && !via.only {
		starts = append(starts, seq(p.keyTo(via), maybe(p.named(t, "table "+t.Name)))(q)...)
	}
	var out []query
	for _, start := range starts {
		for _, c := range t.columns {
			for _, n := range matchName(p.tokens, start.at, c.names, c.exact) {
				next, ok := then(start.take(p.tokens, n, columnUse+t.Name+"."+c.Name), ref{via, c})
				if via != nil && !via.same && n == 1 && start.at == q.at {
					next = next.withUnnamed(start.at)
				}
				if ok && p.step(next) {
					p.far = max(p.far, next.at)
					out = append(out, next)
				}
			}
		}
	}
	return out
}

// keyTo reads the name of the key's column, which tells which of several keys to
// a table is meant: the from store, not the to store.
func (p *parser) keyTo(k *key) rule {
	return func(q query) []query {
		var out []query
		for _, c := range p.t.columns {
			if len(k.Columns) != 1 || c.Name != k.Columns[0] {
				continue
			}
			for _, n := range matchName(p.tokens, q.at, c.names, c.exact) {
				next := q.take(p.tokens, n, columnUse+p.t.Name+"."+c.Name)
				out = append(out, maybe(p.possessiveMark)(next)...)
			}
		}
		return out
	}
}

// numeral reads a whole number from 1 on.
func (p *parser) numeral(then func(query, int64) query) rule {
	return func(q query) []query {
		if q.at >= len(p.tokens) || p.tokens[q.at].kind != numberToken {
			return nil
		}
		n, err := strconv.ParseInt(strings.ReplaceAll(p.tokens[q.at].text, ",", ""), 10, 64)
		if err != nil || n < 1 || !p.step(q) {
			return nil
		}
		return []query{then(q.take(p.tokens, 1, "number"), n)}
	}
}
