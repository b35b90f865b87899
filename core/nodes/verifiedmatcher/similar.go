package verifiedmatcher

// How alike two questions must be. A question may use other words without meaning
// and plurals, but may neither leave out a word that carries meaning, nor add one,
// nor spell one otherwise: counties are not countries, and a verified query that
// almost fits gives a wrong answer with a seal on it.
const (
	exactWord     = 1.0
	inflectedWord = 0.95
	margin        = 0.04 // less than one plural in a question of one word
)

// similarity is between 0 and 1: the mean likeness of the words, place by place,
// and 0 when two of them are not alike.
func similarity(question, template []string) float64 {
	if len(question) != len(template) || len(template) == 0 {
		return 0
	}
	sum := 0.0
	for i := range template {
		switch {
		case question[i] == template[i]:
			sum += exactWord
		case stem(question[i]) == stem(template[i]):
			sum += inflectedWord
		default:
			return 0
		}
	}
	return sum / float64(len(template))
}
