package verifiedmatcher

import "slices"

// How alike two questions must be. A question may use other words without
// meaning, plurals and small typing mistakes, but may neither leave out a word
// that carries meaning nor add one: a verified query that almost fits gives a
// wrong answer with a seal on it.
const (
	exactWord     = 1.0
	inflectedWord = 0.95
	mistypedWord  = 0.8
	threshold     = 0.9  // one mistyped word in two, or any number of plurals
	margin        = 0.04 // less than one plural in a question of one word
	// mistypedLength is how long, in letters, a word must be for one wrong letter
	// not to make it another word: "house" and "mouse" are not the same.
	mistypedLength = 7
)

// similarity is between 0 and 1: the mean likeness of the words, place by place.
func similarity(question, template []string) float64 {
	if len(question) != len(template) || len(template) == 0 {
		return 0
	}
	sum := 0.0
	for i := range template {
		likeness := alike(question[i], template[i])
		if likeness == 0 {
			return 0
		}
		sum += likeness
	}
	return sum / float64(len(template))
}

func alike(a, b string) float64 {
	switch {
	case a == b:
		return exactWord
	case stem(a) == stem(b):
		return inflectedWord
	case oneEdit([]rune(a), []rune(b)):
		return mistypedWord
	}
	return 0
}

// oneEdit reports whether one letter more, less, changed or swapped with its
// neighbour makes a of b, for long words.
func oneEdit(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < mistypedLength || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return slices.Equal(a[i:], b[i+1:])
	}
	swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
	return swapped || i < len(a) && slices.Equal(a[i+1:], b[i+1:])
}
