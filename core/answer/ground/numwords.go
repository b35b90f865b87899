package ground

import (
	"math/big"
	"strings"
)

// withPoint reads the digits behind a number in words: "three point seven", "two point zero
// four million".
func (s *sentence) withPoint(f figure) figure {
	if s.foldAt(f.to) != "point" || powers[s.foldAt(f.to-1)] >= 1e3 {
		return f
	}
	value, place, i := new(big.Rat).Set(f.amounts[0].value), rat(1), f.to+1
	for ; ; i++ {
		n, ok := small[s.foldAt(i)]
		if s.foldAt(i) == "one" {
			n, ok = 1, true
		}
		if !ok || n > 9 {
			break
		}
		place = new(big.Rat).Quo(place, rat(10))
		value.Add(value, new(big.Rat).Mul(place, rat(n)))
	}
	if i == f.to+1 {
		return f
	}
	if p := powers[s.foldAt(i)]; p > 0 {
		value.Mul(value, rat(p))
		place = new(big.Rat).Mul(place, rat(p))
		f.scaled, f.factor, i = true, p, i+1
	}
	f.to, f.amounts = i, []amount{{value: value, place: place, round: place}}
	return f
}

// scaledCurrency is the scale in the name of a currency, 0 for none: 1e6 of "musd".
func scaledCurrency(w string) int64 {
	if len(w) != len("musd") || !strings.Contains(" usd eur gbp jpy krw chf cny ", " "+w[1:]+" ") {
		return 0
	}
	return map[byte]int64{'k': 1e3, 't': 1e3, 'm': 1e6, 'b': 1e9}[w[0]]
}
