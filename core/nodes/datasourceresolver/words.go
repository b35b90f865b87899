package datasourceresolver

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"querent.dev/querent/core/schema"
	"querent.dev/querent/sdk/wire"
)

// What it tells that a word of the question stands in a name or a description of
// a datasource. A whole name tells twice what a part of it does; names of tables
// tell more than those of columns, which many tables share.
const (
	ofDatasource  = 8 // the datasource's own name
	ofTable       = 6
	ofColumn      = 4
	ofAbout       = 2 // the datasource's description
	ofDescription = 1
)

// margin is how many times the second best score the best must reach to be taken
// for the meaning: half as much again, which is one more name in three.
const margin = 1.5

// scores is how well each datasource fits a question.
type scores struct {
	permitted []score // in the order of the candidates
	hidden    int     // the best of those that the caller may not read
}

// score is what the words of the question tell of one datasource.
type score struct {
	id    schema.DatasourceID
	total int
	words map[string]int // each word that tells, with what it tells
}

func (c candidates) score(question string) scores {
	asked := content(question)
	var out scores
	for _, p := range c.permitted {
		out.permitted = append(out.permitted, newScore(p.id, asked, vocabulary(p.view)))
	}
	for _, cat := range c.restricted {
		out.hidden = max(out.hidden, newScore(cat.Datasource, asked, vocabularyOf(cat)).total)
	}
	return out
}

func newScore(id schema.DatasourceID, asked []string, v terms) score {
	s := score{id: id, words: map[string]int{}}
	for _, w := range asked {
		if told := v.tells(w); told > 0 && s.words[w] == 0 {
			s.words[w] = told
			s.total += told
		}
	}
	return s
}

func (s scores) best() int {
	best := 0
	for _, p := range s.permitted {
		best = max(best, p.total)
	}
	return best
}

// restricted reports whether the words fit a datasource that the caller may not
// read, by a whole name at least, and none that he may.
func (s scores) restricted() bool { return s.best() == 0 && s.hidden >= ofColumn }

// choose is the datasources that the question is about, or else those that it
// could be. Several are chosen only where each has a table that no better one has,
// and only if split.
func (s scores) choose(split bool) (chosen, rivals []schema.DatasourceID) {
	ranked := slices.Clone(s.permitted)
	slices.SortStableFunc(ranked, func(a, b score) int { return b.total - a.total })
	best := ranked[0]
	chosen, rivals = []schema.DatasourceID{best.id}, []schema.DatasourceID{best.id}
	covered := []score{best}
	for _, other := range ranked[1:] {
		switch {
		case split && other.adds(covered):
			chosen, covered = append(chosen, other.id), append(covered, other)
		case other.total > 0 && float64(best.total) < margin*float64(other.total):
			rivals = append(rivals, other.id)
		}
	}
	if len(rivals) == 1 || len(chosen) > 1 {
		return chosen, nil
	}
	return nil, rivals
}

// adds reports whether the datasource has a table that the question names and that
// those before do not have.
func (s score) adds(before []score) bool {
	for w, told := range s.words {
		if told >= ofTable && !slices.ContainsFunc(before, func(b score) bool { return b.words[w] > 0 }) {
			return true
		}
	}
	return false
}

// terms are the words of a datasource's names, with what they tell.
type terms map[string]int

func vocabulary(v wire.CatalogView) terms {
	out := terms{}
	out.name(v.Datasource, ofDatasource)
	out.describe(v.Description, ofAbout)
	for _, t := range v.Tables {
		out.name(t.Name[strings.LastIndexByte(t.Name, '.')+1:], ofTable)
		out.names(t.Synonyms, ofTable)
		out.describe(t.Description, ofDescription)
		for _, c := range t.Columns {
			out.name(c.Name, ofColumn)
			out.names(c.Synonyms, ofColumn)
			out.describe(c.Description, ofDescription)
		}
	}
	return out
}

// vocabularyOf is that of a datasource of which the caller may read nothing.
func vocabularyOf(cat *schema.Catalog) terms {
	out := terms{}
	out.name(string(cat.Datasource), ofDatasource)
	for _, t := range cat.Tables {
		out.name(t.Name, ofTable)
		out.names(t.Synonyms, ofTable)
		for _, c := range t.Columns {
			out.name(c.Name, ofColumn)
			out.names(c.Synonyms, ofColumn)
		}
	}
	return out
}

func (t terms) names(list []string, weight int) {
	for _, name := range list {
		t.name(name, weight)
	}
}

// name adds a name: whole when it is one word, half for each of several.
func (t terms) name(name string, weight int) {
	words := content(name)
	if len(words) > 1 {
		weight /= 2
	}
	for _, w := range words {
		t[w] = max(t[w], weight)
	}
}

func (t terms) describe(text string, weight int) {
	for _, w := range content(text) {
		t[w] = max(t[w], weight)
	}
}

// shortestStem is the shortest word, in characters, that is looked for inside a
// longer one.
const shortestStem = 2

// tells is what a word of a question tells. Scripts that set endings to a word
// without a space are compared by the beginning.
func (t terms) tells(word string) int {
	if told := t[word]; told > 0 || isASCII(word) {
		return told
	}
	told := 0
	for stem, weight := range t {
		if !isASCII(stem) && utf8.RuneCountInString(stem) >= shortestStem && strings.HasPrefix(word, stem) {
			told = max(told, weight)
		}
	}
	return told
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// stopWords say nothing of what a question is about.
var stopWords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields("a an the of in on at for to from by with per and or not no is are was were be been do does did has have had " +
		"how many much what which who when where why whose we i you me my our us it its they their this that these those there " +
		"show list give tell find get please can could would should each every all any some most least more less than " +
		"top first last id") {
		out[w] = true
	}
	return out
}()

// content is the words of a text that say something, lower-case and singular:
// order_lines, OrderLines and "order line" are the same.
func content(text string) []string {
	var out []string
	var word []rune
	flush := func() {
		w := strings.ToLower(string(word))
		word = nil
		if w != "" && !stopWords[w] {
			out = append(out, singular(w))
		}
	}
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			flush()
			continue
		case unicode.IsUpper(r) && len(word) > 0 && !unicode.IsUpper(word[len(word)-1]):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return out
}

// singular takes the plural off an English word, on both sides of a comparison
// alike.
func singular(w string) string {
	switch {
	case len(w) < 4 || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies"):
		return strings.TrimSuffix(w, "ies") + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		return strings.TrimSuffix(w, "es")
	}
	return strings.TrimSuffix(w, "s")
}
