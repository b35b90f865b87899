package ground

import (
	"math/big"
	"strings"
)

// amount is a number as it is written: its readings, and the worth of the last
// place that is written.
type amount struct {
	value *big.Rat
	place *big.Rat // worth of the last digit: 100 for "1.2 thousand"
	round *big.Rat // worth of the last digit that is no trailing zero
	rough bool     // a fraction in words
	end   *big.Rat // what it stays below where it says a span, as "9천대" does; else nil
}

func rat(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

// readings are the numbers that text in figures may mean in a language: "1.234" is
// one thing in English and another in German.
func readings(text string, decimalComma bool) []amount {
	point, comma := strings.Count(text, "."), strings.Count(text, ",")
	group := strings.NewReplacer("_", "", "'", "")
	text = group.Replace(text)
	switch {
	case strings.ContainsAny(text, "eE"):
		return one(strings.ReplaceAll(text, ",", "."))
	case point == 0 && comma == 0:
		return one(text)
	case point > 0 && comma > 0:
		if strings.LastIndexByte(text, '.') > strings.LastIndexByte(text, ',') {
			return one(strings.ReplaceAll(text, ",", ""))
		}
		return one(strings.Replace(strings.ReplaceAll(text, ".", ""), ",", ".", 1))
	case comma > 0:
		return separated(text, ",", comma, decimalComma)
	}
	return separated(text, ".", point, !decimalComma)
}

// separated reads a number with one kind of separator: of groups when it is no
// decimal mark, or stands there more than once.
func separated(text, mark string, count int, decimal bool) []amount {
	groups := strings.Split(text, mark)
	grouped := len(groups[0]) <= 3 && groups[0] != "0" && len(groups[len(groups)-1]) == 3
	for _, g := range groups[1:] {
		grouped = grouped && (len(g) == 3 || len(g) == 2)
	}
	switch {
	case grouped && (count > 1 || !decimal):
		return one(strings.Join(groups, ""))
	case count > 1:
		return nil
	}
	return one(strings.Join(groups, "."))
}

func one(text string) []amount {
	if a, ok := parse(text); ok {
		return []amount{a}
	}
	return nil
}

// maxDigits is how long a number may be: more than any cell has.
const maxDigits = 60

// parse reads digits with an optional point.
func parse(text string) (amount, bool) {
	if len(text) > maxDigits {
		return amount{}, false
	}
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		return amount{}, false
	}
	place := rat(1)
	if strings.ContainsAny(text, "eE") {
		return amount{value: value, place: rat(1), round: rat(1)}, true
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if fraction != "" {
		place = new(big.Rat).SetFrac(big.NewInt(1), pow10(len(fraction)))
	}
	round := place
	if fraction == "" {
		if zeros := len(whole) - len(strings.TrimRight(whole, "0")); zeros > 0 && zeros < len(whole) {
			round = new(big.Rat).SetInt(pow10(zeros))
		}
	}
	return amount{value: value, place: place, round: round}, true
}

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// times scales the amount: "1.2" by a million.
func (a amount) times(factor *big.Rat) amount {
	mul := func(r *big.Rat) *big.Rat { return new(big.Rat).Mul(r, factor) }
	return amount{value: mul(a.value), place: mul(a.place), round: mul(a.round), rough: a.rough}
}

// hedge is how a text bounds a number.
type hedge uint8

const (
	exact   hedge = iota
	about         // "about", "some"
	over          // "more than", "at least", as a rounding down
	under         // "nearly", "less than", as a rounding up
	atLeast       // "at least", "or more"
	atMost
)

var (
	unit      = rat(1)
	half      = big.NewRat(1, 2)
	nearShare = big.NewRat(1, 20) // how far a rounded number may be from the true one
	farShare  = big.NewRat(1, 8)  // how far a bound may be

	wholeShare = big.NewRat(1, 200) // how far a whole number without a hedge may be
)

// is reports whether the written number stands for the true one.
func (a amount) is(truth *big.Rat, h hedge) bool {
	if same(a.value, truth) {
		return true
	}
	if a.end != nil {
		return truth.Cmp(a.value) >= 0 && truth.Cmp(a.end) < 0
	}
	if h == exact && same(a.place, unit) && (truth.IsInt() || !a.rounds(truth)) {
		return false
	}
	gap := new(big.Rat).Sub(truth, a.value)
	size := new(big.Rat).Abs(truth)
	off := new(big.Rat).Abs(gap)
	if h == exact && same(a.place, unit) {
		// A number with a fraction may be told as the whole number next to it.
		return off.Cmp(size.Mul(size, wholeShare)) <= 0
	}
	switch h {
	case about:
		return off.Cmp(new(big.Rat).Mul(a.round, half)) <= 0 && off.Cmp(size.Mul(size, nearShare)) <= 0
	case over, atLeast:
		if a.rough {
			return gap.Sign() > 0 && off.Cmp(new(big.Rat).Mul(a.value, big.NewRat(3, 10))) <= 0
		}
		return gap.Sign() > 0 && (off.Cmp(a.round) < 0 || a.isRound()) && off.Cmp(size.Mul(size, farShare)) <= 0
	case under, atMost:
		if a.rough {
			return gap.Sign() < 0 && off.Cmp(new(big.Rat).Mul(a.value, big.NewRat(3, 10))) <= 0
		}
		return gap.Sign() < 0 && (off.Cmp(a.round) < 0 || a.isRound()) && off.Cmp(size.Mul(size, farShare)) <= 0
	}
	// Decimals that are left out are rounded.
	return a.rounds(truth) && off.Cmp(size.Mul(size, nearShare)) <= 0
}

// same reports whether two numbers are equal; unlike Cmp it multiplies nothing.
func same(a, b *big.Rat) bool {
	if a.IsInt() || b.IsInt() {
		return a.IsInt() && b.IsInt() && a.Num().Cmp(b.Num()) == 0
	}
	return a.Num().Cmp(b.Num()) == 0 && a.Denom().Cmp(b.Denom()) == 0
}

// rounds reports whether the written number is the true one rounded to the places
// that are written.
func (a amount) rounds(truth *big.Rat) bool {
	off := new(big.Rat).Sub(truth, a.value)
	return off.Abs(off).Cmp(new(big.Rat).Mul(a.place, half)) <= 0
}
