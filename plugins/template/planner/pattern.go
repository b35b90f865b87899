package planner

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"querent.dev/querent/plugins/template/pack"
	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/wire"
)

// maxPatterns is far above what people write; a longer file is not one of theirs.
const maxPatterns = 1 << 20 // bytes

// Pattern is a question with slots and the plan that answers it.
type Pattern struct {
	ID       string          `yaml:"id"`
	Question string          `yaml:"question"` // {name} is a slot
	Slots    map[string]Slot `yaml:"slots"`
	Plan     PatternPlan     `yaml:"plan"` // {name} stands for the slot's value
	words    []patternWord
}

// Slot is what may stand in a question at a place.
type Slot struct {
	Type string   `yaml:"type"` // int, text or date
	Min  *int64   `yaml:"min"`
	Max  *int64   `yaml:"max"`
	Enum []string `yaml:"enum"`
}

// PatternPlan is a wire plan without helper blocks, as YAML.
type PatternPlan struct {
	From     string   `yaml:"from"`
	Joins    []string `yaml:"joins"`
	Where    string   `yaml:"where"`
	Group    []string `yaml:"group"`
	Select   []string `yaml:"select"`
	Having   string   `yaml:"having"`
	Order    []string `yaml:"order"`
	Limit    int64    `yaml:"limit"`
	Offset   int64    `yaml:"offset"`
	Distinct bool     `yaml:"distinct"`
}

// patternWord is a fixed word or a slot.
type patternWord struct {
	word token
	slot string
}

var slotForm = regexp.MustCompile(`\{([a-z][a-z0-9_]*)\}`)

// ParsePatterns reads a file of question patterns. All that is wrong with it is
// reported at once.
func ParsePatterns(file string, content []byte) ([]*Pattern, error) {
	if len(content) > maxPatterns {
		return nil, fmt.Errorf("%s: the file has %d bytes; at most %d are read", file, len(content), maxPatterns)
	}
	if why := pack.Unreadable(content); why != "" {
		return nil, fmt.Errorf("%s: %s", file, why)
	}
	var doc struct {
		Patterns []*Pattern `yaml:"patterns"`
	}
	if err := yaml.NewDecoder(bytes.NewReader(content), yaml.Strict()).Decode(&doc); err != nil {
		return nil, fmt.Errorf("%s: %s", file, pack.Told(err))
	}
	var problems []error
	seen := map[string]bool{}
	for i, p := range doc.Patterns {
		if p == nil || p.ID == "" || seen[p.ID] {
			problems = append(problems, fmt.Errorf("%s: patterns[%d]: an id is needed, and each but once", file, i))
			continue
		}
		seen[p.ID] = true
		if err := p.compile(); err != nil {
			problems = append(problems, fmt.Errorf("%s: pattern %q: %w", file, p.ID, err))
		}
	}
	return doc.Patterns, errors.Join(problems...)
}

// compile cuts the question into words and checks that slots and plan agree.
func (p *Pattern) compile() error {
	if p.Plan.From == "" || len(p.Plan.Select) == 0 {
		return errors.New("the plan needs from and select")
	}
	rest := p.Question
	for rest != "" {
		at := slotForm.FindStringSubmatchIndex(rest)
		if at == nil {
			at = []int{len(rest), len(rest), len(rest), len(rest)}
		}
		for _, t := range tokenize(rest[:at[0]]) {
			p.words = append(p.words, patternWord{word: t})
		}
		if name := rest[at[2]:at[3]]; name != "" {
			p.words = append(p.words, patternWord{slot: name})
		}
		rest = rest[at[1]:]
	}
	if !slices.ContainsFunc(p.words, func(w patternWord) bool { return w.slot == "" }) {
		return errors.New("the question needs a fixed word")
	}
	return p.checkSlots()
}

func (p *Pattern) checkSlots() error {
	for name, s := range p.Slots {
		if s.Type != "int" && s.Type != "text" && s.Type != "date" {
			return fmt.Errorf("slot %s: the type is %q; it must be int, text or date", name, s.Type)
		}
		if !slices.ContainsFunc(p.words, func(w patternWord) bool { return w.slot == name }) {
			return fmt.Errorf("slot %s does not stand in the question", name)
		}
	}
	used := map[string]bool{}
	for _, w := range p.words {
		if _, declared := p.Slots[w.slot]; w.slot != "" && (!declared || used[w.slot]) {
			return fmt.Errorf("the slot {%s} must be declared under slots and stand in the question once", w.slot)
		}
		used[w.slot] = true
	}
	for _, text := range p.Plan.texts() {
		for _, at := range slotForm.FindAllStringSubmatchIndex(text, -1) {
			name := text[at[2]:at[3]]
			if _, declared := p.Slots[name]; !declared {
				return fmt.Errorf("the plan names the slot {%s}, which is not declared", name)
			}
			if openMark(text[:at[0]]) == '`' {
				return fmt.Errorf("the plan's slot {%s} stands inside of a name; a slot is a value", name)
			}
		}
	}
	return nil
}

func (p PatternPlan) texts() []string {
	return slices.Concat([]string{p.From, p.Where, p.Having}, p.Joins, p.Group, p.Select, p.Order)
}

// match reads a question by the pattern, word for word. Commas do not count.
func (p *Pattern) match(tokens []token) (candidate, bool) {
	tokens = slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return t.kind == commaToken })
	values := map[string]string{}
	q := query{}
	for _, w := range p.words {
		switch {
		case w.slot != "":
			value, n := p.Slots[w.slot].accept(tokens[q.at:])
			if n == 0 {
				return candidate{}, false
			}
			values[w.slot] = value
			q = q.take(tokens, n, "value of {"+w.slot+"}")
		case w.word.kind == commaToken:
		case q.at == len(tokens) || !tokens[q.at].same(w.word):
			return candidate{}, false
		default:
			q = q.take(tokens, 1, "pattern "+p.ID)
		}
	}
	return candidate{query: q, plan: p.fill(values), text: "The question pattern " + p.ID + ": " + p.Question}, q.at == len(tokens)
}

// same reports whether a token says what another does.
func (t token) same(other token) bool {
	return t.kind == other.kind && t.word == other.word && (t.kind != quotedToken || t.text == other.text)
}

// accept is the value at the head of the tokens, if the slot takes it, and how
// many of them it is; 0 when it takes none. A text is one word or one quoted
// text, or what the slot's enum holds.
func (s Slot) accept(tokens []token) (string, int) {
	if len(tokens) == 0 {
		return "", 0
	}
	t := tokens[0]
	switch {
	case s.Type == "int":
		n, err := strconv.ParseInt(strings.ReplaceAll(t.text, ",", ""), 10, 64)
		if t.kind != numberToken || err != nil || s.Min != nil && n < *s.Min || s.Max != nil && n > *s.Max {
			return "", 0
		}
		return strconv.FormatInt(n, 10), 1
	case s.Type == "date":
		if _, err := wire.Parse(wire.KindDate, t.text); err != nil {
			return "", 0
		}
		return t.text, 1
	case len(s.Enum) > 0:
		return s.oneOf(tokens)
	case t.kind != wordToken && t.kind != quotedToken, strings.ContainsRune(t.text, 0):
		return "", 0
	}
	return t.text, 1
}

// oneOf is the longest value of the enum that the tokens begin with.
func (s Slot) oneOf(tokens []token) (value string, n int) {
	for _, v := range s.Enum {
		words := tokenize(v)
		switch {
		case tokens[0].kind == quotedToken && strings.EqualFold(tokens[0].text, v):
			return v, 1
		case len(words) > n && len(words) <= len(tokens) && slices.EqualFunc(words, tokens[:len(words)], token.same):
			value, n = v, len(words)
		}
	}
	return value, n
}

// fill puts the values into the plan's strings.
func (p *Pattern) fill(values map[string]string) wire.Plan {
	one := func(text string) string { return p.substitute(text, values) }
	each := func(list []string) []string {
		var out []string
		for _, text := range list {
			out = append(out, one(text))
		}
		return out
	}
	return wire.Plan{Clauses: wire.Clauses{
		From: one(p.Plan.From), Joins: each(p.Plan.Joins), Where: one(p.Plan.Where), Group: each(p.Plan.Group),
		Select: each(p.Plan.Select), Having: one(p.Plan.Having), Order: each(p.Plan.Order),
		Limit: p.Plan.Limit, Offset: p.Plan.Offset, Distinct: p.Plan.Distinct,
	}}
}

// substitute writes values as literals. Inside quotes a value stays inside them:
// a quote in it is doubled, so it can never end the literal.
func (p *Pattern) substitute(text string, values map[string]string) string {
	var out strings.Builder
	for text != "" {
		at := slotForm.FindStringSubmatchIndex(text)
		if at == nil {
			out.WriteString(text)
			break
		}
		out.WriteString(text[:at[0]])
		name := text[at[2]:at[3]]
		escaped := strings.ReplaceAll(values[name], "'", "''")
		if openMark(out.String()) == 0 && p.Slots[name].Type != "int" {
			escaped = "'" + escaped + "'"
		}
		out.WriteString(escaped)
		text = text[at[1]:]
	}
	return out.String()
}

// openMark is the quotation mark or backtick that is open at the end of text, or
// 0. A doubled mark closes and opens again.
func openMark(text string) rune {
	var open rune
	for _, r := range text {
		switch {
		case open == 0 && (r == '\'' || r == '`'):
			open = r
		case r == open:
			open = 0
		}
	}
	return open
}

// byPattern answers a question that a pattern spells, or reports that none does.
func (pl *Planner) byPattern(tokens []token) (sdk.PlanResponse, bool) {
	for _, p := range pl.patterns {
		if c, ok := p.match(tokens); ok {
			return sdk.PlanResponse{Plan: &c.plan, Reading: c.text, Coverage: c.query.used}, true
		}
	}
	return sdk.PlanResponse{}, false
}
