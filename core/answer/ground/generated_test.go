package ground_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"querent.dev/querent/core/answer/ground"
	"querent.dev/querent/sdk/wire"
)

// measured are the results whose rows have a name and a number, with the words for
// both.
var measured = []struct {
	id, noun, nounKo string
	name, number     int // columns
	additive         bool
}{
	{"countries", "customers", "고객", 0, 1, true},
	{"products", "revenue", "매출", 0, 1, true},
	{"stores", "average order value", "평균 주문 금액", 0, 1, false},
	{"origins", "products", "제품", 0, 1, true},
	{"months", "revenue", "매출", 0, 1, true},
	{"years", "payments", "결제", 0, 1, true},
	{"ranks", "orders", "주문", 1, 2, false},
	{"returns", "returns", "반품", 0, 1, true},
}

// say are the ways to say that a row has a number.
var say = []struct{ lang, one, two string }{
	{"en", "{A}: {x}", "{A}: {x}, {B}: {y}"},
	{"en", "The {n} of {A} is {x}.", "The {n} of {A} is {x}, and that of {B} is {y}."},
	{"en", "{A} has {x} as its {n}.", "{A} has {x} and {B} has {y}."},
	{"en", "**{A}** stands at {x}.", "**{A}** stands at {x}, **{B}** at {y}."},
	{"en", "For {A} the {n} is {x}.", "For {A} it is {x}; for {B} it is {y}."},
	{"en", "With {x}, {A} is listed.", "{A} ({x}) and {B} ({y}) are listed."},
	{"en", "| {A} | {x} |", "| {A} | {x} |\n| {B} | {y} |"},
	{"en", "- {A} – {x}", "- {A} – {x}\n- {B} – {y}"},
	{"en", "There is a value of {x} for {A}.", "The values are {x} for {A} and {y} for {B}."},
	{"en", "The {n} in the row of {A} comes to {x}.", "{A} and {B} have {x} and {y}, respectively."},
	{"ko", "{A}의 {k}: {x}", "{A}: {x}, {B}: {y}"},
	{"ko", "{A}은 {x}입니다.", "{A}은 {x}이고 {B}은 {y}입니다."},
	{"ko", "{A}의 값은 {x}입니다.", "{A}의 값은 {x}, {B}의 값은 {y}입니다."},
	{"ko", "{A}에서는 {x}로 집계되었습니다.", "{A}과 {B}은 각각 {x}, {y}입니다."},
	{"ko", "- {A}: {x}", "- {A}: {x}\n- {B}: {y}"},
}

// story is a result with the text of its names and its numbers.
type story struct {
	id, noun, nounKo string
	additive, whole  bool
	names            []string
	numbers          []float64
	texts            []string
}

func stories(t *testing.T, c *checkers) []story {
	t.Helper()
	var out []story
	for _, m := range measured {
		p := c.evidence[m.id].Results[0]
		s := story{id: m.id, noun: m.noun, nounKo: m.nounKo, additive: m.additive, whole: !p.Partial}
		for _, row := range p.Rows {
			s.names = append(s.names, nameOf(m.id, row[m.name]))
			s.numbers = append(s.numbers, row[m.number].Float())
			s.texts = append(s.texts, written(row[m.number]))
		}
		out = append(out, s)
	}
	return out
}

func nameOf(id string, v wire.Value) string {
	if id == "months" {
		return v.String()[:7]
	}
	return v.String()
}

// written is a number with groups of three, as people write it.
func written(v wire.Value) string {
	whole, fraction, cut := strings.Cut(v.Rounded(), ".")
	var b strings.Builder
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 && whole[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	if cut {
		b.WriteString("." + fraction)
	}
	return b.String()
}

func (s story) fill(form, a, x, b, y string) string {
	return strings.NewReplacer("{A}", a, "{x}", x, "{B}", b, "{y}", y, "{n}", s.noun, "{k}", s.nounKo).Replace(form)
}

// TestGeneratedTexts says true and false things in each way of each result.
func TestGeneratedTexts(t *testing.T) {
	c, r := newCheckers(t), rand.New(rand.NewPCG(1, 2))
	honest, refused, lies, passed := 0, 0, 0, 0
	for _, s := range stories(t, c) {
		for range 4 {
			for _, w := range say {
				i, j := s.two(r)
				a, b, x, y := s.names[i], s.names[j], s.texts[i], s.texts[j]
				for _, form := range []string{s.fill(w.one, a, x, b, y), s.fill(w.two, a, x, b, y)} {
					honest++
					if v := c.check(t, text{s.id, w.lang, form}); len(v) > 0 {
						refused++
						t.Logf("%s: %q is refused: %v", s.id, form, v)
					}
				}
				for _, lie := range s.lies(r, w.one, w.two, i, j) {
					lies++
					if len(c.check(t, text{s.id, w.lang, lie})) == 0 {
						passed++
						t.Errorf("%s: %q passes", s.id, lie)
					}
				}
			}
		}
	}
	t.Logf("%d of %d honest texts are refused, %d of %d lies pass", refused, honest, passed, lies)
	if honest < 300 || lies < 300 {
		t.Errorf("only %d honest texts and %d lies", honest, lies)
	}
	if float64(refused) > (1-honestPasses)*float64(honest) {
		t.Errorf("%d of %d honest texts are refused", refused, honest)
	}
}

// two are two rows with different names and numbers.
func (s story) two(r *rand.Rand) (i, j int) {
	for {
		i, j = r.IntN(len(s.names)), r.IntN(len(s.names))
		if s.names[i] != s.names[j] && s.texts[i] != s.texts[j] && s.numbers[i] != 0 && s.numbers[j] != 0 {
			return i, j
		}
	}
}

// lies are a wrong digit, another row's number, swapped numbers, a dropped or an added
// minus, a wrong scale and an invented row.
func (s story) lies(r *rand.Rand, one, two string, i, j int) []string {
	a, b, x, y := s.names[i], s.names[j], s.texts[i], s.texts[j]
	return []string{
		s.fill(one, a, wrongDigit(r, x), b, y),
		s.fill(one, a, y, b, x),
		s.fill(two, a, y, b, x),
		s.fill(one, a, "-"+x, b, y),
		s.fill(one, a, x+" million", b, y),
		s.fill(one, a, "10"+x, b, y),
		s.fill(one, "Zamunda", x, b, y),
	}
}

// wrongDigit changes the first digit or one of the next, by more than any rounding.
func wrongDigit(r *rand.Rand, x string) string {
	at := 0
	for range r.IntN(3) + 1 {
		next := strings.IndexAny(x[at:], "0123456789")
		if next < 0 {
			break
		}
		at += next + 1
	}
	d := x[at-1]
	return x[:at-1] + string('0'+(d-'0'+1+byte(r.IntN(7)))%9+1-1) + x[at:]
}

// randomPasses is the largest part of random numbers that may pass.
const randomPasses = 0.005

// TestRandomNumbersDoNotPass puts numbers of the right size into true sentences.
func TestRandomNumbersDoNotPass(t *testing.T) {
	c, r := newCheckers(t), rand.New(rand.NewPCG(3, 4))
	tried, passed := 0, 0
	for _, s := range stories(t, c) {
		low, high := s.numbers[0], s.numbers[0]
		for _, n := range s.numbers {
			low, high = min(low, n), max(high, n)
		}
		for _, w := range say {
			for range 8 {
				i, j := s.two(r)
				n := low + r.Float64()*(high-low)
				x := strconv.FormatFloat(n, 'f', fractionOf(s.texts[i]), 64)
				if x == strings.ReplaceAll(s.texts[i], ",", "") {
					continue
				}
				tried++
				if len(c.check(t, text{s.id, w.lang, s.fill(w.two, s.names[i], x, s.names[j], s.texts[j])})) == 0 {
					passed++
					t.Logf("%s: %q passes", s.id, s.fill(w.two, s.names[i], x, s.names[j], s.texts[j]))
				}
			}
		}
	}
	t.Logf("%d of %d random numbers pass", passed, tried)
	if float64(passed) > randomPasses*float64(tried) {
		t.Errorf("%d of %d random numbers pass", passed, tried)
	}
}

func fractionOf(text string) int {
	_, fraction, _ := strings.Cut(text, ".")
	return len(fraction)
}

// What is checked is the part that was seen: a total over it is no total of all.
func TestNothingIsComputedOverAPartialPreview(t *testing.T) {
	c := newCheckers(t)
	p := c.evidence["ranks"].Results[0]
	var sum int64
	for _, row := range p.Rows {
		sum += row[2].Int()
	}
	for _, lie := range []string{"In total there are %d orders.", "The stores have %d orders altogether.", "총 주문은 %d건입니다.", "All stores together have %d orders."} {
		if lie = fmt.Sprintf(lie, sum); len(c.check(t, text{"ranks", languageOf(lie), lie})) == 0 {
			t.Errorf("%q passes", lie)
		}
	}
	whole := ground.Evidence{Question: "q", Language: "en", Results: []wire.Preview{p}}
	whole.Results[0].RowCount, whole.Results[0].Partial = int64(len(p.Rows)), false
	if v := ground.New(whole).Check(fmt.Sprintf("In total there are %d orders.", sum)); len(v) > 0 {
		t.Errorf("over all rows: %v", v)
	}
}
