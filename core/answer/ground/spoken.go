package ground

import "math/big"

// small are the English numbers below a hundred.
var small = map[string]int64{
	"zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

// powers multiply what stands before them.
var powers = map[string]int64{
	"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12,
	"hundreds": 100, "thousands": 1e3, "millions": 1e6, "billions": 1e9, "trillions": 1e12, "dozens": 12,
}

var ordinals = map[string]int64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17,
	"eighteenth": 18, "nineteenth": 19, "twentieth": 20,
}

// multiples say how many times as many.
var multiples = map[string]int64{"twice": 2, "double": 2, "doubled": 2, "doubling": 2, "thrice": 3, "triple": 3, "tripled": 3, "tripling": 3, "quadruple": 4, "quadrupled": 4}

// timesOf are the words behind "times" that make a factor of the number before it.
var timesOf = set("as more less higher larger greater bigger longer the that those its their his her of what lower smaller fewer")

// fractions are parts of a whole, in percent and their rounding.
var fractions = map[string]int64{"half": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5}

func isNumberWord(w string) bool {
	return small[w] > 0 || powers[w] > 0 || ordinals[w] > 0 || multiples[w] > 0 || fractions[w] > 0
}

// englishAt reads a number in English words.
func (s *sentence) englishAt(i int) (figure, bool) {
	w := s.tokens[i].fold
	if s.namesPlace(i) {
		return figure{}, false
	}
	if n, ok := multiples[w]; ok {
		return figure{at: i, to: i + 1, spoken: true, ratio: true, amounts: whole(n)}, true
	}
	if f, ok := s.fractionAt(i); ok {
		return s.ofPower(f), true
	}
	if n, ok := ordinals[w]; ok {
		return figure{at: i, to: i + 1, spoken: true, ordinal: true, amounts: whole(n)}, s.isRank(i)
	}
	if w == "one" && powers[s.foldAt(i+1)] == 0 {
		return figure{at: i, to: i + 1, spoken: true, amounts: whole(1)}, s.countsOne(i)
	}
	f, ok := s.cardinalAt(i)
	if ok {
		f = s.withPoint(f)
	}
	return f, ok
}

// namesPlace reports whether a number word only says how many digits numbers have: "to the
// nearest thousand", "in double digits".
func (s *sentence) namesPlace(i int) bool {
	return s.foldAt(i-1) == "nearest" || hasPrefix(s.foldAt(i+1), "digit") || s.foldAt(i+1) == "-" && hasPrefix(s.foldAt(i+2), "digit")
}

// cardinalAt reads "one thousand three hundred and thirteen".
func (s *sentence) cardinalAt(i int) (figure, bool) {
	if s.isUnitWord(i) {
		return figure{}, false
	}
	var total, group int64
	begun, from := false, i
	last := i
	for ; i < len(s.tokens) && !s.taken[i]; i++ {
		w := s.tokens[i].fold
		n, isSmall := small[w]
		p, isPower := powers[w]
		switch {
		case isSmall:
			group += n
		case w == "one" && begun:
			group++
		case w == "one" && powers[s.foldAt(i+1)] > 0:
			group++
		case isPower && p == 100:
			group = max(1, group) * 100
		case isPower:
			total, group = total+max(1, group)*p, 0
		case begun && w == "," && powers[s.foldAt(i-1)] >= 1e3 && small[s.foldAt(i+1)]+int64(boolInt(s.foldAt(i+1) == "one")) > 0 && s.foldAt(i+2) == "hundred":
			continue
		case begun && (w == "and" && s.continues(i+1) || w == "-" && !s.tokens[i].gap && s.continues(i+1)):
			continue
		default:
			return s.spokenFigure(from, last, total+group, begun)
		}
		begun, last = true, i
	}
	return s.spokenFigure(from, last, total+group, begun)
}

func (s *sentence) spokenFigure(from, last int, value int64, begun bool) (figure, bool) {
	f := figure{at: from, to: last + 1, spoken: true, amounts: whole(value)}
	if p := powers[s.foldAt(last)]; begun && p >= 1e3 && value >= 10*p {
		f.amounts[0].place = rat(p) // as in figures: "343 thousand"
	}
	return f, begun
}

// continues reports whether the word at i goes on with a number that has begun: after
// a hundred or with a hyphen.
func (s *sentence) continues(i int) bool {
	w := s.foldAt(i)
	_, isSmall := small[w]
	before := s.foldAt(i - 2)
	return (isSmall || w == "one") && (s.foldAt(i-1) == "-" || powers[before] > 0)
}

// isRank tells "the second is Korea" and "second-highest" from "a second look" and
// "the first time".
func (s *sentence) isRank(i int) bool {
	before, after := s.foldAt(i-1), s.foldAt(i+1)
	if after == "-" {
		after = s.foldAt(i + 2)
	}
	switch {
	case ordersUp[after] != 0, ages[after] != 0, (after == "by" || after == "in") && s.namedBy(s.foldAt(i+2), nil) != nil, after == "place", after == "position", after == "rank", after == "ranked", after == "spot", after == "overall":
		return true
	case before == "rank", before == "ranks", before == "ranked", before == "ranking", before == "comes", before == "stands", before == "finished", before == "finishes", before == "placed", before == "came", before == "is":
		return s.foldAt(i) != "first" || after != "of"
	case before == "and" && ordinals[s.foldAt(i-2)] > 0:
		return s.isRank(i - 2)
	case before == "in" && !s.is(i+1, word):
		return true
	}
	return false
}

// countsOne tells "one customer" from "one of them".
func (s *sentence) countsOne(i int) bool {
	next := s.foldAt(i + 1)
	switch {
	case (next == "more" || next == "fewer" || next == "less") && s.hasAny(i+2, i+7, "than") && s.hasAny(i-1, i, "has", "had", "have", "with", "sold", "made", "recorded", "brought"):
		return true
	case s.foldAt(i-1) == "and" && (next == "other" || next == "others") && !s.is(i+2, word):
		return true
	case s.hasAny(i-1, i, "has", "contains", "holds", "is") && s.hasAny(0, i, "list", "result", "there") && (genericNouns[next] || genericNouns[stem(next)]):
		return true
	}
	switch s.foldAt(i - 1) {
	case "not":
		return false // none at all
	case "the", "this", "that", "which", "each", "no", "every", "another", "any", "only":
		return s.foldAt(i-1) == "only" && s.checker.isNoun(s.foldAt(i+1))
	}
	if spanUnits[s.foldAt(i+1)] != "" && s.hasAny(i-1, i, "than", "over", "under", "about", "nearly", "almost", "within") {
		return true
	}
	return s.checker.isNoun(s.foldAt(i+1)) && !hasSuffix(s.foldAt(i+1), "ed")
}

// fractionAt reads "half of", "a third", "two thirds" and "three quarters".
func (s *sentence) fractionAt(i int) (figure, bool) {
	w, next := s.foldAt(i), s.foldAt(i+1)
	if next == "-" {
		next = s.foldAt(i + 2)
	}
	of := func(k int) bool { return s.foldAt(k) == "of" || s.foldAt(k) == "the" }
	switch {
	case w == "one" && s.foldAt(i+1) == "in" && small[s.foldAt(i+2)] > 1:
		return s.fraction(i, i+3, 1, small[s.foldAt(i+2)]), true
	case w == "one" && s.foldAt(i+2) == "in" && small[s.foldAt(i+3)] > 1 && s.checker.isNoun(s.foldAt(i+1)):
		return s.fraction(i, i+4, 1, small[s.foldAt(i+3)]), true
	case w == "half" && (s.hasAny(i-1, i, "first", "second", "other", "last") || s.foldAt(i+1) == "-" && timeUnits[s.foldAt(i+2)]):
		return figure{}, false
	case w == "half" && (s.foldAt(i+1) == "as" || s.foldAt(i+1) == "that"):
		return figure{at: i, to: i + 1, spoken: true, ratio: true, amounts: []amount{{value: half, place: unit, round: unit}}}, true
	case w == "half" && s.foldAt(i-1) != "and" && !(s.foldAt(i-1) == "a" && s.foldAt(i-2) == "and"):
		return s.fraction(i, i+1, 1, 2), true
	case (w == "a" || w == "one") && fractions[next] > 2:
		k := i + 2
		if s.foldAt(i+1) == "-" {
			k++
		}
		return s.fraction(i, k, 1, fractions[next]), of(k)
	case small[w] > 0 && small[w] < fractions[next] && fractions[next] > 2 && next[len(next)-1] == 's':
		k := i + 2
		if s.foldAt(i+1) == "-" {
			k++
		}
		return s.fraction(i, k, small[w], fractions[next]), of(k) || hedgesBefore[s.foldAt(i-1)] != exact
	}
	return figure{}, false
}

// ofPower makes a number of a fraction of one: "half a million", "a quarter of a billion".
func (s *sentence) ofPower(f figure) figure {
	i := f.to
	for s.foldAt(i) == "of" || s.foldAt(i) == "a" || s.foldAt(i) == "one" {
		i++
	}
	p := powers[s.foldAt(i)]
	if p == 0 || i == f.to {
		return f
	}
	part := f.amounts[0].value
	value := new(big.Rat).Mul(part, big.NewRat(p, 100))
	place := new(big.Rat).Mul(value, big.NewRat(1, 10))
	return figure{at: f.at, to: i + 1, spoken: true, scaled: true, hedge: about, amounts: []amount{{value: value, place: place, round: place}}}
}

// fraction is a part of a whole as a percentage, told roughly.
func (s *sentence) fraction(at, to int, n, of int64) figure {
	value := rat(100 * n)
	return figure{at: at, to: to, spoken: true, percent: true, hedge: about, amounts: []amount{{value: value.Quo(value, rat(of)), place: rat(6), round: rat(6), rough: true}}}
}
