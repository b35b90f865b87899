package planner

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"querent.dev/querent/sdk/wire"
)

// condition: with C V; where C is at least V; in V.
func (p *parser) condition() rule {
	read := p.column(func(q query, r ref) (query, bool) {
		q.compared = r
		return q, true
	})
	compared := choice(p, comparisons, func(q query, text, op string) []query {
		return p.value(q.take(p.tokens, len(strings.Fields(text)), "comparison"), op)
	})
	equal := seq(maybe(p.said(equals, "comparison")), func(q query) []query { return p.value(q, "=") })
	return either(
		seq(p.said(conditions, "filter"), read, either(compared, equal)),
		seq(p.said(placers, "filter"), p.bareValue),
	)
}

// value reads what the column before it is compared with.
func (p *parser) value(q query, op string) []query {
	if q.at >= len(p.tokens) || !p.step(q) {
		return nil
	}
	r := q.compared
	var out []query
	t := p.tokens[q.at]
	for _, t := range withoutStop(t) {
		if literal, ok := literalFor(r.column.Type.Kind, t, op); ok {
			shown := t.text
			if t.kind == quotedToken {
				shown = quote(t.text)
			}
			out = append(out, q.take(p.tokens, 1, "value").withFilter(filter{ref: r, op: op, literal: literal, shown: shown, asked: t.asked()}))
		}
	}
	if op != "=" {
		return out
	}
	for _, h := range p.hits {
		if h.Table == r.column.table.Name && h.Column == r.column.Name && spells(p.tokens, q.at, h.words) {
			out = append(out, p.hitFilter(q, h, r)...)
		}
	}
	return out
}

// withoutStop is the token, and as a second reading of a quoted text with which
// the question ends the same without the full stop that some write inside it.
func withoutStop(t token) []token {
	rest := strings.TrimRight(t.text, ".,?!")
	if !t.final || rest == t.text || rest == "" {
		return []token{t}
	}
	short := t
	short.text = rest
	return []token{t, short}
}

// bareValue reads a value of the data that stands without its column.
func (p *parser) bareValue(q query) []query {
	var out []query
	for _, h := range p.hits {
		n := len(h.words)
		quoted := q.at < len(p.tokens) && p.tokens[q.at].kind == quotedToken && strings.EqualFold(p.tokens[q.at].text, h.Word)
		if !quoted && !spells(p.tokens, q.at, h.words) || n == 0 || !p.step(q) {
			continue
		}
		for _, r := range p.refs(h) {
			out = append(out, p.hitFilter(q, h, r)...)
		}
	}
	return out
}

// refs are the ways in which the table reaches the column of a value.
func (p *parser) refs(h hit) []ref {
	var out []ref
	find := func(t *table, via *key) {
		if t.Name != h.Table {
			return
		}
		if i := slices.IndexFunc(t.columns, func(c *column) bool { return c.Name == h.Column }); i >= 0 {
			out = append(out, ref{via, t.columns[i]})
		}
	}
	find(p.t, nil)
	for i := range p.t.keys {
		find(p.t.keys[i].to, &p.t.keys[i])
	}
	return out
}

func (p *parser) hitFilter(q query, h hit, r ref) []query {
	literal, ok := literalFor(r.column.Type.Kind, token{kind: quotedToken, text: h.Value}, "=")
	if !ok {
		return nil
	}
	n := len(h.words)
	if p.tokens[q.at].kind == quotedToken {
		n = 1
	}
	next := q.take(p.tokens, n, "value of "+h.Table+"."+h.Column)
	p.far = max(p.far, next.at)
	return []query{next.withFilter(filter{ref: r, op: "=", literal: literal, shown: quote(h.Value), asked: quoted(h.Value)})}
}

// literalFor writes a token as a literal of the column's kind. A word that is
// not quoted is no literal: it might be anything.
func literalFor(kind wire.Kind, t token, op string) (string, bool) {
	switch {
	case strings.ContainsRune(t.text, 0):
		return "", false
	case kind.Numeric() && (t.kind == numberToken || t.kind == quotedToken):
		digits := t.text
		if numberForm.FindString(digits) == digits {
			digits = strings.ReplaceAll(digits, ",", "")
		}
		v, err := wire.Decimal(digits)
		return v.String(), err == nil
	case kind == wire.KindText && t.kind == quotedToken && op == "=":
		return quote(t.text), true
	case kind == wire.KindDate && (t.kind == quotedToken || t.kind == periodToken):
		_, err := wire.Parse(wire.KindDate, t.text)
		return quote(t.text), err == nil
	}
	return "", false
}

// quote is text as a literal of the plan language.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// period: in 2025; in March 2025; last month; with C in 2025.
func (p *parser) period() rule {
	return either(
		seq(maybe(p.said(timers, "filter")), func(q query) []query { return p.periodOf(q, p.t.when()) }),
		seq(p.said(conditions, "filter"), p.dateColumn(), p.weightless(phrases("is")), p.said(timers, "filter"),
			func(q query) []query { return p.periodOf(q, []*column{q.compared.column}) }),
	)
}

// dateColumn reads a column of the table that names a day.
func (p *parser) dateColumn() rule {
	return p.ownColumn(func(q query, r ref) (query, bool) {
		q.compared = r
		return q, r.column.Type.Kind.Temporal()
	})
}

// periodOf reads a period of each of the columns.
func (p *parser) periodOf(q query, dates []*column) []query {
	text, n := p.periodAt(q.at)
	if n == 0 || !p.step(q) {
		return nil
	}
	p.far = max(p.far, q.at+n)
	asked, shown := strings.Join(asAsked(p.tokens[q.at:q.at+n]), " "), p.shownPeriod(q.at, n)
	var out []query
	for _, c := range dates {
		next := q.take(p.tokens, n, periodUse+p.t.Name+"."+c.Name)
		out = append(out, next.withFilter(filter{ref: ref{nil, c}, op: "during", literal: quote(text), shown: shown, asked: asked}))
	}
	return out
}

// shownPeriod is the period in the question's words. One that counts units says
// that it means whole ones.
func (p *parser) shownPeriod(at, n int) string {
	words := asAsked(p.tokens[at : at+n])
	if n == 3 && p.tokens[at+1].kind == numberToken {
		return "the " + words[1] + " whole " + words[2] + " before the current one"
	}
	return strings.Join(words, " ")
}

// The years that a bare number may name in a question.
const (
	firstYear = 1900
	lastYear  = 2199
)

// periodAt is the period that begins at a token, in the plan language, and how
// many tokens it takes; 0 when there is none.
func (p *parser) periodAt(at int) (string, int) {
	for _, text := range sortedByLength(relative) {
		if words := strings.Fields(text); p.fits(at, words) {
			return relative[text], len(words)
		}
	}
	rest := p.tokens[min(at, len(p.tokens)):]
	if len(rest) == 0 {
		return "", 0
	}
	if rest[0].kind == periodToken {
		return strings.ToUpper(rest[0].text), onCalendar(rest[0].text)
	}
	if year(rest[0]) {
		return rest[0].text, 1
	}
	if len(rest) > 1 && year(rest[1]) {
		if i := slices.Index(months, rest[0].word); i >= 0 {
			return fmt.Sprintf("%s-%02d", rest[1].text, i+1), 2
		}
		if q := rest[0].word; len(q) == 2 && q[0] == 'q' && q[1] >= '1' && q[1] <= '4' {
			return rest[1].text + "-" + strings.ToUpper(q), 2
		}
	}
	return countedPeriod(rest)
}

// onCalendar is 1 for a day, a month or a quarter that there is, else 0.
func onCalendar(text string) int {
	for _, layout := range []string{"2006-01-02", "2006-01"} {
		if _, err := time.Parse(layout, text); err == nil {
			return 1
		}
	}
	if strings.ContainsAny(text, "Qq") {
		return 1
	}
	return 0
}

func year(t token) bool {
	n, err := strconv.Atoi(t.text)
	return t.kind == numberToken && err == nil && n >= firstYear && n <= lastYear
}

// countedPeriod: last 3 months.
func countedPeriod(rest []token) (string, int) {
	if len(rest) < 3 || rest[0].word != "last" && rest[0].word != "past" || rest[1].kind != numberToken {
		return "", 0
	}
	n, err := strconv.Atoi(rest[1].text)
	unit, known := units[rest[2].stem]
	if err != nil || !known || n < 1 || n > 1000 {
		return "", 0
	}
	return fmt.Sprintf("last_%ss(%d)", unit, n), 3
}

func sortedByLength(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return keys
}
