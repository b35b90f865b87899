package ground

import (
	"math/big"
	"slices"
)

// given is a figure beside two that were told before it, and the Korean words that may say
// what it is of them.
type given struct {
	s        *sentence
	f        *figure
	a, b     operand
	from, to int // the tokens of these words
}

// givesKorean reports whether a figure is what a and the later told b give in the way that
// Korean words say, which stand between b and the figure or right behind it.
func (s *sentence) givesKorean(f *figure, a, b operand) bool {
	const near = 8
	g := &given{s: s, f: f, a: a, b: b, from: max(0, f.at-near, b.to), to: min(len(s.tokens), f.to+4)}
	if b.to < 0 {
		g.from, _ = s.clauseSpan(f.at)
	}
	for _, next := range s.figures {
		if next.at >= f.to && next.at < g.to && !(next.percent && next.at-f.to <= 2) {
			g.to = next.at
		}
	}
	x, y := a.amounts[0].value, b.amounts[0].value
	if x.Sign() < 0 || y.Sign() < 0 || !g.namesThem() {
		return false
	}
	switch {
	case f.ratio || f.percent && f.amounts[0].rough:
		return g.isQuotient(x, y)
	case f.isBound():
		return false
	case f.percent && a.percent:
		return (f.points || g.says("차이", "격차")) && g.isGap(x, y)
	case a.percent:
		return false
	case f.percent:
		return g.isChange(x, y) || g.says("중", "가운데", "전체의", "차지", "해당", "비중", "비율") && g.isShare(x, y)
	}
	return g.isGap(x, y) || g.isSum(x, y) || g.isRate(x, y)
}

func (g *given) says(words ...string) bool { return g.s.anyCue(g.from, g.to, nil, words...) }

// namesThem reports whether all rows that are named between the told figures and this one
// have one of these.
func (g *given) namesThem() bool {
	for i := range g.s.referents {
		r := &g.s.referents[i]
		if r.at < g.b.to || r.at >= g.f.at && g.b.to >= 0 || r.isDate() && g.b.to < 0 {
			continue
		}
		if !g.has(r, g.a.figure) && !g.has(r, g.b.figure) {
			return false
		}
	}
	return true
}

func (g *given) has(r *referent, f *figure) bool {
	for index, t := range g.s.checker.tables {
		for i := range t.columns {
			if c := &t.columns[i]; c.measure() && slices.ContainsFunc(r.rows[index], func(row int) bool { return c.says(f, row) }) {
				return true
			}
		}
	}
	return false
}

// base says by which of the told figures the other one is measured: -1 for a, 1 for b, 0
// where no ending says so.
func (g *given) base(endings ...string) int {
	const near = 3
	behind := func(o operand, end int) bool {
		if o.to < 0 {
			return false
		}
		for i := o.to - 1; i < min(o.to+near, end); i++ {
			if i >= o.to && g.s.figureAtToken(i) {
				return false
			}
			if t := g.s.tokens[i]; t.hangul && hasSuffix(t.text, endings...) {
				return true
			}
		}
		return false
	}
	switch {
	case behind(g.b, g.f.at):
		return 1
	case behind(g.a, max(g.b.at, g.a.to)):
		return -1
	}
	return 0
}

// direction is what words say of the one that is measured: 1 for more, -1 for less.
func (g *given) direction() int {
	up := g.says(upKorean...) || g.says(riseKorean...) || g.says("웃돌", "넘", "더 ", "초과", "올라", "뛰")
	down := g.says(downKorean...) || g.says(fallKorean...) || g.says("밑돌", "모자", "못", "부족", "저렴")
	return boolInt(up) - boolInt(down)
}

// isGap reports whether the figure is how far the two are apart: with a noun for that, or
// with words that say which of them is the larger one.
func (g *given) isGap(a, b *big.Rat) bool {
	gap := new(big.Rat).Sub(a, b)
	same := g.f.derived
	if g.f.percent {
		same = g.f.derivedShare
	}
	if !same(new(big.Rat).Abs(gap)) || g.f.minus {
		return false
	}
	if g.says("차이", "격차", "간격", "차액", "차로", "차는", "차가", "차입", "차예", "차다", "벌어", "떨어져") || g.s.hasAny(g.from, g.to, "차") {
		return true
	}
	of := g.measured()
	return of != 0 && gap.Sign() != 0 && g.direction() == gap.Sign()*of
}

// measured is 1 where the sentence measures a by b, -1 where it measures b by a, 0 where it
// does not say.
func (g *given) measured() int {
	switch {
	case g.base("보다", "보다는", "보다도", "대비") != 0:
		return g.base("보다", "보다는", "보다도", "대비")
	case g.says("앞서", "앞섰", "앞섭", "앞질", "웃돌", "제치", "밑돌", "못") && g.base("를", "을", "에") > 0:
		return 1
	case g.base("에서", "이던", "였던", "던") < 0 || g.b.to >= 0 && g.s.hasAny(g.a.to, g.b.at, "→", "->"):
		return -1
	}
	return 0
}

// isChange reports whether the figure is by how much of the one the other is more or less.
func (g *given) isChange(a, b *big.Rat) bool {
	of := g.measured()
	if of < 0 {
		a, b = b, a
	}
	gap := new(big.Rat).Sub(a, b)
	return of != 0 && b.Sign() > 0 && g.direction() == gap.Sign() && gap.Sign() != 0 && g.f.derivedShare(percent(gap.Abs(gap), b))
}

// isQuotient reports whether the figure is how many times as much the one is as the other, or
// which fraction of it.
func (g *given) isQuotient(a, b *big.Rat) bool {
	if a.Sign() == 0 || b.Sign() == 0 {
		return false
	}
	q := new(big.Rat).Quo(a, b)
	switch {
	case g.base("의", "보다", "대비") > 0:
	case g.measured() < 0 && g.direction() >= 0 || g.base("의") < 0:
		q.Inv(q)
	case q.Cmp(unit) < 0 && g.b.to >= 0 && !g.f.percent && len(g.s.namesOf(g.b.to, g.f.at)) == 0:
		q.Inv(q)
	case len(g.s.namesOf(max(0, g.b.to), g.f.at)) > 0 || g.f.percent:
		return false
	}
	if g.f.percent {
		return g.f.derivedShare(q.Mul(q, rat(100)))
	}
	return g.f.isFactor(q)
}

// isShare reports whether the figure is the part of the smaller one in the larger one.
func (g *given) isShare(a, b *big.Rat) bool {
	if a.Cmp(b) > 0 {
		a, b = b, a
	}
	return a.Sign() > 0 && g.f.derivedShare(percent(a, b))
}

// isSum reports whether the figure is said to be both together.
func (g *given) isSum(a, b *big.Rat) bool {
	return g.says("합", "더하", "더한", "더해", "도합") && g.f.derived(new(big.Rat).Add(a, b))
}

// isRate reports whether the figure is the one for each of the other, or both multiplied,
// as words say. A figure of a few digits is soon met by chance.
func (g *given) isRate(a, b *big.Rat) bool {
	if g.f.isSlight() || a.Sign() == 0 || b.Sign() == 0 {
		return false
	}
	if g.says("곱하", "곱한") {
		return g.f.derived(new(big.Rat).Mul(a, b))
	}
	per := g.says("나누", "나눈", "평균") || slices.ContainsFunc(g.s.tokens[g.from:g.f.at], func(t token) bool { return t.hangul && hasSuffix(t.text, "당") })
	return per && (g.f.derived(new(big.Rat).Quo(a, b)) || g.f.derived(new(big.Rat).Quo(b, a)))
}
