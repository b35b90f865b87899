package planner

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"querent.dev/querent/sdk/wire"
)

// lexicon is a catalog view as the words by which people name its parts.
type lexicon struct {
	tables []*table
}

type table struct {
	*wire.TableView
	names   [][]string // the stems of each of its names
	exact   []string   // its names as they are, by which it is called in quotes
	columns []*column
	keys    []key
}

type column struct {
	wire.ColumnView
	table *table
	names [][]string
	exact []string
}

// key leads from a table to the one row of another that each of its rows has.
type key struct {
	wire.KeyView
	to *table
	// same is set when the key is the table's own primary key: a row of it is a row
	// of the other table, as a gymnast is a person.
	same bool
	// only is set when no other key leads to the same table.
	only bool
}

func newLexicon(view wire.CatalogView) *lexicon {
	l := &lexicon{}
	byName := map[string]*table{}
	for i := range view.Tables {
		t := &table{TableView: &view.Tables[i]}
		t.names = namesOf(lastPart(t.Name), t.Synonyms)
		t.exact = exactOf(append([]string{t.Name, lastPart(t.Name)}, t.Synonyms...))
		for _, c := range t.Columns {
			t.columns = append(t.columns, &column{ColumnView: c, table: t, names: namesOf(c.Name, c.Synonyms), exact: exactOf(append([]string{c.Name}, c.Synonyms...))})
		}
		t.addShortNames()
		l.tables = append(l.tables, t)
		byName[t.Name] = t
	}
	for _, t := range l.tables {
		for _, k := range t.ForeignKeys {
			if to := byName[k.Table]; to != nil && to != t && to.toldApartBy(k.RefColumns) {
				t.keys = append(t.keys, key{KeyView: k, to: to, same: t.toldApartBy(k.Columns), only: t.keysTo(k.Table) == 1})
			}
		}
	}
	return l
}

func namesOf(name string, synonyms []string) [][]string {
	var out [][]string
	for _, n := range append([]string{name}, synonyms...) {
		if words := stems(n); len(words) > 0 {
			out = append(out, words)
		}
	}
	return out
}

func exactOf(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = norm.NFC.String(name)
	}
	return out
}

// called reports whether text is one of the names as they are.
func called(text string, exact []string) bool {
	return slices.ContainsFunc(exact, func(name string) bool { return strings.EqualFold(text, name) })
}

// tokens cuts a question into tokens, with an eye on the names of the data.
func (l *lexicon) tokens(question string) []token { return l.named(tokenize(question)) }

// named cuts particles off names, and marks what stands in quotes and is a name.
func (l *lexicon) named(tokens []token) []token {
	out := splitKorean(tokens, l.knows)
	for i, t := range out {
		out[i].exact = t.kind == quotedToken && slices.ContainsFunc(l.tables, func(table *table) bool {
			return called(t.text, table.exact) || slices.ContainsFunc(table.columns, func(c *column) bool { return called(t.text, c.exact) })
		})
	}
	return out
}

// addShortNames lets customers.customer_name be called name, unless another
// column of the table has that name.
func (t *table) addShortNames() {
	taken := map[string]bool{}
	for _, c := range t.columns {
		for _, name := range c.names {
			taken[strings.Join(name, " ")] = true
		}
	}
	for _, c := range t.columns {
		for _, name := range t.names {
			rest, ok := cutWords(c.names[:min(1, len(c.names))], name)
			if short := strings.Join(rest, " "); ok && !taken[short] {
				taken[short] = true
				c.names = append(c.names, rest)
			}
		}
	}
}

// cutWords takes the words of prefix off the first name.
func cutWords(names [][]string, prefix []string) ([]string, bool) {
	if len(names) == 0 || len(names[0]) <= len(prefix) || !slices.Equal(names[0][:len(prefix)], prefix) {
		return nil, false
	}
	return names[0][len(prefix):], true
}

// toldApartBy reports whether the columns are the primary key. A key to other
// columns may lead to several rows, which a join would count as often.
func (t *table) toldApartBy(columns []string) bool {
	return len(columns) > 0 && slices.Equal(slices.Sorted(slices.Values(columns)), slices.Sorted(slices.Values(t.PrimaryKey)))
}

func (t *table) keysTo(name string) int {
	n := 0
	for _, k := range t.ForeignKeys {
		if k.Table == name {
			n++
		}
	}
	return n
}

// dates are the columns that name a day.
func (t *table) dates() []*column {
	var out []*column
	for _, c := range t.columns {
		if c.Type.Kind.Temporal() {
			out = append(out, c)
		}
	}
	return out
}

// otherDates are words of dates that are not when a row came about: who asks for
// the customers in 2025 does not mean those born in it.
var otherDates = []string{"birth", "birthday", "birthdate", "born", "dob", "death", "died", "updated", "update", "modified", "changed",
	"expiry", "expiration", "expire", "due", "valid", "until", "end", "ended", "left", "deleted", "closed", "cancelled", "canceled"}

// when is the column that a period means by itself: the table's date, if it has
// one and that says when its rows came about; of several dates, each.
func (t *table) when() []*column {
	all := t.dates()
	if len(all) == 1 && slices.ContainsFunc(stems(all[0].Name), func(w string) bool { return slices.Contains(otherDates, w) }) {
		return nil
	}
	return all
}

// primary are the columns of the primary key, nil when one is not to be seen.
func (t *table) primary() []*column {
	var out []*column
	for _, name := range t.PrimaryKey {
		i := slices.IndexFunc(t.columns, func(c *column) bool { return c.Name == name })
		if i < 0 {
			return nil
		}
		out = append(out, t.columns[i])
	}
	return out
}

// isKey reports whether the column is part of a key: a number that names a row,
// which nobody adds up.
func (c *column) isKey() bool {
	return slices.Contains(c.table.PrimaryKey, c.Name) ||
		slices.ContainsFunc(c.table.ForeignKeys, func(k wire.KeyView) bool { return slices.Contains(k.Columns, c.Name) })
}

// title is the column by which people tell the rows of the table apart: its
// name, or else its primary key.
func (t *table) title() []*column {
	for _, ending := range []string{"name", "title"} {
		for _, c := range t.columns {
			if own := c.names; len(own) > 0 && own[0][len(own[0])-1] == ending && c.Type.Kind == wire.KindText && len(own[0]) <= 2 {
				return []*column{c}
			}
		}
	}
	return t.primary()
}

// matchName is the number of tokens from at on that spell one of the names, for
// each name that they spell. A name in quotes is that of what is called so to the
// letter, if anything is.
func matchName(tokens []token, at int, names [][]string, exact []string) []int {
	var out []int
	if at < len(tokens) && tokens[at].kind == quotedToken {
		t := tokens[at]
		if t.exact && called(t.text, exact) || !t.exact && spelledOut(t.text, names) {
			out = append(out, 1)
		}
		return out
	}
	for _, name := range names {
		if spells(tokens, at, name) && !slices.Contains(out, len(name)) {
			out = append(out, len(name))
		}
	}
	return out
}

func spells(tokens []token, at int, name []string) bool {
	if at+len(name) > len(tokens) {
		return false
	}
	for i, word := range name {
		if t := tokens[at+i]; (t.kind != wordToken && t.kind != numberToken) || t.stem != word && t.word != word {
			return false
		}
	}
	return true
}

// spelledOut reports whether text has the words of one of the names.
func spelledOut(text string, names [][]string) bool {
	words := stems(text)
	return len(words) > 0 && slices.ContainsFunc(names, func(name []string) bool { return slices.Equal(name, words) })
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
