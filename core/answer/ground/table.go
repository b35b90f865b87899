package ground

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"querent.dev/querent/sdk/wire"
)

// table is a result as its reader saw it.
type table struct {
	columns   []column
	rows      int   // that were seen
	count     int64 // of the whole
	cap       int64
	whole     bool // all rows and columns were seen
	truncated bool
}

// column is a column of a table with its cells in the forms that a text may name.
type column struct {
	words    []string // of its name, as stems
	name     string   // folded
	numeric  bool
	key      bool // a number that names its row, as a year or a rank does
	place    bool // a rank
	temporal bool
	share    bool // speaks of parts of a whole, in percent or as a fraction
	average  bool
	change   bool // speaks of differences
	unit     string
	worth    *big.Rat // of a unit of its numbers, as its name says: sales_billion; else nil
	year     int      // that stands in its name
	month    int      // that is its name
	wholes   bool     // its numbers have no fractions
	id       bool     // its numbers name rows
	bucket   bool     // and stand before their noun: "3 lines"
	amount   bool     // its numbers may have parts: money, and no count
	cells    []cell
}

// cell is one cell: a number, a moment or a text.
type cell struct {
	null   bool
	number *big.Rat
	told   *big.Rat // the number without the errors of a float, else nil
	period *period
	text   string
}

var (
	keyName     = regexp.MustCompile(`(?i)(^|[_ ])(id|year|season|quarter|month|week|day|weekday|hour|no|nr|number|code|zip)$|연도|년도|시즌|분기|^월$|요일|번호`)
	placeName   = regexp.MustCompile(`(?i)(^|[_ ])(rank|place|position|ranking)$|순위|등수`)
	shareName   = regexp.MustCompile(`(?i)share|\b(?:rate|ratio|part)s?\b|percent|pct|portion|margin|비율|율$|비중|퍼센트|점유|%`)
	averageName = regexp.MustCompile(`(?i)\b(?:avg|average|mean)\b|평균`)
	changeName  = regexp.MustCompile(`(?i)change|delta|diff|growth|balance|net|profit|deviation|편차|증감|변화|차이|증가|감소|대비`)
	reportsName = regexp.MustCompile(`(?i)\breports? to\b`)
	periodName  = regexp.MustCompile(`(?i)(^|[_ ])(year|season|quarter|month)$|연도|년도|시즌|분기|^월$`)
)

func newTable(p wire.Preview) *table {
	t := &table{rows: len(p.Rows), count: p.RowCount, cap: p.RowCap, truncated: p.Truncated}
	t.whole = !p.Partial && !p.Truncated && int64(len(p.Rows)) == p.RowCount
	for c, of := range p.Columns {
		of.Name = inFull(of.Name)
		name := strings.ToLower(clean(of.Name))
		spaced := strings.ToLower(spacedName(of.Name))
		col := column{name: name, share: shareName.MatchString(spaced), average: averageName.MatchString(spaced), change: changeName.MatchString(name), unit: unitOf(name)}
		for _, w := range scan(spacedName(of.Name)) {
			if w.kind == word {
				col.words = append(col.words, stem(w.fold))
			}
		}
		if slices.Contains(col.words, "unit") && (slices.Contains(col.words, "price") || slices.Contains(col.words, "cost")) {
			col.words = slices.DeleteFunc(col.words, func(w string) bool { return w == "unit" })
		}
		if len(col.words) == 1 && (name == "km" || name == "miles" || name == "meters") {
			col.words = append(col.words, "length", "distance")
		}
		if reportsName.MatchString(spaced) {
			col.words = append(col.words, "manager")
		}
		for _, row := range p.Rows {
			if c < len(row) {
				col.cells = append(col.cells, newCell(row[c]))
				col.amount = col.amount || row[c].Kind() == wire.KindDecimal || row[c].Kind() == wire.KindFloat
			} else {
				col.cells = append(col.cells, cell{null: true})
			}
		}
		col.share = col.share && !col.isMarginOfMoney()
		col.classify(spaced, c)
		col.keepTexts(p.Rows, c)
		t.columns = append(t.columns, col)
	}
	t.nameByNumber()
	t.nameByFirst()
	return t
}

// isMarginOfMoney tells a margin in money, which is beyond what percentages are, from one in parts.
func (c *column) isMarginOfMoney() bool {
	return !shareName.MatchString(strings.ReplaceAll(c.name, "margin", "")) && slices.ContainsFunc(c.cells, func(v cell) bool {
		return v.number != nil && v.number.Cmp(rat(1000)) > 0
	})
}

// spacedName takes the words of a column's name apart: total_sales, TotalSales.
func spacedName(name string) string {
	var b strings.Builder
	before := ' '
	for _, r := range clean(name) {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		if r == '_' || r == '.' {
			r = ' '
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

func newCell(v wire.Value) cell {
	text := v.String()
	switch v.Kind() {
	case wire.KindNull:
		return cell{null: true}
	case wire.KindInt, wire.KindDecimal:
		n, _ := new(big.Rat).SetString(text)
		return cell{number: n}
	case wire.KindFloat:
		n, _ := new(big.Rat).SetString(text)
		told, _ := new(big.Rat).SetString(v.Rounded())
		if n == nil { // not a number, infinite
			return cell{text: text}
		}
		return cell{number: n, told: told}
	case wire.KindDate, wire.KindTimestamp, wire.KindTimestampTZ, wire.KindTime:
		if p, ok := parsePeriod(text); ok {
			return cell{period: &p, text: text}
		}
	case wire.KindText:
		if p, ok := parsePeriod(text); ok && !plainYear(text) {
			return cell{period: &p, text: text}
		}
		if isNumeral(text) {
			if list := readings(text, false); len(list) == 1 {
				return cell{number: list[0].value, text: text}
			}
		}
	}
	return cell{text: text}
}

// keepTexts makes texts of the long numbers in a column that has other texts, too: of codes
// such as "34512" and "01453".
func (c *column) keepTexts(rows [][]wire.Value, index int) {
	if c.numeric || c.temporal {
		return
	}
	const shortest = 4
	for i := range c.cells {
		if c.cells[i].number != nil && rows[i][index].Kind() == wire.KindText && len(rows[i][index].String()) >= shortest {
			c.cells[i] = cell{text: rows[i][index].String()}
		}
	}
}

func plainYear(text string) bool { return len(text) == 4 }

// isNumeral tells a number in a text cell from a code with leading zeros.
func isNumeral(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(digits) > 1 && digits[0] == '0' && digits[1] != '.' {
		return false
	}
	return strings.Trim(digits, "0123456789.") == "" && isDigit(digits[0]) && strings.Count(digits, ".") < 2
}

func (c *column) classify(name string, index int) {
	if c.monthTexts(name) {
		name += " month"
	}
	if at := yearInName.FindString(name); at != "" {
		c.year, _ = strconv.Atoi(at)
	}
	c.month = monthIn(name)
	numbers, periods, texts := 0, 0, 0
	seen := map[string]bool{}
	distinct, wholes := true, true
	for i := range c.cells {
		switch v := &c.cells[i]; {
		case v.null:
		case v.number != nil:
			numbers++
			key := v.number.RatString()
			distinct, wholes = distinct && !seen[key], wholes && v.number.IsInt()
			seen[key] = true
		case v.period != nil:
			periods++
		default:
			texts++
		}
	}
	c.wholes = wholes
	if periods > 0 && texts == 0 && numbers > 0 && wholes && yearlike(c.cells) {
		c.datePeriods("year") // some are years, others days or months
	}
	c.numeric = numbers > 0 && texts == 0 && periods == 0
	c.keepCodes(texts > 0)
	c.temporal = periods > 0 && texts == 0
	c.place = c.numeric && placeName.MatchString(name)
	for _, w := range c.words {
		for _, scale := range koreanScales {
			if rest, ok := strings.CutPrefix(w, scale.text); ok && c.worth == nil && hasPrefix(rest, "달러", "원", "명", "개", "유로", "엔", "톤") {
				c.worth = rat(scale.worth)
			}
		}
		if n := max(scaleWords[w], scaledCurrency(w)); n != 0 {
			c.worth = rat(n)
		} else if n := scaleWords[stem(w)]; n != 0 {
			c.worth = rat(n)
		}
	}
	c.id = c.numeric && wholes && idName.MatchString(name) && !c.place
	c.key = c.numeric && wholes && (c.place || keyName.MatchString(strings.ReplaceAll(name, "_", " ")) || index == 0 && distinct && numbers > 1 && yearlike(c.cells))
	switch {
	case c.numeric && c.key && periodName.MatchString(name):
		c.datePeriods(name)
	case c.numeric && wholes && beganName.MatchString(name) && c.areYears():
		c.key = true
		c.datePeriods("year")
	}
}

// beganName are the names of columns that hold the year in which something began.
var beganName = regexp.MustCompile(`(?i)^(?:year )?(?:founded|founding|creation|created|established|built|launched|released|born|birth|설립|창립|개업|창업|출생)(?: (?:year|in))?$|^(?:설립|창립|개업|창업|출생)(?:연도|년도|년)$`)

// areYears reports whether all numbers may be years of the last centuries.
func (c *column) areYears() bool {
	return !slices.ContainsFunc(c.cells, func(v cell) bool {
		return v.number != nil && (v.number.Cmp(rat(1500)) < 0 || v.number.Cmp(rat(2100)) > 0)
	})
}

// monthIn is the month that a column's name has: "may", "orders may", "매출 9월"; 0 for none.
func monthIn(name string) int {
	if at := koreanMonth.FindStringSubmatch(name); at != nil {
		n, _ := strconv.Atoi(at[1])
		return n
	}
	words := strings.Fields(name)
	for _, w := range words {
		if n := months[w]; n != 0 && (len(words) == 1 || w == words[len(words)-1] || w == words[0] && w != "may" && w != "march") {
			return n
		}
	}
	return 0
}

var koreanMonth = regexp.MustCompile(`(?:^|[_ ])(\d{1,2})월`)

// keepCodes makes texts of the numbers in a column of texts, where all are long, as 34512
// and 01905 are; others name no row.
func (c *column) keepCodes(texts bool) {
	const short = 3 // digits that may be anything
	codes := texts && !slices.ContainsFunc(c.cells, func(v cell) bool { return v.number != nil && len(v.text) <= short })
	for i := range c.cells {
		switch v := &c.cells[i]; {
		case v.number == nil:
		case codes:
			v.number = nil
		default:
			v.text = ""
		}
	}
}

// koreanScales begin the units in names of columns: 피해액_백만달러.
var koreanScales = []struct {
	text  string
	worth int64
}{{"십억", 1e9}, {"백만", 1e6}, {"천만", 1e7}, {"억", 1e8}, {"만", 1e4}, {"천", 1e3}}

var yearInName = regexp.MustCompile(`(?:19|20)\d\d`)

// yearlike reports whether all numbers are years.
func yearlike(cells []cell) bool {
	return !slices.ContainsFunc(cells, func(c cell) bool {
		return c.number != nil && (c.number.Cmp(rat(1900)) < 0 || c.number.Cmp(rat(2200)) > 0)
	})
}

// datePeriods makes periods of numbers in a column of years, quarters or months.
func (c *column) datePeriods(name string) {
	for i := range c.cells {
		if c.cells[i].number == nil {
			continue
		}
		n := int(c.cells[i].number.Num().Int64())
		p := period{hour: -1, minute: -1, second: -1}
		switch {
		case strings.Contains(name, "quarter"), strings.Contains(name, "분기"):
			p.quarter = n
		case strings.Contains(name, "month"), name == "월":
			p.month = n
		default:
			p.year = n
		}
		c.cells[i].period = &p
	}
	c.temporal = true
}

// measure reports whether the column has numbers that say something of their row.
func (c *column) measure() bool { return c.numeric && !c.key }

// equal reports whether one of the amounts stands for the cell.
func (v cell) equal(f *figure, scale *big.Rat) bool {
	if v.number == nil {
		return false
	}
	return f.stands(v.number, scale) || v.told != nil && f.stands(v.told, scale)
}

// stands reports whether the figure stands for a number times scale.
func (f *figure) stands(n, scale *big.Rat) bool {
	if scale != nil {
		n = new(big.Rat).Mul(n, scale)
	}
	return slices.ContainsFunc(f.amounts, func(a amount) bool { return a.is(n, f.hedge) })
}

// derived reports whether the figure stands for a computed number: it may be
// rounded to the places that are written.
func (f *figure) derived(n *big.Rat) bool {
	if n == nil {
		return false
	}
	return f.stands(n, nil) || f.allows(n) && slices.ContainsFunc(f.amounts, func(a amount) bool {
		tiny := new(big.Rat).Mul(new(big.Rat).Abs(n), nearShare)
		return a.rounds(n) && (f.percent || a.place.Cmp(tiny) < 0 || a.place.Cmp(rat(1)) < 0)
	})
}

// allows reports whether a number is not on the side of the figure that its hedge rules out.
func (f *figure) allows(n *big.Rat) bool {
	return f.hedge == exact || f.hedge == about || slices.ContainsFunc(f.amounts, func(a amount) bool {
		order := n.Cmp(a.value)
		return order == 0 || order > 0 == (f.hedge == over || f.hedge == atLeast)
	})
}

// units are the measures that stand in names of columns and behind figures, with
// their worth in the smallest of their dimension.
var units = map[string]struct {
	dimension string
	worth     int64
}{
	"ms": {"time", 1}, "millisecond": {"time", 1}, "milliseconds": {"time", 1}, "밀리초": {"time", 1},
	"s": {"time", 1e3}, "sec": {"time", 1e3}, "secs": {"time", 1e3}, "second": {"time", 1e3}, "seconds": {"time", 1e3}, "초": {"time", 1e3},
	"min": {"time", 6e4}, "mins": {"time", 6e4}, "minute": {"time", 6e4}, "minutes": {"time", 6e4}, "분": {"time", 6e4},
	"hour": {"time", 36e5}, "hours": {"time", 36e5}, "hr": {"time", 36e5}, "hrs": {"time", 36e5}, "h": {"time", 36e5}, "시간": {"time", 36e5},
	"day": {"time", 864e5}, "days": {"time", 864e5}, "일": {"time", 864e5}, "week": {"time", 6048e5}, "weeks": {"time", 6048e5}, "주": {"time", 6048e5},
	"byte": {"size", 1}, "bytes": {"size", 1}, "바이트": {"size", 1}, "kb": {"size", 1e3}, "kilobytes": {"size", 1e3}, "mb": {"size", 1e6}, "megabytes": {"size", 1e6},
	"gb": {"size", 1e9}, "gigabytes": {"size", 1e9}, "tb": {"size", 1e12}, "terabytes": {"size", 1e12},
	"mm": {"length", 1}, "cm": {"length", 10}, "m": {"length", 1e3}, "meters": {"length", 1e3}, "metres": {"length", 1e3}, "km": {"length", 1e6}, "kilometers": {"length", 1e6}, "kilometres": {"length", 1e6},
	"mg": {"mass", 1}, "g": {"mass", 1e3}, "gram": {"mass", 1e3}, "grams": {"mass", 1e3}, "kg": {"mass", 1e6}, "kilograms": {"mass", 1e6}, "tons": {"mass", 1e9}, "tonnes": {"mass", 1e9},
	"cent": {"money", 1}, "cents": {"money", 1}, "dollar": {"money", 100}, "dollars": {"money", 100}, "euro": {"money", 100}, "euros": {"money", 100},
}

// unitIn is a unit without the Korean ending that is glued to it.
func unitIn(w string) string {
	if !isHangul(w) || units[w].worth != 0 {
		return w
	}
	for at := range w {
		if at > 0 && units[w[:at]].worth != 0 && isEnding(w[at:]) {
			return w[:at]
		}
	}
	return w
}

// unitOf is the unit that a column's name says.
func unitOf(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	for i := len(words) - 1; i >= 0; i-- {
		u, ok := units[words[i]]
		if ok && (len(words[i]) > 1 || len(words) > 1) && u.dimension != "" {
			return words[i]
		}
	}
	return ""
}

// scaleTo is what the column's numbers are multiplied by to be in unit; false when
// they are of another dimension.
func (c *column) scaleTo(unit string) (*big.Rat, bool) {
	to, known := units[unit]
	from, has := units[c.unit]
	switch {
	case !known || !has || to.dimension != from.dimension:
		return nil, true
	case to.worth == from.worth:
		return nil, true
	}
	return big.NewRat(from.worth, to.worth), true
}
