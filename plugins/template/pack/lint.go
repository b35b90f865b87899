package pack

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"querent.dev/querent/sdk/wire"
)

// Lint says what is wrong with the templates of packs that parse, beyond that:
// a placeholder that may have no value and stands outside of a section, one that
// never has one, a plural form that the language needs and that is not there, a
// template that can never stand, and words that come out badly when they are
// written with each field set and unset.
func Lint(packs []*Pack) Problems {
	var out Problems
	for _, p := range packs {
		for _, t := range p.Templates {
			l := linter{pack: p, template: t}
			l.run()
			out = append(out, l.problems...)
		}
		if more, err := ParseText(p.Words[WordMore]); err == nil {
			l := linter{pack: p, template: &Template{file: p.File, line: p.line, name: string(WordMore)}}
			l.forms(more, more.nodes)
			out = append(out, l.problems...)
		}
	}
	return out
}

type linter struct {
	pack     *Pack
	template *Template
	problems Problems
}

func (l *linter) fail(line int, format string, args ...any) {
	if line == 0 {
		line = l.template.line
	}
	p := Problem{l.template.file, line, fmt.Sprintf("template %q", l.template.name), fmt.Sprintf(format, args...)}
	if !slices.Contains(l.problems, p) {
		l.problems = append(l.problems, p)
	}
}

func (l *linter) run() {
	t := l.template
	if len(t.when.situations()) == 0 {
		l.fail(t.line, "it can never stand: an outcome without an answer has no shape but none, and a code or reason no result")
		return
	}
	for _, text := range []*Text{t.Summary, t.Content} {
		l.placeholders(text, text.nodes, nil)
		l.forms(text, text.nodes)
	}
	if len(l.problems) == 0 {
		l.written()
	}
}

// placeholders looks at each placeholder, below sections that hold only when the
// fields in set have a value.
func (l *linter) placeholders(text *Text, nodes []node, set []Field) {
	for _, n := range nodes {
		switch n := n.(type) {
		case field:
			switch p := l.template.when.presence(n.name); {
			case p == never:
				l.fail(text.line, "{%s} never has a value here", n.name)
			case p == maybe && !slices.Contains(set, n.name):
				l.fail(text.line, "{%s} may have no value; write {?%s}…{/%s} around it", n.name, n.name, n.name)
			}
		case section:
			inside := set
			switch p := l.template.when.presence(n.name); {
			case p == never:
				l.fail(text.line, "the section of {%s} is idle: it never has a value here", n.name)
			case p == always:
				l.fail(text.line, "the section of {%s} is idle: it always has a value here", n.name)
			case !n.absent:
				inside = append(slices.Clip(set), with(n.name)...)
			}
			l.placeholders(text, n.inside, inside)
		}
	}
}

// with are the fields that have a value whenever f has.
func with(f Field) []Field {
	switch f {
	case VerifiedDescription:
		return []Field{f, VerifiedID}
	case RowLimit:
		return []Field{f, Truncated}
	}
	return []Field{f}
}

// forms looks for plural forms that the language needs.
func (l *linter) forms(text *Text, nodes []node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case field:
			if n.forms == nil {
				continue
			}
			needed := neededForms(l.pack.Language)
			for _, name := range sorted(needed) {
				if _, ok := n.forms[pluralForms[name]]; !ok {
					l.fail(text.line, "{%s} lacks the plural form %s, which %s needs for %d", n.name, name, l.pack.Language, needed[name])
				}
			}
		case section:
			l.forms(text, n.inside)
		}
	}
}

// counted are numbers that show every plural form of whole numbers that CLDR has.
var counted = func() []int64 {
	var out []int64
	for n := range int64(201) {
		out = append(out, n)
	}
	return append(out, 1000, 1_000_000, 2_000_000, 1_000_001)
}()

// neededForms are the plural forms of a language, each with a number that has it.
func neededForms(lang language.Tag) map[string]int64 {
	out := map[string]int64{}
	for _, n := range counted {
		form := formOf(lang, n)
		for name, known := range pluralForms {
			if _, seen := out[name]; known == form && !seen {
				out[name] = n
			}
		}
	}
	return out
}

// formOf is the plural form of a whole number.
func formOf(lang language.Tag, n int64) plural.Form {
	// The library asks for the number modulo 10,000,000.
	return plural.Cardinal.MatchPlural(lang, int(n%10_000_000), 0, 0, 0, 0)
}

// badly finds what a reader takes for a slip of the wording.
var badly = regexp.MustCompile(`\S  +\S| [.,;:!?](\s|$)|\(\s*\)|[{}]`)

// badlyInFrench is badly without the space that French has before double signs.
var badlyInFrench = regexp.MustCompile(`\S  +\S| [.,](\s|$)|\(\s*\)|[{}]`)

// written writes the template with all its fields, with none that may be missing,
// and with each of these alone set and unset, for numbers of every plural form.
func (l *linter) written() {
	optional := l.optional()
	cases := []Values{l.values(nil), l.values(optional)}
	for _, f := range optional {
		cases = append(cases, l.values(with(f)), l.values(without(optional, f)))
	}
	for _, n := range slices.Sorted(maps.Values(neededForms(l.pack.Language))) {
		v := l.values(optional)
		for _, f := range Fields() {
			if _, there := v[f]; there && f.number() {
				v[f] = Value{Text: fmt.Sprint(n), Number: n}
			}
		}
		cases = append(cases, v)
	}
	for _, v := range cases {
		l.read(l.template.Summary, v, "summary")
		l.read(l.template.Content, v, "content")
	}
}

// without are the fields that have a value when f has none.
func without(list []Field, f Field) []Field {
	return slices.DeleteFunc(slices.Clone(list), func(other Field) bool { return slices.Contains(with(other), f) })
}

// optional are the fields that may have a value and may have none.
func (l *linter) optional() []Field {
	return slices.DeleteFunc(Fields(), func(f Field) bool { return l.template.when.presence(f) != maybe })
}

// values are samples of the fields that always have a value, and of those in set.
func (l *linter) values(set []Field) Values {
	v := Values{}
	for _, f := range Fields() {
		p := l.template.when.presence(f)
		if p != always && (p == never || !slices.Contains(set, f)) {
			continue
		}
		v[f] = Value{Text: "(" + string(f) + ")"}
		if f.number() {
			v[f] = Value{Text: FormatNumber(l.pack.Language, "1234"), Number: 1234}
		}
		if f == Cell {
			v[f] = Value{Text: FormatNumber(l.pack.Language, "1234.50"), Cell: wire.Int(1234)}
		}
	}
	return v
}

func (l *linter) read(text *Text, v Values, part string) {
	written := text.Render(v, l.pack.Language)
	if part == "summary" && strings.TrimSpace(written) == "" {
		l.fail(text.line, "the summary is empty when only %s have values", strings.Join(namesOf(v), ", "))
	}
	slips := badly
	if base, _ := l.pack.Language.Base(); base.String() == "fr" {
		slips = badlyInFrench
	}
	if found := slips.FindString(written); found != "" {
		l.fail(text.line, "the %s comes out badly (%q): %s", part, found, written)
	}
}

func namesOf(v Values) []string {
	out := make([]string, 0, len(v))
	for _, f := range sorted(v) {
		out = append(out, string(f))
	}
	return out
}
