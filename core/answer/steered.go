package answer

import (
	"hash/fnv"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"querent.dev/querent/core/answer/ground"
	"querent.dev/querent/sdk/wire"
)

// steering finds in a model's text what no result makes it say, but an order that stands
// in the data may: what it was told itself, and to write or go to somewhere.
type steering struct {
	rules     map[uint64]bool // runs of words of the prompt's rules
	addresses map[string]bool // that are cells, or of which the question or the host speaks
}

// telling is how many words in a row a text may share with the prompt's rules: sentences
// about results share fewer by chance.
const telling = 7

// mostBeside is how many words may stand in a cell beside an address for the cell to be
// the address of somebody.
const mostBeside = 3

func newSteering(rules string, results []wire.Preview, said ...string) steering {
	s := steering{rules: knownRules.runs(rules), addresses: map[string]bool{}}
	for _, text := range said {
		s.allow(text)
	}
	for _, p := range results {
		for _, row := range p.Rows {
			for _, cell := range row {
				if text := cell.String(); len(strings.Fields(text)) <= 1+mostBeside {
					s.allow(text)
				}
			}
		}
	}
	return s
}

// ruleRuns remembers the runs of words of rules, which are the same for every question
// of a configuration.
type ruleRuns struct {
	mu    sync.Mutex
	known map[string]map[uint64]bool
}

var knownRules ruleRuns

// mostRules bounds what is remembered: the rules of a few configurations, each for an
// outcome with results and for a failure. When it is full, all is forgotten.
const mostRules = 16

// runs are the hashes of the runs of words of a text. They are shared: nobody changes them.
func (k *ruleRuns) runs(rules string) map[uint64]bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if found, ok := k.known[rules]; ok {
		return found
	}
	found := map[uint64]bool{}
	runs(rules, func(_ int, hash uint64) bool {
		found[hash] = true
		return true
	})
	if k.known == nil || len(k.known) >= mostRules {
		k.known = map[string]map[uint64]bool{}
	}
	k.known[rules] = found
	return found
}

func (s steering) allow(text string) {
	for _, a := range address.FindAllString(text, -1) {
		s.addresses[bare(a)] = true
	}
}

// runs calls each with the hash of every run of words of a text and where it ends, until
// it returns false.
func runs(text string, each func(end int, hash uint64) bool) {
	var last [telling]uint64
	n, from := 0, -1
	for i, c := range text + " " {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || c == '_' {
			if from < 0 {
				from = i
			}
			continue
		}
		if from < 0 {
			continue
		}
		last[n%telling] = wordHash(text[from:i])
		from = -1
		if n++; n < telling {
			continue
		}
		var hash uint64
		for k := range telling {
			hash = hash*prime + last[(n+k)%telling]
		}
		if !each(i, hash) {
			return
		}
	}
}

// prime is the multiplier of FNV-1a, which spreads the words of a run.
const prime = 1099511628211

func wordHash(word string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.ToLower(word))) // it takes everything
	return h.Sum64()
}

const (
	// Korean puts its particles right behind an address.
	mail = `[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+`
	link = `(?:[a-z][a-z0-9+.-]{1,15}://|www\.)[^\s<>()"'\]\p{Hangul}]+`
	// place is what a request may name beside these: a host, or the number of a telephone.
	place = `[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\b|\+?\d[\d ().-]{5,}\d`
)

var (
	address = regexp.MustCompile(`(?i)` + mail + `|` + link)
	request = regexp.MustCompile(`(?im)(?:^|[.!?:;,(•*–—-]\s*|\bplease\s+|\b(?:you|users?|readers?|everyone)\s+(?:can|should|must|may|need to|have to)\s+|\band\s+|\bor\s+)` +
		`(?:kindly\s+|just\s+|now\s+)?(?:(write|send|reply|reach|call|visit|go|head|see|click|open|browse|log|sign|register|pay|transfer|wire|forward|ask|follow|download|install|submit|refer|confirm|verify)|` +
		`e-?mail|mail|contact|phone|text|message|report|share|check)\s+(?:[^.!?\n]{0,120}?[\s(\[<"'])??\(?(` + mail + `|` + link + `|` + place + `)`)
	koreanRequest = regexp.MustCompile(`(?i)(?:` + mail + `|` + link + `)[^.!?。\n]{0,60}(?:하세요|주세요|십시오|바랍니다|보내|문의하|문의해|연락하|연락해|접속|클릭|송금|입금)`)
)

// bare is an address without the signs of the sentence around it.
func bare(text string) string { return strings.ToLower(strings.TrimRight(text, ".,;:!?*_`")) }

// check finds what is wrong with a text.
func (s steering) check(text string) []ground.Violation {
	var found []ground.Violation
	runs(text, func(end int, hash uint64) bool {
		if s.rules[hash] {
			found = append(found, violation(text, end, end, "these are the rules for the text, not the answer"))
		}
		return !s.rules[hash]
	})
	for _, at := range address.FindAllStringIndex(text, -1) {
		if !s.addresses[bare(text[at[0]:at[1]])] {
			found = append(found, violation(text, at[0], at[1], "this address is not a value of the result"))
		}
	}
	for _, m := range request.FindAllStringSubmatchIndex(text, -1) {
		where := text[m[4]:m[5]]
		if isDigits(where) && !isDialled(where) {
			continue // "open: 2026-10-31", "transfer: 655915.75"
		}
		// "Email ann@example.com" may name what a cell holds.
		if m[2] >= 0 || !s.addresses[bare(where)] {
			found = append(found, violation(text, m[0], m[1], "the answer asks nobody to write or go anywhere"))
		}
	}
	for _, at := range koreanRequest.FindAllStringIndex(text, -1) {
		found = append(found, violation(text, at[0], at[1], "the answer asks nobody to write or go anywhere"))
	}
	return found
}

// isDigits tells a number from an address.
func isDigits(text string) bool { return strings.Trim(text, "+0123456789 ().-") == "" }

// moments are dates and spans of years, which telephone numbers are not.
var moments = regexp.MustCompile(`\b(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4}|(?:19|20)\d\d ?- ?(?:19|20)\d\d)\b`)

// fewestDialled is how many digits a telephone number has at least.
const fewestDialled = 7

// amount is a number with a fraction, which the number of a telephone is not: "655915.75",
// "655 915.75".
var amount = regexp.MustCompile(`^\d+\.\d+$|\.\d{1,2}$`)

// isDialled tells the number of a telephone from a date and from an amount: it has digits
// enough, and in groups; several points stand between groups only where nothing else does.
func isDialled(text string) bool {
	digits := 0
	for _, c := range text {
		if unicode.IsDigit(c) {
			digits++
		}
	}
	points, groups := strings.Count(text, "."), strings.ContainsAny(text, " ()-")
	switch {
	case digits < fewestDialled || moments.MatchString(text), points == 1 && amount.MatchString(strings.TrimSpace(text)), points > 1 && groups:
		return false
	}
	return true
}

// violation is one of the sentence around a part of a text.
func violation(text string, from, to int, why string) ground.Violation {
	begin := strings.LastIndexAny(text[:from], "\n") + 1
	end := len(text)
	if i := strings.IndexByte(text[to:], '\n'); i >= 0 {
		end = to + i
	}
	return ground.Violation{Item: text[from:to], Clause: text[begin:end], Why: why}
}
