package ground

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// line is a line of a text without its markup.
type line struct {
	text string
	item bool // of a list or a table
	head bool // a heading, or the head of a table
	next int  // the counter that goes on with the list
	// worths are the scales that the head of its table gives to its cells, from the last
	// one on: 1000 below "Revenue (k)".
	worths []int64
	heads  []string // the cells of that head, from the last one on
}

var (
	bullet    = regexp.MustCompile(`^\s*(?:[-*+•‣◦▪·●○–]|>+)\s+`)
	counter   = regexp.MustCompile(`^\s*\(?(\d{1,2})[.)]\s+`)
	tableRule = regexp.MustCompile(`^[\s|:+–-]+$`)
	rankCell  = regexp.MustCompile(`^#?(\d{1,2})\.?\s*\|`)
	inline    = regexp.MustCompile(`(^|[\s:;,(])\(?([1-9])[.)] `)
	emphasis  = strings.NewReplacer("**", "", "__", "", "`", "", "~~", "")
)

// lines takes a text apart where it has markup for lists, tables and headings.
func lines(text string) []line {
	var out []line
	var worths []int64
	var heads []string
	next := 1
	for raw := range strings.SplitSeq(text, "\n") {
		l := line{text: emphasis.Replace(raw)}
		trimmed := strings.TrimSpace(l.text)
		if trimmed == "" {
			continue
		}
		if tableRule.MatchString(trimmed) && strings.Contains(trimmed, "-") {
			if len(out) > 0 && strings.Contains(out[len(out)-1].text, "|") {
				out[len(out)-1].head = true
				worths, heads = worthsIn(out[len(out)-1].text), headsIn(out[len(out)-1].text)
			}
			continue
		}
		if !strings.Contains(trimmed, "|") {
			worths, heads = nil, nil
		}
		l.worths, l.heads = worths, heads
		l.strip(trimmed, &next)
		out = append(out, l)
	}
	return out
}

// headWorth finds a scale in a cell of a table's head.
var headWorth = regexp.MustCompile(`\((?:in )?[$€£¥₩]?\s?(k|K|M|Mio|mn|bn|B|thousands?|millions?|billions?|천|만|백만|억)(?:[\s)$€£¥₩]|원|명|건|개|달러|유로)`)

// worthsIn are the scales of the cells of a table's head, from the last one on; nil where
// no cell has one.
func worthsIn(head string) []int64 {
	var out []int64
	any := false
	cells := strings.Split(strings.Trim(head, "| "), "|")
	slices.Reverse(cells)
	for _, cell := range cells {
		worth := int64(1)
		if found := headWorth.FindStringSubmatch(cell); found != nil {
			worth, any = scaleNamed(found[1]), true
		}
		out = append(out, worth)
	}
	if !any {
		return nil
	}
	return out
}

// scaleNamed is the scale of a word or a letter.
func scaleNamed(w string) int64 {
	for _, scale := range koreanScales {
		if scale.text == w {
			return scale.worth
		}
	}
	w = strings.ToLower(w)
	return max(1, scaleLetters[w], scaleWords[w], powers[w])
}

// strip takes the markup off the beginning of a line. A counter states nothing
// where it counts on from 1.
func (l *line) strip(trimmed string, next *int) {
	l.text = trimmed
	if heading := strings.TrimLeft(trimmed, "#"); heading != trimmed && strings.HasPrefix(heading, " ") {
		l.text, l.head = strings.TrimSpace(heading), true
		return
	}
	if found := bullet.FindString(l.text); found != "" {
		l.text, l.item = l.text[len(found):], true
	}
	if found := counter.FindStringSubmatch(l.text); found != nil {
		if n, _ := strconv.Atoi(found[1]); n == 1 || n == *next {
			l.text, l.item, *next = l.text[len(found[0]):], true, n+1
		}
	}
	if strings.HasPrefix(l.text, "|") {
		l.text, l.item = strings.Trim(l.text, "| "), true
		if found := rankCell.FindStringSubmatch(l.text); found != nil {
			if n, _ := strconv.Atoi(found[1]); n == 1 || n == *next {
				l.text, *next = l.text[len(found[0]):], n+1
			}
		}
	}
	l.text = withoutCounters(l.text)
}

// withoutCounters takes out counters in a line when there are two or more that
// count from 1.
func withoutCounters(text string) string {
	if !strings.Contains(text, "2. ") && !strings.Contains(text, "2) ") {
		return text
	}
	next := 1
	for _, found := range inline.FindAllStringSubmatch(text, -1) {
		if found[2] != strconv.Itoa(next) {
			return text
		}
		next++
	}
	if next < 3 {
		return text
	}
	return inline.ReplaceAllString(text, "$1")
}

// abbreviations end with a point that ends no sentence.
var abbreviations = set("e.g i.e eg ie vs approx no nr st mr mrs ms dr prof inc ltd co corp jan feb mar apr jun jul aug sep sept oct nov dec ca etc incl excl avg max min u.s u.k a.m p.m z.b bzw")

// sentences takes a line apart, but for the names with points in them. A question of the
// text and the sentence behind it, which answers it, are one: "Which is highest? A, at 5."
func (c *Checker) sentences(text string) []string {
	var out []string
	from := 0
	whole := c.dottedIn(text)
	for i, r := range text {
		if slices.ContainsFunc(whole, func(span [2]int) bool {
			return span[0] <= i && (i < span[1]-1 || i == span[1]-1 && goesOnSmall(text[span[1]:]))
		}) {
			continue
		}
		end := i + utf8.RuneLen(r)
		switch {
		case strings.ContainsRune("。！？", r), r == ';':
		case strings.ContainsRune(".!?", r) && end < len(text) && (text[end] == ' ' || text[end] == '"' && end+1 < len(text) && text[end+1] == ' '):
			if r == '?' || r == '.' && !endsSentence(text, i, end) {
				continue
			}
		default:
			continue
		}
		if part := strings.TrimSpace(text[from:end]); part != "" {
			out = append(out, part)
		}
		from = end
	}
	if part := strings.TrimSpace(text[from:]); part != "" {
		out = append(out, part)
	}
	return out
}

// goesOnSmall reports whether what stands behind the point of a name goes on with a small letter, so
// that the point ends no sentence: "Mech. Eng. has".
func goesOnSmall(text string) bool {
	rest, gap := strings.CutPrefix(text, " ")
	r, _ := utf8.DecodeRuneInString(rest)
	return gap && unicode.IsLower(r)
}

// dottedIn are the places of names that have the end of a sentence in them: "Pt. 2".
func (c *Checker) dottedIn(text string) [][2]int {
	var out [][2]int
	for _, name := range c.dotted {
		for from := 0; ; {
			at := strings.Index(text[from:], name)
			if at < 0 {
				break
			}
			out = append(out, [2]int{from + at, from + at + len(name)})
			from += at + len(name)
		}
	}
	return out
}

// endsSentence tells the end of a sentence from that of an abbreviation and from the
// points in a Korean date.
func endsSentence(text string, at, end int) bool {
	head := text[:at]
	last := head[strings.LastIndexFunc(head, unicode.IsSpace)+1:]
	last = strings.ToLower(strings.TrimLeft(last, "(\""))
	if abbreviations[last] || len(last) == 1 && isLetterByte(last[0]) && last != "i" {
		return false
	}
	return strings.Contains(last, ",") || !(isDigit(text[at-1*boolInt(at > 0)]) && end+1 < len(text) && isDigit(text[end+1]))
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
