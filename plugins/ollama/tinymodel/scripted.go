package tinymodel

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Line is what a scripted model says to some prompts.
type Line struct {
	// When is a phrase that the prompt must hold. Of several lines whose phrase it
	// holds, the later is said. The first line of a script has no phrase, and is
	// said to every other prompt. No phrase may hold another, or stand in two lines.
	When string
	// Say is said word for word.
	Say string
	// Endless is said for ever after Say. A single letter is one token.
	Endless string
}

// Cue is what a prompt must end with for a scripted model to speak.
const Cue = "<|say|>"

// mostPhrases is how many strengths of attention one head tells apart.
const mostPhrases = 12

// Scripted makes a model that says lines.
//
// It works like this. Each token has a code of its own. The row by which a token
// of a line is chosen is the code of the token before it, so that the line goes on
// once it has begun. The cue begins the first line. It also looks back at the
// prompt with the layer's one head, to which each phrase is a token that draws the
// more attention the later its line stands; what the head brings back outweighs
// the cue's own code, and begins the line of the phrase.
func Scripted(lines ...Line) (*Model, error) {
	if len(lines) == 0 || lines[0].When != "" || len(lines) > mostPhrases+1 {
		return nil, fmt.Errorf("a script has a first line for any prompt, and at most %d with a phrase", mostPhrases)
	}
	words := newVocabulary()
	cue := words.add(Cue, isControl)
	phrases := make([]int, len(lines))
	for i, l := range lines[1:] {
		if l.When == "" || words.has(l.When) {
			return nil, fmt.Errorf("line %d of the script has no phrase of its own", i+1)
		}
		phrases[i+1] = words.add(l.When, isPhrase)
	}
	said, err := cutLines(words, lines)
	if err != nil {
		return nil, err
	}
	m := newModel(words)
	m.lookBack()
	m.encodeCue(cue)
	for i, phrase := range phrases[1:] {
		m.encodePhrase(phrase, i)
	}
	for i, l := range said {
		m.learn(l, cue, i-1)
	}
	return m, nil
}

// cutLine is a line in tokens.
type cutLine struct{ say, endless []int }

// cutLines cuts what is endless first: that is short, and each letter can be a
// token once only.
func cutLines(words *vocabulary, lines []Line) ([]cutLine, error) {
	out := make([]cutLine, len(lines))
	for i, l := range lines {
		if l.Say == "" && l.Endless == "" {
			return nil, fmt.Errorf("line %d of the script says nothing", i)
		}
		var err error
		if out[i].endless, err = words.cut(l.Endless); err != nil {
			return nil, fmt.Errorf("line %d of the script: %w", i, err)
		}
	}
	for i, l := range lines {
		var err error
		if out[i].say, err = words.cut(l.Say); err != nil {
			return nil, fmt.Errorf("line %d of the script: %w", i, err)
		}
	}
	return out, nil
}

// Where the numbers of a token stand, and what its row of numbers measures: the
// square of its length is the width, so that norms leave it as it is.
const (
	looks      = 0 // whether the token looks back at the prompt
	draws      = 1 // how much attention it draws
	whose      = 2 // and on, one for each phrase: whose attention it is
	codes      = whose + mostPhrases
	standFast  = codes // takes up the rest of a phrase's length
	looking    = 8     // how much the cue looks; tokens that are said look away
	saysWhose  = 8
	brought    = 6  // how much what the head brings back is enlarged
	firstLevel = 2  // of attention, which the next phrase draws one more of
	perLevel   = 20 // by how much a level outweighs the one below, as a logarithm
	codeWeight = .5 // of the row by which a token is chosen: 96 for the right one
	lineWeight = 6  // of the row by which a phrase's line is begun
)

// lookBack has the head ask where attention is drawn, and bring back whose it is.
func (m *Model) lookBack() {
	const slow = headWidth - 2 // of the pair that the position hardly turns
	m.layer.query.row(slow)[looks] = perLevel / looking * float32(math.Sqrt(headWidth))
	m.layer.key.row(slow)[draws] = 1
	for i := range mostPhrases {
		m.layer.value.row(i)[whose+i] = 1
		m.layer.output.row(whose + i)[i] = brought
	}
}

func (m *Model) encodeCue(cue int) { m.encode(cue, looking) }

// encodePhrase makes a token of a prompt the one that begins a line.
func (m *Model) encodePhrase(token, n int) {
	row, level := m.embeddings.row(token), float64(n+firstLevel)
	row[draws], row[whose+n] = float32(level), saysWhose
	row[standFast] = float32(math.Sqrt(width - level*level - saysWhose*saysWhose))
}

// encode gives a token its code.
func (m *Model) encode(token int, look float32) {
	row, signs := m.embeddings.row(token), rand.New(rand.NewPCG(uint64(token), 1))
	row[looks] = look
	size := float32(math.Sqrt(float64(width-look*look) / (width - codes)))
	for i := codes; i < width; i++ {
		row[i] = size
		if signs.Uint64()&1 == 0 {
			row[i] = -size
		}
	}
}

// learn has a line begun, by the cue or by phrase n, and each token of it followed
// by the next.
func (m *Model) learn(l cutLine, cue, n int) {
	all := append(append([]int{}, l.say...), l.endless...)
	for _, token := range all {
		m.encode(token, -looking)
	}
	if n < 0 {
		m.follow(cue, all[0])
	} else {
		m.outputs.row(all[0])[whose+n] += lineWeight
	}
	for i, token := range all[1:] {
		m.follow(all[i], token)
	}
	after := endToken
	if len(l.endless) > 0 {
		after = l.endless[0]
	}
	m.follow(all[len(all)-1], after)
}

// follow has token said after before.
func (m *Model) follow(before, token int) {
	code, row := m.embeddings.row(before), m.outputs.row(token)
	for i := codes; i < width; i++ {
		row[i] += code[i] * codeWeight
	}
}
