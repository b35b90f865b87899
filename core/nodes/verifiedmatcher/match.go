package verifiedmatcher

import (
	"maps"
	"slices"

	"querent.dev/querent/core/config"
	"querent.dev/querent/sdk/wire"
)

// matches fits the words to one of the query's wordings, word for word.
func (q *compiled) matches(words []word) (map[string]wire.Value, bool) {
	for _, t := range q.templates {
		if values, ok := fit(t.pieces, words, q.Params, nil); ok {
			return values, true
		}
	}
	return nil, false
}

func fit(pieces []piece, words []word, params map[string]config.Param, values map[string]wire.Value) (map[string]wire.Value, bool) {
	switch {
	case len(pieces) == 0:
		return values, len(words) == 0
	case len(words) == 0:
		return nil, false
	case pieces[0].slot == "":
		if pieces[0].word.text != words[0].text {
			return nil, false
		}
		return fit(pieces[1:], words[1:], params, values)
	}
	v, taken := read(params[pieces[0].slot], words)
	values, ok := with(values, pieces[0].slot, v)
	if taken == 0 || !ok {
		return nil, false
	}
	return fit(pieces[1:], words[taken:], params, values)
}

// with adds a value, unless the slot has another already.
func with(values map[string]wire.Value, slot string, v wire.Value) (map[string]wire.Value, bool) {
	if have, taken := values[slot]; taken {
		return values, have.Equal(v)
	}
	values = maps.Clone(values)
	if values == nil {
		values = map[string]wire.Value{}
	}
	values[slot] = v
	return values, true
}

// resembles compares the words that carry meaning with each wording, and gives
// the best likeness.
func (q *compiled) resembles(words []word, said []string) (map[string]wire.Value, float64) {
	var best map[string]wire.Value
	score := 0.0
	for _, t := range q.templates {
		values, rest, ok := q.extract(t, words, said)
		if !ok {
			continue
		}
		if s := similarity(rest, t.content); s > score {
			best, score = values, s
		}
	}
	return best, score
}

// extract takes the slots' values out of the question. Each must be there once,
// so that nothing has to be guessed; free text has no form to be found by.
func (q *compiled) extract(t template, words []word, said []string) (map[string]wire.Value, []string, bool) {
	if !slices.ContainsFunc(t.pieces, func(p piece) bool { return p.slot != "" }) {
		return nil, said, true
	}
	values := map[string]wire.Value{}
	taken := make([]bool, len(words))
	for _, p := range t.pieces {
		if p.slot == "" {
			continue
		}
		param := q.Params[p.slot]
		if _, twice := values[p.slot]; twice || param.Type == config.ParamText && len(param.Enum) == 0 {
			return nil, nil, false
		}
		v, at, n := find(param, words)
		if n == 0 || slices.Contains(taken[at:at+n], true) {
			return nil, nil, false
		}
		values[p.slot] = v
		for i := at; i < at+n; i++ {
			taken[i] = true
		}
	}
	var rest []word
	for i, w := range words {
		if !taken[i] {
			rest = append(rest, w)
		}
	}
	return values, content(rest), true
}

// find is the one place where the words spell a value of the parameter; n is 0
// when there is none or a second.
func find(p config.Param, words []word) (v wire.Value, at, n int) {
	for i := 0; i < len(words); {
		found, taken := read(p, words[i:])
		switch {
		case taken == 0:
			i++
			continue
		case n > 0:
			return wire.Value{}, 0, 0
		}
		v, at, n = found, i, taken
		i += taken
	}
	return v, at, n
}
