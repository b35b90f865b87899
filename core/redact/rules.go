package redact

import (
	"regexp"
	"sync"

	"github.com/pelletier/go-toml/v2"
	gitleaks "github.com/zricethezav/gitleaks/v8/config"
)

// rule is one of gitleaks: how the tokens of a vendor look, and a word without which
// none stands in a text. It is compiled when its word is met first.
type rule struct {
	pattern func() *regexp.Regexp
	group   int // of the secret; 0: the first that matched
	entropy float64
}

// ruleSet is the rules, and those that ask for a word.
type ruleSet struct {
	rules  []rule
	byWord map[string][]int
}

// ruleFile is gitleaks' configuration, as far as it is used.
type ruleFile struct {
	Rules []struct {
		ID          string
		Regex       string
		Entropy     float64
		SecretGroup int
		Keywords    []string
	}
}

// genericRule finds values by the names beside them, in source code; assignments
// does so for text.
const genericRule = "generic-api-key"

var ruleBook = sync.OnceValue(func() ruleSet {
	var file ruleFile
	if err := toml.Unmarshal([]byte(gitleaks.DefaultConfig), &file); err != nil {
		panic("redact: the rules of gitleaks cannot be read: " + err.Error()) // they are part of the program
	}
	set := ruleSet{byWord: map[string][]int{}}
	for _, r := range file.Rules {
		if r.Regex == "" || r.ID == genericRule || len(r.Keywords) == 0 {
			continue
		}
		for _, word := range r.Keywords {
			set.byWord[word] = append(set.byWord[word], len(set.rules))
		}
		set.rules = append(set.rules, rule{
			pattern: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(r.Regex) }),
			group:   r.SecretGroup, entropy: r.Entropy,
		})
	}
	return set
})

// ruled are the places of tokens that gitleaks knows, by the rules whose words were met.
func ruled(text string, met map[int]bool) []span {
	book := ruleBook()
	var out []span
	for i := range met {
		r := book.rules[i]
		for _, m := range r.pattern().FindAllStringSubmatchIndex(text, -1) {
			from, to := r.secret(m)
			value := text[from:to]
			if r.entropy > 0 && entropy(value) < r.entropy || example(value) || !mixed(value) {
				continue
			}
			out = append(out, span{from, to, Token})
		}
	}
	return out
}

// secret is the place of the secret in a match.
func (r rule) secret(m []int) (from, to int) {
	if r.group > 0 && 2*r.group+1 < len(m) && m[2*r.group] >= 0 {
		return m[2*r.group], m[2*r.group+1]
	}
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 && m[i+1] > m[i] {
			return m[i], m[i+1]
		}
	}
	return m[0], m[1]
}
