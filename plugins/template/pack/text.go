package pack

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"querent.dev/querent/sdk/wire"
)

// Text is a wording with placeholders:
//
//	{name}                     the value
//	{name|one=# row|other=# rows}   by the plural form of a number; # is the number
//	{value|date=long|currency=EUR}  a date, or a number as an amount of money
//	{?name}…{/name}            only when the value is there
//	{!name}…{/name}            only when it is not
//	{{ and }}                  braces
type Text struct {
	nodes []node
	line  int // in the pack's file
}

// node is a part of a Text.
type node interface {
	render(out *strings.Builder, v Values, lang language.Tag)
}

type literal string

type field struct {
	name  Field
	forms map[plural.Form]string // nil: the plain value
	style *style                 // nil: the plain value
}

type section struct {
	name   Field
	absent bool
	inside []node
}

// Value is what a placeholder stands for. The zero Value is absent.
type Value struct {
	Text   string
	Number int64      // for plural forms
	Cell   wire.Value // for dates and amounts of money
}

// Values are the values of one answer.
type Values map[Field]Value

// Render writes the text in the language of its pack.
func (t *Text) Render(v Values, lang language.Tag) string {
	var out strings.Builder
	for _, n := range t.nodes {
		n.render(&out, v, lang)
	}
	return out.String()
}

func (l literal) render(out *strings.Builder, _ Values, _ language.Tag) { out.WriteString(string(l)) }

func (f field) render(out *strings.Builder, v Values, lang language.Tag) {
	value := v[f.name]
	if f.style != nil {
		out.WriteString(f.style.write(value, lang))
		return
	}
	if f.forms == nil {
		out.WriteString(value.Text)
		return
	}
	wording, ok := f.forms[formOf(lang, value.Number)]
	if !ok {
		wording = f.forms[plural.Other]
	}
	out.WriteString(strings.ReplaceAll(wording, "#", value.Text))
}

func (s section) render(out *strings.Builder, v Values, lang language.Tag) {
	if (v[s.name].Text == "") != s.absent {
		return
	}
	for _, n := range s.inside {
		n.render(out, v, lang)
	}
}

// ParseText reads a wording. Errors name the character at which they arise.
func ParseText(source string) (*Text, error) {
	p := &textParser{rest: source}
	nodes, err := p.until("")
	if err != nil {
		return nil, fmt.Errorf("character %d: %w", len([]rune(source[:len(source)-len(p.rest)]))+1, err)
	}
	return &Text{nodes: nodes}, nil
}

// maxSections bounds how deep sections nest: two levels say all there is to say.
const maxSections = 8

type textParser struct {
	rest  string
	depth int
}

// until reads nodes up to the end of the section of that name, or of the text.
func (p *textParser) until(name Field) ([]node, error) {
	var nodes []node
	for p.rest != "" {
		at := strings.IndexAny(p.rest, "{}")
		if at < 0 {
			at = len(p.rest)
		}
		if at > 0 {
			nodes = append(nodes, literal(p.rest[:at]))
			p.rest = p.rest[at:]
			continue
		}
		if strings.HasPrefix(p.rest, "{{") || strings.HasPrefix(p.rest, "}}") {
			nodes = append(nodes, literal(p.rest[:1]))
			p.rest = p.rest[2:]
			continue
		}
		inside, ok := p.tag()
		if !ok {
			return nil, errors.New("a brace without its partner; write {{ or }} for a brace")
		}
		if inside == "/"+string(name) && name != "" {
			return nodes, nil
		}
		n, err := p.node(inside)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	if name != "" {
		return nil, fmt.Errorf("the section {?%s} is not closed with {/%s}", name, name)
	}
	return nodes, nil
}

// tag takes the text between braces.
func (p *textParser) tag() (string, bool) {
	end := strings.IndexByte(p.rest, '}')
	if p.rest[0] != '{' || end < 0 {
		return "", false
	}
	inside := p.rest[1:end]
	if strings.ContainsRune(inside, '{') {
		return "", false
	}
	p.rest = p.rest[end+1:]
	return inside, true
}

func (p *textParser) node(inside string) (node, error) {
	if inside == "" {
		return nil, errors.New("an empty placeholder")
	}
	switch inside[0] {
	case '/':
		return nil, fmt.Errorf("{%s} closes no section", inside)
	case '?', '!':
		return p.section(inside)
	}
	name, how, more := strings.Cut(inside, "|")
	f := field{name: Field(name)}
	err := f.name.check()
	switch {
	case err != nil || !more:
	case f.name == Cell:
		f.style, err = parseStyle(f.name, how)
	default:
		f.forms, err = parseForms(f.name, how)
	}
	return f, err
}

func (p *textParser) section(inside string) (node, error) {
	s := section{name: Field(inside[1:]), absent: inside[0] == '!'}
	if err := s.name.check(); err != nil {
		return nil, err
	}
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxSections {
		return nil, fmt.Errorf("sections nest deeper than %d", maxSections)
	}
	var err error
	s.inside, err = p.until(s.name)
	return s, err
}

var pluralForms = map[string]plural.Form{
	"zero": plural.Zero, "one": plural.One, "two": plural.Two,
	"few": plural.Few, "many": plural.Many, "other": plural.Other,
}

func parseForms(name Field, source string) (map[plural.Form]string, error) {
	if !name.number() {
		return nil, fmt.Errorf("{%s} is no number, so it has no plural forms", name)
	}
	forms := map[plural.Form]string{}
	for _, part := range strings.Split(source, "|") {
		key, wording, ok := strings.Cut(part, "=")
		form, known := pluralForms[key]
		if !ok || !known {
			return nil, fmt.Errorf("{%s}: %q is no plural form; write zero, one, two, few, many or other, then = and the words", name, part)
		}
		forms[form] = wording
	}
	if _, ok := forms[plural.Other]; !ok {
		return nil, fmt.Errorf("{%s}: the form other is missing", name)
	}
	return forms, nil
}
