package ground

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"querent.dev/querent/sdk/wire"
)

// phrase is a text that names rows.
type phrase struct {
	tokens []string
	text   string // as it stands, for names that are also words
	strict bool   // only as it stands
	loose  bool   // also as a verb in Korean
	part   bool   // the noun of a longer name, which "the" makes a name in any case
	table  int
	column int
	rows   []int
}

// addNames takes the texts of a result as names of their rows.
func (c *Checker) addNames(index int, p wire.Preview) {
	t := c.tables[index]
	var quotable strings.Builder
	for col := range t.columns {
		of := &t.columns[col]
		for _, w := range scan(clean(p.Columns[col].Name)) {
			c.known[w.fold] = true
		}
		for _, w := range scan(spacedName(inFull(p.Columns[col].Name))) {
			if w.kind == word {
				c.known[w.fold] = true
				if !stopWords[w.fold] {
					c.nouns[stem(w.fold)] = true
				}
			}
		}
		quote(&quotable, clean(p.Columns[col].Name))
		for row := range of.cells {
			v := &of.cells[row]
			if v.null || v.text == "" {
				continue
			}
			text := clean(v.text)
			quote(&quotable, text)
			if v.number == nil && v.period == nil && len(v.text) <= maxName {
				c.addPhrase(text, index, col, row, false)
				continue
			}
			for _, t := range scan(text) {
				c.known[t.fold] = true
			}
		}
	}
	c.quotable += quotable.String()
}

// quote adds a text that may be quoted.
func quote(to *strings.Builder, text string) {
	to.WriteString(fold(text))
	to.WriteByte('\n')
}

// maxName is how long a text may be that names its row; longer ones are prose.
const maxName = 200 // bytes

func (c *Checker) addPhrase(text string, index, col, row int, strict bool) {
	text = clean(text)
	tokens := scan(text)
	if len(tokens) == 0 {
		return
	}
	if strings.Contains(text, ". ") || strings.Contains(text, "! ") || strings.Contains(text, "? ") || strings.HasSuffix(text, ".") || strings.Contains(text, ";") {
		c.dotted = append(c.dotted, text)
	}
	p := &phrase{text: text, strict: strict, table: index, column: col, rows: []int{row}}
	for _, t := range tokens {
		p.tokens = append(p.tokens, t.fold)
		c.known[t.fold] = true
	}
	short := utf8.RuneCountInString(text) <= 2
	p.strict = strict || len(tokens) == 1 && (stopWords[tokens[0].fold] || short && !tokens[0].hangul)
	for _, q := range c.phrases[p.tokens[0]] {
		if q.table == index && q.column == col && slices.Equal(q.tokens, p.tokens) {
			if q.rows[len(q.rows)-1] != row {
				q.rows = append(q.rows, row)
			}
			return
		}
	}
	c.phrases[p.tokens[0]] = append(c.phrases[p.tokens[0]], p)
}

// addAliases takes other names of rows: a word that only one of the names in a
// column has, and the other names of countries.
func (c *Checker) addAliases(results []wire.Preview) {
	for i, t := range c.tables {
		for col := range t.columns {
			of := &t.columns[col]
			if of.numeric || of.temporal {
				continue
			}
			c.addUniqueWords(i, col, of)
			c.addTranslations(i, col, of)
			c.addNulls(i, col, of)
			c.addCountries(i, col, of)
			c.addLatin(i, col, of)
		}
	}
}

func (c *Checker) addUniqueWords(index, col int, of *column) {
	owners, whole := map[string][]int{}, map[string]bool{}
	for row, v := range of.cells {
		if v.null || v.text == "" || len(v.text) > maxName {
			continue
		}
		tokens := scan(clean(v.text))
		if len(tokens) == 1 {
			whole[tokens[0].text] = true // another row's whole name
		}
		for _, t := range tokens {
			if len(tokens) > 1 && t.kind == word && (t.capital || t.hangul) && utf8.RuneCountInString(t.fold) >= 2 && !stopWords[t.fold] && !isNumberWord(t.fold) {
				owners[t.text] = append(owners[t.text], row)
			}
		}
		for _, w := range []string{initials(tokens), partName(tokens)} {
			if w != "" {
				owners[w] = append(owners[w], row)
			}
		}
	}
	asked := 0
	for w := range owners {
		asked += boolInt(c.asksWord(w))
	}
	for w, rows := range owners {
		if whole[w] || c.inColumns(fold(w)) || asked == 1 && len(of.cells) > 1 && c.asksWord(w) {
			continue
		}
		if texts := of.distinct(rows); texts == 1 {
			for _, row := range rows {
				c.addPhrase(w, index, col, row, isCommon(fold(w)) || strings.Contains(w, " "))
			}
			c.markPart(w, of.cells[rows[0]].text)
		} else if len(rows) < len(of.cells) && texts == len(rows) && utf8.RuneCountInString(w) > 3 && !isCommon(fold(w)) {
			for _, row := range rows {
				c.addPhrase(w, index, col, row, false)
			}
		}
	}
}

// markPart keeps that a word is the noun of a longer name: the mug of "Fjäll Mug 966".
func (c *Checker) markPart(w, name string) {
	tokens := scan(clean(name))
	for i := len(tokens) - 1; i >= 0; i-- {
		if tokens[i].kind != word {
			continue
		}
		for _, p := range c.phrases[scan(w)[0].fold] {
			p.part = p.part || p.text == w && (tokens[i].text == w || partName(tokens) == w)
		}
		return
	}
}

// asksWord reports whether the question has a word, with a Korean ending or without.
func (c *Checker) asksWord(w string) bool {
	if first, rest, several := strings.Cut(w, " "); several {
		at := slices.IndexFunc(c.asked.tokens, func(t token) bool { return t.fold == first })
		return at >= 0 && strings.HasPrefix(c.asked.text[c.asked.tokens[at].end:], " "+rest)
	}
	if isHangul(w) {
		return c.asks(nil, w)
	}
	if strings.Contains(w, " ") {
		return strings.Contains(c.asked.text, fold(w))
	}
	return c.asks(map[string]bool{fold(w): true})
}

// distinct is how many texts rows have in a column.
func (c *column) distinct(rows []int) int {
	texts := map[string]bool{}
	for _, row := range rows {
		texts[c.cells[row].text] = true
	}
	return len(texts)
}

// initials are those of a name of two words and more, without the small ones between them:
// IE of Internet Explorer.
func initials(tokens []token) string {
	var out strings.Builder
	for _, t := range tokens {
		if stopWords[t.fold] && t.kind == word && !t.capital {
			continue
		}
		if t.kind != word || !t.capital || t.hangul {
			return ""
		}
		r, _ := utf8.DecodeRuneInString(t.text)
		out.WriteRune(r)
	}
	if utf8.RuneCountInString(out.String()) < 2 {
		return ""
	}
	return out.String()
}

// inColumns reports whether a word stands in a column's name, and so names no row.
func (c *Checker) inColumns(w string) bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.columns, func(of column) bool { return slices.Contains(of.words, stem(w)) })
	})
}

// regions are the countries by their names in English and Korean, folded.
var regions = func() func(string) *country {
	english, korean := display.English.Regions(), display.Regions(language.Korean)
	var index map[string]*country
	load := func() {
		index = map[string]*country{}
		for _, tag := range display.Values.Regions() {
			r, err := language.ParseRegion(tag.String())
			if err != nil || !r.IsCountry() {
				continue
			}
			n := &country{region: r, names: append([]string{english.Name(r), korean.Name(r)}, otherNames[r.String()]...)}
			for _, name := range n.names {
				index[fold(clean(name))] = n
			}
			index[r.String()] = n
			index[r.ISO3()] = n
		}
	}
	once := onceFunc(load)
	return func(text string) *country {
		once()
		key := text
		if len(text) > 3 {
			key = fold(clean(text))
		}
		return index[key]
	}
}()

// country is a country with its names in English and in Korean.
type country struct {
	region language.Region
	names  []string
}

// in are the names, and that in a language.
func (c *country) in(lang string) []string {
	if c == nil {
		return nil
	}
	tag, err := language.Parse(lang)
	if namer := display.Regions(tag); err == nil && namer != nil && !readable[lang] {
		return append(slices.Clone(c.names), namer.Name(c.region))
	}
	return c.names
}

// otherNames are the names of countries that people use beside the official ones.
var otherNames = map[string][]string{
	"US": {"USA", "US", "U.S.", "U.S", "America", "United States of America", "American"}, "GB": {"UK", "U.K.", "Britain", "Great Britain", "British"},
	"KR": {"Korea", "Republic of Korea", "한국", "남한", "South Korean", "Korean"}, "CZ": {"Czech Republic", "Czech"}, "TR": {"Turkey", "Türkiye", "튀르키예", "터키", "Turkish"}, "NL": {"Holland", "The Netherlands", "Dutch"},
	"ES": {"Spanish"}, "DK": {"Danish"}, "GR": {"Greek"}, "SE": {"Swedish"}, "PL": {"Polish"}, "FI": {"Finnish"}, "IE": {"Irish"}, "CH": {"Swiss"}, "FR": {"French"}, "NO": {"Norwegian"},
	"DE": {"German"}, "IT": {"Italian"}, "PT": {"Portuguese"}, "AT": {"Austrian"}, "BE": {"Belgian"}, "HU": {"Hungarian"}, "RO": {"Romanian"}, "BG": {"Bulgarian"}, "HR": {"Croatian"}, "UA": {"Ukrainian"},
	"JP": {"Japanese"}, "CN": {"Chinese"}, "IN": {"Indian"}, "BR": {"Brazilian"}, "AR": {"Argentinian", "Argentine"}, "MX": {"Mexican"}, "CL": {"Chilean"}, "CA": {"Canadian"}, "AU": {"호주", "Australian"}, "EG": {"Egyptian"},
	"RU": {"Russian Federation", "Russian"}, "VN": {"Viet Nam", "Vietnamese"}, "AE": {"UAE"}, "ZA": {"남아공"},
}

// learnCountries takes the names of the countries of which the question speaks.
func (c *Checker) learnCountries(list []token) {
	for i, t := range list {
		if t.kind != word || !t.capital && !t.hangul {
			continue
		}
		found := regions(t.text)
		if found == nil && t.hangul {
			found = countryIn(t)
		}
		if i+1 < len(list) && found == nil {
			found = regions(t.text + " " + list[i+1].text)
		}
		for _, name := range found.in(c.lang) {
			c.quotable += fold(clean(name)) + "\n"
			for _, w := range scan(clean(name)) {
				c.known[w.fold] = true
			}
		}
	}
}

// addCountries takes the names of a country in English, in Korean and in the language of
// the answer for those in the cells.
func (c *Checker) addCountries(index, col int, of *column) {
	for row, v := range of.cells {
		if v.null || len(v.text) > 40 {
			continue
		}
		code := len(v.text) == 2 || len(v.text) == 3
		if code && !slices.ContainsFunc(of.words, func(w string) bool {
			return w == "country" || w == "nation" || w == "region" || w == "market" || w == "code"
		}) {
			continue
		}
		for _, name := range regions(v.text).in(c.lang) {
			if name != "" && !strings.EqualFold(name, v.text) {
				c.addPhrase(name, index, col, row, false)
			}
		}
	}
}
